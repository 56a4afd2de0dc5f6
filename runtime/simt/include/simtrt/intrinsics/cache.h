// Loads and stores with cache hints. CUDA C++ Programming Guide, "Load Functions Using Cache
// Hints".
//
// The functions are templates for every trivially copyable type. CUDA has overloads for its own
// types only. PyTorch also calls __ldg for its half and bfloat16 classes, and declares such
// overloads only under CUDA's compiler.
#pragma once

#include <type_traits>

#include <simtrt/kernel/qualifiers.h>

namespace simtrt {

// Blocks that wait for each other exchange data by the cache operators that bypass the first-level
// cache. A load or store with such an operator is therefore executed at every call, as one access
// if the processor supports its size.
template <class T>
constexpr bool is_single_access() {
  return sizeof(T) == alignof(T) &&
         (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
}

template <class T>
inline T load_shared_by_blocks(const T* address) {
  if constexpr (is_single_access<T>()) {
    T value;
    __atomic_load(address, &value, __ATOMIC_RELAXED);
    return value;
  } else {
    __asm__ __volatile__("" ::: "memory");
    return *address;
  }
}

template <class T>
inline void store_shared_by_blocks(T* address, T value) {
  if constexpr (is_single_access<T>()) {
    __atomic_store(address, &value, __ATOMIC_RELAXED);
  } else {
    *address = value;
    __asm__ __volatile__("" ::: "memory");
  }
}

}  // namespace simtrt

#define SIMT_CACHED_LOAD(name, load)                                                   \
  template <class T>                                                                   \
  inline T name(const T* ptr) {                                                        \
    static_assert(std::is_trivially_copyable<T>::value, "a cached load copies bytes"); \
    return load;                                                                       \
  }

SIMT_CACHED_LOAD(__ldg, *ptr)
SIMT_CACHED_LOAD(__ldca, *ptr)
SIMT_CACHED_LOAD(__ldcs, *ptr)
SIMT_CACHED_LOAD(__ldlu, *ptr)
SIMT_CACHED_LOAD(__ldcg, simtrt::load_shared_by_blocks(ptr))
SIMT_CACHED_LOAD(__ldcv, simtrt::load_shared_by_blocks(ptr))

#undef SIMT_CACHED_LOAD

// The value's type is not deduced, so that __stcg(float_pointer, 0) compiles like CUDA's
// overloads.
#define SIMT_CACHED_STORE(name, store)                                                  \
  template <class T>                                                                    \
  inline void name(T* ptr, std::common_type_t<T> value) {                               \
    static_assert(std::is_trivially_copyable<T>::value, "a cached store copies bytes"); \
    store;                                                                              \
  }

SIMT_CACHED_STORE(__stwb, *ptr = value)
SIMT_CACHED_STORE(__stcs, *ptr = value)
SIMT_CACHED_STORE(__stcg, simtrt::store_shared_by_blocks(ptr, value))
SIMT_CACHED_STORE(__stwt, simtrt::store_shared_by_blocks(ptr, value))

#undef SIMT_CACHED_STORE

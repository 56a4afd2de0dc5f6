// CUDA's atomic functions on int, unsigned, 64-bit integers, float and double: real atomics, since
// the blocks of a grid run on several OS threads. Each function returns the previous value. The
// functions on half and bfloat16 are in simt_fp16.h and simt_bf16.h. The overloads are CUDA's only;
// a call with another type does not compile. A GPU's atomicAdd of floats on global memory flushes
// subnormal numbers to zero; the function here preserves them. Source of the overloads: CUDA 12.4,
// device_atomic_functions.h, sm_20/32/60_atomic_functions.h, crt/sm_70_rt.h.
//
// Ownership: the caller owns the memory; the functions keep no pointer.
// Threads: any thread of the host or of a kernel.
// Memory ordering: relaxed, as in CUDA: an atomic orders no other access. Programs order memory by
// __threadfence (block.h), a sequentially consistent fence, which turns the relaxed operation after
// the fence into a release and the one before the fence into an acquire.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <simtrt/kernel/qualifiers.h>

namespace simtrt {

// ThreadSanitizer does not model fences, and would report a race where threads pass data by a fence
// and a counter. Under ThreadSanitizer, the atomics themselves order memory.
#if defined(__SANITIZE_THREAD__)
constexpr int kAtomicOrder = __ATOMIC_ACQ_REL;
constexpr int kAtomicFailOrder = __ATOMIC_ACQUIRE;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr int kAtomicOrder = __ATOMIC_ACQ_REL;
constexpr int kAtomicFailOrder = __ATOMIC_ACQUIRE;
#else
constexpr int kAtomicOrder = __ATOMIC_RELAXED;
constexpr int kAtomicFailOrder = __ATOMIC_RELAXED;
#endif
#else
constexpr int kAtomicOrder = __ATOMIC_RELAXED;
constexpr int kAtomicFailOrder = __ATOMIC_RELAXED;
#endif

// Unsigned integer of `Size` bytes, for the __atomic compare-and-swap builtins.
template <std::size_t Size>
struct AtomicBits;
template <>
struct AtomicBits<2> {
  using type = std::uint16_t;
};
template <>
struct AtomicBits<4> {
  using type = std::uint32_t;
};
template <>
struct AtomicBits<8> {
  using type = std::uint64_t;
};

// Atomically replaces *address by update(*address) and returns the previous value. T is any
// trivially copyable type of 2, 4 or 8 bytes. The comparison is bytewise, so that the loop also
// terminates for -0.0 and NaN.
template <class T, class Update>
inline T atomic_update(T* address, Update update) {
  static_assert(std::is_trivially_copyable<T>::value, "atomics work on bytes");
  using Bits = typename AtomicBits<sizeof(T)>::type;
  // The builtins may access T as Bits only through a may_alias type.
  typedef Bits __attribute__((may_alias)) AliasedBits;
  AliasedBits* bits = reinterpret_cast<AliasedBits*>(address);
  Bits seen = __atomic_load_n(bits, kAtomicFailOrder);
  for (;;) {
    T old;
    std::memcpy(static_cast<void*>(&old), &seen, sizeof(T));
    const T wanted = update(old);
    Bits next;
    std::memcpy(&next, static_cast<const void*>(&wanted), sizeof(T));
    if (__atomic_compare_exchange_n(bits, &seen, next, true, kAtomicOrder, kAtomicFailOrder)) {
      return old;
    }
  }
}

// Integers wrap around; the builtins do so for signed types as well.
template <class T>
inline T atomic_add(T* address, T value) {
  if constexpr (std::is_integral<T>::value) {
    return __atomic_fetch_add(address, value, kAtomicOrder);
  } else {
    return atomic_update(address, [value](T old) { return static_cast<T>(old + value); });
  }
}

template <class T>
inline T atomic_sub(T* address, T value) {
  return __atomic_fetch_sub(address, value, kAtomicOrder);
}

template <class T>
inline T atomic_exchange(T* address, T value) {
  T old;
  __atomic_exchange(address, &value, &old, kAtomicOrder);
  return old;
}

template <class T>
inline T atomic_min(T* address, T value) {
  return atomic_update(address, [value](T old) { return value < old ? value : old; });
}

template <class T>
inline T atomic_max(T* address, T value) {
  return atomic_update(address, [value](T old) { return old < value ? value : old; });
}

// Increments up to limit, then restarts at 0.
inline unsigned int atomic_inc(unsigned int* address, unsigned int limit) {
  return atomic_update(address, [limit](unsigned int old) { return old >= limit ? 0U : old + 1U; });
}

// Decrements down to 0, then restarts at limit; a value above limit also becomes limit.
inline unsigned int atomic_dec(unsigned int* address, unsigned int limit) {
  return atomic_update(
      address, [limit](unsigned int old) { return old == 0U || old > limit ? limit : old - 1U; });
}

template <class T>
inline T atomic_and(T* address, T value) {
  return __atomic_fetch_and(address, value, kAtomicOrder);
}

template <class T>
inline T atomic_or(T* address, T value) {
  return __atomic_fetch_or(address, value, kAtomicOrder);
}

template <class T>
inline T atomic_xor(T* address, T value) {
  return __atomic_fetch_xor(address, value, kAtomicOrder);
}

template <class T>
inline T atomic_compare_and_swap(T* address, T compare, T value) {
  __atomic_compare_exchange_n(address, &compare, value, false, kAtomicOrder, kAtomicFailOrder);
  return compare;
}

}  // namespace simtrt

// Overloads for the scopes device, block and system, which are equivalent
// here.
#define SIMT_ATOMIC_OVERLOADS(name, operation, type)                                            \
  inline type name(type* address, type val) { return simtrt::operation(address, val); }         \
  inline type name##_block(type* address, type val) { return simtrt::operation(address, val); } \
  inline type name##_system(type* address, type val) { return simtrt::operation(address, val); }

SIMT_ATOMIC_OVERLOADS(atomicAdd, atomic_add, int)
SIMT_ATOMIC_OVERLOADS(atomicAdd, atomic_add, unsigned int)
SIMT_ATOMIC_OVERLOADS(atomicAdd, atomic_add, unsigned long long)
SIMT_ATOMIC_OVERLOADS(atomicAdd, atomic_add, float)
SIMT_ATOMIC_OVERLOADS(atomicAdd, atomic_add, double)

SIMT_ATOMIC_OVERLOADS(atomicSub, atomic_sub, int)
SIMT_ATOMIC_OVERLOADS(atomicSub, atomic_sub, unsigned int)

SIMT_ATOMIC_OVERLOADS(atomicExch, atomic_exchange, int)
SIMT_ATOMIC_OVERLOADS(atomicExch, atomic_exchange, unsigned int)
SIMT_ATOMIC_OVERLOADS(atomicExch, atomic_exchange, unsigned long long)
SIMT_ATOMIC_OVERLOADS(atomicExch, atomic_exchange, float)

SIMT_ATOMIC_OVERLOADS(atomicMin, atomic_min, int)
SIMT_ATOMIC_OVERLOADS(atomicMin, atomic_min, unsigned int)
SIMT_ATOMIC_OVERLOADS(atomicMin, atomic_min, long long)
SIMT_ATOMIC_OVERLOADS(atomicMin, atomic_min, unsigned long long)

SIMT_ATOMIC_OVERLOADS(atomicMax, atomic_max, int)
SIMT_ATOMIC_OVERLOADS(atomicMax, atomic_max, unsigned int)
SIMT_ATOMIC_OVERLOADS(atomicMax, atomic_max, long long)
SIMT_ATOMIC_OVERLOADS(atomicMax, atomic_max, unsigned long long)

SIMT_ATOMIC_OVERLOADS(atomicInc, atomic_inc, unsigned int)
SIMT_ATOMIC_OVERLOADS(atomicDec, atomic_dec, unsigned int)

SIMT_ATOMIC_OVERLOADS(atomicAnd, atomic_and, int)
SIMT_ATOMIC_OVERLOADS(atomicAnd, atomic_and, unsigned int)
SIMT_ATOMIC_OVERLOADS(atomicAnd, atomic_and, long long)
SIMT_ATOMIC_OVERLOADS(atomicAnd, atomic_and, unsigned long long)

SIMT_ATOMIC_OVERLOADS(atomicOr, atomic_or, int)
SIMT_ATOMIC_OVERLOADS(atomicOr, atomic_or, unsigned int)
SIMT_ATOMIC_OVERLOADS(atomicOr, atomic_or, long long)
SIMT_ATOMIC_OVERLOADS(atomicOr, atomic_or, unsigned long long)

SIMT_ATOMIC_OVERLOADS(atomicXor, atomic_xor, int)
SIMT_ATOMIC_OVERLOADS(atomicXor, atomic_xor, unsigned int)
SIMT_ATOMIC_OVERLOADS(atomicXor, atomic_xor, long long)
SIMT_ATOMIC_OVERLOADS(atomicXor, atomic_xor, unsigned long long)

#undef SIMT_ATOMIC_OVERLOADS

// Writes val if *address equals compare.
#define SIMT_ATOMIC_CAS_OVERLOADS(type)                                 \
  inline type atomicCAS(type* address, type compare, type val) {        \
    return simtrt::atomic_compare_and_swap(address, compare, val);      \
  }                                                                     \
  inline type atomicCAS_block(type* address, type compare, type val) {  \
    return simtrt::atomic_compare_and_swap(address, compare, val);      \
  }                                                                     \
  inline type atomicCAS_system(type* address, type compare, type val) { \
    return simtrt::atomic_compare_and_swap(address, compare, val);      \
  }

SIMT_ATOMIC_CAS_OVERLOADS(int)
SIMT_ATOMIC_CAS_OVERLOADS(unsigned int)
SIMT_ATOMIC_CAS_OVERLOADS(unsigned long long)

#undef SIMT_ATOMIC_CAS_OVERLOADS

// CUDA has no block and system variants for 16 bits.
inline unsigned short atomicCAS(unsigned short* address, unsigned short compare,
                                unsigned short val) {
  return simtrt::atomic_compare_and_swap(address, compare, val);
}

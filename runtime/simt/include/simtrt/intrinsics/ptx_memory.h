// Loads, stores and atomics of PTX. Source: PTX ISA 8.4, "Data Movement and Conversion
// Instructions" and "Parallel Synchronization and Communication Instructions".
// simtrt/intrinsics/ptx.h includes this file.
//
// Threads: threads of a running kernel. Memory ordering: as for the functions in cache.h; atomics
// are sequentially consistent.
#pragma once

#include <simtrt/intrinsics/cache.h>
#include <simtrt/intrinsics/ptx_operands.h>

#include <cmath>

namespace simtrt::ptx {

/// Address of shared memory whose lowest 32 bits programs keep in a register. A block runs on one
/// thread of the operating system, and its shared memory lies within 2 GiB: the last converted
/// address completes the 32 bits.
inline std::uintptr_t& shared_reference() {
  static thread_local std::uintptr_t last = 0;
  return last;
}
inline std::size_t to_shared(const void* pointer) {
  shared_reference() = reinterpret_cast<std::uintptr_t>(pointer);
  return static_cast<u32>(reinterpret_cast<std::uintptr_t>(pointer));
}
template <class Address>
std::uintptr_t shared(Address address) {
  const std::uintptr_t given = as<std::uintptr_t>(address), last = shared_reference();
  if (given >> 32 != 0) return given;
  const auto difference = static_cast<s32>(static_cast<u32>(given) - static_cast<u32>(last));
  return last + static_cast<std::uintptr_t>(static_cast<s64>(difference));
}

template <class T, class Address>
T load(Address address) {
  return __ldcg(reinterpret_cast<const T*>(as<std::uintptr_t>(address)));
}
template <class T, class Address, class From>
void store(Address address, From value) {
  __stcg(reinterpret_cast<T*>(as<std::uintptr_t>(address)), as<T>(value));
}

/// ld.v2, ld.v4: consecutive elements.
template <class T, class Last>
void load_parts(std::uintptr_t address, const Parts<Last>& to) {
  set(to.first, load<T>(address));
}
template <class T, class First, class... Rest>
auto load_parts(std::uintptr_t address, const Parts<First, Rest...>& to)
    -> std::enable_if_t<sizeof...(Rest) != 0> {
  set(to.first, load<T>(address));
  load_parts<T>(address + sizeof(T), to.rest);
}
template <class T, class Last>
void store_parts(std::uintptr_t address, const Parts<Last>& from) {
  store<T>(address, from.first);
}
template <class T, class First, class... Rest>
auto store_parts(std::uintptr_t address, const Parts<First, Rest...>& from)
    -> std::enable_if_t<sizeof...(Rest) != 0> {
  store<T>(address, from.first);
  store_parts<T>(address + sizeof(T), from.rest);
}

/// New value of an atomic operation by its PTX name.
template <class T>
T changed(const char* operation, T old, T value) {
  if (has(operation, "add")) return static_cast<T>(old + value);
  if (has(operation, "exch")) return value;
  if (has(operation, "min")) return old < value ? old : value;
  if (has(operation, "max")) return old > value ? old : value;
  if constexpr (!std::is_floating_point_v<T>) {
    if (has(operation, "and")) return old & value;
    if (has(operation, "or")) return old | value;
    if (has(operation, "xor")) return old ^ value;
    if (has(operation, "inc")) return old >= value ? T{0} : static_cast<T>(old + 1);
    if (has(operation, "dec")) return old == 0 || old > value ? value : static_cast<T>(old - 1);
  }
  return old;
}
/// atom and red: the old value.
template <class T, class Value>
T atom(const char* operation, std::uintptr_t address, Value value) {
  T* place = reinterpret_cast<T*>(address);
  T old;
  __atomic_load(place, &old, __ATOMIC_RELAXED);
  for (;;) {
    T next = changed(operation, old, as<T>(value));
    if (__atomic_compare_exchange(place, &old, &next, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      return old;
  }
}
template <class T, class Expected, class Value>
T atom_cas(std::uintptr_t address, Expected expected, Value value) {
  T old = as<T>(expected), next = as<T>(value);
  __atomic_compare_exchange(reinterpret_cast<T*>(address), &old, &next, false, __ATOMIC_SEQ_CST,
                            __ATOMIC_SEQ_CST);
  return old;
}

template <class Address>
std::uintptr_t generic(Address address) {
  return as<std::uintptr_t>(address);
}

}  // namespace simtrt::ptx

// Addresses in one space of memory, as programs pass them to inline PTX. All spaces but shared
// memory have generic addresses.
inline std::size_t __cvta_generic_to_shared(const void* pointer) {
  return simtrt::ptx::to_shared(pointer);
}
inline void* __cvta_shared_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(simtrt::ptx::shared(address));
}
#define SIMT_GENERIC_ADDRESS(space)                                   \
  inline std::size_t __cvta_generic_to_##space(const void* pointer) { \
    return reinterpret_cast<std::size_t>(pointer);                    \
  }                                                                   \
  inline void* __cvta_##space##_to_generic(std::size_t address) {     \
    return reinterpret_cast<void*>(address);                          \
  }
SIMT_GENERIC_ADDRESS(global)
SIMT_GENERIC_ADDRESS(constant)
SIMT_GENERIC_ADDRESS(local)
SIMT_GENERIC_ADDRESS(grid_constant)
#undef SIMT_GENERIC_ADDRESS

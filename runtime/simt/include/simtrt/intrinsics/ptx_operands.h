// Operands of PTX instructions: types, vectors in braces, two results (`d|p`), modifiers of an
// instruction's name. Source: PTX ISA 8.4. simtrt/intrinsics/ptx.h includes this file.
#pragma once

#include <cstdint>
#include <type_traits>

namespace simtrt::ptx {

// Types of PTX.
using b8 = std::uint8_t;
using b16 = std::uint16_t;
using b32 = std::uint32_t;
using b64 = std::uint64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;

/// `{a, b}`: the elements of a vector, from the lowest bits on.
template <class First, class... Rest>
struct Parts {
  First& first;
  Parts<Rest...> rest;
};
template <class Last>
struct Parts<Last> {
  Last& first;
};
template <class Last>
Parts<std::remove_reference_t<Last>> parts(Last&& last) {
  return {last};
}
template <class First, class... Rest>
auto parts(First&& first, Rest&&... rest)
    -> Parts<std::remove_reference_t<First>, std::remove_reference_t<Rest>...>;

/// `d|p`: two results.
template <class A, class B>
struct Results {
  A& first;
  B& second;
};
template <class A, class B>
Results<std::remove_reference_t<A>, std::remove_reference_t<B>> results(A&& first, B&& second) {
  return {first, second};
}

/// The operand `_` discards a result.
struct Ignored {
  template <class T>
  void operator=(T) const {}
};
inline const Ignored& ignored() {
  static constexpr Ignored none;
  return none;
}

/// Value of an operand as type T: bits of a number of the same size, else a conversion.
template <class T, class From>
T as(From from) {
  if constexpr (std::is_pointer_v<From>) {
    return static_cast<T>(reinterpret_cast<std::uintptr_t>(from));
  } else if constexpr (std::is_floating_point_v<From> != std::is_floating_point_v<T> &&
                       sizeof(T) == sizeof(From)) {
    T to;
    __builtin_memcpy(&to, &from, sizeof(T));
    return to;
  } else {
    return static_cast<T>(from);
  }
}

/// Bits of a value without a conversion.
template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class... P>
std::uint64_t bits_of(const Parts<P...>& vector) {
  using First = std::remove_reference_t<decltype(vector.first)>;
  if constexpr (sizeof...(P) == 1) {
    return bits_of(vector.first);
  } else {
    return bits_of(vector.first) | bits_of(vector.rest) << (8 * sizeof(First));
  }
}
template <class T, class... P>
T as(const Parts<P...>& vector) {
  T value;
  const std::uint64_t bits = bits_of(vector);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

/// Assigns a result to an operand of any type.
template <class To, class From>
void set(To& to, From from) {
  if constexpr (std::is_same_v<std::remove_const_t<To>, Ignored>) {
    return;
  } else if constexpr (std::is_pointer_v<To>) {
    to = reinterpret_cast<To>(static_cast<std::uintptr_t>(from));
  } else {
    to = as<To>(from);
  }
}
template <class... P, class From>
void set(const Parts<P...>& vector, From from) {
  using First = std::remove_reference_t<decltype(vector.first)>;
  const std::uint64_t bits = bits_of(from);
  if constexpr (!std::is_same_v<std::remove_const_t<First>, Ignored>) {
    __builtin_memcpy(&vector.first, &bits, sizeof(First));
  }
  if constexpr (sizeof...(P) > 1) set(vector.rest, bits >> (8 * sizeof(First)));
}

template <class First, class... Rest>
auto parts(First&& first, Rest&&... rest)
    -> Parts<std::remove_reference_t<First>, std::remove_reference_t<Rest>...> {
  return {first, parts(rest...)};
}

/// An address, `offset` bytes further.
template <class Address>
Address at(Address address, std::int64_t offset) {
  if constexpr (std::is_pointer_v<Address>) {
    return reinterpret_cast<Address>(reinterpret_cast<std::uintptr_t>(address) +
                                     static_cast<std::uintptr_t>(offset));
  } else {
    return static_cast<Address>(address + static_cast<Address>(offset));
  }
}

/// Floating-point constants of PTX: 0fBITS and 0dBITS.
inline f32 single(u32 bits) { return as<f32>(bits); }
inline f64 twice(u64 bits) { return as<f64>(bits); }

/// True if the dotted modifiers of an instruction contain `.name`.
constexpr bool has(const char* modifiers, const char* name) {
  for (; *modifiers != 0; ++modifiers) {
    if (*modifiers != '.') continue;
    const char *at = modifiers + 1, *wanted = name;
    while (*wanted != 0 && *at == *wanted) ++at, ++wanted;
    if (*wanted == 0 && (*at == 0 || *at == '.')) return true;
  }
  return false;
}

}  // namespace simtrt::ptx

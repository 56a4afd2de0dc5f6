// Output of the programs in this folder. A line is `name: values`. Two runs must print equal lines, except lines of `near`:
// `name ~tolerance: values` holds numbers that may differ by the relative tolerance (and, below 1, by it as an absolute one).
// A program must not print what depends on a device's size, on addresses, on time or on an order that CUDA or C++ leaves open: an
// argument beside `cudaDeviceSynchronize()` may be read before the call.

#pragma once

#include <cstdint>
#include <cstdio>
#include <type_traits>

namespace answers {

template <class T>
void put_exactly(T value) {
  if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
    std::printf(" %s", value);
  } else if constexpr (std::is_floating_point_v<T>) {
    std::printf(" %a", static_cast<double>(value));
  } else if constexpr (std::is_enum_v<T>) {
    std::printf(" %lld", static_cast<long long>(value));
  } else if constexpr (std::is_unsigned_v<T>) {
    std::printf(" %llu", static_cast<unsigned long long>(value));
  } else {
    std::printf(" %lld", static_cast<long long>(value));
  }
}

// Text, integers and enumerators as they are, floating-point numbers in hexadecimal: each bit counts.
template <class... T>
void exact(const char* name, T... values) {
  std::printf("%s:", name);
  (put_exactly(values), ...);
  std::printf("\n");
}

template <class T>
void exact_array(const char* name, const T* values, int count) {
  std::printf("%s:", name);
  for (int i = 0; i < count; i++) put_exactly(values[i]);
  std::printf("\n");
}

template <class... T>
void near(const char* name, double tolerance, T... values) {
  std::printf("%s ~%g:", name, tolerance);
  (std::printf(" %.17g", static_cast<double>(values)), ...);
  std::printf("\n");
}

template <class T>
void near_array(const char* name, double tolerance, const T* values, int count) {
  std::printf("%s ~%g:", name, tolerance);
  for (int i = 0; i < count; i++) std::printf(" %.17g", static_cast<double>(values[i]));
  std::printf("\n");
}

}  // namespace answers

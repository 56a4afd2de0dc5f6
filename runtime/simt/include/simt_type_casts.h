// Copies and conversions of elements whose types are known at run time, for PyTorch's elementwise operators.
//
// PyTorch's kernels choose among the types for each element, and each operator compiles this choice for each of its operands.
// Here one function of a port's library (`at::native::convertSIMTElements`, which a patch of mappings/simt/loops.yaml defines with
// the functions below) converts a few hundred elements at a time, and all operators call it.
#pragma once

#include <simtrt/kernel/wide_vectors.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace simtrt {

/// Rows of elements: distances in bytes between the elements of a row, and between rows.
struct ElementRows {
  char* first;
  std::int64_t stride;
  std::int64_t row_stride;
};

/// Value at an address. Any byte but 0 is `true`, as in PyTorch.
template <class T>
inline T load_element(const char* at) {
  if constexpr (std::is_same_v<T, bool>)
    return *reinterpret_cast<const unsigned char*>(at) != 0;
  else
    return *reinterpret_cast<const T*>(at);
}

/// Calls `store(to, from)` with the addresses of each pair of elements.
template <class Store>
inline void for_each_pair(const ElementRows& from, const ElementRows& to, int columns, int rows, const Store& store) {
  for (int row = 0; row < rows; ++row) {
    const char* source = from.first + row * from.row_stride;
    char* target = to.first + row * to.row_stride;
    for (int column = 0; column < columns; ++column) store(target + column * to.stride, source + column * from.stride);
  }
}

/// Copies elements of `size` bytes: 1, 2, 4, 8 or 16.
inline __attribute__((noinline, flatten)) void copy_elements(std::size_t size, const ElementRows& from, const ElementRows& to,
                                                             int columns, int rows) {
  const auto copy = [&](auto unit) {
    using Unit = decltype(unit);
    if (from.stride == sizeof(Unit) && to.stride == sizeof(Unit)) {
      for (int row = 0; row < rows; ++row)
        std::memcpy(to.first + row * to.row_stride, from.first + row * from.row_stride, columns * sizeof(Unit));
      return;
    }
    for_each_pair(from, to, columns, rows, [](char* target, const char* source) {
      *reinterpret_cast<Unit*>(target) = *reinterpret_cast<const Unit*>(source);
    });
  };
  struct Pair {
    std::uint64_t of[2];
  };
  switch (size) {
    case 1: return copy(std::uint8_t());
    case 2: return copy(std::uint16_t());
    case 4: return copy(std::uint32_t());
    case 8: return copy(std::uint64_t());
    default: return copy(Pair());
  }
}

template <class Casts, class To, class From>
inline void convert_rows(const ElementRows& from, const ElementRows& to, int columns, int rows) {
  const bool dense = from.stride == sizeof(From) && to.stride == sizeof(To);
  if (dense && (rows == 1 || (from.row_stride == from.stride * columns && to.row_stride == to.stride * columns))) {
    with_wide_vectors([source = from.first, target = to.first, count = columns * rows] {
      const int end = count;
#pragma GCC ivdep
      for (int i = 0; i < end; ++i)
        reinterpret_cast<To*>(target)[i] =
            Casts::template convert<To>(load_element<From>(source + i * static_cast<std::int64_t>(sizeof(From))));
    });
  } else {
    for_each_pair(from, to, columns, rows, [](char* target, const char* source) {
      *reinterpret_cast<To*>(target) = Casts::template convert<To>(load_element<From>(source));
    });
  }
}

template <class Casts, class From, class... To>
inline bool convert_to_one_of(const ElementRows& from, typename Casts::Type to_type, const ElementRows& to, int columns,
                              int rows, const std::tuple<To...>*) {
  return ((to_type == Casts::template type_of<To> && (convert_rows<Casts, To, From>(from, to, columns, rows), true)) || ...);
}

template <class T, class... Types>
constexpr bool is_one_of(const std::tuple<Types...>*) {
  return (std::is_same_v<T, Types> || ...);
}

/// Converts elements of type `From`.
///
/// `Casts` has the types of PyTorch: `Type` (the enumeration), `Common` (a tuple of the types for which loops are compiled),
/// `type_of<T>`, `convert<To>(value)`, and `store(type, address, value)`, which converts to any type.
template <class Casts, class From>
inline void convert_from(const ElementRows& from, typename Casts::Type to_type, const ElementRows& to, int columns, int rows) {
  constexpr const typename Casts::Common* kCommon = nullptr;
  if constexpr (is_one_of<From>(kCommon)) {
    if (convert_to_one_of<Casts, From>(from, to_type, to, columns, rows, kCommon)) return;
  }
  for_each_pair(from, to, columns, rows, [to_type](char* target, const char* source) {
    Casts::store(to_type, target, load_element<From>(source));
  });
}

}  // namespace simtrt

/// Case of `convertSIMTElements` for a type of PyTorch; the argument of PyTorch's macros that list types.
#define SIMT_CONVERT_FROM(type, name) \
  case decltype(from_type)::name:     \
    return simtrt::convert_from<Casts, type>(from, to_type, to, columns, rows);

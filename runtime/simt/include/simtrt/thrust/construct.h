// Construction of values in uninitialised memory.
#pragma once

#include <simtrt/thrust/dispatch.h>

#include <memory>
#include <new>

THRUST_NAMESPACE_BEGIN

namespace detail {

/// Constructs a value if `iterator` refers to plain memory; otherwise assigns it.
template <class Iterator, class T>
void construct_at(Iterator& iterator, const T& value) {
  using Value = iterator_value_t<Iterator>;
  if constexpr (std::is_reference<decltype(at(iterator))>::value) {
    ::new (static_cast<void*>(std::addressof(at(iterator)))) Value(value);
  } else {
    *iterator = value;
  }
}

}  // namespace detail

THRUST_NAMESPACE_END

#pragma once

// fmt::sprintf, which PyTorch's CUDA sources call. PyTorch is built with a copy of {fmt} that the
// installed package does not contain.

#include <cstdio>
#include <string>

#include "format.h"

namespace fmt {

namespace detail {

template <typename T>
const T& as_printf_argument(const T& value) {
  return value;
}

inline const char* as_printf_argument(const std::string& value) { return value.c_str(); }

}  // namespace detail

/// Result of std::sprintf as a string; an argument for %s may be a std::string.
template <typename... Args>
std::string sprintf(const char* format, const Args&... args) {
  const int length = std::snprintf(nullptr, 0, format, detail::as_printf_argument(args)...);
  if (length <= 0) return {};
  std::string text(static_cast<std::size_t>(length), '\0');
  std::snprintf(text.data(), text.size() + 1, format, detail::as_printf_argument(args)...);
  return text;
}

}  // namespace fmt

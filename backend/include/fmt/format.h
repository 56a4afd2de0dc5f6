#pragma once

// The one function of {fmt} that the headers of Kineto call. Kineto's own build has a copy of {fmt},
// which the installed package does not carry.

#include <sstream>
#include <string>

namespace fmt {

namespace detail {

/// Writes `format` up to its next `{}` and gives what follows that.
inline const char* write_until_field(std::ostream& out, const char* format) {
  while (*format != '\0' && !(format[0] == '{' && format[1] == '}')) out.put(*format++);
  return *format == '\0' ? format : format + 2;
}

}  // namespace detail

/// The text with the arguments in the places of its fields; a field is `{}`.
template <typename... Args>
std::string format(const char* format, const Args&... args) {
  std::ostringstream out;
  ((format = detail::write_until_field(out, format), out << args), ...);
  out << format;
  return out.str();
}

}  // namespace fmt

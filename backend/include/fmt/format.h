#pragma once

// fmt::format, which PyTorch's CUDA sources and Kineto's headers call. PyTorch and Kineto are built
// with a copy of {fmt} that the installed package does not contain.

#include <cstdio>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>

namespace fmt {

namespace detail {

/// Writes `format` up to its next field and returns a pointer past the field. `spec` receives the text after the
/// field's colon.
inline const char* write_until_field(std::ostream& out, const char* format, std::string& spec) {
  spec.clear();
  while (*format != '\0' && *format != '{') out.put(*format++);
  if (*format == '\0') return format;
  const char* const field = format + 1;
  while (*format != '\0' && *format != '}') ++format;
  if (*field == ':') spec.assign(field + 1, format);
  return *format == '\0' ? format : format + 1;
}

/// Writes a value. A floating-point number with a spec such as `.4f` is written as std::printf
/// writes it.
template <typename T>
void write(std::ostream& out, const std::string& spec, const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!spec.empty()) {
      char text[512];
      std::snprintf(text, sizeof(text), ("%" + spec).c_str(), static_cast<double>(value));
      out << text;
      return;
    }
  }
  out << value;
}

}  // namespace detail

/// Text with the arguments in place of the fields. A field is `{}`, or `{:SPEC}` for a floating-point number.
template <typename... Args>
std::string format(const char* format, const Args&... args) {
  std::ostringstream out;
  std::string spec;
  ((format = detail::write_until_field(out, format, spec), detail::write(out, spec, args)), ...);
  out << format;
  return out.str();
}

}  // namespace fmt

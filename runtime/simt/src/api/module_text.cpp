// Source: RFC 4648, section 4.
#include "api/module_text.h"

#include <cstdint>
#include <cstring>

namespace simtrt {

std::string decoded_library(const void* image) {
  const char* text = static_cast<const char*>(image);
  if (std::strncmp(text, kTextOfLibrary, std::strlen(kTextOfLibrary)) != 0) return "";
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string library;
  std::uint32_t bits = 0;
  int count = 0;
  for (text += std::strlen(kTextOfLibrary); *text != 0 && *text != '='; ++text) {
    const char* digit = std::strchr(kDigits, *text);
    if (digit == nullptr) continue;  // the end of a line
    bits = bits << 6 | static_cast<std::uint32_t>(digit - kDigits);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    library.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  return library;
}

}  // namespace simtrt

#include "environment.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace simtrt {

std::int64_t environment_number(const char* name, std::int64_t fallback, std::int64_t lowest,
                                std::int64_t highest) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return fallback;
  char* end = nullptr;
  const long long value = std::strtoll(text, &end, 10);
  if (*end != '\0') {
    std::fprintf(stderr, "simt: %s='%s' is not a number; %lld is used\n", name, text,
                 static_cast<long long>(fallback));
    return fallback;
  }
  return std::clamp<std::int64_t>(value, lowest, highest);
}

}  // namespace simtrt

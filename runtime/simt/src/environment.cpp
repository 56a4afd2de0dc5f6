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

ComputeCapability environment_compute_capability() {
  constexpr ComputeCapability kDefault{7, 0};
  const char* text = std::getenv("SIMT_COMPUTE_CAPABILITY");
  if (text == nullptr || *text == '\0') return kDefault;
  ComputeCapability value{};
  int length = 0;
  if (std::sscanf(text, "%2d.%1d%n", &value.major, &value.minor, &length) == 2 &&
      text[length] == '\0' && value.major > 0 && value.minor >= 0) {
    return value;
  }
  std::fprintf(stderr, "simt: SIMT_COMPUTE_CAPABILITY='%s' is no compute capability; 7.0 is used\n",
               text);
  return kDefault;
}

}  // namespace simtrt

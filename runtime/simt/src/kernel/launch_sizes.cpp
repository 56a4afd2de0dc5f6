#include "simt_launch_sizes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "check/settings.h"
#include "kernel/thread_order.h"

namespace simtrt {
namespace {

bool wants_cuda() {
  const char* text = std::getenv("SIMT_LAUNCH_SIZES");
  if (text == nullptr || *text == '\0' || std::strcmp(text, "host") == 0) return false;
  if (std::strcmp(text, "cuda") != 0)
    std::fprintf(stderr, "simt: SIMT_LAUNCH_SIZES='%s' is neither cuda nor host; host is used\n", text);
  return std::strcmp(text, "cuda") == 0;
}

}  // namespace

bool launches_as_cuda() {
  static const bool wanted = wants_cuda();
  return wanted || check::active || has_thread_order || has_block_order;
}

}  // namespace simtrt

#include "kernel/fault.h"

#include <csignal>
#include <cstdint>
#include <cstdio>

namespace simtrt {

namespace {

// True if an address could be that of thread-local static shared memory plus a multiple of 4 GiB: a
// GPU's 32-bit shared addresses wrap around.
bool is_wrapped_shared(const void* address) {
  constexpr std::int64_t kWrap = std::int64_t{1} << 32;
  constexpr std::int64_t kFarthest = 64 * kWrap;
  constexpr std::int32_t kNear = 1024 * 1024;
  thread_local const char here = 0;
  const auto distance = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address) -
                                                  reinterpret_cast<std::uintptr_t>(&here));
  const auto rest = static_cast<std::int32_t>(distance);
  return distance > kWrap / 2 && distance < kFarthest && rest > -kNear && rest < kNear;
}

}  // namespace

simtError_t error_of_fault(const Fault& fault) {
  if (fault.misaligned) return simtErrorMisalignedAddress;
  return fault.signal == SIGSEGV || fault.signal == SIGBUS ? simtErrorIllegalAddress
         : fault.signal == SIGILL                          ? simtErrorIllegalInstruction
                                                           : simtErrorLaunchFailure;
}

std::string describe_fault(const Fault& fault) {
  if (fault.signal == SIGFPE) return "an arithmetic exception was raised";
  if (fault.signal == SIGILL) return "an illegal instruction was met";
  if (fault.signal == SIGABRT) return "abort was called";
  char text[256];
  std::snprintf(text, sizeof text,
                fault.misaligned
                    ? "a misaligned address was accessed: a vector type needs more than %p has"
                : is_wrapped_shared(fault.address)
                    ? "an illegal memory access was made at address %p, a multiple of 4 GiB above "
                      "static shared memory: an unsigned index wrapped around, as it may in the 32 "
                      "bits of a GPU's shared addresses; dynamic shared memory allows it here, too"
                    : "an illegal memory access was made at address %p",
                fault.address);
  return text;
}

}  // namespace simtrt

#include "activity/calls.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace simtrt::activity {
namespace {

constexpr Call kCalls[] = {
    {1, "simtLaunchKernel", SIMTPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
    {2, "simtMemcpyAsync", SIMTPTI_ACTIVITY_KIND_MEMCPY},
    {3, "simtMemsetAsync", SIMTPTI_ACTIVITY_KIND_MEMSET},
};
constexpr const Call& kLaunch = kCalls[0];
constexpr const Call& kCopy = kCalls[1];
constexpr const Call& kFill = kCalls[2];

// API functions whose work does nothing on the device by itself. Such work has no record.
constexpr std::string_view kSilent[] = {"simtStreamWaitEvent", "simtMallocAsync", "simtFreeAsync",
                                        "simtGraphLaunch"};

const Call* call_of_task(std::string_view name) {
  if (name == "simtMemcpy") return &kCopy;
  if (name == "simtMemset") return &kFill;
  const bool silent = std::find(std::begin(kSilent), std::end(kSilent), name) != std::end(kSilent);
  return silent ? nullptr : &kLaunch;
}

}  // namespace

const Call* call_of(const Work& work) {
  if (std::holds_alternative<KernelWork>(work) || std::holds_alternative<LaterWork>(work))
    return &kLaunch;
  const auto* task = std::get_if<TaskWork>(&work);
  return task == nullptr ? nullptr : call_of_task(task->name);
}

const Call* find_call(SIMTpti_CallbackId id) {
  const auto* call = std::find_if(std::begin(kCalls), std::end(kCalls),
                                  [&](const Call& each) { return each.id == id; });
  return call == std::end(kCalls) ? nullptr : call;
}

}  // namespace simtrt::activity

// Failure of a block: the report, and the exit of the thread that failed.
#include "check/events.h"
#include "kernel/block_scheduler.h"
#include "kernel/fault_report.h"
#include "kernel/fault_signals.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace simtrt {

void BlockScheduler::fail(simtError_t error, const char* what) {
  grid_->fail(error, kernel_report(*grid_, place(), what));
  leave_fiber();
}

void BlockScheduler::leave_fiber() {
  failed_ = true;
  running_->switch_to(native_);
  std::abort();  // a failed fiber is restarted, never resumed
}

void* BlockScheduler::fault_stack(const void* address, bool* overflow) {
  *overflow = fibers_.guarding(address) != nullptr;
  return running_->stack_top();
}

void BlockScheduler::land_after_fault() {
  BlockScheduler& scheduler = *current();
  scheduler.running_->forget_frames();
  release_locks_of_stdio();
  if (scheduler.fault.overflow) {
    scheduler.report = "the stack of the thread is exhausted (" +
                 std::to_string(fiber_stack_bytes() / 1024) +
                 " KiB; simtDeviceSetLimit(simtLimitStackSize) raises it)";
    scheduler.fail(simtErrorHardwareStackError);
  }
  scheduler.report = describe_fault(scheduler.fault);
  if (check::active) check::fault(scheduler.report);
  scheduler.fail(error_of_fault(scheduler.fault));
}

std::string BlockScheduler::place() const {
  return "block (" + std::to_string(blockIdx.x) + "," + std::to_string(blockIdx.y) + "," +
         std::to_string(blockIdx.z) + "), thread (" + std::to_string(threadIdx.x) + "," +
         std::to_string(threadIdx.y) + "," + std::to_string(threadIdx.z) + ")";
}

void BlockScheduler::fail_deadlocked() {
  report = deadlock_report();
  if (check::kinds.sync) {
    std::vector<std::pair<const void*, unsigned>> calls;
    for (unsigned thread = 0; thread < cursor_.threads; ++thread) {
      const ThreadState& state = thread_states_[thread];
      if (state.returned || state.site == nullptr) continue;
      const bool known = std::any_of(calls.begin(), calls.end(), [&](const auto& call) { return call.first == state.site; });
      if (!known) calls.emplace_back(state.site, thread);
    }
    check::deadlock(calls);
  }
  fail(simtErrorLaunchTimeout);
}

// The report has one line for all threads that wait for the same reason in the same call.
std::string BlockScheduler::deadlock_report() const {
  std::string report = "the block is deadlocked";
  for (unsigned begin = 0; begin < cursor_.threads;) {
    const ThreadState& first = thread_states_[begin];
    unsigned end = begin + 1;
    while (end < cursor_.threads && thread_states_[end].returned == first.returned &&
           thread_states_[end].wait == first.wait &&
           (first.returned ||
            (thread_states_[end].site == first.site &&
             thread_states_[end].rendezvous == first.rendezvous))) {
      ++end;
    }
    report += "\n  thread" +
              (end - begin == 1 ? " " + std::to_string(begin)
                                : "s " + std::to_string(begin) + " to " + std::to_string(end - 1));
    if (first.returned) {
      report += (end - begin == 1 ? " has" : " have") + std::string(" returned");
    } else {
      report += end - begin == 1 ? " waits" : " wait";
      report += describe_wait(first.wait, first.rendezvous, first.site);
    }
    begin = end;
  }
  return report;
}

}  // namespace simtrt

// State of the process: a forked child and an ending process cannot use the device.
//
// Ownership: the state is a global of libsimt.so that needs no destructor.
// Threads: any thread. A mutex orders the first use and fork().
// Memory ordering: stores of `process_state` are sequentially consistent. enter_process() loads it
// with acquire ordering, so that a call sees the results of the first use. process_is_ending() is
// sequentially consistent; runtime_thread.h explains the reason.
#pragma once

#include <simt_runtime_api.h>

#include <atomic>

namespace simtrt {

enum class ProcessState : int {
  kUnused,  ///< no call has used the device
  kInUse,
  kForked,  ///< a child of fork() whose parent had used the device; it lacks the parent's threads
  kEnding,  ///< exit() was called, or main() returned
};

namespace detail {

extern std::atomic<ProcessState> process_state;
simtError_t enter_slowly();

}  // namespace detail

/// Called first by every API function that needs a device. Takes no locks. Errors: simtErrorInitializationError in a
/// forked child whose parent had used the device, simtErrorSimtrtUnloading in an ending process.
inline simtError_t enter_process() {
  if (__builtin_expect(
          detail::process_state.load(std::memory_order_acquire) == ProcessState::kInUse, true)) {
    return simtSuccess;
  }
  return detail::enter_slowly();
}

inline bool process_is_forked() {
  return detail::process_state.load(std::memory_order_acquire) == ProcessState::kForked;
}
inline bool process_is_ending() {
  return detail::process_state.load() == ProcessState::kEnding;
}

/// Records that device work has failed: SIMT_FAULT_EXIT_CODE then applies to this process.
void note_fault_of_process();

}  // namespace simtrt

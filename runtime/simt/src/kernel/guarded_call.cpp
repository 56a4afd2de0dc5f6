#include "kernel/guarded_call.h"

#include "kernel/block_scheduler.h"
#include "kernel/fault.h"
#include "kernel/fault_signals.h"
#include "process/runtime_thread.h"

#include <utility>

namespace simtrt {
namespace {

// Innermost Guard of the thread; the signal handler reads it.
__attribute__((tls_model("initial-exec"))) thread_local Guard* innermost_guard = nullptr;

std::exception_ptr thrown_by(void (*call)(const void*), const void* work) {
  try {
    call(work);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

std::exception_ptr fault_in(const Guard& guard) {
  if (guard.fault.overflow) {
    return std::make_exception_ptr(
        DeviceFault(simtErrorHardwareStackError, "the stack of the thread is exhausted"));
  }
  return std::make_exception_ptr(
      DeviceFault(error_of_fault(guard.fault), describe_fault(guard.fault)));
}

}  // namespace

Guard* Guard::innermost() { return innermost_guard; }

void Guard::land() {
  Guard* const guard = innermost_guard;
  innermost_guard = guard->outer;  // a fault from here on belongs to the outer guard
  release_locks_of_stdio();
  __builtin_longjmp(guard->back, 1);
}

__attribute__((noinline)) std::exception_ptr failure_of(void (*call)(const void*),
                                                              const void* work) {
  Guard guard;
  guard.block = BlockScheduler::current();
  guard.outer = innermost_guard;
  guard.landing_stack = RuntimeThread::landing_stack();
  innermost_guard = &guard;
  std::exception_ptr failure;
  if (__builtin_setjmp(guard.back) == 0) {
    failure = thrown_by(call, work);
    if (guard.noted != nullptr) failure = std::move(guard.noted);
  } else {
    failure = fault_in(guard);
  }
  innermost_guard = guard.outer;
  return failure;
}

void note_fault(std::exception_ptr fault) {
  if (innermost_guard != nullptr) innermost_guard->noted = std::move(fault);
}

}  // namespace simtrt

// Device functions for a single thread: shared memory, clock, __nanosleep, trap, assert.
#include "kernel/block_scheduler.h"
#include "device_limits.h"

#include <simtrt/kernel/block.h>
#include <simtrt/libcuxx/scope.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace simtrt {

void* dynamic_shared() {
  return BlockScheduler::current_or_abort("extern __shared__ memory").dynamic_shared();
}

std::size_t dynamic_shared_size() {
  return BlockScheduler::current_or_abort("dynamic_shared_size").grid().config.shared_bytes;
}

void yield() { BlockScheduler::current_or_abort("__nanosleep").yield(); }
void let_others_run() {
  BlockScheduler* scheduler = BlockScheduler::current();
  if (scheduler != nullptr) {
    scheduler->yield();
  } else {
    std::this_thread::yield();
  }
}
void trap() {
  BlockScheduler::current_or_abort("__trap")
      .fail(simtErrorLaunchFailure, "the kernel called __trap");
}

// The processor's counter is not used, because programs divide differences by the device's clock
// rate.
long long clock_cycles() {
  using std::chrono::nanoseconds;
  const nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return now.count() / 1000 * (kClockKilohertz / 1000) +
         now.count() % 1000 * (kClockKilohertz / 1000) / 1000;
}

}  // namespace simtrt

clock_t simt_clock() noexcept {
  if (simtrt::BlockScheduler::current() != nullptr) return simtrt::clock_cycles();
  // The same computation as in the C library's clock(), whose name this library redefines.
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return -1;
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

#undef __assert_fail

extern "C" void simt_assert_fail(const char* assertion, const char* file, unsigned int line,
                                 const char* function) noexcept {
  simtrt::BlockScheduler* scheduler = simtrt::BlockScheduler::current();
  if (scheduler == nullptr) __assert_fail(assertion, file, line, function);
  scheduler->report = std::string(file) + ":" + std::to_string(line) + ": " +
                      (function ? function : "") +
                      ": Assertion `" + assertion + "` failed.";
  scheduler->fail(simtErrorAssert);
}

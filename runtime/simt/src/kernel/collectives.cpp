// What kernels call: the running thread is found, and its block does the rest.
#include "bounds.h"
#include "kernel/block_run.h"

#include <simtrt/kernel/block.h>
#include <simtrt/kernel/warp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace simtrt {
namespace {

BlockRun& running(const char* what) {
  BlockRun* run = BlockRun::current();
  if (run == nullptr) {
    std::fprintf(stderr, "simt: %s was called outside of a kernel\n", what);
    std::abort();
  }
  return *run;
}

}  // namespace

int block_barrier(Barrier kind, bool predicate) {
  return running("__syncthreads").barrier(kind, predicate, __builtin_return_address(0));
}

void grid_barrier() { running("grid_group::sync").grid_barrier(__builtin_return_address(0)); }
bool is_cooperative_launch() { return running("grid_group").grid().barrier != nullptr; }
void* dynamic_shared() { return running("extern __shared__ memory").dynamic_shared(); }
std::size_t dynamic_shared_size() {
  return running("dynamic_shared_size").grid().config.shared_bytes;
}
void yield() { running("__nanosleep").yield(); }
void trap() { running("__trap").fail(simtErrorLaunchFailure, "the kernel called __trap"); }

void warp_sync(lanemask_t mask) {
  unsigned generation;
  Meeting& meeting =
      running("__syncwarp")
          .meet(Collective::kSync, mask, 0, false, __builtin_return_address(0), &generation);
  --meeting.readers;
}

std::uint64_t warp_shuffle(lanemask_t mask, std::uint64_t bits, unsigned source) {
  BlockRun& run = running("a shuffle");
  unsigned generation;
  Meeting& meeting =
      run.meet(Collective::kShuffle, mask, bits, false, __builtin_return_address(0), &generation);
  const Meeting::Brought& brought = meeting.brought[generation];
  --meeting.readers;
  return brought.present >> source & 1 ? brought.bits[source] : bits;
}

lanemask_t warp_vote(lanemask_t mask, bool predicate, lanemask_t* present) {
  unsigned generation;
  Meeting& meeting = running("a vote").meet(Collective::kVote, mask, 0, predicate,
                                            __builtin_return_address(0), &generation);
  --meeting.readers;
  *present = meeting.brought[generation].present;
  return meeting.brought[generation].ayes;
}

lanemask_t warp_match(lanemask_t mask, std::uint64_t bits, lanemask_t* present) {
  unsigned generation;
  Meeting& meeting = running("a match").meet(Collective::kMatch, mask, bits, false,
                                             __builtin_return_address(0), &generation);
  --meeting.readers;
  const Meeting::Brought& brought = meeting.brought[generation];
  *present = brought.present;
  lanemask_t same = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if ((brought.present >> lane & 1) != 0 && brought.bits[lane] == bits)
      same |= lanemask_t{1} << lane;
  }
  return same;
}

lanemask_t warp_gather(lanemask_t mask, std::uint64_t bits, std::uint64_t* values) {
  unsigned generation;
  Meeting& meeting =
      running("a reduction")
          .meet(Collective::kReduce, mask, bits, false, __builtin_return_address(0), &generation);
  --meeting.readers;
  const Meeting::Brought& brought = meeting.brought[generation];
  for (int lane = 0; lane < kWarpSize; ++lane) values[lane] = brought.bits[lane];
  return brought.present;
}

lanemask_t warp_active(unsigned call) {
  return running("__activemask").converge(__builtin_return_address(0), call);
}

// Not the processor's counter: programs divide differences by the device's clock rate.
long long clock_cycles() {
  using std::chrono::nanoseconds;
  const nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return now.count() / 1000 * (kClockKilohertz / 1000) +
         now.count() % 1000 * (kClockKilohertz / 1000) / 1000;
}

}  // namespace simtrt

clock_t simt_clock() noexcept {
  if (simtrt::BlockRun::current() != nullptr) return simtrt::clock_cycles();
  // What clock() of the C library is: this name is the library's own here.
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return -1;
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

#undef __assert_fail

extern "C" void simt_assert_fail(const char* assertion, const char* file, unsigned int line,
                                 const char* function) noexcept {
  simtrt::BlockRun* run = simtrt::BlockRun::current();
  if (run == nullptr) __assert_fail(assertion, file, line, function);
  run->report = std::string(file) + ":" + std::to_string(line) + ": " + (function ? function : "") +
                ": Assertion `" + assertion + "` failed.";
  run->fail(simtErrorAssert);
}

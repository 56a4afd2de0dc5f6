#include "kernel/block_scheduler.h"

#include "check/events.h"
#include "kernel/thread_order.h"
#include "process/runtime_thread.h"
#include "process/thread_object.h"
#include "device_limits.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace simtrt {

__attribute__((tls_model("initial-exec"))) __thread uint3 threadIdx;
__attribute__((tls_model("initial-exec"))) __thread uint3 blockIdx;
__attribute__((tls_model("initial-exec"))) __thread dim3 blockDim;
__attribute__((tls_model("initial-exec"))) __thread dim3 gridDim;

namespace {

__attribute__((tls_model("initial-exec")))
thread_local BlockScheduler* current_scheduler = nullptr;

}  // namespace

BlockScheduler::BlockScheduler()
    : cursor_(*this),
      fibers_(fiber_stack_bytes(), &BlockScheduler::fiber_entry),
      thread_states_(kMaxThreadsPerBlock),
      warps_(kMaxThreadsPerBlock / kWarpSize),
      dynamic_shared_(kMaxSharedPerBlock) {}

BlockScheduler* BlockScheduler::current() { return current_scheduler; }

BlockScheduler& BlockScheduler::of_thread() { return object_of_thread<BlockScheduler>(); }

BlockScheduler& BlockScheduler::current_or_abort(const char* what) {
  BlockScheduler* scheduler = current();
  if (scheduler == nullptr) {
    std::fprintf(stderr, "simt: %s was called outside of a kernel\n", what);
    std::abort();
  }
  return *scheduler;
}

void BlockScheduler::run(GridRun& grid, std::uint64_t index) {
  grid_ = &grid;
  const dim3& blocks = grid.config.grid;
  cursor_.block = grid.config.block;
  cursor_.threads = static_cast<unsigned>(grid.config.threads_per_block());
  cursor_.interleaved = false;
  cursor_.next_ = 0;
  if (has_thread_order) {
    order_threads(order_, cursor_.threads, index);
    begin_interleaving(0);
    cursor_.next_ = 0;
  }
  blockDim = cursor_.block;
  gridDim = blocks;
  blockIdx = uint3{static_cast<unsigned>(index % blocks.x),
                   static_cast<unsigned>(index / blocks.x % blocks.y),
                   static_cast<unsigned>(index / blocks.x / blocks.y)};
  stop_if_process_ends();
  fibers_.set_stack_bytes(fiber_stack_bytes());
  running_ = &fibers_.take();
  current_scheduler = this;
  if (check::active)
    check::begin_block(grid.check_run, index, dynamic_shared(), grid.config.shared_bytes, kMaxSharedPerBlock);
  const std::uint64_t begin = grid.profile ? profile::ticks() : 0;
  counts_ = {};
  leave_thread();
  native_.switch_to(*running_);
  current_scheduler = nullptr;
  if (grid.profile) grid.profile->add(counts_, profile::ticks() - begin);
  if (check::active) check::end_block();
  if (failed_) {
    failed_ = false;
    ready_.clear();
    barrier_.waiting.clear();
    for (NamedBarrier& named : named_barriers_) named.waiting.clear();
    fibers_.restart_all();
  }
}

void BlockScheduler::fiber_entry() {
  finish_switch();
  for (;;) {
    BlockScheduler& scheduler = *current_scheduler;
    scheduler.report.clear();
    scheduler.enter_thread();
    try {
      scheduler.grid_->kernel->run_threads(scheduler.cursor_);
    } catch (const std::exception& exception) {
      scheduler.report = std::string("an exception left the kernel: ") + exception.what();
    } catch (...) {
      scheduler.report = "an exception left the kernel";
    }
    if (!scheduler.report.empty()) scheduler.fail(simtErrorLaunchFailure);
    scheduler.leave_thread();
    // At this point, either no thread had to wait and all threads have returned, or each thread
    // that has not returned has its own fiber.
    scheduler.fibers_.give_back(*scheduler.running_);
    Fiber& self = *scheduler.running_;
    Fiber* next = scheduler.cursor_.interleaved ? scheduler.next_fiber() : nullptr;
    if (next == nullptr && scheduler.cursor_.interleaved && scheduler.alive_ != 0) {
      scheduler.fail_deadlocked();
    }
    Fiber& target = next != nullptr ? *next : scheduler.native_;
    if (&target == &self) continue;
    ++scheduler.counts_.switches;
    scheduler.running_ = next;
    self.switch_to(target);
  }
}

// Called when a thread has to wait for the first time. At this point all threads with a lower
// number have returned, and no thread with a higher number has begun.
void BlockScheduler::begin_interleaving(unsigned first) {
  cursor_.interleaved = true;
  cursor_.next_ = first + 1;
  alive_ = cursor_.threads - first;
  barrier_.arrived = 0;
  barrier_.generation = 0;
  for (NamedBarrier& named : named_barriers_) named.reset();
  for (unsigned thread = 0; thread < cursor_.threads; ++thread) {
    thread_states_[thread].wait = WaitReason::kNone;
    thread_states_[thread].returned = thread < first;
  }
  for (unsigned begin = 0; begin < cursor_.threads; begin += kWarpSize) {
    const unsigned size = std::min<unsigned>(kWarpSize, cursor_.threads - begin);
    lanemask_t lanes = size == kWarpSize ? kAllLanes : (lanemask_t{1} << size) - 1;
    if (begin + size <= first) {
      lanes = 0;
    } else if (begin < first) {
      lanes &= kAllLanes << (first - begin);
    }
    warps_[begin / kWarpSize].reset(lanes);
  }
}

unsigned ThreadCursor::begin() {
  if (next_ == threads) return kNone;
  unsigned thread = next_++;
  if (has_thread_order) thread = scheduler_.order_[thread];
  threadIdx = uint3{thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
  return thread;
}

unsigned ThreadCursor::finish_and_begin() {
  scheduler_.note_return(scheduler_.rank());
  return scheduler_.ends_converging_warp() ? kNone : begin();
}

// Called when a thread returns from the kernel. Barriers and collectives no longer wait for this
// thread; some of them may now be complete.
void BlockScheduler::note_return(unsigned rank) {
  thread_states_[rank].returned = true;
  --alive_;
  WarpState& warp = warps_[rank / kWarpSize];
  warp.alive &= ~(lanemask_t{1} << rank % kWarpSize);
  warp.each_rendezvous([&](WarpRendezvous& rendezvous) {
    if (rendezvous.arrived != 0 && rendezvous.arrived == (rendezvous.mask & warp.alive))
      complete_rendezvous(rendezvous);
  });
  if (barrier_.arrived != 0 && barrier_.arrived == alive_) complete_barrier();
}

void BlockScheduler::yield() {
  stop_if_process_ends();
  if (!cursor_.interleaved) begin_interleaving(rank());
  ready_.push(*running_);
  // A thread that has not begun runs first: otherwise it would never run while other threads spin.
  if (cursor_.next_ < cursor_.threads) {
    const uint3 saved = threadIdx;
    Fiber& self = *running_;
    leave_thread();
    running_ = &fiber_to_begin();
    ++counts_.switches;
    self.switch_to(*running_);
    threadIdx = saved;
    enter_thread();
    return;
  }
  wait(WaitReason::kNone, nullptr, nullptr);
}

// Idle fiber for a thread that has not begun.
Fiber& BlockScheduler::fiber_to_begin() {
  try {
    return fibers_.take();
  } catch (const std::bad_alloc&) {
    fail(simtErrorLaunchOutOfResources, "the machine has no memory left for the stacks of threads");
  }
}

// Next fiber to run: the fiber of a thread that can continue; if there is none, a fiber for a
// thread that has not begun; if there is none either, null.
Fiber* BlockScheduler::next_fiber() {
  // Lanes that wait for the rest of their warp continue before another warp begins: its threads may wait for them in a loop.
  if (ready_.empty() && ends_converging_warp()) resolve_convergence();
  if (ready_.empty() && cursor_.next_ < cursor_.threads) return &fiber_to_begin();
  if (ready_.empty()) resolve_convergence();
  return ready_.pop();
}

void BlockScheduler::wait(WaitReason what, const void* site, const WarpRendezvous* rendezvous) {
  leave_thread();
  ThreadState& here = thread_states_[rank()];
  here = {running_, site, rendezvous, what, false};
  Fiber* next = next_fiber();
  if (next == nullptr) {
    fail_deadlocked();
  }
  if (next != running_) {
    const uint3 saved = threadIdx;
    Fiber& self = *running_;
    running_ = next;
    ++counts_.switches;
    self.switch_to(*next);
    threadIdx = saved;
  }
  enter_thread();
  here.wait = WaitReason::kNone;
}

}  // namespace simtrt

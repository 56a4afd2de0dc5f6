#include "kernel/block_run.h"

#include "kernel/fault.h"
#include "kernel/fault_signals.h"
#include "process/runtime_thread.h"
#include "bounds.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>

namespace simtrt {

__attribute__((tls_model("initial-exec"))) __thread uint3 threadIdx;
__attribute__((tls_model("initial-exec"))) __thread uint3 blockIdx;
__attribute__((tls_model("initial-exec"))) __thread dim3 blockDim;
__attribute__((tls_model("initial-exec"))) __thread dim3 gridDim;

namespace {

__attribute__((tls_model("initial-exec"))) thread_local BlockRun* current_run = nullptr;

}  // namespace

BlockRun::BlockRun()
    : fibers_(fiber_stack_bytes(), &BlockRun::fiber_entry),
      places_(kMaxThreadsPerBlock),
      warps_(kMaxThreadsPerBlock / kWarpSize),
      dynamic_shared_(kMostShared) {}

BlockRun* BlockRun::current() { return current_run; }

unsigned BlockRun::rank() const {
  return threadIdx.x + block.x * (threadIdx.y + block.y * threadIdx.z);
}

void BlockRun::run(GridRun& grid, std::uint64_t index) {
  grid_ = &grid;
  const dim3& blocks = grid.config.grid;
  block = grid.config.block;
  threads = static_cast<unsigned>(grid.config.threads_per_block());
  shared = false;
  next_ = 0;
  blockDim = block;
  gridDim = blocks;
  blockIdx = uint3{static_cast<unsigned>(index % blocks.x),
                   static_cast<unsigned>(index / blocks.x % blocks.y),
                   static_cast<unsigned>(index / blocks.x / blocks.y)};
  stop_if_process_ends();
  fibers_.set_stack_bytes(fiber_stack_bytes());
  running_ = &fibers_.take();
  current_run = this;
  native_.switch_to(*running_);
  current_run = nullptr;
  if (failed_) {
    failed_ = false;
    ready_.clear();
    barrier_waiting_.clear();
    fibers_.restart_all();
  }
}

void BlockRun::fiber_entry() {
  finish_switch();
  for (;;) {
    BlockRun& run = *current_run;
    run.report.clear();
    try {
      run.grid_->kernel->run_threads(run);
    } catch (const std::exception& exception) {
      run.report = std::string("an exception left the kernel: ") + exception.what();
    } catch (...) {
      run.report = "an exception left the kernel";
    }
    if (!run.report.empty()) run.fail(simtErrorLaunchFailure);
    // Either nobody had to wait and all threads have returned, or the threads that are left have
    // fibers of their own.
    run.fibers_.give_back(*run.running_);
    Fiber& self = *run.running_;
    Fiber* next = run.shared ? run.next_fiber() : nullptr;
    if (next == nullptr && run.shared && run.alive_ != 0) {
      run.report = run.deadlock_report();
      run.fail(simtErrorLaunchTimeout);
    }
    Fiber& target = next != nullptr ? *next : run.native_;
    if (&target == &self) continue;
    run.running_ = next;
    self.switch_to(target);
  }
}

// The first time that a thread has to wait: until then, all threads before it have returned and
// none after it has begun.
void BlockRun::begin_sharing() {
  const unsigned first = rank();
  shared = true;
  next_ = first + 1;
  alive_ = threads - first;
  barrier_arrived_ = 0;
  barrier_generation_ = 0;
  for (unsigned thread = 0; thread < threads; ++thread) {
    places_[thread].wait = Wait::kNone;
    places_[thread].returned = thread < first;
  }
  for (unsigned begin = 0; begin < threads; begin += kWarpSize) {
    const unsigned size = std::min<unsigned>(kWarpSize, threads - begin);
    lanemask_t lanes = size == kWarpSize ? kAllLanes : (lanemask_t{1} << size) - 1;
    if (begin + size <= first) {
      lanes = 0;
    } else if (begin < first) {
      lanes &= kAllLanes << (first - begin);
    }
    warps_[begin / kWarpSize].reset(lanes);
  }
}

unsigned Turns::begin() {
  auto& run = static_cast<BlockRun&>(*this);
  if (run.next_ == threads) return kNone;
  const unsigned thread = run.next_++;
  threadIdx = uint3{thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
  return thread;
}

unsigned Turns::finish_and_begin() {
  auto& run = static_cast<BlockRun&>(*this);
  run.note_return(run.rank());
  return begin();
}

// A thread that has returned takes no part any more, so those who wait may be complete now.
void BlockRun::note_return(unsigned rank) {
  places_[rank].returned = true;
  --alive_;
  WarpRun& warp = warps_[rank / kWarpSize];
  warp.alive &= ~(lanemask_t{1} << rank % kWarpSize);
  warp.each_meeting([&](Meeting& meeting) {
    if (meeting.arrived != 0 && meeting.arrived == (meeting.mask & warp.alive))
      complete_meeting(meeting);
  });
  if (barrier_arrived_ != 0 && barrier_arrived_ == alive_) complete_barrier();
}

void BlockRun::complete_barrier() {
  barrier_total_[barrier_generation_ & 1] = barrier_arrived_;
  barrier_arrived_ = 0;
  ++barrier_generation_;
  ready_.take(barrier_waiting_);
}

int BlockRun::barrier(Barrier kind, bool predicate, const void* site) {
  if (!shared) begin_sharing();
  const unsigned parity = barrier_generation_ & 1;
  if (barrier_arrived_ == 0) {
    barrier_kind_ = kind;
    barrier_ayes_[parity] = 0;
  } else if (barrier_kind_ != kind) {
    fail(simtErrorLaunchFailure, "threads of the block stand at different forms of __syncthreads");
  }
  barrier_ayes_[parity] += predicate;
  if (++barrier_arrived_ == alive_) {
    complete_barrier();
  } else {
    barrier_waiting_.push(*running_);
    wait(Wait::kBlock, site, nullptr);
  }
  switch (kind) {
    case Barrier::kPlain: return 0;
    case Barrier::kCount: return static_cast<int>(barrier_ayes_[parity]);
    case Barrier::kAnd: return barrier_ayes_[parity] == barrier_total_[parity];
    case Barrier::kOr: return barrier_ayes_[parity] != 0;
  }
  return 0;
}

void BlockRun::grid_barrier(const void* site) {
  if (grid_->barrier == nullptr) {
    fail(simtErrorLaunchFailure,
         "a grid can be synchronised only when simtLaunchCooperativeKernel launched it");
  }
  barrier(Barrier::kPlain, false, site);
  if (rank() == 0 && !grid_->barrier->wait()) leave_fiber();
  barrier(Barrier::kPlain, false, site);
}

Meeting& BlockRun::meet(Collective kind, lanemask_t mask, std::uint64_t bits, bool vote,
                        const void* site, unsigned* generation) {
  if (!shared) begin_sharing();
  const unsigned thread = rank();
  const unsigned lane = thread % kWarpSize;
  const lanemask_t self = lanemask_t{1} << lane;
  if ((mask & self) == 0) {
    fail(simtErrorLaunchFailure,
         "a lane calls a collective of its warp whose mask does not hold it");
  }
  WarpRun& warp = warps_[thread / kWarpSize];
  Meeting& meeting = warp.meeting(mask);
  Meeting::Brought& brought = meeting.brought[meeting.generation & 1];
  *generation = meeting.generation & 1;
  if (meeting.arrived == 0) {
    meeting.kind = kind;
    brought.ayes = 0;
  } else if (meeting.kind != kind) {
    fail(simtErrorLaunchFailure, "lanes of one mask stand at different collectives of their warp");
  }
  brought.bits[lane] = bits;
  if (vote) brought.ayes |= self;
  meeting.arrived |= self;
  if (meeting.arrived == (mask & warp.alive)) {
    complete_meeting(meeting);
  } else {
    meeting.waiting.push(*running_);
    wait(Wait::kWarp, site, &meeting);
  }
  return meeting;
}

void BlockRun::complete_meeting(Meeting& meeting) {
  meeting.brought[meeting.generation & 1].present = meeting.arrived;
  meeting.readers += static_cast<unsigned>(__builtin_popcountll(meeting.arrived));
  meeting.arrived = 0;
  ++meeting.generation;
  ready_.take(meeting.waiting);
}

lanemask_t BlockRun::converge(const void* site, unsigned call) {
  if (!shared) begin_sharing();
  const unsigned thread = rank();
  const unsigned lane = thread % kWarpSize;
  WarpRun& warp = warps_[thread / kWarpSize];
  Convergence* here = nullptr;
  for (Convergence& known : warp.converging) {
    if (known.site == site && known.call == call) here = &known;
  }
  if (here == nullptr) here = &warp.converging.emplace_back(Convergence{site, call, 0, {}});
  here->arrived |= lanemask_t{1} << lane;
  here->waiting.push(*running_);
  if (here->arrived == warp.alive) resolve_convergence();
  wait(Wait::kConverge, site, nullptr);
  return warp.converged[lane];
}

// Lanes at one __activemask go on together. True where there were any.
bool BlockRun::resolve_convergence() {
  bool any = false;
  for (unsigned begin = 0; begin < threads; begin += kWarpSize) {
    WarpRun& warp = warps_[begin / kWarpSize];
    const bool whole = warp.converging.size() == 1 && warp.converging[0].arrived == warp.alive;
    const bool stuck = ready_.empty() && next_ >= threads;
    if (!whole && !stuck) continue;
    for (Convergence& group : warp.converging) {
      for (int lane = 0; lane < kWarpSize; ++lane) {
        if (group.arrived >> lane & 1) warp.converged[lane] = group.arrived;
      }
      any = true;
    }
    for (Convergence& group : warp.converging) ready_.take(group.waiting);
    warp.converging.clear();
  }
  return any;
}

void BlockRun::yield() {
  stop_if_process_ends();
  if (!shared) begin_sharing();
  ready_.push(*running_);
  // A thread that nobody has started would never get its turn among those who spin.
  if (next_ < threads) {
    const uint3 saved = threadIdx;
    Fiber& self = *running_;
    running_ = &fiber_to_begin();
    self.switch_to(*running_);
    threadIdx = saved;
    return;
  }
  wait(Wait::kNone, nullptr, nullptr);
}

// An idle fiber, for a thread that has not begun.
Fiber& BlockRun::fiber_to_begin() {
  try {
    return fibers_.take();
  } catch (const std::bad_alloc&) {
    fail(simtErrorLaunchOutOfResources, "the machine has no memory left for the stacks of threads");
  }
}

// The fiber to go on with: of a thread that can, else of a thread that has not begun. Null where
// there is none.
Fiber* BlockRun::next_fiber() {
  if (ready_.empty() && next_ < threads) return &fiber_to_begin();
  if (ready_.empty()) resolve_convergence();
  return ready_.pop();
}

void BlockRun::wait(Wait what, const void* site, const Meeting* meeting) {
  Place& here = places_[rank()];
  here = {running_, site, meeting, what, false};
  Fiber* next = next_fiber();
  if (next == nullptr) {
    report = deadlock_report();
    fail(simtErrorLaunchTimeout);
  }
  if (next != running_) {
    const uint3 saved = threadIdx;
    Fiber& self = *running_;
    running_ = next;
    self.switch_to(*next);
    threadIdx = saved;
  }
  here.wait = Wait::kNone;
}

void BlockRun::fail(simtError_t error, const char* what) {
  grid_->fail(error, kernel_report(*grid_, place(), what));
  leave_fiber();
}

void BlockRun::leave_fiber() {
  failed_ = true;
  running_->switch_to(native_);
  std::abort();  // a fiber that has failed is begun anew, not gone on with
}

void* BlockRun::fault_stack(const void* address, bool* overflow) {
  *overflow = fibers_.guarding(address) != nullptr;
  return running_->stack_top();
}

void BlockRun::land_after_fault() {
  BlockRun& run = *current_run;
  run.running_->forget_frames();
  release_locks_of_stdio();
  if (run.fault.overflow) {
    run.report = "the stack of the thread is exhausted (" +
                 std::to_string(fiber_stack_bytes() / 1024) +
                 " KiB; simtDeviceSetLimit(simtLimitStackSize) raises it)";
    run.fail(simtErrorHardwareStackError);
  }
  run.report = describe_fault(run.fault);
  run.fail(error_of_fault(run.fault));
}

std::string BlockRun::place() const {
  return "block (" + std::to_string(blockIdx.x) + "," + std::to_string(blockIdx.y) + "," +
         std::to_string(blockIdx.z) + "), thread (" + std::to_string(threadIdx.x) + "," +
         std::to_string(threadIdx.y) + "," + std::to_string(threadIdx.z) + ")";
}

// Threads that wait for the same at the same place stand on one line.
std::string BlockRun::deadlock_report() const {
  std::string report = "the block is deadlocked";
  for (unsigned begin = 0; begin < threads;) {
    const Place& first = places_[begin];
    unsigned end = begin + 1;
    while (end < threads && places_[end].returned == first.returned &&
           places_[end].wait == first.wait &&
           (first.returned ||
            (places_[end].site == first.site && places_[end].meeting == first.meeting))) {
      ++end;
    }
    report += "\n  thread" +
              (end - begin == 1 ? " " + std::to_string(begin)
                                : "s " + std::to_string(begin) + " to " + std::to_string(end - 1));
    if (first.returned) {
      report += (end - begin == 1 ? " has" : " have") + std::string(" returned");
    } else {
      report += end - begin == 1 ? " waits" : " wait";
      report += describe_wait(first.wait, first.meeting, first.site);
    }
    begin = end;
  }
  return report;
}

}  // namespace simtrt

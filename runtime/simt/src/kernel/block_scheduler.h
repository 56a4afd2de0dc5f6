// Scheduling of the threads of a block on one worker.
//
// The threads run one after another, as plain calls on one fiber. A thread that has to wait (for a
// barrier or for other lanes of its warp) stays on its fiber, and the next thread begins on another
// fiber. A thread that can continue is queued; queued threads run before threads that have not
// begun, so that a warp can finish before the next warp begins. A fiber whose thread returns starts
// the next thread.
//
// The members are defined by topic: block_scheduler.cpp (scheduling), block_barrier.cpp (barriers),
// warp_collectives.cpp (collectives), block_fault.cpp (faults and their reports).
//
// Ownership: each worker owns one BlockScheduler and uses it for one block after another. The
// scheduler owns the fibers, the dynamic shared memory, and the state of threads, warps and the
// barrier. It refers to the GridRun only during run().
// Threads: the owning worker alone, and the signal handler on that worker. Threads of a block never
// move to another thread of the operating system.
// Memory ordering: there are no atomics. All threads of the block run on one thread of the
// operating system. Blocks share memory of the device; GridRun and Job synchronise the data that
// workers share.
#pragma once

#include "kernel/block_barrier.h"
#include "kernel/fault.h"
#include "kernel/fiber.h"
#include "kernel/grid_run.h"
#include "kernel/shared_window.h"
#include "kernel/static_shared.h"
#include "kernel/warp_rendezvous.h"

#include <simtrt/kernel/block.h>
#include <simtrt/kernel/launch.h>
#include <simtrt/kernel/warp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace simtrt {

/// Reason for which a thread of a block waits.
enum class WaitReason : unsigned char { kNone, kBlock, kWarp, kConverge };

/// Scheduler of one worker, or of a thread that helps. It lives as long as the thread, because all
/// blocks that the thread runs use the same stacks and arrays.
class BlockScheduler {
 public:
  BlockScheduler();
  BlockScheduler(const BlockScheduler&) = delete;
  BlockScheduler& operator=(const BlockScheduler&) = delete;

  /// Scheduler of the block that the calling thread of the operating system runs; null outside of
  /// kernels.
  static BlockScheduler* current();

  /// Scheduler for blocks that the calling thread of the operating system will run, created at the first call. Throws
  /// std::bad_alloc.
  static BlockScheduler& of_thread();

  /// Same as current(), but outside of kernels the process ends with a message that names `what`.
  static BlockScheduler& current_or_abort(const char* what);

  /// Runs one block to its end, or until the launch fails.
  void run(GridRun& grid, std::uint64_t index);

  // Barrier of the block. The threads of the block call it; `site` is the address of the call, for
  // reports.
  int barrier(Barrier kind, bool predicate, const void* site);
  int named_barrier(unsigned number, unsigned count, Barrier kind, bool predicate, bool waits,
                    const void* site);
  void grid_barrier(const void* site);
  void yield();
  lanemask_t converge(const void* site, unsigned call);

  /// Contributes `bits` and `vote` to the rendezvous of the lanes of `mask`, and waits until all
  /// lanes that have not returned have arrived. `*generation` receives the index of the
  /// contributions. When the caller has read them, it decrements `readers` of the rendezvous.
  WarpRendezvous& arrive_and_wait(Collective kind, lanemask_t mask, std::uint64_t bits, bool vote,
                                  const void* site, unsigned* generation);

  /// Called by a thread of the block: ends the launch with an error. Does not return, so that no
  /// destructor of the caller runs. The error text is `what`. The second overload uses the text
  /// that the caller has stored in `report`.
  [[noreturn]] void fail(simtError_t error, const char* what);
  [[noreturn]] void fail(simtError_t error) { fail(error, report.c_str()); }
  std::string report;

  /// For the signal handler: top of the stack on which a thread continues after a fault at
  /// `address`. `*overflow` receives true if `address` is in the guard page of a stack.
  void* fault_stack(const void* address, bool* overflow);
  /// For the signal handler. On a GPU, shared-memory addresses have 32 bits and wrap around. If the
  /// faulting address is such an alias of shared memory, makes the alias accessible and returns
  /// true.
  bool reach_shared(const void* address) {
    return dynamic_shared_.reach(address) || StaticShared::reach(address);
  }
  /// A thread continues here after the signal handler. The launch fails with the `fault` that the
  /// handler has stored.
  [[noreturn]] static void land_after_fault();
  Fault fault;

  void* dynamic_shared() { return dynamic_shared_.begin(); }
  const GridRun& grid() const { return *grid_; }
  /// True if an address lies in shared memory of the worker.
  bool is_shared(const volatile void* address) const {
    return dynamic_shared_.holds(address) || StaticShared::holds(address);
  }
  /// Number of the running thread in its block; x varies fastest.
  unsigned rank() const {
    const dim3& block = cursor_.block;
    return threadIdx.x + block.x * (threadIdx.y + block.y * threadIdx.z);
  }
  unsigned lane() const { return rank() % kWarpSize; }

  /// "block (0,0,0), thread (3,0,0)" of the running thread.
  std::string place() const;

 private:
  friend class ThreadCursor;
  friend struct DebuggerView;

  static void fiber_entry();
  /// The threads before `first` have returned, and those after it have not begun.
  void begin_interleaving(unsigned first);
  void note_return(unsigned rank);
  void complete_barrier();
  void complete_rendezvous(WarpRendezvous& rendezvous);
  void wait(WaitReason what, const void* site, const WarpRendezvous* rendezvous);
  Fiber* next_fiber();
  /// A thread begins to wait, or has returned; another one runs. The time between is that of a switch.
  void leave_thread() { if (profile::active) left_at_ = profile::ticks(); }
  void enter_thread() { if (profile::active) counts_.switch_ticks += profile::ticks() - left_at_; }
  Fiber& fiber_to_begin();
  bool resolve_convergence();
  /// True if the last thread that has begun is the last one of its warp, and lanes of this warp wait for the others.
  bool ends_converging_warp() const {
    const unsigned next = cursor_.next_;
    return next != 0 && next % kWarpSize == 0 && !warps_[next / kWarpSize - 1].converging.empty();
  }
  /// True if the threads before `end` have begun. In another order than by number, true if all threads have begun.
  bool has_begun(unsigned end) const {
    return cursor_.next_ >= (order_.empty() ? std::min(end, cursor_.threads) : cursor_.threads);
  }
  [[noreturn]] void leave_fiber();
  std::string deadlock_report() const;
  [[noreturn]] void fail_deadlocked();

  struct ThreadState {
    Fiber* fiber = nullptr;
    const void* site = nullptr;
    const WarpRendezvous* rendezvous = nullptr;
    WaitReason wait = WaitReason::kNone;
    bool returned = false;
  };

  ThreadCursor cursor_;
  std::vector<unsigned> order_;  ///< of threads, by SIMT_SCHEDULE
  NativeFiber native_;  ///< the worker's own stack
  FiberPool fibers_;
  Fiber* running_ = nullptr;
  FiberQueue ready_;  ///< fibers whose threads can continue
  GridRun* grid_ = nullptr;
  unsigned alive_ = 0;  ///< threads that have not returned, once threads interleave
  bool failed_ = false;
  profile::Counts counts_;       ///< of the block; times only while the process is profiled
  std::uint64_t left_at_ = 0;    ///< ticks at which the last thread began to wait

  BlockBarrier barrier_;
  std::array<NamedBarrier, kNamedBarriers> named_barriers_;
  std::vector<ThreadState> thread_states_;
  std::vector<WarpState> warps_;
  SharedWindow dynamic_shared_;
};

}  // namespace simtrt

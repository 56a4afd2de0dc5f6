// Running the threads of a block on one worker.
//
// The threads run one after another, as plain calls on one fiber. When one has to wait (for a
// barrier or the other lanes of its warp), it stays behind on its fiber, and the next thread begins
// on another. A thread that can go on is queued; queued threads go first, so that warps finish
// before others begin. A fiber whose thread returns starts the next one.
#pragma once

#include "kernel/fault.h"
#include "kernel/fiber.h"
#include "kernel/grid_run.h"
#include "kernel/shared_window.h"
#include "kernel/static_shared.h"
#include "kernel/warp_run.h"

#include <simtrt/kernel/block.h>
#include <simtrt/kernel/launch.h>
#include <simtrt/kernel/warp.h>

#include <array>
#include <string>
#include <vector>

namespace simtrt {

/// What a thread of a block waits for.
enum class Wait : unsigned char { kNone, kBlock, kWarp, kConverge };

/// One worker's running block. Lives as long as the worker, since its stacks and arrays are used
/// again.
class BlockRun : public Turns {
 public:
  BlockRun();

  /// The block that the calling thread of the operating system runs, or null outside of kernels.
  static BlockRun* current();

  /// Runs one block to its end, or until the launch fails.
  void run(GridRun& grid, std::uint64_t index);

  // Called by the threads of the block. `site` is the address of the call, for reports.
  int barrier(Barrier kind, bool predicate, const void* site);
  void grid_barrier(const void* site);
  void yield();
  lanemask_t converge(const void* site, unsigned call);

  /// Brings `bits` and `vote` to the meeting of the lanes of `mask`; when this returns, all of them
  /// are there. `done_reading` of the meeting is to be called after.
  Meeting& meet(Collective kind, lanemask_t mask, std::uint64_t bits, bool vote, const void* site,
                unsigned* generation);

  /// Ends the launch with an error, from within a thread of the block: never comes back, and so
  /// runs no destructors of the caller. A text that is made first is to be left in `report`.
  [[noreturn]] void fail(simtError_t error, const char* what);
  [[noreturn]] void fail(simtError_t error) { fail(error, report.c_str()); }
  std::string report;

  /// For the handler of signals: where a thread that faulted at `address` is to go on, null if no
  /// thread of a block runs.
  void* fault_stack(const void* address, bool* overflow);
  /// Whether an address that faulted can be accessed now: one of shared memory that wraps around.
  bool reach_shared(const void* address) {
    return dynamic_shared_.reach(address) || StaticShared::reach(address);
  }
  /// Goes on there: the launch fails with what the handler has left in `fault`.
  [[noreturn]] static void land_after_fault();
  Fault fault;

  void* dynamic_shared() { return dynamic_shared_.begin(); }
  const GridRun& grid() const { return *grid_; }
  unsigned rank() const;
  unsigned lane() const { return rank() % kWarpSize; }

  /// "block (0,0,0), thread (3,0,0)" of the running thread.
  std::string place() const;

 private:
  friend class Turns;

  static void fiber_entry();
  void begin_sharing();
  void note_return(unsigned rank);
  void complete_barrier();
  void complete_meeting(Meeting& meeting);
  void wait(Wait what, const void* site, const Meeting* meeting);
  Fiber* next_fiber();
  Fiber& fiber_to_begin();
  bool resolve_convergence();
  [[noreturn]] void leave_fiber();
  std::string deadlock_report() const;

  struct Place {
    Fiber* fiber = nullptr;
    const void* site = nullptr;
    const Meeting* meeting = nullptr;
    Wait wait = Wait::kNone;
    bool returned = false;
  };

  NativeFiber native_;
  FiberPool fibers_;
  Fiber* running_ = nullptr;
  FiberQueue ready_;
  GridRun* grid_ = nullptr;
  unsigned next_ = 0;
  unsigned alive_ = 0;
  bool failed_ = false;

  unsigned barrier_arrived_ = 0;
  unsigned barrier_generation_ = 0;
  Barrier barrier_kind_ = Barrier::kPlain;
  std::array<unsigned, 2> barrier_ayes_{};
  std::array<unsigned, 2> barrier_total_{};
  FiberQueue barrier_waiting_;

  std::vector<Place> places_;
  std::vector<WarpRun> warps_;
  SharedWindow dynamic_shared_;
};

}  // namespace simtrt

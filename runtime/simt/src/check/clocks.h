// Clocks of the threads of running blocks: which accesses of other threads precede the next access of a thread, by
// barriers, __syncwarp, atomics with fences, and the order of streams.
//
// An access is identified by its thread (Actor) and the thread's clock. A thread's clock grows when the thread passes
// something on. A barrier gives all threads of the block one clock, greater than all before; what precedes is then one
// number (`block_known`).
//
// Ownership: each thread of the operating system owns the clocks of the block that it runs.
// Threads: a caller holds the lock of the checkers (access.cpp).
// Memory ordering: there are no atomics.
#pragma once

#include "check/order.h"

#include <simtrt/config.h>

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace simtrt::check {

/// A thread of a block of a run: run, block and thread in one number.
using Actor = std::uint64_t;
inline constexpr unsigned kThreadBits = 10, kBlockBits = 32;
constexpr Actor actor(Run run, std::uint64_t block, unsigned thread) {
  return Actor{run} << (kBlockBits + kThreadBits) | block << kThreadBits | thread;
}
constexpr Run run_of(Actor one) { return static_cast<Run>(one >> (kBlockBits + kThreadBits)); }
constexpr std::uint64_t block_of(Actor one) { return one >> kThreadBits & ((std::uint64_t{1} << kBlockBits) - 1); }
constexpr unsigned thread_of(Actor one) { return one & ((1U << kThreadBits) - 1); }

/// Clocks that a thread has learnt by acquiring what another one released. Constant once it is shared.
struct Knowledge {
  std::unordered_map<Actor, std::uint32_t> threads;
  std::unordered_map<Actor, std::uint32_t> blocks;  ///< by the actor of thread 0

  void join(const Knowledge& other);
  bool covers(Actor one, std::uint32_t clock) const;
};
using Learnt = std::shared_ptr<const Knowledge>;
Learnt joined(const Learnt& one, const Learnt& other);

/// Clock of a thread. Each access reads it: the clocks of a block fit into the processor's first cache.
struct ThreadClock {
  std::uint64_t epoch = 0;  ///< epoch of the block in which the other members were set
  std::uint32_t clock = 0;
  std::uint32_t block_known = 0;
};

/// Knowledge of a thread about single other threads, which a barrier does not tell.
struct ThreadKnowledge {
  std::uint64_t epoch = 0;  ///< as in ThreadClock
  std::array<std::uint32_t, kWarpSize> lanes_known{};
  Learnt learnt;
  Learnt released;  ///< by a fence, for later atomic writes
  Learnt acquired;  ///< by atomic reads, for a later fence
};

/// Clocks of one running block.
///
/// Fences are fence.sc of PTX. A barrier (or __syncwarp) between a fence of one thread and the atomic write of another, or
/// between an atomic read and a fence, keeps the order: the opposite order of the two fences would place the atomic read
/// before the write that the read has observed, which PTX's axiom of causality excludes. So barriers pass on `released`
/// and `acquired` of all threads.
class BlockClocks {
 public:
  /// Clocks of the block that the calling thread of the operating system runs.
  static BlockClocks& current();

  void begin(Run run, std::uint64_t block);
  void barrier();
  void warp_sync(unsigned warp, lanemask_t lanes);
  /// The grid's barrier number `generation` (1 for the first) is complete.
  void grid_barrier();

  ThreadClock& thread(unsigned number) {
    ThreadClock& one = threads_[number];
    if (__builtin_expect(one.epoch != epoch_, false)) one = {epoch_, base_clock_, base_known_};
    return one;
  }
  ThreadKnowledge& knowledge(unsigned number) {
    ThreadKnowledge& one = knowledge_[number];
    if (one.epoch != epoch_) renew(one);
    return one;
  }
  /// True if the access of `earlier` at its clock precedes the next access of a thread of this block.
  bool is_ordered(Actor earlier, std::uint32_t clock, unsigned number) {
    if (earlier == actor_of(number)) return true;
    if (is_of_block(earlier)) return clock <= thread(number).block_known || is_ordered_in_run(earlier, clock, number);
    const Run other = run_of(earlier);
    if (other == run) return is_ordered_in_run(earlier, clock, number);
    const EarlierRun& known = earlier_[other % earlier_.size()];
    return __builtin_expect(known.run == other && clock <= known.clock, true) || is_of_earlier_run(other, clock);
  }

  Actor actor_of(unsigned number) const { return first_ | number; }
  bool is_of_block(Actor one) const { return (one ^ first_) >> kThreadBits == 0; }

  /// All that precedes the next access of the thread.
  Learnt snapshot(unsigned thread);
  void advance(unsigned thread);

  Run run = kHostRun;
  std::uint64_t block = 0;
  /// Different for each block that has run in the process.
  std::uint64_t serial = 0;

 private:
  /// A run whose accesses up to a clock precede the running one: a question of order.h that was answered before.
  struct EarlierRun {
    Run run = kHostRun;
    std::uint32_t clock = 0;
  };

  void renew(ThreadKnowledge& one);
  bool is_of_earlier_run(Run earlier, std::uint32_t clock);
  bool is_ordered_in_run(Actor earlier, std::uint32_t clock, unsigned number);

  Actor first_ = actor(kHostRun, 0, 0);   ///< thread 0 of the block
  std::array<EarlierRun, 64> earlier_{};  ///< by the number of the run
  std::uint64_t epoch_ = 0;
  std::uint32_t base_clock_ = 1;
  std::uint32_t base_known_ = 0;
  std::uint32_t grid_floor_ = 0;
  std::uint32_t most_ = 1;
  Learnt base_learnt_, base_released_, base_acquired_;
  std::vector<ThreadClock> threads_;
  std::vector<ThreadKnowledge> knowledge_;
  bool any_knowledge_ = false;  ///< of a thread of this block
};

}  // namespace simtrt::check

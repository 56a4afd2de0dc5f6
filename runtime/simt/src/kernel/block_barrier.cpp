// Barriers of a block and of a cooperative grid: the functions that kernels call, and their
// implementation in the scheduler.
#include "check/events.h"
#include "kernel/block_scheduler.h"
#include "kernel/grid_barrier.h"

#include <simtrt/kernel/block.h>

namespace simtrt {

void BlockScheduler::complete_barrier() {
  barrier_.present[barrier_.generation & 1] = barrier_.arrived;
  barrier_.arrived = 0;
  ++barrier_.generation;
  if (check::active) check::barrier_complete();
  ready_.take(barrier_.waiting);
}

namespace {

template <class State>
int result_of(Barrier kind, const State& state, unsigned parity) {
  switch (kind) {
    case Barrier::kPlain: return 0;
    case Barrier::kCount: return static_cast<int>(state.votes[parity]);
    case Barrier::kAnd: return state.votes[parity] == state.present[parity];
    case Barrier::kOr: return state.votes[parity] != 0;
  }
  return 0;
}

}  // namespace

// Without a count, all threads of the block take part, as in __syncthreads.
int BlockScheduler::named_barrier(unsigned number, unsigned count, Barrier kind, bool predicate,
                                  bool waits, const void* site) {
  if (count == 0) return barrier(kind, predicate, site);
  if (number >= kNamedBarriers) {
    fail(simtErrorLaunchFailure, "a barrier of a block has a number from 0 to 15");
  }
  if (!cursor_.interleaved) begin_interleaving(rank());
  ++counts_.barriers;
  NamedBarrier& named = named_barriers_[number];
  const unsigned parity = named.generation & 1;
  if (named.arrived == 0) named.votes[parity] = 0;
  named.votes[parity] += predicate;
  if (++named.arrived == count) {
    named.present[parity] = count;
    named.arrived = 0;
    ++named.generation;
    // The checkers take the arrivals for those of all threads, so that they report no race that the barrier excludes.
    if (check::active) check::barrier_complete();
    ready_.take(named.waiting);
  } else if (waits) {
    named.waiting.push(*running_);
    wait(WaitReason::kBlock, site, nullptr);
  }
  return result_of(kind, named, parity);
}

int BlockScheduler::barrier(Barrier kind, bool predicate, const void* site) {
  // A block of one thread waits for nobody. The port launches such blocks often (simt_launch_sizes.h).
  if (cursor_.threads == 1 && !check::active) {
    ++counts_.barriers;
    return kind != Barrier::kPlain && predicate;
  }
  if (!cursor_.interleaved) begin_interleaving(rank());
  ++counts_.barriers;
  const unsigned parity = barrier_.generation & 1;
  if (barrier_.arrived == 0) {
    barrier_.kind = kind;
    barrier_.votes[parity] = 0;
    barrier_.first_site = site;
    barrier_.first_thread = rank();
  } else if (check::kinds.sync && site != barrier_.first_site) {
    check::different_calls("divergent", "threads of a block wait at different calls of __syncthreads", barrier_.first_site,
                           barrier_.first_thread, site, rank());
  }
  if (barrier_.kind != kind) {
    fail(simtErrorLaunchFailure, "threads of the block stand at different forms of __syncthreads");
  }
  barrier_.votes[parity] += predicate;
  if (++barrier_.arrived == alive_) {
    complete_barrier();
  } else {
    barrier_.waiting.push(*running_);
    wait(WaitReason::kBlock, site, nullptr);
  }
  return result_of(kind, barrier_, parity);
}

void BlockScheduler::grid_barrier(const void* site) {
  if (grid_->barrier == nullptr) {
    fail(simtErrorLaunchFailure,
         "a grid can be synchronised only when simtLaunchCooperativeKernel launched it");
  }
  barrier(Barrier::kPlain, false, site);
  if (rank() == 0 && !grid_->barrier->wait()) leave_fiber();
  if (check::active && rank() == 0) check::grid_barrier_complete();
  barrier(Barrier::kPlain, false, site);
}

int block_barrier(Barrier kind, bool predicate) {
  return BlockScheduler::current_or_abort("__syncthreads")
      .barrier(kind, predicate, __builtin_return_address(0));
}

int named_barrier(unsigned number, unsigned count, Barrier kind, bool predicate, bool waits) {
  return BlockScheduler::current_or_abort("__barrier_sync")
      .named_barrier(number, count, kind, predicate, waits, __builtin_return_address(0));
}

void grid_barrier() {
  BlockScheduler::current_or_abort("grid_group::sync").grid_barrier(__builtin_return_address(0));
}

bool is_cooperative_launch() {
  return BlockScheduler::current_or_abort("grid_group").grid().barrier != nullptr;
}

}  // namespace simtrt

// Barriers of a block and of a cooperative grid: the functions that kernels call, and their
// implementation in the scheduler.
#include "kernel/block_scheduler.h"
#include "kernel/grid_barrier.h"

#include <simtrt/kernel/block.h>

namespace simtrt {

void BlockScheduler::complete_barrier() {
  barrier_.present[barrier_.generation & 1] = barrier_.arrived;
  barrier_.arrived = 0;
  ++barrier_.generation;
  ready_.take(barrier_.waiting);
}

int BlockScheduler::barrier(Barrier kind, bool predicate, const void* site) {
  if (!cursor_.interleaved) begin_interleaving();
  const unsigned parity = barrier_.generation & 1;
  if (barrier_.arrived == 0) {
    barrier_.kind = kind;
    barrier_.votes[parity] = 0;
  } else if (barrier_.kind != kind) {
    fail(simtErrorLaunchFailure, "threads of the block stand at different forms of __syncthreads");
  }
  barrier_.votes[parity] += predicate;
  if (++barrier_.arrived == alive_) {
    complete_barrier();
  } else {
    barrier_.waiting.push(*running_);
    wait(WaitReason::kBlock, site, nullptr);
  }
  switch (kind) {
    case Barrier::kPlain: return 0;
    case Barrier::kCount: return static_cast<int>(barrier_.votes[parity]);
    case Barrier::kAnd: return barrier_.votes[parity] == barrier_.present[parity];
    case Barrier::kOr: return barrier_.votes[parity] != 0;
  }
  return 0;
}

void BlockScheduler::grid_barrier(const void* site) {
  if (grid_->barrier == nullptr) {
    fail(simtErrorLaunchFailure,
         "a grid can be synchronised only when simtLaunchCooperativeKernel launched it");
  }
  barrier(Barrier::kPlain, false, site);
  if (rank() == 0 && !grid_->barrier->wait()) leave_fiber();
  barrier(Barrier::kPlain, false, site);
}

int block_barrier(Barrier kind, bool predicate) {
  return BlockScheduler::current_or_abort("__syncthreads")
      .barrier(kind, predicate, __builtin_return_address(0));
}

void grid_barrier() {
  BlockScheduler::current_or_abort("grid_group::sync").grid_barrier(__builtin_return_address(0));
}

bool is_cooperative_launch() {
  return BlockScheduler::current_or_abort("grid_group").grid().barrier != nullptr;
}

}  // namespace simtrt

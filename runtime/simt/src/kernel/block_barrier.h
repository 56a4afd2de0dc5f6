// State of the barrier of a running block: __syncthreads, and the variants that count predicates.
//
// Ownership: a BlockScheduler owns one BlockBarrier. The fibers in `waiting` belong to the
// scheduler's FiberPool.
// Threads: only the worker that runs the block reads or writes the state.
// Memory ordering: the state has no atomics. All threads of a block run on one thread of the
// operating system, so program order makes writes before a barrier visible after it.
#pragma once

#include "kernel/fiber.h"

#include <simtrt/kernel/block.h>

#include <array>

namespace simtrt {

/// Arrivals and votes. Two sets of votes, used in turn, suffice. A thread may arrive at barrier n +
/// 1 before other threads have read the votes of barrier n. It cannot arrive at barrier n + 2
/// before all threads have arrived at n + 1, and thus have read the votes of n.
struct BlockBarrier {
  unsigned arrived = 0;
  unsigned generation = 0;
  Barrier kind = Barrier::kPlain;
  std::array<unsigned, 2> votes{};    ///< threads with a true predicate, by parity of the generation
  std::array<unsigned, 2> present{};  ///< threads that took part, by parity of the generation
  FiberQueue waiting;
  // Call of the first thread that has arrived, for the checkers.
  const void* first_site = nullptr;
  unsigned first_thread = 0;
};

/// Barrier of some threads of a block, with a number from 0 to 15 (PTX, "bar"). A launch begins with empty barriers.
struct NamedBarrier {
  unsigned arrived = 0;
  unsigned generation = 0;
  std::array<unsigned, 2> votes{};    ///< as in BlockBarrier
  std::array<unsigned, 2> present{};
  FiberQueue waiting;

  void reset() {
    arrived = 0;
    votes = {};
  }
};
inline constexpr unsigned kNamedBarriers = 16;

}  // namespace simtrt

// State of the barrier of a running block (__syncthreads and its counting forms).
//
// Ownership: a BlockScheduler owns one BlockBarrier. The fibers in `waiting` belong to the
// scheduler's FiberPool.
// Threads: only the worker that runs the block reads or writes the state.
// Memory ordering: the state has no atomics. All threads of a block run on one thread of the
// operating system, so program order makes the writes before a barrier visible behind it.
#pragma once

#include "kernel/fiber.h"

#include <simtrt/kernel/block.h>

#include <array>

namespace simtrt {

/// Arrivals and votes. Votes of two generations are stored alternately: a thread can arrive at the next barrier before
/// the other threads have read the votes of this barrier, but it cannot arrive at the barrier after the next one.
struct BlockBarrier {
  unsigned arrived = 0;
  unsigned generation = 0;
  Barrier kind = Barrier::kPlain;
  std::array<unsigned, 2> votes{};    ///< threads with a true predicate, by parity of the generation
  std::array<unsigned, 2> present{};  ///< threads that took part, by parity of the generation
  FiberQueue waiting;
};

}  // namespace simtrt

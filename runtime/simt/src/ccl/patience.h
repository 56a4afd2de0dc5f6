// Wait of a rank for its doorbell, without sleep: the thread spins, and then yields its processor to other threads.
//
// The system often starts a thread that wakes on the processor of the thread that woke it, although another processor is
// free; two ranks then share a processor for milliseconds. A thread that yields can run, and the free processor takes it.
// If other programs use all processors, however, the thread may get its processor back only milliseconds after the ring,
// while a thread that the ring wakes gets one soon.
//
// Ownership and threads: belongs to a communicator; the thread that performs its transfers uses it.
#pragma once

#include "ccl/segment.h"

#include <cstdint>

namespace simtrt::ccl {

class Patience {
 public:
  /// Waits until the doorbell differs from `heard`, and returns true; returns false when the thread should sleep.
  bool wait(const RankState& rank, std::uint32_t heard);

 private:
  void note_ring(const RankState& rank);

  int waits_without_yield_ = 0;
};

}  // namespace simtrt::ccl

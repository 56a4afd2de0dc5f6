// Barrier of all blocks of a cooperative launch (grid_group::sync).
//
// Ownership: Stream::run_together owns the barrier, which outlives the threads of all blocks. The
// barrier refers to the GridRun of the launch and does not own it.
// Threads: one thread of each block calls wait(). Each block has a thread of the operating system.
// Memory ordering: all operations are sequentially consistent. Release ordering in the last arrival
// and acquire ordering in the waiting threads would suffice: `arrived_` is set to zero before
// `generation_` is incremented, and a block arrives again only after it has read the new
// generation. Each arrival is a read-modify-write of `arrived_`, so that the last arrival sees all
// earlier writes of all blocks.
#pragma once

#include <atomic>
#include <cstdint>

namespace simtrt {

class GridRun;

class GridBarrier {
 public:
  GridBarrier(std::uint64_t blocks, GridRun& run) : blocks_(blocks), run_(run) {}

  /// Blocks the calling thread until all blocks have arrived. False if the launch has failed.
  bool wait();

 private:
  const std::uint64_t blocks_;
  GridRun& run_;
  std::atomic<std::uint64_t> arrived_{0};
  std::atomic<std::uint64_t> generation_{0};
};

}  // namespace simtrt

// Grids that a kernel launches (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"). A grid is
// complete when its own blocks and all grids that they have launched are complete.
//
// Ownership: the stream that executes a grid owns its StreamGrid, which owns the streams that
// kernels of the grid have made. The streams live on while they have work.
// Threads: the workers that run blocks of the grid. Each class has a mutex for its members.
// Memory ordering: the mutexes order all accesses; the only atomic is in GridRun
// (kernel/grid_run.h).
#pragma once

#include "kernel/grid_run.h"
#include "streams/stream.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace simtrt {

/// A grid launched by the host has depth 0, its children depth 1. CUDA limits the nesting to 24 levels.
inline constexpr unsigned kDeepestGrid = 23;

/// Streams on which the kernels of one grid launch other grids.
class ChildGrids {
 public:
  ChildGrids() = default;
  ChildGrids(const ChildGrids&) = delete;
  ChildGrids& operator=(const ChildGrids&) = delete;
  /// Destroys the streams that kernels have created but not destroyed.
  ~ChildGrids();

  /// Null stream of a block. Each block has its own null stream, which the first call creates.
  std::shared_ptr<Stream> stream_of_block(Device& device, std::uint64_t block);
  /// Adds a stream that a kernel of the grid has created.
  void add(simtStream_t handle, std::shared_ptr<Stream> stream);
  bool owns(const std::shared_ptr<Stream>& stream) const;
  /// Incomplete work of all streams on which kernels of this grid have launched.
  std::vector<Dependency> pending() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Stream>> by_block_;
  std::vector<std::pair<simtStream_t, std::shared_ptr<Stream>>> made_;
};

/// Last error (simtGetLastError) of each thread of one grid.
class LastErrors {
 public:
  void leave(std::uint64_t thread, simtError_t error);
  simtError_t peek(std::uint64_t thread) const;
  void clear(std::uint64_t thread);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, simtError_t> by_thread_;
};

/// A launch that a stream executes, with the grids that the launch's kernel launches. Every GridRun
/// is a StreamGrid.
class StreamGrid : public GridRun {
 public:
  StreamGrid(const KernelWork& work, Stream& stream);

  /// Grid whose block the calling thread runs; null outside of kernels.
  static StreamGrid* current();

  /// Records the outcome of the launch, and ends its measurement. Returns its child grids, for which the stream must wait.
  std::vector<Dependency> settle();

  Stream& stream;
  const unsigned depth;
  ChildGrids children;
  LastErrors last_errors;
};

/// Number of the running thread in its grid.
std::uint64_t thread_of_grid();

/// Stream that a kernel denotes by a handle; null if the kernel's grid has no such stream.
std::shared_ptr<Stream> find_stream_of_kernel(StreamGrid& grid, simtStream_t handle);

}  // namespace simtrt

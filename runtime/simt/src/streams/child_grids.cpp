#include "streams/child_grids.h"

#include "kernel/block_scheduler.h"
#include "streams/device.h"

#include <algorithm>
#include <utility>

namespace simtrt {
namespace {

std::uint64_t block_index() {
  return blockIdx.x + gridDim.x * (blockIdx.y + std::uint64_t{gridDim.y} * blockIdx.z);
}

}  // namespace

ChildGrids::~ChildGrids() {
  for (const auto& [handle, stream] : made_) {
    if (stream_handles().remove(handle) != nullptr) delete_stream_handle(handle);
  }
}

std::shared_ptr<Stream> ChildGrids::stream_of_block(Device& device, std::uint64_t block) {
  const std::lock_guard lock(mutex_);
  auto& stream = by_block_[block];
  // This stream is not in the device's list of streams, because the default stream waits for the
  // parent grid, and thus for this stream.
  if (stream == nullptr)
    stream = std::make_shared<Stream>(device, simtStreamNonBlocking, 0, /*legacy=*/false);
  return stream;
}

void ChildGrids::add(simtStream_t handle, std::shared_ptr<Stream> stream) {
  const std::lock_guard lock(mutex_);
  made_.emplace_back(handle, std::move(stream));
}

bool ChildGrids::owns(const std::shared_ptr<Stream>& stream) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(made_.begin(), made_.end(),
                     [&](const auto& made) { return made.second == stream; });
}

std::vector<Dependency> ChildGrids::pending() const {
  std::vector<Dependency> pending;
  const auto add = [&](const std::shared_ptr<Stream>& stream) {
    const std::uint64_t last = stream->last();
    if (!stream->reached(last)) pending.push_back({stream, last});
  };
  const std::lock_guard lock(mutex_);
  for (const auto& [block, stream] : by_block_) add(stream);
  for (const auto& [handle, stream] : made_) add(stream);
  return pending;
}

void LastErrors::leave(std::uint64_t thread, simtError_t error) {
  const std::lock_guard lock(mutex_);
  by_thread_[thread] = error;
}

simtError_t LastErrors::peek(std::uint64_t thread) const {
  const std::lock_guard lock(mutex_);
  const auto it = by_thread_.find(thread);
  return it == by_thread_.end() ? simtSuccess : it->second;
}

void LastErrors::clear(std::uint64_t thread) {
  const std::lock_guard lock(mutex_);
  by_thread_.erase(thread);
}

std::uint64_t thread_of_grid() {
  const std::uint64_t rank =
      threadIdx.x + blockDim.x * (threadIdx.y + std::uint64_t{blockDim.y} * threadIdx.z);
  return block_index() * blockDim.x * blockDim.y * blockDim.z + rank;
}

StreamGrid::StreamGrid(const KernelWork& work, Stream& stream)
    : GridRun(work.kernel, work.config), stream(stream), depth(work.depth) {
  if (profile::active) profile.emplace(work.kernel->site, work.config, stream.device.ordinal, stream.id);
}

StreamGrid* StreamGrid::current() {
  const BlockScheduler* scheduler = BlockScheduler::current();
  return scheduler == nullptr ? nullptr
                        : const_cast<StreamGrid*>(static_cast<const StreamGrid*>(&scheduler->grid()));
}

std::vector<Dependency> StreamGrid::settle() {
  if (profile) profile->end();
  if (error() != simtSuccess) stream.device.set_sticky(error());
  return children.pending();
}

std::shared_ptr<Stream> find_stream_of_kernel(StreamGrid& grid, simtStream_t handle) {
  if (handle == nullptr || handle == simtStreamLegacy || handle == simtStreamPerThread)
    return grid.children.stream_of_block(grid.stream.device, block_index());
  auto stream = stream_handles().find(handle);
  return stream != nullptr && grid.children.owns(stream) ? stream : nullptr;
}

}  // namespace simtrt

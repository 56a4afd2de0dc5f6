// simtMallocAsync, simtMallocFromPoolAsync and simtFreeAsync.
#include "api/call.h"

#include "check/events.h"
#include "memory/memory.h"
#include "streams/graph.h"
#include "streams/memory_pool.h"

using namespace simtrt;

namespace {

simtError_t allocate(void** pointer, std::size_t size, MemoryPool& pool,
                     const std::shared_ptr<Stream>& stream) {
  *pointer = nullptr;
  if (size == 0) return simtSuccess;
  bool captured;
  const simtError_t error = capture_allocation(stream, pool.device, size, pointer, &captured);
  if (captured) return error;
  if (const simtError_t implicit = forbid_implicit_wait(stream)) return implicit;
  if (const simtError_t error = forbid_unsafe_call()) return error;
  return pool.allocate(stream, size, pointer);
}

// Frees memory of a pool when the work that is now on the stream is complete.
simtError_t free_to_pool(const Allocation& allocation, const std::shared_ptr<Stream>& stream) {
  auto nothing = std::make_shared<const Work>(TaskWork{"simtFreeAsync", [] {}});
  const std::uint64_t number = stream->device.submit(stream, std::move(nothing));
  if (check::active) check::freed_in_stream(allocation.begin, *stream, number);
  allocation.pool->free_after(allocation, {stream, number});
  return simtSuccess;
}

// Frees memory from simtMalloc in stream order. The memory is freed even if a fault prevents
// earlier work.
simtError_t free_on_stream(const Allocation& allocation, const std::shared_ptr<Stream>& stream) {
  const std::shared_ptr<const Allocation> owned(new Allocation(allocation),
                                                [](const Allocation* last) {
                                                  release(*last);
                                                  delete last;
                                                });
  stream->device.submit(stream,
                        std::make_shared<const Work>(TaskWork{"simtFreeAsync", [owned] {}}));
  return simtSuccess;
}

// Frees memory that launches of a graph allocated. The graph keeps the address for its next launch.
// The work on the stream shares ownership, because it may be the memory's last owner.
simtError_t free_graph_memory(std::shared_ptr<GraphMemory> memory,
                              const std::shared_ptr<Stream>& stream) {
  if (!memory->note_freed()) return simtErrorInvalidValue;
  stream->device.submit(stream, std::make_shared<const Work>(
                                    TaskWork{"simtFreeAsync", [memory = std::move(memory)] {}}));
  return simtSuccess;
}

}  // namespace

simtError_t simtMallocFromPoolAsync(void** pointer, std::size_t size, simtMemPool_t handle,
                                    simtStream_t stream_handle) {
  return with_stream(stream_handle, [&](const auto& stream) {
    const auto pool = find_pool(handle);
    if (pointer == nullptr || pool == nullptr) return simtErrorInvalidValue;
    return allocate(pointer, size, *pool, stream);
  });
}

simtError_t simtMallocAsync(void** pointer, std::size_t size, simtStream_t stream_handle) {
  return with_stream(stream_handle, [&](const auto& stream) {
    const auto pool = find_pool(current_pool(stream->device.ordinal));
    if (pointer == nullptr || pool == nullptr) return simtErrorInvalidValue;
    return allocate(pointer, size, *pool, stream);
  });
}

simtError_t simtFreeAsync(void* pointer, simtStream_t stream_handle) {
  return with_stream(stream_handle, [&](const auto& stream) {
    if (const simtError_t error = check_capture(stream)) return error;
    if (pointer == nullptr)
      return graph_of_capture(stream) != nullptr ? simtSuccess : forbid_unsafe_call();
    bool captured;
    const simtError_t error = capture_free(stream, pointer, &captured);
    if (captured) return error;
    if (const simtError_t unsafe = forbid_unsafe_call()) return unsafe;
    if (auto memory = GraphMemory::find(pointer))
      return free_graph_memory(std::move(memory), stream);
    const auto allocation =
        MemoryMap::instance().take(pointer, MemoryKind::kDevice, MemoryKind::kDevice);
    if (!allocation) {
      if (check::active) check::bad_free(pointer);
      const auto other = MemoryMap::instance().find(pointer);
      return other && other->kind == MemoryKind::kManaged ? simtErrorNotSupported
                                                          : simtErrorInvalidValue;
    }
    if ((allocation->flags & kOfKernel) != 0) {
      MemoryMap::instance().add(*allocation);
      return simtErrorInvalidValue;
    }
    return allocation->pool != nullptr ? free_to_pool(*allocation, stream)
                                       : free_on_stream(*allocation, stream);
  });
}

// Work of the runtime's libraries (blas, cub, rand ...) on streams and on idle workers.
//
// Ownership: enqueue() moves the work into the stream, which destroys the work after its execution.
// During a capture, enqueue() moves the work into the graph. parallel_for() keeps a reference to
// `body` and returns only when no worker uses `body` any more. `name` must outlive the work.
// Threads: any thread may call both functions. Work runs on a worker. If a worker calls
// parallel_for(), idle workers execute parts of the loop; on any other thread, the calling thread
// executes the whole loop.
// Memory ordering: writes of the caller before enqueue() are visible to the work, by the stream's
// mutex. Writes of `body` are visible after parallel_for(): the counter of completed parts is
// incremented with acquire-release ordering and read with acquire ordering (src/streams/workers.h).
#pragma once

#include <simt_runtime_api.h>
#include <simtrt/config.h>

#include <cstddef>
#include <functional>

namespace simtrt {

/// Runs `work` once on a thread of the runtime, in stream order. During a capture of the stream,
/// adds `work` to the graph, which runs it at every launch of the graph. Returns immediately.
/// `name` identifies the work in fault reports and must outlive the work. An exception sets the
/// device's error to simtErrorLaunchFailure. Errors: simtErrorInvalidResourceHandle for an invalid
/// stream, and the sticky error of the device.
SIMTRT_EXPORT simtError_t enqueue(simtStream_t stream, const char* name,
                                  std::function<void()> work);

/// Calls `body(begin, end)` for parts of [0, count) with about `grain` items, and returns when
/// every part is complete. If the caller is work on a stream, all idle workers execute parts; on
/// any other thread, the calling thread executes all parts.
SIMTRT_EXPORT void parallel_for(
    std::size_t count, std::size_t grain,
    const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace simtrt

// Work of the runtime's libraries (blas, cub, rand ...) on streams and on idle workers.
//
// Ownership: enqueue() moves the work into the stream, which destroys it when it is done, or into
// the graph that the stream is captured into. parallel_for() refers to `body` and returns only when
// no worker uses it any more. `name` must outlive the work.
// Threads: any thread may call both. Work runs on a worker. parallel_for() shares its bodies among
// workers if a worker calls it, and otherwise runs them on the calling thread.
// Memory ordering: writes of the caller before enqueue() are visible to the work, by the stream's
// mutex. Writes of the bodies are visible after parallel_for(): the count of completed pieces is
// incremented by acquire-release and read by acquire (src/streams/workers.h).
#pragma once

#include <simt_runtime_api.h>
#include <simtrt/config.h>

#include <cstddef>
#include <functional>

namespace simtrt {

/// Runs `work` once on a thread of the runtime, in stream order; if the stream is captured, adds it
/// to the graph, and runs it at every launch. Returns immediately. `name` identifies the work in
/// fault reports and must outlive it. An exception sets the device's error to
/// simtErrorLaunchFailure. Errors: simtErrorInvalidResourceHandle for an invalid stream, and the
/// sticky error of the device.
SIMTRT_EXPORT simtError_t enqueue(simtStream_t stream, const char* name,
                                  std::function<void()> work);

/// Called by such work: calls `body(begin, end)` for parts of [0, count) with about `grain` items,
/// on all idle workers, and returns when every part is complete. On any other thread, the calling
/// thread executes all parts.
SIMTRT_EXPORT void parallel_for(
    std::size_t count, std::size_t grain,
    const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace simtrt

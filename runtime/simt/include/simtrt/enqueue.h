// Work of the runtime's libraries (blas, cub, rand ...) on streams and on idle workers.
//
// Ownership: enqueue() moves the work into the stream, which destroys it when it is done, or into
// the graph that the stream is captured into. parallel_for() refers to `body` and returns only when
// no worker uses it any more. `name` must outlive the work.
// Threads: any thread may call both. Work runs on a worker. parallel_for() shares its bodies among
// workers if a worker calls it, and otherwise runs them on the calling thread.
// Memory ordering: what the caller of enqueue() wrote before is visible to the work, by the
// stream's mutex. What the bodies wrote is visible behind parallel_for(): the count of pieces that
// are done is incremented by acquire-release and read by acquire (src/streams/workers.h).
#pragma once

#include <simt_runtime_api.h>
#include <simtrt/config.h>

#include <cstddef>
#include <functional>

namespace simtrt {

/// Runs `work` once, after all that is on `stream` before it and before all that comes after, on a
/// thread of the runtime; into a graph where the stream is captured, and then at every launch of
/// it. Returns at once. `name` is what reports of faults call it and must live on; an exception
/// leaves the device with simtErrorLaunchFailure. Errors: simtErrorInvalidResourceHandle for a
/// stream that is none, and the sticky error of the device.
SIMTRT_EXPORT simtError_t enqueue(simtStream_t stream, const char* name,
                                  std::function<void()> work);

/// Within such work: calls `body(begin, end)` for parts of [0, count) of about `grain`, on all idle
/// workers at once, and returns when every part is done. Called from elsewhere it does all of it
/// itself.
SIMTRT_EXPORT void parallel_for(
    std::size_t count, std::size_t grain,
    const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace simtrt

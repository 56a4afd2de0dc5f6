// Copies of boxes between memory of any kind, for the runtime API and the driver API.
//
// Ownership: the caller owns the memory.
// Threads: any thread. Memory ordering: that of the stream's work (streams/stream.h).
#pragma once

#include <simt_runtime_api.h>

namespace simtrt {

/// Return of a copy or fill to its caller.
enum class Return { kWhenDone, kAtOnce };

/// Memory, and the place at which a box in it begins: bytes, rows and slices.
struct BoxPlace {
  simtPitchedPtr memory;
  simtPos at;
};

/// Copies a box of `extent.width` bytes, rows and slices. Errors: simtErrorInvalidPitchValue for rows or slices of
/// the memory that are shorter than those of the box, simtErrorInvalidResourceHandle for an invalid stream, and the
/// errors of check_copy (memory/memory.h).
simtError_t copy_box(const BoxPlace& to, const BoxPlace& from, const simtExtent& extent,
                     simtMemcpyKind kind, simtStream_t stream, Return when);

}  // namespace simtrt

// Hints about managed memory whose place is a simtMemLocation: the form of CUDA 13, and `_v2` in CUDA 12.
#pragma once

#include <simt_runtime_api.h>

namespace simtrt {

/// Device of a location in the form of CUDA 12: a node of the host's memory is the host.
inline int device_of(simtMemLocation location) {
  return location.type == simtMemLocationTypeDevice ? location.id : simtCpuDeviceId;
}

}  // namespace simtrt

/// Errors: simtErrorInvalidValue for a location without a type, and for flags.
inline simtError_t simtMemPrefetchAsync(const void* pointer, std::size_t count,
                                        simtMemLocation location, unsigned flags,
                                        simtStream_t stream = nullptr) {
  if (location.type == simtMemLocationTypeInvalid || flags != 0) return simtErrorInvalidValue;
  return simtMemPrefetchAsync(pointer, count, simtrt::device_of(location), stream);
}
/// The location has no meaning for advice about reads.
inline simtError_t simtMemAdvise(const void* pointer, std::size_t count, simtMemoryAdvise advice,
                                 simtMemLocation location) {
  return simtMemAdvise(pointer, count, advice, simtrt::device_of(location));
}

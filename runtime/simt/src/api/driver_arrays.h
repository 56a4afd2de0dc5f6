// Arrays of the driver API as arrays of the runtime API: handles and formats.
//
// Ownership: none. Threads: any thread. Memory ordering: none.
#pragma once

#include <simt_driver.h>

namespace simtrt {

// Both APIs have the same handles.
inline simtArray_t runtime_array(simtDrvArray array) {
  return reinterpret_cast<simtArray_t>(array);
}
inline simtDrvArray driver_array(simtArray_t array) {
  return reinterpret_cast<simtDrvArray>(array);
}
inline simtMipmappedArray_t runtime_array(simtDrvMipmappedArray array) {
  return reinterpret_cast<simtMipmappedArray_t>(array);
}
inline simtDrvMipmappedArray driver_array(simtMipmappedArray_t array) {
  return reinterpret_cast<simtDrvMipmappedArray>(array);
}

/// Format of elements with `channels` channels. Errors: simtErrorNotSupported for formats that this target lacks,
/// simtErrorInvalidValue for unknown formats and other numbers of channels than 1, 2 and 4.
simtError_t runtime_format(simtDrvArray_format format, unsigned channels,
                           simtChannelFormatDesc* result);
/// Format and number of channels of an array or a texture.
void driver_format(const simtChannelFormatDesc& format, simtDrvArray_format* result,
                   unsigned* channels);

}  // namespace simtrt

// Functions of the driver API that write a word of memory, or wait for its value, in the order of a stream. simt_driver.h includes
// this header. Names and values are those of CUDA 12.4 (cuda.h).
#pragma once

#include <simtrt/api/driver_streams.h>

#include <cstdint>

extern "C" {

typedef std::uint32_t simtDrvUint32;
typedef std::uint64_t simtDrvUint64;

typedef enum simtDrvStreamWriteValue_flags {
  SIMT_DRV_STREAM_WRITE_VALUE_DEFAULT = 0,
  SIMT_DRV_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 1,
} simtDrvStreamWriteValue_flags;

typedef enum simtDrvStreamWaitValue_flags {
  SIMT_DRV_STREAM_WAIT_VALUE_GEQ = 0,
  SIMT_DRV_STREAM_WAIT_VALUE_EQ = 1,
  SIMT_DRV_STREAM_WAIT_VALUE_AND = 2,
  SIMT_DRV_STREAM_WAIT_VALUE_NOR = 3,
  SIMT_DRV_STREAM_WAIT_VALUE_FLUSH = 1 << 30,
} simtDrvStreamWaitValue_flags;

/// Stores a value when the stream reaches the call, after all earlier stores of the stream. A stream that is captured cannot do this:
/// SIMT_DRV_ERROR_STREAM_CAPTURE_UNSUPPORTED.
SIMTRT_EXPORT simtDrvResult simtDrvStreamWriteValue32(simtDrvStream stream, simtDrvDeviceptr to, simtDrvUint32 value,
                                                      unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvStreamWriteValue64(simtDrvStream stream, simtDrvDeviceptr to, simtDrvUint64 value,
                                                      unsigned flags);

/// Stops the stream until the word compares with the value as the flags say: GEQ by the sign of the difference, EQ, AND by a common
/// bit, NOR by a bit that neither has.
SIMTRT_EXPORT simtDrvResult simtDrvStreamWaitValue32(simtDrvStream stream, simtDrvDeviceptr from, simtDrvUint32 value,
                                                     unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvStreamWaitValue64(simtDrvStream stream, simtDrvDeviceptr from, simtDrvUint64 value,
                                                     unsigned flags);

}  // extern "C"

// Functions of the driver API that programs call and PyTorch's files do not: memory, peers, callbacks. They
// do the same as functions of the runtime API. simt_driver.h includes this header.
#pragma once

#include <simt.h>

/// CUDA's type of the callback (CUstreamCallback) has the driver's error as its second parameter.
typedef void (*simtDrvStreamCallback)(simtDrvStream stream, simtDrvResult status, void* data);

extern "C" {

/// Stores `count` values of 16 or 32 bits in the order of the stream.
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD16Async(simtDrvDeviceptr to, unsigned short value,
                                                  std::size_t count, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD32Async(simtDrvDeviceptr to, unsigned value,
                                                  std::size_t count, simtDrvStream stream);
/// Stores values in `height` rows of `width` values; the rows begin `pitch` bytes apart. Address and pitch must be
/// multiples of the size of a value. A single row needs no pitch.
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD2D8(simtDrvDeviceptr to, std::size_t pitch,
                                              unsigned char value, std::size_t width,
                                              std::size_t height);
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD2D16(simtDrvDeviceptr to, std::size_t pitch,
                                               unsigned short value, std::size_t width,
                                               std::size_t height);
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD2D32(simtDrvDeviceptr to, std::size_t pitch,
                                               unsigned value, std::size_t width,
                                               std::size_t height);
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD2D8Async(simtDrvDeviceptr to, std::size_t pitch,
                                                   unsigned char value, std::size_t width,
                                                   std::size_t height, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD2D16Async(simtDrvDeviceptr to, std::size_t pitch,
                                                    unsigned short value, std::size_t width,
                                                    std::size_t height, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemsetD2D32Async(simtDrvDeviceptr to, std::size_t pitch,
                                                    unsigned value, std::size_t width,
                                                    std::size_t height, simtDrvStream stream);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyPeer(simtDrvDeviceptr to, simtDrvContext to_context,
                                              simtDrvDeviceptr from, simtDrvContext from_context,
                                              std::size_t bytes);
SIMTRT_EXPORT simtDrvResult simtDrvMemcpyPeerAsync(simtDrvDeviceptr to, simtDrvContext to_context,
                                                   simtDrvDeviceptr from,
                                                   simtDrvContext from_context, std::size_t bytes,
                                                   simtDrvStream stream);

#define SIMT_DRV_STREAM_LEGACY ((simtDrvStream)0x1)
#define SIMT_DRV_STREAM_PER_THREAD ((simtDrvStream)0x2)
#define SIMT_DRV_DEVICE_CPU ((simtDrvDevice)-1)
#define SIMT_DRV_DEVICE_INVALID ((simtDrvDevice)-2)

typedef enum simtDrvMem_advise {
  SIMT_DRV_MEM_ADVISE_SET_READ_MOSTLY = 1,
  SIMT_DRV_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
  SIMT_DRV_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
  SIMT_DRV_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
  SIMT_DRV_MEM_ADVISE_SET_ACCESSED_BY = 5,
  SIMT_DRV_MEM_ADVISE_UNSET_ACCESSED_BY = 6,
} simtDrvMem_advise;

/// Hints about managed memory, as simtMemAdvise and simtMemPrefetchAsync.
SIMTRT_EXPORT simtDrvResult simtDrvMemAdvise(simtDrvDeviceptr pointer, std::size_t bytes,
                                             simtDrvMem_advise advice, simtDrvDevice device);
SIMTRT_EXPORT simtDrvResult simtDrvMemPrefetchAsync(simtDrvDeviceptr pointer, std::size_t bytes,
                                                    simtDrvDevice to, simtDrvStream stream);

/// Enables copies and kernels of the current context to access the memory of `peer`.
SIMTRT_EXPORT simtDrvResult simtDrvCtxEnablePeerAccess(simtDrvContext peer, unsigned flags);
SIMTRT_EXPORT simtDrvResult simtDrvCtxDisablePeerAccess(simtDrvContext peer);
/// `version` is the result of simtDrvDriverGetVersion.
SIMTRT_EXPORT simtDrvResult simtDrvCtxGetApiVersion(simtDrvContext context, unsigned* version);

SIMTRT_EXPORT simtDrvResult simtDrvStreamAddCallback(simtDrvStream stream,
                                                     simtDrvStreamCallback callback, void* data,
                                                     unsigned flags);
/// No effect, as simtProfilerStart and simtProfilerStop.
SIMTRT_EXPORT simtDrvResult simtDrvProfilerStart(void);
SIMTRT_EXPORT simtDrvResult simtDrvProfilerStop(void);

}  // extern "C"

// Functions of the driver API for programs, by calls of the runtime API.
#include "api/driver_result.h"

#include <simt_driver.h>

#include <cstdint>

namespace {

using simtrt::result;

char* address(simtDrvDeviceptr pointer) {
  return reinterpret_cast<char*>(static_cast<std::uintptr_t>(pointer));
}

// Stores a value byte by byte: fill(byte, value of the byte) stores one byte of every element.
template <class T, class Fill>
simtDrvResult store(simtDrvDeviceptr to, T value, Fill fill) {
  if (to % sizeof(T) != 0) return SIMT_DRV_ERROR_INVALID_VALUE;
  return result([&] {
    simtError_t error = simtSuccess;
    for (std::size_t byte = 0; byte < sizeof(T) && error == simtSuccess; ++byte)
      error = fill(address(to) + byte, (value >> (8 * byte)) & 0xFF);
    return error;
  });
}

template <class T>
simtDrvResult store_row(simtDrvDeviceptr to, T value, std::size_t count, simtDrvStream stream) {
  return store(to, value, [&](char* byte, int part) {
    return simtMemset2DAsync(byte, sizeof(T), part, 1, count, stream);
  });
}

template <class T>
simtDrvResult store_rows(simtDrvDeviceptr to, std::size_t pitch, T value, std::size_t width,
                         std::size_t height) {
  for (std::size_t row = 0; row < height; ++row) {
    const simtDrvResult error = store(to + row * pitch, value, [&](char* byte, int part) {
      return simtMemset2D(byte, sizeof(T), part, 1, width);
    });
    if (error != SIMT_DRV_SUCCESS) return error;
  }
  return SIMT_DRV_SUCCESS;
}

// Device of a context; -1 for an unknown context.
int device_of(simtDrvContext context) {
  for (int device = 0; context != nullptr; ++device) {
    simtDrvContext found = nullptr;
    if (simtDrvDevicePrimaryCtxRetain(&found, device) != SIMT_DRV_SUCCESS) break;
    simtDrvDevicePrimaryCtxRelease(device);
    if (found == context) return device;
  }
  return -1;
}

struct Callback {
  simtDrvStreamCallback function;
  void* data;
};

void call_back(simtStream_t stream, simtError_t status, void* data) {
  const Callback callback = *static_cast<Callback*>(data);
  delete static_cast<Callback*>(data);
  callback.function(stream, static_cast<simtDrvResult>(status), callback.data);
}

}  // namespace

simtDrvResult simtDrvMemsetD16Async(simtDrvDeviceptr to, unsigned short value, std::size_t count,
                                    simtDrvStream stream) {
  return store_row(to, value, count, stream);
}
simtDrvResult simtDrvMemsetD32Async(simtDrvDeviceptr to, unsigned value, std::size_t count,
                                    simtDrvStream stream) {
  return store_row(to, value, count, stream);
}
simtDrvResult simtDrvMemsetD2D8(simtDrvDeviceptr to, std::size_t pitch, unsigned char value,
                                std::size_t width, std::size_t height) {
  return result([&] { return simtMemset2D(address(to), pitch, value, width, height); });
}
simtDrvResult simtDrvMemsetD2D16(simtDrvDeviceptr to, std::size_t pitch, unsigned short value,
                                 std::size_t width, std::size_t height) {
  return store_rows(to, pitch, value, width, height);
}
simtDrvResult simtDrvMemsetD2D32(simtDrvDeviceptr to, std::size_t pitch, unsigned value,
                                 std::size_t width, std::size_t height) {
  return store_rows(to, pitch, value, width, height);
}
simtDrvResult simtDrvMemcpyPeer(simtDrvDeviceptr to, simtDrvContext to_context,
                                simtDrvDeviceptr from, simtDrvContext from_context,
                                std::size_t bytes) {
  return result([&] {
    return simtMemcpyPeer(address(to), device_of(to_context), address(from),
                          device_of(from_context), bytes);
  });
}
simtDrvResult simtDrvMemcpyPeerAsync(simtDrvDeviceptr to, simtDrvContext to_context,
                                     simtDrvDeviceptr from, simtDrvContext from_context,
                                     std::size_t bytes, simtDrvStream stream) {
  return result([&] {
    return simtMemcpyPeerAsync(address(to), device_of(to_context), address(from),
                               device_of(from_context), bytes, stream);
  });
}
simtDrvResult simtDrvMemAdvise(simtDrvDeviceptr pointer, std::size_t bytes,
                               simtDrvMem_advise advice, simtDrvDevice device) {
  return result([&] {
    return simtMemAdvise(address(pointer), bytes, static_cast<simtMemoryAdvise>(advice), device);
  });
}
simtDrvResult simtDrvMemPrefetchAsync(simtDrvDeviceptr pointer, std::size_t bytes,
                                      simtDrvDevice to, simtDrvStream stream) {
  return result([&] { return simtMemPrefetchAsync(address(pointer), bytes, to, stream); });
}

simtDrvResult simtDrvCtxEnablePeerAccess(simtDrvContext peer, unsigned flags) {
  return result([&] { return simtDeviceEnablePeerAccess(device_of(peer), flags); });
}
simtDrvResult simtDrvCtxDisablePeerAccess(simtDrvContext peer) {
  return result([&] { return simtDeviceDisablePeerAccess(device_of(peer)); });
}
simtDrvResult simtDrvCtxGetApiVersion(simtDrvContext context, unsigned* version) {
  if (version == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (context != nullptr && device_of(context) < 0) return SIMT_DRV_ERROR_INVALID_CONTEXT;
  return simtDrvDriverGetVersion(reinterpret_cast<int*>(version));
}
simtDrvResult simtDrvStreamAddCallback(simtDrvStream stream, simtDrvStreamCallback callback,
                                       void* data, unsigned flags) {
  if (callback == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  auto* made = new Callback{callback, data};
  const simtDrvResult error =
      result([&] { return simtStreamAddCallback(stream, call_back, made, flags); });
  if (error != SIMT_DRV_SUCCESS) delete made;
  return error;
}
simtDrvResult simtDrvProfilerStart() { return SIMT_DRV_SUCCESS; }
simtDrvResult simtDrvProfilerStop() { return SIMT_DRV_SUCCESS; }

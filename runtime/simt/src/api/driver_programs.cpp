// Functions of the driver API for programs, by calls of the runtime API.
#include "api/driver_contexts.h"
#include "api/driver_pointers.h"
#include "api/driver_result.h"

#include <simt_driver.h>

#include <cstdint>

namespace {

using simtrt::address_of;
using simtrt::device_of;
using simtrt::result;

// Stores a value in rows of `width` elements, byte by byte: fill(memory, byte, extent) stores one byte of every
// element. In the memory of a fill, an element is a row of one byte, and a row of elements is a slice.
template <class T, class Fill>
simtDrvResult store(simtDrvDeviceptr to, std::size_t pitch, T value, std::size_t width,
                    std::size_t height, Fill fill) {
  constexpr std::size_t size = sizeof(T);
  const bool one_row = height <= 1;
  if (to % size != 0 || (!one_row && pitch % size != 0)) return SIMT_DRV_ERROR_INVALID_VALUE;
  return result([&] {
    simtError_t error = simtSuccess;
    for (std::size_t byte = 0; byte < size && error == simtSuccess; ++byte) {
      const simtPitchedPtr memory =
          make_simtPitchedPtr(address_of(to) + byte, size, size, one_row ? width : pitch / size);
      error = fill(memory, (value >> (8 * byte)) & 0xFF, make_simtExtent(1, width, height));
    }
    return error;
  });
}

template <class T>
simtDrvResult store_rows(simtDrvDeviceptr to, std::size_t pitch, T value, std::size_t width,
                         std::size_t height) {
  return store(to, pitch, value, width, height, simtMemset3D);
}

template <class T>
simtDrvResult store_rows(simtDrvDeviceptr to, std::size_t pitch, T value, std::size_t width,
                         std::size_t height, simtDrvStream stream) {
  return store(to, pitch, value, width, height,
               [=](const simtPitchedPtr& memory, int byte, const simtExtent& extent) {
                 return simtMemset3DAsync(memory, byte, extent, stream);
               });
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
  return store_rows(to, 0, value, count, 1, stream);
}
simtDrvResult simtDrvMemsetD32Async(simtDrvDeviceptr to, unsigned value, std::size_t count,
                                    simtDrvStream stream) {
  return store_rows(to, 0, value, count, 1, stream);
}
simtDrvResult simtDrvMemsetD2D8(simtDrvDeviceptr to, std::size_t pitch, unsigned char value,
                                std::size_t width, std::size_t height) {
  return result([&] { return simtMemset2D(address_of(to), pitch, value, width, height); });
}
simtDrvResult simtDrvMemsetD2D16(simtDrvDeviceptr to, std::size_t pitch, unsigned short value,
                                 std::size_t width, std::size_t height) {
  return store_rows(to, pitch, value, width, height);
}
simtDrvResult simtDrvMemsetD2D32(simtDrvDeviceptr to, std::size_t pitch, unsigned value,
                                 std::size_t width, std::size_t height) {
  return store_rows(to, pitch, value, width, height);
}
simtDrvResult simtDrvMemsetD2D8Async(simtDrvDeviceptr to, std::size_t pitch, unsigned char value,
                                     std::size_t width, std::size_t height, simtDrvStream stream) {
  return result(
      [&] { return simtMemset2DAsync(address_of(to), pitch, value, width, height, stream); });
}
simtDrvResult simtDrvMemsetD2D16Async(simtDrvDeviceptr to, std::size_t pitch, unsigned short value,
                                      std::size_t width, std::size_t height,
                                      simtDrvStream stream) {
  return store_rows(to, pitch, value, width, height, stream);
}
simtDrvResult simtDrvMemsetD2D32Async(simtDrvDeviceptr to, std::size_t pitch, unsigned value,
                                      std::size_t width, std::size_t height,
                                      simtDrvStream stream) {
  return store_rows(to, pitch, value, width, height, stream);
}
simtDrvResult simtDrvMemcpyPeer(simtDrvDeviceptr to, simtDrvContext to_context,
                                simtDrvDeviceptr from, simtDrvContext from_context,
                                std::size_t bytes) {
  return result([&] {
    return simtMemcpyPeer(address_of(to), device_of(to_context), address_of(from),
                          device_of(from_context), bytes);
  });
}
simtDrvResult simtDrvMemcpyPeerAsync(simtDrvDeviceptr to, simtDrvContext to_context,
                                     simtDrvDeviceptr from, simtDrvContext from_context,
                                     std::size_t bytes, simtDrvStream stream) {
  return result([&] {
    return simtMemcpyPeerAsync(address_of(to), device_of(to_context), address_of(from),
                               device_of(from_context), bytes, stream);
  });
}
simtDrvResult simtDrvMemAdvise(simtDrvDeviceptr pointer, std::size_t bytes,
                               simtDrvMem_advise advice, simtDrvDevice device) {
  return result([&] {
    return simtMemAdvise(address_of(pointer), bytes, static_cast<simtMemoryAdvise>(advice), device);
  });
}
simtDrvResult simtDrvMemPrefetchAsync(simtDrvDeviceptr pointer, std::size_t bytes,
                                      simtDrvDevice to, simtDrvStream stream) {
  return result([&] { return simtMemPrefetchAsync(address_of(pointer), bytes, to, stream); });
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

// Copies of the driver API between arrays and memory.
#include "api/array_handles.h"
#include "api/call.h"
#include "api/copies.h"
#include "api/driver_arrays.h"
#include "api/driver_contexts.h"
#include "api/driver_pointers.h"
#include "api/driver_result.h"

#include <cstddef>
#include <cstdint>

using namespace simtrt;

namespace {

// One side of a copy: the members of SIMT_DRV_MEMCPY3D that begin with src or dst.
struct Side {
  simtDrvMemorytype type;
  void* host;
  simtDrvDeviceptr device;
  simtDrvArray array;
  std::size_t pitch;
  std::size_t height;
  simtPos at;
};

Side source(const SIMT_DRV_MEMCPY3D& copy) {
  return {copy.srcMemoryType, const_cast<void*>(copy.srcHost), copy.srcDevice,
          copy.srcArray,      copy.srcPitch,                   copy.srcHeight,
          make_simtPos(copy.srcXInBytes, copy.srcY, copy.srcZ)};
}
Side target(const SIMT_DRV_MEMCPY3D& copy) {
  return {copy.dstMemoryType, copy.dstHost,   copy.dstDevice,
          copy.dstArray,      copy.dstPitch,  copy.dstHeight,
          make_simtPos(copy.dstXInBytes, copy.dstY, copy.dstZ)};
}

// Copies the members that SIMT_DRV_MEMCPY3D and another description of a copy have.
template <class Copy>
SIMT_DRV_MEMCPY3D rows_of(const Copy& copy) {
  SIMT_DRV_MEMCPY3D box{};
  box.srcXInBytes = copy.srcXInBytes;
  box.srcY = copy.srcY;
  box.srcMemoryType = copy.srcMemoryType;
  box.srcHost = copy.srcHost;
  box.srcDevice = copy.srcDevice;
  box.srcArray = copy.srcArray;
  box.srcPitch = copy.srcPitch;
  box.dstXInBytes = copy.dstXInBytes;
  box.dstY = copy.dstY;
  box.dstMemoryType = copy.dstMemoryType;
  box.dstHost = copy.dstHost;
  box.dstDevice = copy.dstDevice;
  box.dstArray = copy.dstArray;
  box.dstPitch = copy.dstPitch;
  box.WidthInBytes = copy.WidthInBytes;
  box.Height = copy.Height;
  box.Depth = 1;
  return box;
}
SIMT_DRV_MEMCPY3D box_of(const SIMT_DRV_MEMCPY2D& copy) { return rows_of(copy); }
SIMT_DRV_MEMCPY3D box_of(const SIMT_DRV_MEMCPY3D& copy) { return copy; }
SIMT_DRV_MEMCPY3D box_of(const SIMT_DRV_MEMCPY3D_PEER& copy) {
  SIMT_DRV_MEMCPY3D box = rows_of(copy);
  box.srcZ = copy.srcZ;
  box.srcLOD = copy.srcLOD;
  box.srcHeight = copy.srcHeight;
  box.dstZ = copy.dstZ;
  box.dstLOD = copy.dstLOD;
  box.dstHeight = copy.dstHeight;
  box.Depth = copy.Depth;
  return box;
}

// Kind of a copy between two types of memory. UNIFIED counts as host memory, which may also be an address of the device
// (check_copy).
simtMemcpyKind kind_of(simtDrvMemorytype to, simtDrvMemorytype from) {
  const auto is_device = [](simtDrvMemorytype type) {
    return type == SIMT_DRV_MEMORYTYPE_DEVICE || type == SIMT_DRV_MEMORYTYPE_ARRAY;
  };
  if (is_device(from)) return is_device(to) ? simtMemcpyDeviceToDevice : simtMemcpyDeviceToHost;
  return is_device(to) ? simtMemcpyHostToDevice : simtMemcpyHostToHost;
}

// CUDA Driver API, cuMemcpy3D: a pitch or height that is not 0 must cover the box. Only a single row needs no pitch,
// and only a single slice no height.
bool is_covering(std::size_t size, std::size_t begin, std::size_t count, bool may_be_missing) {
  return size == 0 ? may_be_missing : count <= size && begin <= size - count;
}

simtError_t place_in_memory(const Side& side, const simtExtent& extent, BoxPlace* place) {
  void* begin = side.type == SIMT_DRV_MEMORYTYPE_HOST ? side.host : address_of(side.device);
  const bool is_slice = extent.depth == 1, is_row = is_slice && extent.height == 1;
  if (begin == nullptr || side.pitch > Device::current().properties().memPitch ||
      !is_covering(side.pitch, side.at.x, extent.width, is_row) ||
      !is_covering(side.height, side.at.y, extent.height, is_slice)) {
    return simtErrorInvalidValue;
  }
  *place = {make_simtPitchedPtr(begin, side.pitch, side.pitch, side.height), side.at};
  return simtSuccess;
}

simtError_t place_of(const Side& side, const simtExtent& extent, BoxPlace* place) {
  switch (side.type) {
    case SIMT_DRV_MEMORYTYPE_HOST:
    case SIMT_DRV_MEMORYTYPE_DEVICE:
    case SIMT_DRV_MEMORYTYPE_UNIFIED: return place_in_memory(side, extent, place);
    case SIMT_DRV_MEMORYTYPE_ARRAY: {
      const auto array = arrays().find(runtime_array(side.array));
      if (array == nullptr) return simtErrorInvalidResourceHandle;
      *place = {memory_of(array->image), side.at};
      return contains(array->image, side.at, extent) ? simtSuccess : simtErrorInvalidValue;
    }
    default: return simtErrorInvalidValue;
  }
}

template <class Copy>
simtDrvResult copy_rows(const Copy* copy, simtDrvStream stream, Return when) {
  if (copy == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  const SIMT_DRV_MEMCPY3D box = box_of(*copy);
  return result([&] {
    return call([&] {
      if (box.srcLOD != 0 || box.dstLOD != 0) return simtErrorInvalidValue;
      const simtExtent extent = make_simtExtent(box.WidthInBytes, box.Height, box.Depth);
      BoxPlace to{}, from{};
      if (extent.width != 0 && extent.height != 0 && extent.depth != 0) {
        if (const simtError_t error = place_of(target(box), extent, &to)) return error;
        if (const simtError_t error = place_of(source(box), extent, &from)) return error;
      }
      return copy_box(to, from, extent, kind_of(box.dstMemoryType, box.srcMemoryType), stream,
                      when);
    });
  });
}

simtDrvResult copy_between(const SIMT_DRV_MEMCPY3D_PEER* copy, simtDrvStream stream, Return when) {
  if (copy == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (device_of(copy->srcContext) < 0 || device_of(copy->dstContext) < 0)
    return SIMT_DRV_ERROR_INVALID_CONTEXT;
  return copy_rows(copy, stream, when);
}

// One side of a copy of consecutive bytes: an array from byte `offset` on, or memory.
struct Bytes {
  simtDrvMemorytype type;
  simtDrvArray array;
  std::size_t offset;
  void* memory;
};

Bytes in_array(simtDrvArray array, std::size_t offset) {
  return {SIMT_DRV_MEMORYTYPE_ARRAY, array, offset, nullptr};
}
Bytes on_device(simtDrvDeviceptr pointer) {
  return {SIMT_DRV_MEMORYTYPE_DEVICE, nullptr, 0, address_of(pointer)};
}
Bytes on_host(const void* pointer) {
  return {SIMT_DRV_MEMORYTYPE_HOST, nullptr, 0, const_cast<void*>(pointer)};
}

// Stores the size of the elements of an array; 0 for memory.
simtError_t place_of(const Bytes& side, std::size_t count, BoxPlace* place, std::size_t* element) {
  *element = 0;
  if (side.type != SIMT_DRV_MEMORYTYPE_ARRAY) {
    *place = {make_simtPitchedPtr(side.memory, count, count, 1), {}};
    return simtSuccess;
  }
  const auto array = arrays().find(runtime_array(side.array));
  if (array == nullptr) return simtErrorInvalidResourceHandle;
  const Image& image = array->image;
  const std::size_t size = image.slice * image.depth;
  *element = image.element_bytes();
  *place = {make_simtPitchedPtr(image.begin, size, size, 1), make_simtPos(side.offset, 0, 0)};
  return count <= size && side.offset <= size - count ? simtSuccess : simtErrorInvalidValue;
}

simtDrvResult copy_bytes(const Bytes& to, const Bytes& from, std::size_t count,
                         simtDrvStream stream, Return when) {
  return result([&] {
    return call([&] {
      BoxPlace target{}, source{};
      std::size_t target_element = 0, source_element = 0;
      if (count != 0) {
        if (const simtError_t error = place_of(to, count, &target, &target_element)) return error;
        if (const simtError_t error = place_of(from, count, &source, &source_element)) return error;
      }
      const bool are_arrays = target_element != 0 && source_element != 0;
      if (are_arrays && target_element != source_element) return simtErrorInvalidValue;
      return copy_box(target, source, make_simtExtent(count, 1, 1), kind_of(to.type, from.type),
                      stream, when);
    });
  });
}

}  // namespace

simtDrvResult simtDrvMemcpy2D(const SIMT_DRV_MEMCPY2D* copy) {
  return copy_rows(copy, nullptr, Return::kWhenDone);
}
simtDrvResult simtDrvMemcpy2DUnaligned(const SIMT_DRV_MEMCPY2D* copy) {
  return simtDrvMemcpy2D(copy);
}
simtDrvResult simtDrvMemcpy2DAsync(const SIMT_DRV_MEMCPY2D* copy, simtDrvStream stream) {
  return copy_rows(copy, stream, Return::kAtOnce);
}
simtDrvResult simtDrvMemcpy3D(const SIMT_DRV_MEMCPY3D* copy) {
  return copy_rows(copy, nullptr, Return::kWhenDone);
}
simtDrvResult simtDrvMemcpy3DAsync(const SIMT_DRV_MEMCPY3D* copy, simtDrvStream stream) {
  return copy_rows(copy, stream, Return::kAtOnce);
}
simtDrvResult simtDrvMemcpy3DPeer(const SIMT_DRV_MEMCPY3D_PEER* copy) {
  return copy_between(copy, nullptr, Return::kWhenDone);
}
simtDrvResult simtDrvMemcpy3DPeerAsync(const SIMT_DRV_MEMCPY3D_PEER* copy, simtDrvStream stream) {
  return copy_between(copy, stream, Return::kAtOnce);
}

simtDrvResult simtDrvMemcpyHtoA(simtDrvArray to, std::size_t offset, const void* from,
                                std::size_t bytes) {
  return copy_bytes(in_array(to, offset), on_host(from), bytes, nullptr, Return::kWhenDone);
}
simtDrvResult simtDrvMemcpyHtoAAsync(simtDrvArray to, std::size_t offset, const void* from,
                                     std::size_t bytes, simtDrvStream stream) {
  return copy_bytes(in_array(to, offset), on_host(from), bytes, stream, Return::kAtOnce);
}
simtDrvResult simtDrvMemcpyAtoH(void* to, simtDrvArray from, std::size_t offset,
                                std::size_t bytes) {
  return copy_bytes(on_host(to), in_array(from, offset), bytes, nullptr, Return::kWhenDone);
}
simtDrvResult simtDrvMemcpyAtoHAsync(void* to, simtDrvArray from, std::size_t offset,
                                     std::size_t bytes, simtDrvStream stream) {
  return copy_bytes(on_host(to), in_array(from, offset), bytes, stream, Return::kAtOnce);
}
simtDrvResult simtDrvMemcpyDtoA(simtDrvArray to, std::size_t offset, simtDrvDeviceptr from,
                                std::size_t bytes) {
  return copy_bytes(in_array(to, offset), on_device(from), bytes, nullptr, Return::kWhenDone);
}
simtDrvResult simtDrvMemcpyAtoD(simtDrvDeviceptr to, simtDrvArray from, std::size_t offset,
                                std::size_t bytes) {
  return copy_bytes(on_device(to), in_array(from, offset), bytes, nullptr, Return::kWhenDone);
}
simtDrvResult simtDrvMemcpyAtoA(simtDrvArray to, std::size_t to_offset, simtDrvArray from,
                                std::size_t from_offset, std::size_t bytes) {
  return copy_bytes(in_array(to, to_offset), in_array(from, from_offset), bytes, nullptr,
                    Return::kWhenDone);
}

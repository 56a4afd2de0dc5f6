// simtMemcpy* and simtMemset*.
#include "api/copies.h"

#include "api/call.h"
#include "check/events.h"
#include "memory/copy.h"
#include "memory/memory.h"
#include "streams/child_grids.h"
#include "streams/graph.h"
#include "texture/image.h"

#include <memory>

using namespace simtrt;

namespace {

// True for pageable memory. The program may change such memory as soon as the call returns.
bool is_pageable(const void* pointer) { return !is_known(pointer); }

// True for memory that the host could not access if the device were a real GPU.
bool is_of_device_only(const void* pointer) {
  const auto found = MemoryMap::instance().find(pointer);
  return found && is_device_memory(found->kind);
}

// True for copies and fills that take less time than to wake a worker. The checkers judge accesses by threads.
bool is_short(const Extent& extent) {
  constexpr std::size_t kMost = 64 * 1024;
  return extent.width * extent.height * extent.depth <= kMost && !check::active;
}

// True for a call by the host whose work begins at once: not in a kernel, and not for a graph.
bool is_immediate(const std::shared_ptr<Stream>& stream) {
  return graph_of_capture(stream) == nullptr && WorkSink::current() == nullptr &&
         StreamGrid::current() == nullptr;
}

// Submits a copy to a stream. Waits for the copy if the API guarantees that the program may reuse
// the copied memory after the call.
simtError_t put_copy(const std::shared_ptr<Stream>& stream, const Region& to, const Region& from,
                     const Extent& extent, Return when) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return simtSuccess;
  const bool immediate = is_immediate(stream);
  // CUDA Runtime API, "API synchronization behavior": for pageable memory, an asynchronous copy to
  // the device returns after the source was read, and a copy to the host returns after completion.
  // No copy within the device waits.
  const bool waits = immediate && (when == Return::kWhenDone
                                       ? !is_of_device_only(from.begin) || !is_of_device_only(to.begin)
                                       : is_pageable(from.begin) || is_pageable(to.begin));
  const simtError_t error = submit(
      stream,
      TaskWork{"simtMemcpy", [=] { copy_region(to, from, extent); }, immediate && is_short(extent)},
      simtGraphNodeTypeMemcpy);
  if (error != simtSuccess || !waits) return error;
  stream->wait(stream->last());
  return outcome(stream->device);
}

// In kernels, only asynchronous copies and fills are permitted, as in CUDA's device runtime.
simtError_t check_waiting(Return when) {
  return when == Return::kWhenDone ? check_caller(Callers::kHost) : simtSuccess;
}

// Copies and fills of 0 bytes succeed even after a kernel's fault.
simtError_t nothing_to_do(Return when) {
  return call_in_any_state<Callers::kHostAndKernels>([=] { return check_waiting(when); });
}

// The extent is not empty.
simtError_t put_fill(const std::shared_ptr<Stream>& stream, const Region& to, int value,
                     const Extent& extent, Return when) {
  if ((extent.height > 1 || extent.depth > 1) && to.pitch < extent.width) return simtErrorInvalidValue;
  if (extent.depth > 1 && to.slice < extent.height * to.pitch) return simtErrorInvalidValue;
  const std::size_t size = to.extent(extent.width, extent.height, extent.depth);
  if (to.begin == nullptr || !is_on_side(to.begin, size, /*device=*/true)) {
    if (check::active) check::bad_copy("fill", to.begin, size);
    return simtErrorInvalidValue;
  }
  const simtError_t error = submit(
      stream,
      TaskWork{"simtMemset", [=] { fill_region(to, static_cast<unsigned char>(value), extent); },
               is_immediate(stream) && is_short(extent)},
      simtGraphNodeTypeMemset);
  // CUDA Runtime API, "API synchronization behavior": simtMemset waits if the host can access the
  // memory.
  if (error != simtSuccess || when == Return::kAtOnce || is_of_device_only(to.begin)) return error;
  stream->wait(stream->last());
  return outcome(stream->device);
}

Region region(void* begin, std::size_t pitch, std::size_t rows) {
  return {static_cast<char*>(begin), pitch, pitch * rows};
}
Region region(const void* begin, std::size_t pitch, std::size_t rows) {
  return region(const_cast<void*>(begin), pitch, rows);
}

simtError_t copy(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t width, std::size_t height, simtMemcpyKind kind, simtStream_t handle,
                 Return when) {
  if (width == 0 || height == 0) return nothing_to_do(when);
  return with_stream<Callers::kHostAndKernels>(handle, [&](const auto& stream) {
    if (const simtError_t error = check_waiting(when)) return error;
    if (const simtError_t error = check_capture(stream)) return error;
    if (height > 1 && (to_pitch < width || from_pitch < width)) return simtErrorInvalidPitchValue;
    // One row needs no pitch, but a pitch must not be smaller than the row.
    if ((to_pitch != 0 && to_pitch < width) || (from_pitch != 0 && from_pitch < width))
      return simtErrorInvalidValue;
    const Region target = region(to, to_pitch, height);
    const Region source = region(from, from_pitch, height);
    if (StreamGrid::current() != nullptr) {
      // All memory of a kernel is device memory, variables of the program included.
      return kind != simtMemcpyDeviceToDevice && kind != simtMemcpyDefault
                 ? simtErrorInvalidMemcpyDirection
                 : put_copy(stream, target, source, {width, height, 1}, when);
    }
    const simtError_t error = check_copy(to, target.extent(width, height, 1), from,
                                         source.extent(width, height, 1), kind);
    return error != simtSuccess ? error
                                : put_copy(stream, target, source, {width, height, 1}, when);
  });
}

// False if the rows of the memory are too short for the rows of a box, or its slices for the slices.
bool has_room(const simtPitchedPtr& memory, const simtExtent& extent) {
  const bool one_row = extent.height == 1 && extent.depth == 1;
  return (one_row || extent.width <= memory.pitch) &&
         (extent.depth == 1 || extent.height <= memory.ysize);
}

Region region(const BoxPlace& place) {
  Region made = region(place.memory.ptr, place.memory.pitch, place.memory.ysize);
  made.begin += place.at.z * made.slice + place.at.y * made.pitch + place.at.x;
  return made;
}

}  // namespace

simtError_t simtrt::copy_box(const BoxPlace& to, const BoxPlace& from, const simtExtent& extent,
                             simtMemcpyKind kind, simtStream_t handle, Return when) {
  return with_stream<Callers::kHostAndKernels>(handle, [&](const auto& stream) {
    if (const simtError_t error = check_waiting(when)) return error;
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return simtSuccess;
    if (to.memory.ptr == nullptr || from.memory.ptr == nullptr) return simtErrorInvalidValue;
    if (!has_room(to.memory, extent) || !has_room(from.memory, extent))
      return simtErrorInvalidPitchValue;
    const bool one_row = extent.height == 1 && extent.depth == 1;
    if (!one_row && (to.at.x + extent.width > to.memory.pitch ||
                     from.at.x + extent.width > from.memory.pitch)) {
      return simtErrorInvalidValue;
    }
    const Region target = region(to);
    const Region source = region(from);
    const simtError_t error =
        check_copy(target.begin, target.extent(extent.width, extent.height, extent.depth),
                   source.begin, source.extent(extent.width, extent.height, extent.depth), kind);
    return error != simtSuccess ? error
                                : put_copy(stream, target, source,
                                           {extent.width, extent.height, extent.depth}, when);
  });
}

namespace {

// Replaces an array by its memory: `pos` counts elements before, and bytes after the call. False if
// the copy exceeds the array.
bool enter_array(const simtArray& array, const simtExtent& extent, simtPos* pos,
                 simtPitchedPtr* memory) {
  pos->x *= array.image.element_bytes();
  *memory = memory_of(array.image);
  return contains(array.image, *pos, extent);
}

simtError_t copy_3d(const simtMemcpy3DParms* parameters, simtStream_t stream, Return when) {
  if (parameters == nullptr) return remember(simtErrorInvalidValue);
  simtMemcpy3DParms copy = *parameters;
  const auto is_array = [](simtArray_t array) { return array != nullptr; };
  if (is_array(copy.srcArray) || is_array(copy.dstArray)) {
    // CUDA Runtime API, cudaMemcpy3D: the extent and the positions in arrays count elements.
    const simtArray& array = is_array(copy.srcArray) ? *copy.srcArray : *copy.dstArray;
    const std::size_t bytes = array.image.element_bytes();
    if (is_array(copy.srcArray) && is_array(copy.dstArray) &&
        copy.dstArray->image.element_bytes() != bytes) {
      return remember(simtErrorInvalidValue);
    }
    copy.extent.width *= bytes;
    if (is_array(copy.srcArray) &&
        !enter_array(*copy.srcArray, copy.extent, &copy.srcPos, &copy.srcPtr)) {
      return remember(simtErrorInvalidValue);
    }
    if (is_array(copy.dstArray) &&
        !enter_array(*copy.dstArray, copy.extent, &copy.dstPos, &copy.dstPtr)) {
      return remember(simtErrorInvalidValue);
    }
  }
  return copy_box({copy.dstPtr, copy.dstPos}, {copy.srcPtr, copy.srcPos}, copy.extent, copy.kind,
                  stream, when);
}

simtError_t check_devices(int to, int from) {
  return call<Callers::kHostAndKernels>([=] {
    return Device::get(to) != nullptr && Device::get(from) != nullptr ? simtSuccess
                                                                      : simtErrorInvalidDevice;
  });
}

simtError_t copy_3d(const simtMemcpy3DPeerParms* parameters, simtStream_t stream, Return when) {
  if (parameters == nullptr) return remember(simtErrorInvalidValue);
  if (const simtError_t error = check_devices(parameters->dstDevice, parameters->srcDevice))
    return error;
  const simtMemcpy3DParms copy{parameters->srcArray, parameters->srcPos, parameters->srcPtr,
                               parameters->dstArray, parameters->dstPos, parameters->dstPtr,
                               parameters->extent,   simtMemcpyDefault};
  return copy_3d(&copy, stream, when);
}

// `other` is the copy direction that is invalid for this function.
simtError_t copy_symbol(void* to, const void* from, const void* symbol, std::size_t count,
                        std::size_t offset, simtMemcpyKind kind, simtMemcpyKind other,
                        simtStream_t stream, Return when) {
  if (kind == other || kind == simtMemcpyHostToHost)
    return remember(simtErrorInvalidMemcpyDirection);
  std::size_t size = 0;
  const simtError_t error = simtGetSymbolSize(&size, symbol);
  if (error != simtSuccess) return error;
  if (count != 0 && offset + count > size) return remember(simtErrorInvalidValue);
  return copy(to, 0, from, 0, count, 1, kind, stream, when);
}

// Submits a fill of memory. `when` distinguishes simtMemset from simtMemsetAsync: kernels may call
// simtMemsetAsync only.
simtError_t fill(void* to, std::size_t pitch, int value, const Extent& extent, std::size_t rows,
                 simtStream_t handle, Return when) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return nothing_to_do(when);
  return with_stream<Callers::kHostAndKernels>(handle, [&](const auto& stream) {
    if (const simtError_t error = check_waiting(when)) return error;
    const simtError_t error = check_capture(stream);
    return error != simtSuccess ? error
                                : put_fill(stream, region(to, pitch, rows), value, extent, when);
  });
}

}  // namespace

simtError_t simtMemcpy(void* to, const void* from, std::size_t count, simtMemcpyKind kind) {
  return copy(to, 0, from, 0, count, 1, kind, nullptr, Return::kWhenDone);
}
simtError_t simtMemcpyAsync(void* to, const void* from, std::size_t count, simtMemcpyKind kind,
                            simtStream_t stream) {
  return copy(to, 0, from, 0, count, 1, kind, stream, Return::kAtOnce);
}
simtError_t simtMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t count) {
  if (const simtError_t error = check_devices(to_device, from_device)) return error;
  return copy(to, 0, from, 0, count, 1, simtMemcpyDeviceToDevice, nullptr, Return::kWhenDone);
}
simtError_t simtMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t count, simtStream_t stream) {
  if (const simtError_t error = check_devices(to_device, from_device)) return error;
  // Graphs have no node for a copy between devices.
  const simtError_t error = with_stream<Callers::kHostAndKernels>(
      stream, [](const auto& found) { return forbid_in_capture(found); });
  if (error != simtSuccess) return error;
  return copy(to, 0, from, 0, count, 1, simtMemcpyDeviceToDevice, stream, Return::kAtOnce);
}
simtError_t simtMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, simtMemcpyKind kind) {
  return copy(to, to_pitch, from, from_pitch, width, height, kind, nullptr, Return::kWhenDone);
}
simtError_t simtMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              simtMemcpyKind kind, simtStream_t stream) {
  return copy(to, to_pitch, from, from_pitch, width, height, kind, stream, Return::kAtOnce);
}
simtError_t simtMemcpy3D(const simtMemcpy3DParms* parameters) {
  return copy_3d(parameters, nullptr, Return::kWhenDone);
}
simtError_t simtMemcpy3DAsync(const simtMemcpy3DParms* parameters, simtStream_t stream) {
  return copy_3d(parameters, stream, Return::kAtOnce);
}
simtError_t simtMemcpy3DPeer(const simtMemcpy3DPeerParms* parameters) {
  return copy_3d(parameters, nullptr, Return::kWhenDone);
}
simtError_t simtMemcpy3DPeerAsync(const simtMemcpy3DPeerParms* parameters, simtStream_t stream) {
  return copy_3d(parameters, stream, Return::kAtOnce);
}

simtError_t simtMemcpyToSymbol(const void* symbol, const void* from, std::size_t count,
                               std::size_t offset, simtMemcpyKind kind) {
  auto* to = const_cast<char*>(static_cast<const char*>(symbol)) + offset;
  return copy_symbol(to, from, symbol, count, offset, kind, simtMemcpyDeviceToHost, nullptr,
                     Return::kWhenDone);
}
simtError_t simtMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t count,
                                    std::size_t offset, simtMemcpyKind kind, simtStream_t stream) {
  auto* to = const_cast<char*>(static_cast<const char*>(symbol)) + offset;
  return copy_symbol(to, from, symbol, count, offset, kind, simtMemcpyDeviceToHost, stream,
                     Return::kAtOnce);
}
simtError_t simtMemcpyFromSymbol(void* to, const void* symbol, std::size_t count,
                                 std::size_t offset, simtMemcpyKind kind) {
  const auto* from = static_cast<const char*>(symbol) + offset;
  return copy_symbol(to, from, symbol, count, offset, kind, simtMemcpyHostToDevice, nullptr,
                     Return::kWhenDone);
}
simtError_t simtMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t count,
                                      std::size_t offset, simtMemcpyKind kind,
                                      simtStream_t stream) {
  const auto* from = static_cast<const char*>(symbol) + offset;
  return copy_symbol(to, from, symbol, count, offset, kind, simtMemcpyHostToDevice, stream,
                     Return::kAtOnce);
}

simtError_t simtMemset(void* pointer, int value, std::size_t count) {
  return fill(pointer, 0, value, {count, 1, 1}, 1, nullptr, Return::kWhenDone);
}
simtError_t simtMemsetAsync(void* pointer, int value, std::size_t count, simtStream_t stream) {
  return fill(pointer, 0, value, {count, 1, 1}, 1, stream, Return::kAtOnce);
}
simtError_t simtMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return fill(pointer, pitch, value, {width, height, 1}, height, nullptr, Return::kWhenDone);
}
simtError_t simtMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, simtStream_t stream) {
  return fill(pointer, pitch, value, {width, height, 1}, height, stream, Return::kAtOnce);
}
simtError_t simtMemset3D(simtPitchedPtr pitched, int value, simtExtent extent) {
  return fill(pitched.ptr, pitched.pitch, value, {extent.width, extent.height, extent.depth},
              pitched.ysize, nullptr, Return::kWhenDone);
}
simtError_t simtMemset3DAsync(simtPitchedPtr pitched, int value, simtExtent extent,
                              simtStream_t stream) {
  return fill(pitched.ptr, pitched.pitch, value, {extent.width, extent.height, extent.depth},
              pitched.ysize, stream, Return::kAtOnce);
}

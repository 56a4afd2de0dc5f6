// simtStream*: creation, waiting, and host functions on a stream.
#include "api/call.h"

#include "streams/child_grids.h"
#include "streams/graph.h"
#include "streams/memory_pool.h"
#include "handles.h"
#include "memory/memory.h"
#include "device_limits.h"

#include <algorithm>
#include <vector>

// Type to which a stream handle points. Only the addresses of its objects are used.
struct SIMTstream_st {};

namespace simtrt {

Handles<simtStream_t, Stream>& stream_handles() {
  static auto& handles = *new Handles<simtStream_t, Stream>();
  return handles;
}

void delete_stream_handle(simtStream_t handle) { delete handle; }

std::shared_ptr<Stream> find_stream(simtStream_t handle) {
  if (StreamGrid* grid = StreamGrid::current()) return find_stream_of_kernel(*grid, handle);
  Device& device = Device::current();
  if (handle == nullptr || handle == simtStreamLegacy) return device.default_stream();
  if (handle == simtStreamPerThread) {
    // A vector, because the library's thread-local memory must stay small (simtrt/kernel/variables.h).
    thread_local std::vector<std::shared_ptr<Stream>> own(kMaxDevices);
    auto& stream = own[static_cast<std::size_t>(device.ordinal)];
    if (stream == nullptr) stream = device.make_stream(simtStreamDefault, 0);
    return stream;
  }
  return stream_handles().find(handle);
}

}  // namespace simtrt

using namespace simtrt;

namespace {

simtError_t make(simtStream_t* handle, unsigned flags, int priority) {
  if (handle == nullptr || (flags & ~unsigned{simtStreamNonBlocking}) != 0)
    return simtErrorInvalidValue;
  StreamGrid* grid = StreamGrid::current();
  // Programming Guide, "CUDA Dynamic Parallelism", "Streams (Named and Unnamed)": kernels may
  // create non-blocking streams only.
  if (grid != nullptr && flags != simtStreamNonBlocking) return simtErrorInvalidValue;
  const int clamped = std::clamp(priority, kGreatestPriority, kLeastPriority);
  auto stream = Device::current().make_stream(flags, clamped);
  *handle = new SIMTstream_st();
  if (grid != nullptr) grid->children.add(*handle, stream);
  stream_handles().add(*handle, std::move(stream));
  return simtSuccess;
}

}  // namespace

simtError_t simtStreamCreate(simtStream_t* stream) {
  return call([&] { return make(stream, simtStreamDefault, 0); });
}

simtError_t simtStreamCreateWithFlags(simtStream_t* stream, unsigned flags) {
  return call<Callers::kHostAndKernels>([&] { return make(stream, flags, 0); });
}

simtError_t simtStreamCreateWithPriority(simtStream_t* stream, unsigned flags, int priority) {
  return call([&] { return make(stream, flags, priority); });
}

// Submitted work still runs: workers and events share ownership of the stream.
simtError_t simtStreamDestroy(simtStream_t handle) {
  return call<Callers::kHostAndKernels>([&] {
    const StreamGrid* grid = StreamGrid::current();
    if (grid != nullptr && !grid->children.owns(stream_handles().find(handle)))
      return simtErrorInvalidResourceHandle;
    const auto stream = stream_handles().remove(handle);
    if (stream == nullptr) return simtErrorInvalidResourceHandle;
    leave_capture(stream);
    delete handle;
    return simtSuccess;
  });
}

simtError_t simtStreamGetPriority(simtStream_t handle, int* priority) {
  return with_stream(handle, [&](const auto& stream) {
    if (const simtError_t error = check_capture(stream)) return error;
    if (priority == nullptr) return simtErrorInvalidValue;
    *priority = stream->priority;
    return simtSuccess;
  });
}

simtError_t simtStreamGetFlags(simtStream_t handle, unsigned* flags) {
  return with_stream(handle, [&](const auto& stream) {
    if (flags == nullptr) return simtErrorInvalidValue;
    if (const simtError_t error = forbid_in_capture(stream)) return error;
    *flags = stream->flags;
    return simtSuccess;
  });
}

simtError_t simtStreamGetId(simtStream_t handle, unsigned long long* id) {
  return with_stream(handle, [&](const auto& stream) {
    if (id == nullptr) return simtErrorInvalidValue;
    if (const simtError_t error = forbid_in_capture(stream)) return error;
    *id = stream->id;
    return simtSuccess;
  });
}

simtError_t simtStreamSynchronize(simtStream_t handle) {
  return with_stream(handle, [](const auto& stream) {
    if (const simtError_t error = forbid_in_capture(stream)) return error;
    if (const simtError_t error = forbid_unsafe_call()) return error;
    stream->device.synchronize(stream);
    trim_pools(stream->device.ordinal);
    return outcome(stream->device);
  });
}

simtError_t simtStreamQuery(simtStream_t handle) {
  return with_stream(handle, [](const auto& stream) {
    if (const simtError_t error = forbid_in_capture(stream)) return error;
    if (const simtError_t error = forbid_unsafe_call()) return error;
    return stream->device.is_idle(stream) ? outcome(stream->device) : simtErrorNotReady;
  });
}

simtError_t simtLaunchHostFunc(simtStream_t handle, simtHostFn_t function, void* data) {
  return with_stream(handle, [&](const auto& stream) {
    if (function == nullptr) return simtErrorInvalidValue;
    return submit(stream, HostWork{[=](simtError_t) { function(data); }}, simtGraphNodeTypeHost);
  });
}

simtError_t simtStreamAddCallback(simtStream_t handle, simtStreamCallback_t callback, void* data,
                                  unsigned flags) {
  return with_stream(handle, [&](const auto& stream) {
    if (callback == nullptr || flags != 0) return simtErrorInvalidValue;
    if (const simtError_t error = forbid_in_capture(stream)) return error;
    return submit(stream, HostWork{[=](simtError_t error) { callback(handle, error, data); }, true},
                  simtGraphNodeTypeHost);
  });
}

// On this target, all threads can access managed memory at all times; the call only waits for its
// turn in stream order.
simtError_t simtStreamAttachMemAsync(simtStream_t handle, void* pointer, std::size_t length,
                                     unsigned flags) {
  return with_stream(handle, [&](const auto& stream) {
    if (pointer == nullptr) return simtErrorInvalidValue;
    if (const simtError_t error = forbid_in_capture(stream)) return error;  // graphs have no such node
    if (const simtError_t error = forbid_unsafe_call()) return error;
    // CUDA Runtime API, cudaStreamAttachMemAsync: the length is 0 or that of the memory; no single stream is the default
    // stream.
    const auto memory = MemoryMap::instance().find(pointer);
    const bool is_length = length == 0 || (memory && length == memory->size);
    const bool is_flag = flags == simtMemAttachGlobal || flags == simtMemAttachHost ||
                         flags == simtMemAttachSingle || flags == 0;
    if (!is_length || !is_flag) return simtErrorInvalidValue;
    return stream->legacy && flags == simtMemAttachSingle ? simtErrorInvalidValue : simtSuccess;
  });
}

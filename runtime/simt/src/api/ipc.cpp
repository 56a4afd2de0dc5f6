// simtIpc*: memory and events of other processes.
#include "api/call.h"

#include "memory/imported.h"
#include "memory/memory.h"
#include "streams/event.h"
#include "streams/graph.h"

#include <cstring>

using namespace simtrt;

simtError_t simtIpcGetEventHandle(simtIpcEventHandle_t* handle, simtEvent_t event_handle) {
  return call([&] {
    if (handle == nullptr) return simtErrorInvalidValue;
    const auto event = event_handles().find(event_handle);
    // CUDA Runtime API, cudaIpcGetEventHandle: the event was created with cudaEventInterprocess; an
    // opened event belongs to another process.
    if (event_handle == nullptr) return simtErrorInvalidValue;
    if (event == nullptr || event->shared == nullptr || !event->shared->is_own())
      return simtErrorInvalidResourceHandle;
    const EventHandle made = event->shared->handle();
    *handle = {};
    std::memcpy(handle, &made, sizeof made);
    return simtSuccess;
  });
}

simtError_t simtIpcOpenEventHandle(simtEvent_t* event_handle, simtIpcEventHandle_t handle) {
  return call([&] {
    if (event_handle == nullptr) return simtErrorInvalidValue;
    EventHandle given{};
    std::memcpy(&given, &handle, sizeof given);
    auto event = std::make_shared<SIMTevent_st>();
    if (const simtError_t error = SharedEvent::open(given, &event->shared))
      return error == simtErrorInvalidValue ? simtErrorMapBufferObjectFailed : error;
    event->flags = simtEventInterprocess | simtEventDisableTiming;
    event->device = Device::current_ordinal();
    *event_handle = event.get();
    event_handles().add(*event_handle, std::move(event));
    return simtSuccess;
  });
}

simtError_t simtIpcGetMemHandle(simtIpcMemHandle_t* handle, void* pointer) {
  return call([&] {
    if (handle == nullptr || pointer == nullptr) return simtErrorInvalidValue;
    MemoryHandle made{};
    if (const simtError_t error = export_memory(pointer, &made)) return error;
    *handle = {};
    std::memcpy(handle, &made, sizeof made);
    return simtSuccess;
  });
}

simtError_t simtIpcOpenMemHandle(void** pointer, simtIpcMemHandle_t handle, unsigned flags) {
  return call([&] {
    // CUDA Runtime API, cudaIpcOpenMemHandle: "must be specified as cudaIpcMemLazyEnablePeerAccess".
    if (pointer == nullptr || flags != simtIpcMemLazyEnablePeerAccess) return simtErrorInvalidValue;
    MemoryHandle given{};
    std::memcpy(&given, &handle, sizeof given);
    return import_memory(given, pointer);
  });
}

simtError_t simtIpcCloseMemHandle(void* pointer) {
  return call([&] {
    if (const simtError_t error = forbid_unsafe_call()) return error;
    const auto found = MemoryMap::instance().find(pointer);
    if (!found || found->kind != MemoryKind::kImported) return simtErrorInvalidValue;
    Device::get(found->device)->synchronize();
    return close_imported(pointer);
  });
}

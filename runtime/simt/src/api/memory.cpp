// simtMalloc*, simtFree*, simtHost* and queries about pointers.
#include "api/call.h"

#include "check/events.h"
#include "memory/memory.h"
#include "streams/child_grids.h"
#include "streams/graph.h"
#include "streams/memory_pool.h"

using namespace simtrt;

namespace {

simtError_t allocate(std::size_t size, MemoryKind kind, unsigned flags, void** pointer) {
  const int device = Device::current_ordinal();
  const auto once = [&] { return allocate_device(device, size, kind, flags, nullptr, pointer); };
  const simtError_t error = once();
  if (error != simtErrorMemoryAllocation) return error;
  release_free_memory(device);
  return once();
}

simtError_t free_in_kernel(void* pointer) {
  const auto found = MemoryMap::instance().find(pointer);
  if (!found || found->begin != pointer || (found->flags & kOfKernel) == 0) {
    if (check::active) check::bad_free(pointer);
    return simtErrorInvalidValue;
  }
  const auto allocation =
      MemoryMap::instance().take(pointer, MemoryKind::kDevice, MemoryKind::kDevice);
  if (!allocation) return simtErrorInvalidValue;
  release(*allocation);
  return simtSuccess;
}

// Waits until all work of the allocation's device is complete, as cudaFree does: the work may use
// the memory.
void finish_users(const Allocation& allocation) {
  if (Device* device = Device::get(allocation.device)) device->synchronize();
}

}  // namespace

simtError_t simtMalloc(void** pointer, std::size_t size) {
  return call<Callers::kHostAndKernels>([&] {
    if (pointer == nullptr) return simtErrorInvalidValue;
    if (StreamGrid::current() != nullptr) {
      return size == 0 ? simtErrorInvalidValue
                       : allocate(size, MemoryKind::kDevice, kOfKernel, pointer);
    }
    if (const simtError_t error = forbid_unsafe_call()) return error;
    return allocate(size, MemoryKind::kDevice, 0, pointer);
  });
}

simtError_t simtMallocManaged(void** pointer, std::size_t size, unsigned flags) {
  return call([&] {
    if (pointer == nullptr ||
        (flags != simtMemAttachGlobal && flags != simtMemAttachHost)) {
      return simtErrorInvalidValue;
    }
    if (const simtError_t error = forbid_unsafe_call()) return error;
    return allocate(size, MemoryKind::kManaged, flags, pointer);
  });
}

simtError_t simtMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  constexpr std::size_t kPitchAlignment = 512;
  const std::size_t rounded =
      height == 0 ? 0 : (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  const simtError_t error = call([&] {
    if (pointer == nullptr || pitch == nullptr) return simtErrorInvalidValue;
    *pitch = rounded;
    return simtSuccess;
  });
  return error != simtSuccess ? error : simtMalloc(pointer, rounded * height);
}

simtError_t simtMalloc3D(simtPitchedPtr* pitched, simtExtent extent) {
  const simtError_t error = call([&] {
    if (pitched == nullptr) return simtErrorInvalidValue;
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return simtSuccess;
  });
  if (error != simtSuccess) return error;
  return simtMallocPitch(&pitched->ptr, &pitched->pitch, extent.width,
                         extent.height * extent.depth);
}

simtError_t simtFree(void* pointer) {
  return call<Callers::kHostAndKernels>([&] {
    if (StreamGrid::current() != nullptr)
      return pointer == nullptr ? simtSuccess : free_in_kernel(pointer);
    if (const simtError_t error = forbid_unsafe_call()) return error;
    if (pointer == nullptr) return simtSuccess;
    if (const auto memory = GraphMemory::find(pointer)) {
      Device::get(memory->device)->synchronize();
      return memory->note_freed() ? simtSuccess : simtErrorInvalidValue;
    }
    const auto found = MemoryMap::instance().find(pointer);
    if (found && found->kind == MemoryKind::kDevice && (found->flags & kOfKernel) != 0)
      return simtErrorInvalidValue;
    const auto allocation =
        MemoryMap::instance().take(pointer, MemoryKind::kDevice, MemoryKind::kManaged);
    if (!allocation) {
      if (check::active) check::bad_free(pointer);
      return simtErrorInvalidValue;
    }
    finish_users(*allocation);
    if (allocation->pool != nullptr) {
      allocation->pool->free_now(*allocation);
    } else {
      release(*allocation);
    }
    return simtSuccess;
  });
}

simtError_t simtHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return call([&] {
    constexpr unsigned known =
        simtHostAllocPortable | simtHostAllocMapped | simtHostAllocWriteCombined;
    if (pointer == nullptr || (flags & ~known) != 0) return simtErrorInvalidValue;
    if (const simtError_t error = forbid_unsafe_call()) return error;
    return allocate_host(Device::current_ordinal(), size, flags, pointer);
  });
}

simtError_t simtMallocHost(void** pointer, std::size_t size) {
  return simtHostAlloc(pointer, size, simtHostAllocDefault);
}

simtError_t simtFreeHost(void* pointer) {
  return call([&] {
    if (const simtError_t error = forbid_unsafe_call()) return error;
    if (pointer == nullptr) return simtSuccess;
    const auto allocation =
        MemoryMap::instance().take(pointer, MemoryKind::kHost, MemoryKind::kHost);
    if (!allocation) {
      if (check::active) check::bad_free(pointer);
      return simtErrorInvalidValue;
    }
    finish_users(*allocation);
    release(*allocation);
    return simtSuccess;
  });
}

simtError_t simtHostRegister(void* pointer, std::size_t size, unsigned flags) {
  return call([&] {
    constexpr unsigned known = simtHostRegisterPortable | simtHostRegisterMapped |
                               simtHostRegisterIoMemory | simtHostRegisterReadOnly;
    if (pointer == nullptr || size == 0 || (flags & ~known) != 0) return simtErrorInvalidValue;
    if (const simtError_t error = forbid_unsafe_call()) return error;
    if (const auto known = MemoryMap::instance().find(pointer)) {
      return known->kind == MemoryKind::kRegistered ? simtErrorHostMemoryAlreadyRegistered
                                                    : simtErrorInvalidValue;
    }
    MemoryMap::instance().add({static_cast<char*>(pointer), size, MemoryKind::kRegistered,
                               Device::current_ordinal(), flags, nullptr, false});
    return simtSuccess;
  });
}

simtError_t simtHostUnregister(void* pointer) {
  return call([&] {
    if (pointer == nullptr) return simtErrorInvalidValue;
    if (const simtError_t error = forbid_unsafe_call()) return error;
    const auto allocation =
        MemoryMap::instance().take(pointer, MemoryKind::kRegistered, MemoryKind::kRegistered);
    if (!allocation)
      return is_known(pointer) ? simtErrorInvalidValue : simtErrorHostMemoryNotRegistered;
    finish_users(*allocation);
    return simtSuccess;
  });
}

simtError_t simtHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call([&] {
    if (device == nullptr || host == nullptr || flags != 0) return simtErrorInvalidValue;
    *device = nullptr;
    const auto allocation = MemoryMap::instance().find(host);
    if (!allocation ||
        (allocation->kind != MemoryKind::kHost && allocation->kind != MemoryKind::kRegistered)) {
      return simtErrorInvalidValue;
    }
    *device = host;
    return simtSuccess;
  });
}

simtError_t simtHostGetFlags(unsigned* flags, void* host) {
  return call([&] {
    const auto allocation = MemoryMap::instance().find(host);
    if (flags == nullptr || !allocation || is_device_memory(allocation->kind))
      return simtErrorInvalidValue;
    *flags = allocation->kind == MemoryKind::kManaged ? unsigned{simtHostAllocMapped}
                                                      : allocation->flags | simtHostAllocMapped;
    return simtSuccess;
  });
}

simtError_t simtMemGetInfo(std::size_t* free, std::size_t* total) {
  return call([&] {
    const std::size_t bytes = device_memory_bytes();
    if (total != nullptr) *total = bytes;
    if (free != nullptr) *free = bytes - used_device_memory(Device::current_ordinal());
    return simtSuccess;
  });
}

simtError_t simtPointerGetAttributes(simtPointerAttributes* attributes, const void* pointer) {
  return call_in_any_state([&] {
    if (attributes == nullptr) return simtErrorInvalidValue;
    const auto allocation = MemoryMap::instance().find(pointer);
    auto* address = const_cast<void*>(pointer);
    *attributes = simtPointerAttributes{};
    attributes->type = simtMemoryTypeUnregistered;
    attributes->device = simtInvalidDeviceId;
    attributes->hostPointer = address;
    if (!allocation) return simtSuccess;
    attributes->device = allocation->device;
    attributes->devicePointer = address;
    switch (allocation->kind) {
      case MemoryKind::kHost:
      case MemoryKind::kRegistered: attributes->type = simtMemoryTypeHost; break;
      case MemoryKind::kManaged: attributes->type = simtMemoryTypeManaged; break;
      case MemoryKind::kDevice:
      case MemoryKind::kImported:
      case MemoryKind::kSymbol:
        attributes->type = simtMemoryTypeDevice;
        attributes->hostPointer = nullptr;
        break;
    }
    return simtSuccess;
  });
}

// The advice has no effect: the operating system decides the location of pages.
simtError_t simtMemAdvise(const void* pointer, std::size_t count, simtMemoryAdvise advice,
                          int device) {
  return call([&] {
    if (pointer == nullptr || count == 0 || advice < simtMemAdviseSetReadMostly ||
        advice > simtMemAdviseUnsetAccessedBy) {
      return simtErrorInvalidValue;
    }
    const bool names_device = advice == simtMemAdviseSetPreferredLocation ||
                              advice == simtMemAdviseSetAccessedBy ||
                              advice == simtMemAdviseUnsetAccessedBy;
    if (names_device && device != simtCpuDeviceId && Device::get(device) == nullptr)
      return simtErrorInvalidValue;
    const auto allocation = MemoryMap::instance().find(pointer);
    if (allocation && allocation->kind != MemoryKind::kManaged) return simtErrorInvalidValue;
    return forbid_unsafe_call();
  });
}

simtError_t simtMemPrefetchAsync(const void* pointer, std::size_t count, int device,
                                 simtStream_t handle) {
  return call([&] {
    if (pointer == nullptr || count == 0) return simtErrorInvalidValue;
    if (device != simtCpuDeviceId && Device::get(device) == nullptr) return simtErrorInvalidDevice;
    const auto allocation = MemoryMap::instance().find(pointer);
    if (!allocation || allocation->kind != MemoryKind::kManaged ||
        !is_on_side(pointer, count, /*device=*/true)) {
      return simtErrorInvalidValue;
    }
    const auto stream = find_stream(handle);
    if (stream == nullptr) return simtErrorInvalidResourceHandle;
    return forbid_in_capture(stream);  // graphs have no such node
  });
}

namespace simtrt {

simtError_t register_symbol(const void* symbol, std::size_t size) {
  return call([&] {
    if (symbol == nullptr) return simtErrorInvalidSymbol;
    auto* begin = const_cast<char*>(static_cast<const char*>(symbol));
    if (!is_known(symbol))
      MemoryMap::instance().add({begin, size, MemoryKind::kSymbol, 0, 0, nullptr, false});
    return simtSuccess;
  });
}

}  // namespace simtrt

simtError_t simtGetSymbolAddress(void** pointer, const void* symbol) {
  return call([&] {
    if (pointer == nullptr) return simtErrorInvalidValue;
    if (!is_known(symbol)) return simtErrorInvalidSymbol;
    *pointer = const_cast<void*>(symbol);
    return simtSuccess;
  });
}

simtError_t simtGetSymbolSize(std::size_t* size, const void* symbol) {
  return call([&] {
    const auto found = MemoryMap::instance().find(symbol);
    if (size == nullptr) return simtErrorInvalidValue;
    if (!found || found->kind != MemoryKind::kSymbol) return simtErrorInvalidSymbol;
    *size = found->size;
    return simtSuccess;
  });
}

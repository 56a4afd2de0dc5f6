// Virtual memory of the driver API: checks of arguments.
#include "api/call.h"
#include "api/driver_pointers.h"
#include "api/driver_result.h"
#include "memory/virtual_memory.h"

#include <algorithm>
#include <cstdint>

using namespace simtrt;

namespace {

bool is_device(const simtDrvMemLocation& location) {
  return location.type == SIMT_DRV_MEM_LOCATION_TYPE_DEVICE && location.id >= 0 &&
         location.id < Device::count();
}

bool is_supported(const simtDrvMemAllocationProp* properties) {
  return properties != nullptr && properties->type == SIMT_DRV_MEM_ALLOCATION_TYPE_PINNED &&
         is_device(properties->location);
}

// Runs `work` with the table of mappings if the arguments are valid.
template <class WorkOfCall>
simtDrvResult with_table(bool valid, WorkOfCall work) {
  return result([&] {
    return call([&] { return valid ? work(VirtualMemory::instance()) : simtErrorInvalidValue; });
  });
}

}  // namespace

simtDrvResult simtDrvMemGetAllocationGranularity(std::size_t* bytes,
                                                 const simtDrvMemAllocationProp* properties,
                                                 simtDrvMemAllocationGranularity_flags) {
  return with_table(bytes != nullptr && is_supported(properties), [&](VirtualMemory&) {
    *bytes = kVirtualGranularity;
    return simtSuccess;
  });
}
simtDrvResult simtDrvMemAddressReserve(simtDrvDeviceptr* pointer, std::size_t bytes,
                                       std::size_t alignment, simtDrvDeviceptr wanted,
                                       unsigned long long flags) {
  return with_table(pointer != nullptr && flags == 0, [&](VirtualMemory& table) {
    char* begin = nullptr;
    const simtError_t error = table.reserve(bytes, alignment, address_of(wanted), &begin);
    if (error == simtSuccess) *pointer = device_pointer(begin);
    return error;
  });
}
simtDrvResult simtDrvMemAddressFree(simtDrvDeviceptr pointer, std::size_t bytes) {
  return with_table(true, [&](VirtualMemory& table) {
    return table.unreserve(address_of(pointer), bytes);
  });
}
simtDrvResult simtDrvMemCreate(simtDrvMemGenericAllocationHandle* handle, std::size_t bytes,
                               const simtDrvMemAllocationProp* properties,
                               unsigned long long flags) {
  return with_table(handle != nullptr && is_supported(properties) && flags == 0,
                    [&](VirtualMemory& table) { return table.create(bytes, *properties, handle); });
}
simtDrvResult simtDrvMemRelease(simtDrvMemGenericAllocationHandle handle) {
  return with_table(true, [&](VirtualMemory& table) { return table.release(handle); });
}
simtDrvResult simtDrvMemMap(simtDrvDeviceptr pointer, std::size_t bytes, std::size_t offset,
                            simtDrvMemGenericAllocationHandle handle, unsigned long long flags) {
  return with_table(offset == 0 && flags == 0, [&](VirtualMemory& table) {
    return table.map(address_of(pointer), bytes, handle);
  });
}
simtDrvResult simtDrvMemUnmap(simtDrvDeviceptr pointer, std::size_t bytes) {
  return with_table(true,
                    [&](VirtualMemory& table) { return table.unmap(address_of(pointer), bytes); });
}
// Every device is the host's memory: the device with the most access decides.
simtDrvResult simtDrvMemSetAccess(simtDrvDeviceptr pointer, std::size_t bytes,
                                  const simtDrvMemAccessDesc* accesses, std::size_t count) {
  const bool valid =
      accesses != nullptr && count != 0 &&
      std::all_of(accesses, accesses + count,
                  [](const simtDrvMemAccessDesc& one) { return is_device(one.location); });
  return with_table(valid, [&](VirtualMemory& table) {
    const auto most = std::max_element(
        accesses, accesses + count, [](const simtDrvMemAccessDesc& a, const simtDrvMemAccessDesc& b) {
          return a.flags < b.flags;
        });
    return table.set_access(address_of(pointer), bytes, most->flags);
  });
}
simtDrvResult simtDrvMemGetAccess(unsigned long long* flags, const simtDrvMemLocation* location,
                                  simtDrvDeviceptr pointer) {
  const bool valid = flags != nullptr && location != nullptr && is_device(*location);
  return with_table(valid, [&](VirtualMemory& table) {
    simtDrvMemAccess_flags found = SIMT_DRV_MEM_ACCESS_FLAGS_PROT_NONE;
    const simtError_t error = table.access(address_of(pointer), &found);
    if (error == simtSuccess) *flags = found;
    return error;
  });
}
simtDrvResult simtDrvMemGetAllocationPropertiesFromHandle(
    simtDrvMemAllocationProp* properties, simtDrvMemGenericAllocationHandle handle) {
  return with_table(properties != nullptr, [&](VirtualMemory& table) {
    return table.properties(handle, properties);
  });
}
simtDrvResult simtDrvMemRetainAllocationHandle(simtDrvMemGenericAllocationHandle* handle,
                                               void* pointer) {
  return with_table(handle != nullptr, [&](VirtualMemory& table) {
    return table.retain(static_cast<const char*>(pointer), handle);
  });
}
simtDrvResult simtDrvMemExportToShareableHandle(void* shareable,
                                                simtDrvMemGenericAllocationHandle handle,
                                                simtDrvMemAllocationHandleType type,
                                                unsigned long long flags) {
  const bool valid = shareable != nullptr && flags == 0 &&
                     type == SIMT_DRV_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return with_table(valid, [&](VirtualMemory& table) {
    return table.export_file(handle, static_cast<int*>(shareable));
  });
}
simtDrvResult simtDrvMemImportFromShareableHandle(simtDrvMemGenericAllocationHandle* handle,
                                                  void* shareable,
                                                  simtDrvMemAllocationHandleType type) {
  const bool valid =
      handle != nullptr && type == SIMT_DRV_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return with_table(valid, [&](VirtualMemory& table) {
    return table.import_file(static_cast<int>(reinterpret_cast<std::intptr_t>(shareable)), handle);
  });
}

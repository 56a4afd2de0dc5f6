// Device memory of other processes (simtIpcGetMemHandle, simtIpcOpenMemHandle).
//
// Ownership: a table, never destroyed, owns the mappings; each opened handle is counted.
// Threads: any thread. Memory ordering: a mutex protects the table; there are no atomics.
#pragma once

#include "process/shared_file.h"

#include <simt_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace simtrt {

/// Content of a simtIpcMemHandle_t.
struct MemoryHandle {
  char magic[8];
  FileAddress file;
  std::uint64_t offset;  ///< offset of the allocation in the file
  std::uint64_t size;    ///< size of the allocation in bytes
  std::int32_t device;   ///< number of the machine's device
  std::int32_t unused;
};
static_assert(sizeof(MemoryHandle) <= sizeof(simtIpcMemHandle_t));

/// Makes the handle of the allocation that contains `pointer`. Errors: simtErrorInvalidValue for
/// memory that simtMalloc did not allocate, simtErrorMemoryAllocation without memory or descriptors.
simtError_t export_memory(const void* pointer, MemoryHandle* handle);
/// Maps the allocation, or counts one more use if it is mapped already. Errors:
/// simtErrorInvalidValue for bytes that are no handle, simtErrorInvalidDevice for memory of a device
/// that the process does not see, simtErrorDeviceUninitialized for a handle of this process,
/// simtErrorInvalidResourceHandle if the process has ended or has freed the memory,
/// simtErrorMapBufferObjectFailed without address space.
simtError_t import_memory(const MemoryHandle& handle, void** pointer);
/// Counts one use less, and removes the mapping with its last use. The device must not use the memory
/// any more. Errors: simtErrorInvalidValue for other memory.
simtError_t close_imported(const void* pointer);
/// Removes all mappings of a device's memory (simtDeviceReset).
void close_all_imported(int device);

}  // namespace simtrt

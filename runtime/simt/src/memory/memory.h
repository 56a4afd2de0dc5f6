// Map of the memory known to the runtime: allocated or registered memory, and symbols.
//
// Ownership: the map owns its entries, but not the memory that they describe; the map is never
// destroyed. The program owns an allocation until it frees the allocation; the caller that takes an
// entry out of the map releases the memory.
// Threads: any thread, including workers and kernels. Memory ordering: a shared mutex protects the
// map. The number of used bytes of a device is an atomic that orders no other access.
#pragma once

#include <simt_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace simtrt {

class MemoryPool;

enum class MemoryKind : unsigned char {
  kDevice,
  kManaged,
  kHost,        ///< simtHostAlloc
  kRegistered,  ///< simtHostRegister
  kImported,    ///< device memory outside of the arena: of another process (simtIpcOpenMemHandle), or mapped (simtDrvMemMap)
  kSymbol,      ///< a __device__ or __constant__ variable whose address the program has queried
};

/// Flag of an Allocation: a kernel has allocated the memory, and only kernels may free it (CUDA C++
/// Programming Guide, "Dynamic Global Memory Allocation and Operations").
inline constexpr unsigned kOfKernel = 1U << 31;

struct Allocation {
  char* begin = nullptr;
  std::size_t size = 0;
  MemoryKind kind = MemoryKind::kDevice;
  int device = 0;
  unsigned flags = 0;
  MemoryPool* pool = nullptr;  ///< pool of memory from simtMallocAsync
  bool freeing = false;        ///< true after simtFreeAsync, until the memory is free
};

/// All memory known to the runtime, by address. Thread-safe.
class MemoryMap {
 public:
  static MemoryMap& instance();

  void add(const Allocation& allocation);
  /// Allocation that contains `pointer`.
  std::optional<Allocation> find(const void* pointer) const;
  /// Removes and returns the allocation that begins at `pointer` and has one of the two kinds;
  /// empty if there is none.
  std::optional<Allocation> take(const void* pointer, MemoryKind kind, MemoryKind other);
  /// Marks device memory as being freed in stream order. Returns empty if the memory is unknown or
  /// already marked.
  std::optional<Allocation> mark_freeing(const void* pointer);
  void forget(const void* begin);
  std::vector<Allocation> all() const;
  /// Removes and returns all allocations of a device.
  std::map<const char*, Allocation> take_all(int device);

 private:
  mutable std::shared_mutex mutex_;
  std::map<const char*, Allocation> by_begin_;
};

/// Memory size of a device in bytes: SIMT_DEVICE_MEMORY, or the machine's memory.
std::size_t device_memory_bytes();
/// Bytes of device memory in use.
std::size_t used_device_memory(int device);

/// Counts bytes as used. Returns false, and counts nothing, if the device has fewer free bytes.
bool count_device_memory(int device, std::size_t bytes);
void uncount_device_memory(int device, std::size_t bytes);

/// Allocates device or managed memory, aligned to 512 bytes. Errors: simtErrorMemoryAllocation.
simtError_t allocate_device(int device, std::size_t size, MemoryKind kind, unsigned flags,
                            MemoryPool* pool, void** pointer);
simtError_t allocate_host(int device, std::size_t size, unsigned flags, void** pointer);
/// Returns the bytes of an allocation to the system. The caller has removed the allocation from the
/// map.
void release(const Allocation& allocation);

/// Returns freed memory to the system that the checkers have kept.
void release_waiting();

/// True for memory that the host may not access.
bool is_device_memory(MemoryKind kind);
/// True if a copy may use `size` bytes at `pointer` as device memory (if `device` is true) or as
/// host memory (otherwise).
bool is_on_side(const void* pointer, std::size_t size, bool device);
/// True for memory that the runtime knows and that the device may read at any time. False for
/// pageable memory.
bool is_known(const void* pointer);

/// Checks source and destination of a copy against the kind of copy. Errors:
/// simtErrorInvalidMemcpyDirection, simtErrorInvalidValue.
simtError_t check_copy(const void* to, std::size_t to_size, const void* from, std::size_t from_size,
                       simtMemcpyKind kind);

}  // namespace simtrt

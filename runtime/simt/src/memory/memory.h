// Map of the memory that the runtime knows: allocated, registered or asked for as a symbol.
//
// Ownership: the map, never destroyed, owns entries and no bytes. The program owns an allocation
// until it frees it; who takes an entry out of the map releases the bytes.
// Threads: any thread, workers and kernels among them.
// Memory ordering: a shared mutex orders the map. The bytes in use of a device are an atomic figure
// that orders nothing else.
#pragma once

#include <simt_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <optional>
#include <shared_mutex>

namespace simtrt {

class MemoryPool;

enum class MemoryKind : unsigned char {
  kDevice,
  kManaged,
  kHost,        ///< simtHostAlloc
  kRegistered,  ///< simtHostRegister
  kSymbol,      ///< a __device__ or __constant__ variable whose address was asked for
};

/// Of an Allocation's flags: a kernel has allocated it, and only kernels may free it (CUDA C++
/// Programming Guide, "Dynamic Global Memory Allocation and Operations").
inline constexpr unsigned kOfKernel = 1U << 31;

struct Allocation {
  char* begin = nullptr;
  std::size_t size = 0;
  MemoryKind kind = MemoryKind::kDevice;
  int device = 0;
  unsigned flags = 0;
  MemoryPool* pool = nullptr;  ///< of simtMallocAsync
  bool freeing = false;        ///< simtFreeAsync is on its way
};

/// All memory that the runtime knows, by address. Safe to be used by several threads.
class MemoryMap {
 public:
  static MemoryMap& instance();

  void add(const Allocation& allocation);
  /// The allocation that `pointer` lies in.
  std::optional<Allocation> find(const void* pointer) const;
  /// Takes out what begins at `pointer` and is of one of the two kinds; nothing where there is
  /// none.
  std::optional<Allocation> take(const void* pointer, MemoryKind kind, MemoryKind other);
  /// Marks device memory as being freed in the order of a stream; nothing where it is not there, or
  /// is marked already.
  std::optional<Allocation> mark_freeing(const void* pointer);
  void forget(const void* begin);
  /// Takes out everything that belongs to a device.
  std::map<const char*, Allocation> take_all(int device);

 private:
  mutable std::shared_mutex mutex_;
  std::map<const char*, Allocation> by_begin_;
};

/// Memory of a device: SIMT_DEVICE_MEMORY bytes, or all of the machine's memory.
std::size_t device_memory_bytes();
/// Bytes of device memory in use.
std::size_t used_device_memory(int device);

/// Device or managed memory, aligned to 512 bytes. Errors: simtErrorMemoryAllocation.
simtError_t allocate_device(int device, std::size_t size, MemoryKind kind, unsigned flags,
                            MemoryPool* pool, void** pointer);
simtError_t allocate_host(int device, std::size_t size, unsigned flags, void** pointer);
/// Gives the bytes of an allocation that was taken out of the map back to the machine.
void release(const Allocation& allocation);

/// True if `size` bytes at `pointer` may be a copy's on the side of the device (`device`) or of the
/// host.
bool is_on_side(const void* pointer, std::size_t size, bool device);
/// True if the device may read there at any time: everything the runtime knows, and so not pageable
/// memory.
bool is_known(const void* pointer);

/// Checks the two ends of a copy against its kind. Errors: simtErrorInvalidMemcpyDirection,
/// simtErrorInvalidValue.
simtError_t check_copy(const void* to, std::size_t to_size, const void* from, std::size_t from_size,
                       simtMemcpyKind kind);

}  // namespace simtrt

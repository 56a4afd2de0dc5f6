// Ranges of reserved addresses, and memory that is mapped into them (cuMemAddressReserve, cuMemCreate, cuMemMap).
//
// The memory map (memory.h) has one entry for mappings that follow each other without a gap, so that a copy may cross
// their borders.
//
// Ownership: the table, never destroyed, owns the ranges and the mappings; a mapping and each retained handle share the
// ownership of the memory.
// Threads: any thread. Memory ordering: a mutex protects the table; there are no atomics.
#pragma once

#include <simt_driver.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace simtrt {

/// Unit of sizes and addresses, as on CUDA's devices.
inline constexpr std::size_t kVirtualGranularity = std::size_t{2} << 20;

/// Memory without an address: a file without a name.
struct PhysicalMemory {
  PhysicalMemory(int file_descriptor, std::size_t size, const simtDrvMemAllocationProp& all,
                 bool imported)
      : file(file_descriptor), bytes(size), properties(all), of_other(imported) {}
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;
  ~PhysicalMemory();

  int file;
  std::size_t bytes;
  simtDrvMemAllocationProp properties;
  bool of_other;        ///< imported: the exporting process counts the bytes
  int handles = 1;      ///< number of times that simtDrvMemRelease may be called
};

class VirtualMemory {
 public:
  using Handle = simtDrvMemGenericAllocationHandle;
  static VirtualMemory& instance();

  simtError_t reserve(std::size_t bytes, std::size_t alignment, char* wanted, char** begin);
  simtError_t unreserve(const char* begin, std::size_t bytes);
  simtError_t create(std::size_t bytes, const simtDrvMemAllocationProp& properties, Handle* handle);
  simtError_t release(Handle handle);
  simtError_t map(char* begin, std::size_t bytes, Handle handle);
  simtError_t unmap(char* begin, std::size_t bytes);
  simtError_t set_access(char* begin, std::size_t bytes, simtDrvMemAccess_flags access);
  simtError_t access(const char* place, simtDrvMemAccess_flags* found);
  simtError_t properties(Handle handle, simtDrvMemAllocationProp* found);
  simtError_t retain(const char* place, Handle* handle);
  simtError_t export_file(Handle handle, int* descriptor);
  simtError_t import_file(int descriptor, Handle* handle);

 private:
  struct Mapping {
    std::size_t bytes;
    std::shared_ptr<PhysicalMemory> memory;
    simtDrvMemAccess_flags access = SIMT_DRV_MEM_ACCESS_FLAGS_PROT_NONE;
  };
  using Mappings = std::map<const char*, Mapping>;

  Handle add(std::shared_ptr<PhysicalMemory> memory);
  std::shared_ptr<PhysicalMemory> find(Handle handle) const;
  Mappings::iterator containing(const char* place);
  /// First and past-the-end mapping of a range that whole mappings fill; both are the end if they do not.
  std::pair<Mappings::iterator, Mappings::iterator> filling(const char* begin, std::size_t bytes);
  bool is_reserved(const char* begin, std::size_t bytes) const;
  bool joins(Mappings::const_iterator left, Mappings::const_iterator right) const;
  void record(Mappings::const_iterator from, Mappings::const_iterator until);

  std::mutex mutex_;
  std::map<const char*, std::size_t> reserved_;
  Mappings mappings_;
  std::unordered_map<Handle, std::shared_ptr<PhysicalMemory>> memories_;
};

}  // namespace simtrt

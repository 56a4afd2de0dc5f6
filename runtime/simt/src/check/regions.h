// Memory that the checkers observe: allocations of the device, shared memory of workers, variables of modules.
//
// Ownership: the table shares ownership of its regions with the callers that use them.
// Threads: any. Memory ordering: a shared mutex guards the table. The caller holds the lock of the checkers (access.cpp)
// when it reads or writes cells and bits. A bounds check reads the other members without the lock: a program whose host
// frees memory that a kernel accesses at the same time has the same fault in any order.
#pragma once

#include "check/last_accesses.h"

#include <simtrt/check_access.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace simtrt::check {

enum class Space : unsigned char { kGlobal, kShared, kVariable };

struct Region {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;    ///< the first byte behind the region
  std::uintptr_t limit = 0;  ///< addresses from `end` to here belong to no other region
  Space space = Space::kGlobal;
  const char* name = "";     ///< "device memory"
  bool host_may_access = false;
  bool freed = false;
  bool tracks_writes = false;
  std::vector<std::uintptr_t> allocated_at, freed_at;
  std::uint64_t freeing_stream = 0;  ///< stream and number of an asynchronous free
  std::uint64_t freeing_number = 0;
  std::uint64_t serial = 0;          ///< shared memory: block to which `written` refers
  std::vector<bool> written;         ///< by byte, if `tracks_writes`
  LastAccesses last_accesses;        ///< the first cell is at first_cell()
  /// Shared memory: variables that the program has accessed, by offset. Empty: all is one variable.
  std::map<std::uintptr_t, std::size_t> variables;
  bool removed = false;                   ///< from the table
  std::vector<PermittedRange*> permitted;  ///< ranges in the region; Regions clears them

  std::uintptr_t first_cell() const { return begin & ~std::uintptr_t{LastAccesses::kCell - 1}; }
  bool is_in_variable(std::uintptr_t address, std::size_t size) const {
    return variables.empty() || is_in_one_of(address - begin, size);
  }
  bool is_in_one_of(std::uintptr_t offset, std::size_t size) const;
  /// "address 0x7f... is 4 bytes behind the end of device memory of 400 bytes at 0x7f..."
  std::string describe(std::uintptr_t address) const;
};

class Regions {
 public:
  static Regions& instance();
  std::shared_ptr<Region> add(Region region);
  void remove(std::uintptr_t begin);
  void clear();
  /// The region was freed, or its size or its variables have changed.
  void changed(Region& region);
  /// Region that contains the address, or whose end it follows before `limit`; else null.
  std::shared_ptr<Region> find(std::uintptr_t address) const;
  /// Region that contains the address, or the nearest one, if it is less than 1 MiB away; else null.
  std::shared_ptr<Region> nearest(std::uintptr_t address) const;
  /// True if a region overlaps these addresses.
  bool overlaps(std::uintptr_t begin, std::uintptr_t end) const;
  /// Changes with the table, and with a region.
  static std::uint64_t version() { return version_.load(std::memory_order_acquire); }

  /// Range around the address that the program may access while the region does not change; null if the memory was freed,
  /// or the address is in no variable.
  const PermittedRange* permitted(Region& region, std::uintptr_t address);
  /// Range without regions around the address; null if the address is none of a user's memory.
  const PermittedRange* permitted_outside(std::uintptr_t address);
  /// True if the address can be one of a user's memory.
  static bool is_of_user(std::uintptr_t address);

  template <class Visit>
  void each(Visit visit) {
    const std::shared_lock lock(mutex_);
    for (auto& [begin, region] : by_begin_) visit(*region);
  }

 private:
  using Ranges = std::vector<PermittedRange*>;

  static const PermittedRange* holding(const Ranges& ranges, std::uintptr_t address);
  const PermittedRange* add_range(Ranges& ranges, std::uintptr_t begin, std::uintptr_t end);
  void clear_ranges(Ranges& ranges);
  void note_removal(Region& region);

  std::map<std::uintptr_t, std::shared_ptr<Region>> by_begin_;
  Ranges outside_;
  std::deque<PermittedRange*> cleared_;
  /// Static: each access reads it, and instance() would test whether the table exists.
  inline static std::atomic<std::uint64_t> version_{1};
  mutable std::shared_mutex mutex_;
};

}  // namespace simtrt::check

// Memory that the checkers observe: allocations of the device, shared memory of workers, variables of modules.
//
// Ownership: the table shares ownership of its regions with the callers that use them.
// Threads: any. Memory ordering: a shared mutex guards the table. The caller holds the lock of the checkers (access.cpp)
// when it reads or writes cells and bits. A bounds check reads the other members without the lock: a program whose host
// frees memory that a kernel accesses at the same time has the same fault in any order.
#pragma once

#include "check/clocks.h"

#include <simtrt/check_access.h>

#include <array>
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

/// Last access of some kind to a piece of memory.
struct Slot {
  Actor who = 0;
  std::uint32_t clock = 0;  ///< 0: no access
  std::uint32_t site = 0;
};

/// Accesses to a piece of memory by atomic operations, and by readers without an order among them.
struct SharedAccesses {
  std::array<Slot, 2> atomics;
  std::array<Slot, 2> reads;
  Slot atomic_read;
};

/// Last accesses to a piece of memory. Of several readers and of several atomic writers, more than one is known, because
/// a later access may be ordered after some of them only. Most memory has one reader at a time and no atomic operation:
/// the rest is apart, so that checks of such memory touch one cache line.
struct Accesses {
  Slot write;
  Slot read;
  std::unique_ptr<SharedAccesses> more;  ///< null: none

  SharedAccesses& others() {
    if (more == nullptr) more = std::make_unique<SharedAccesses>();
    return *more;
  }
};

/// Last accesses to four bytes.
struct Cell : Accesses {
  std::unique_ptr<std::array<Accesses, 4>> bytes;  ///< of each byte, in a divided cell

  /// Divide the cell: each byte has the accesses of the whole cell.
  void divide();
};

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
  std::vector<std::unique_ptr<std::array<Cell, 256>>> cells;
  /// Shared memory: variables that the program has accessed, by offset. Empty: all is one variable.
  std::map<std::uintptr_t, std::size_t> variables;
  bool removed = false;                   ///< from the table
  std::vector<PermittedRange*> permitted;  ///< ranges in the region; Regions clears them

  Cell& cell(std::uintptr_t address) {
    const std::size_t index = (address - (begin & ~std::uintptr_t{3})) / 4, group = index / 256;
    if (__builtin_expect(group >= cells.size() || cells[group] == nullptr, false)) add_cells(group);
    return (*cells[group])[index % 256];
  }
  void add_cells(std::size_t group);
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
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

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
  std::atomic<std::uint64_t> version_{1};
  mutable std::shared_mutex mutex_;
};

}  // namespace simtrt::check

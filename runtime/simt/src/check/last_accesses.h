// Last accesses to the memory of a region, by cells of four bytes. The race checks compare each access with them
// (races.h).
//
// Ownership: a table owns its accesses; a Piece refers to those of its table, until the next call of the table.
// Threads: a caller holds the lock of the checkers (context.h). Memory ordering: there are no atomics.
#pragma once

#include "check/clocks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace simtrt::check {

/// Last access of some kind to a piece of memory.
struct Slot {
  Actor who = 0;
  std::uint32_t clock = 0;  ///< 0: no access
  std::uint32_t site = 0;
};

/// Last plain accesses to a piece of memory. Most memory needs no others: a check then touches one cache line.
struct alignas(32) PlainAccesses {
  Slot write;
  Slot read;
};

/// Accesses to a piece of memory by atomic operations, and by readers without an order among them. Of several readers and
/// of several atomic writers, more than one is known, because a later access may be ordered after some of them only.
struct SharedAccesses {
  std::array<Slot, 2> atomics;
  std::array<Slot, 2> reads;
  Slot atomic_read;
};

class LastAccesses {
 public:
  static constexpr std::size_t kCell = 4;  ///< bytes

 private:
  static constexpr std::size_t kGroup = 256;  ///< cells

  struct DividedCell {
    std::array<PlainAccesses, kCell> plain;
    std::array<std::unique_ptr<SharedAccesses>, kCell> shared;
  };
  /// Accesses that few cells have.
  struct Additions {
    std::unique_ptr<SharedAccesses> shared;
    std::unique_ptr<DividedCell> divided;

    bool exist() const { return shared != nullptr || divided != nullptr; }
  };
  struct Group {
    std::unique_ptr<std::array<PlainAccesses, kGroup>> plain;
    std::unique_ptr<std::array<Additions, kGroup>> additions;  ///< null: no cell has any

    Additions& additions_of(std::size_t index);
  };

 public:
  /// The accesses to a cell, or to a byte of a divided cell.
  class Piece {
   public:
    PlainAccesses& plain;

    /// Null: none.
    const SharedAccesses* shared() const { return shared_ == nullptr ? nullptr : shared_->get(); }
    SharedAccesses& make_shared();

   private:
    friend class LastAccesses;
    Piece(PlainAccesses& of, std::unique_ptr<SharedAccesses>* shared, Group& group, std::size_t index)
        : plain(of), shared_(shared), group_(group), index_(index) {}

    std::unique_ptr<SharedAccesses>* shared_;  ///< null: the group has no additions yet
    Group& group_;
    std::size_t index_;
  };

  /// The accesses to a whole cell without others. Null: it has others, or there is no access to its neighbours.
  PlainAccesses* plain(std::size_t cell) {
    const std::size_t number = cell / kGroup;
    if (number >= groups_.size()) return nullptr;
    const Group& group = groups_[number];
    if (group.plain == nullptr) return nullptr;
    if (group.additions != nullptr && (*group.additions)[cell % kGroup].exist()) return nullptr;
    return &(*group.plain)[cell % kGroup];
  }

  /// Visits the pieces of the bytes from `begin` to `end`, relative to the first cell. Divides a cell that is not
  /// completely among them: its bytes begin with the accesses of the whole cell.
  template <class Visit>
  void each(std::size_t begin, std::size_t end, Visit visit) {
    for (std::size_t number = begin / kCell; number * kCell < end; ++number) {
      const std::size_t first = number * kCell;
      const bool is_whole = begin <= first && first + kCell <= end;
      Group& group = group_of(number);
      const std::size_t index = number % kGroup;
      if (!is_whole) divide(group, index);
      Additions* additions = group.additions == nullptr ? nullptr : &(*group.additions)[index];
      if (additions == nullptr || additions->divided == nullptr) {
        visit(Piece((*group.plain)[index], additions == nullptr ? nullptr : &additions->shared, group, index));
        continue;
      }
      DividedCell& cell = *additions->divided;
      for (std::size_t byte = 0; byte < kCell; ++byte) {
        if (begin <= first + byte && first + byte < end)
          visit(Piece(cell.plain[byte], &cell.shared[byte], group, index));
      }
    }
  }

 private:
  Group& group_of(std::size_t cell) {
    const std::size_t number = cell / kGroup;
    if (__builtin_expect(number >= groups_.size() || groups_[number].plain == nullptr, false)) add_group(number);
    return groups_[number];
  }
  void add_group(std::size_t number);
  static void divide(Group& group, std::size_t index);

  std::vector<Group> groups_;
};

}  // namespace simtrt::check

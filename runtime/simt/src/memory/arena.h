// Mappings for device memory and pinned memory, apart from the heap of the program: a write past an
// allocation never reaches the heap.
//
// Ownership: one arena, never destroyed, owns all mappings. The caller of allocate() owns the bytes
// until free().
// Threads: any thread. Memory ordering: the mutex; there are no atomics.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace simtrt {

/// Small allocations share mappings of 2 MiB in units of 512 bytes, larger ones have a mapping each, of
/// whole 2 MiB, as a GPU's. Before and behind each mapping lies a guard: what runs over it is reported
/// as an illegal address. What the arena knows of its blocks lies elsewhere. Safe to be used by several
/// threads.
class Arena {
 public:
  static Arena& instance();

  /// `bytes` aligned to 512; null where the machine has no more.
  char* allocate(std::size_t bytes);
  /// Gives back what `allocate` gave.
  void free(char* begin);

 private:
  using Block = std::pair<std::size_t, char*>;  ///< size, begin: the least that fits comes first

  char* allocate_small(std::size_t size);
  void free_small(char* begin, std::size_t size);
  void add_free(char* begin, std::size_t size);
  void remove_free(char* begin, std::size_t size);

  std::mutex mutex_;
  std::map<char*, std::size_t> used_;
  std::map<char*, std::size_t> free_by_begin_;
  std::set<Block> free_by_size_;
  std::size_t empty_mappings_ = 0;  ///< of small allocations
};

}  // namespace simtrt

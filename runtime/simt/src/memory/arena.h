// Mappings for device memory and pinned memory, separate from the heap, so that a write beyond an
// allocation cannot damage the heap.
//
// Ownership: one arena, which is never destroyed, owns all mappings. The caller of allocate() owns
// the bytes until free().
// Threads: any thread. Memory ordering: a mutex protects all data; there are no atomics.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace simtrt {

/// Small allocations share mappings of 2 MiB in units of 512 bytes. A larger allocation has its own mapping, a multiple
/// of 2 MiB, as on a GPU. Each mapping has a guard before and after it; an overrun into a guard is reported as an
/// illegal address. Data about blocks is stored outside the mappings. Thread-safe.
class Arena {
 public:
  static Arena& instance();

  /// Allocates `bytes`, aligned to 512 bytes. Returns null if memory is exhausted.
  char* allocate(std::size_t bytes);
  /// Allocates `bytes`, aligned to 512 bytes, on pages of their own. An inaccessible page follows: the bytes, rounded up
  /// to 512, end at this page. Without the page if the process has very many of them. Null if memory is exhausted.
  char* allocate_guarded(std::size_t bytes);
  /// Frees memory that allocate() or allocate_guarded() returned.
  void free(char* begin);
  /// Pages of memory from allocate_guarded(), without the inaccessible page; empty for other memory.
  std::pair<char*, char*> pages_of(char* begin);

  /// Bytes that allocate() has set aside for an allocation, at least the wanted number; 0 for any other address.
  std::size_t size_of(char* begin);

  /// File that holds the mapping of an allocation.
  struct Shared {
    int file = -1;            ///< open as long as the mapping exists; owned by the arena
    std::size_t offset = 0;   ///< offset of the allocation in the file
  };
  /// Makes the memory at `begin`, which allocate() returned, available to other processes. The first
  /// call for a mapping copies its content; work of the device may go on. Returns empty without
  /// memory or descriptors.
  std::optional<Shared> share(char* begin);

 private:
  using Block = std::pair<std::size_t, char*>;  ///< (size, begin): ordered by size

  struct Guarded {
    char* block = nullptr;  ///< memory from allocate()
    char* pages = nullptr;  ///< first page of the bytes
    char* guard = nullptr;  ///< page behind the bytes
  };

  char* block_of(char* begin) const;
  void remove_guards(char* begin, std::size_t size);
  char* allocate_small(std::size_t size);
  void free_small(char* begin, std::size_t size);
  void add_free(char* begin, std::size_t size);
  void remove_free(char* begin, std::size_t size);
  void unmap(char* begin, std::size_t size);

  std::mutex mutex_;
  std::map<char*, std::size_t> used_;
  std::map<char*, std::size_t> free_by_begin_;
  std::set<Block> free_by_size_;
  std::set<char*> small_mappings_;     ///< begins of the mappings for small allocations
  std::map<char*, Guarded> guarded_;   ///< by begin
  std::map<char*, int> shared_files_;  ///< files of the mappings that are shared, by the mapping's begin
  std::size_t empty_mappings_ = 0;     ///< empty mappings for small allocations
};

}  // namespace simtrt

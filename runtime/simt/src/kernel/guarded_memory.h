// Memory between inaccessible guards, which detect overruns of both ends.
//
// Ownership: the object owns the mapping.
// Threads: one thread makes and destroys an object; the signal handler may call guards_below().
// Memory ordering: the number of guards in the process is atomic and orders no other access;
// relaxed ordering would suffice.
#pragma once

#include <cstddef>

namespace simtrt {

/// Readable and writable memory between two guards. An object has no guards if the process already
/// has half as many guards as Linux permits mappings.
class GuardedMemory {
 public:
  /// Allocates `bytes`, rounded up to whole pages. Throws std::bad_alloc.
  explicit GuardedMemory(std::size_t bytes);
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory();

  char* begin() const { return begin_; }
  char* end() const { return begin_ + size_; }
  std::size_t size() const { return size_; }
  /// True if `address` lies in the guard before `begin()`.
  bool guards_below(const void* address) const;

 private:
  char* begin_;
  std::size_t size_;
};

}  // namespace simtrt

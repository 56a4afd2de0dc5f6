// Memory between guards that nobody may touch, so that running over its ends is
// noticed.
#pragma once

#include <cstddef>

namespace simtrt {

/// Readable and writable memory between two guards, as long as the system has any to give.
class GuardedMemory {
 public:
  /// `bytes`, rounded up to whole pages. Throws std::bad_alloc.
  explicit GuardedMemory(std::size_t bytes);
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory();

  char* begin() const { return begin_; }
  char* end() const { return begin_ + size_; }
  std::size_t size() const { return size_; }
  /// Whether `address` lies in the guard before `begin()`.
  bool guards_below(const void* address) const;

 private:
  char* begin_;
  std::size_t size_;
};

}  // namespace simtrt

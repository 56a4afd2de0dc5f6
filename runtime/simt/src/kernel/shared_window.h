// Shared memory of a worker. On a GPU its addresses have 32 bits, so that `tile[~x]` with an
// unsigned x is the element before `tile[-x]`; here that address lies a multiple of 4 GiB above.
//
// Ownership: the object owns its mapping and the aliases above it.
// Threads: one worker, and the signal handler on that worker (reach()).
// Memory ordering: there are no atomics in an object. A counter of the process gives each window
// another place; it orders nothing else, and relaxed would be enough.
#pragma once

#include <array>
#include <cstddef>

namespace simtrt {

/// Memory between guards. Addresses above it become aliases when reach() is called.
class SharedWindow {
 public:
  /// Throws std::bad_alloc.
  explicit SharedWindow(std::size_t bytes);
  SharedWindow(const SharedWindow&) = delete;
  SharedWindow& operator=(const SharedWindow&) = delete;
  ~SharedWindow();

  char* begin() const { return begin_; }

  /// Called by signal handlers for an unmapped address. If the address, taken modulo 2^32, belongs
  /// to this memory, the function makes it accessible and returns true.
  bool reach(const void* address);

 private:
  /// Largest distance in units of 4 GiB: the wrapped index of an element of 64 bytes.
  static constexpr std::size_t kFarthest = 64;
  static constexpr std::size_t kMostAliases = 8;

  char* mapping_;
  char* begin_;
  std::size_t size_;
  std::array<char*, kMostAliases> aliases_{};
  std::size_t alias_count_ = 0;
};

}  // namespace simtrt

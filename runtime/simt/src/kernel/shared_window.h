// Shared memory of a worker. On a GPU, addresses of shared memory have 32 bits, so an index such as
// `tile[~x]` with an unsigned x wraps around to an element of `tile`. Here the address of
// `tile[~x]` is a multiple of 4 GiB above that element.
//
// Ownership: the object owns its mapping and the aliases above it.
// Threads: one worker, and the signal handler on that worker (reach()).
// Memory ordering: there are no atomics in an object. An atomic counter of the process gives each
// window a different address; the counter orders no other access, so relaxed ordering would
// suffice.
#pragma once

#include <array>
#include <cstddef>

namespace simtrt {

/// Memory between guards. Addresses above it become aliases when reach() is called.
class SharedWindow {
 public:
  /// Maps `bytes` of memory. Throws std::bad_alloc.
  explicit SharedWindow(std::size_t bytes);
  SharedWindow(const SharedWindow&) = delete;
  SharedWindow& operator=(const SharedWindow&) = delete;
  ~SharedWindow();

  char* begin() const { return begin_; }
  std::size_t size() const { return size_; }
  bool holds(const volatile void* address) const {
    return static_cast<std::size_t>(static_cast<const volatile char*>(address) - begin_) < size_;
  }

  /// Called by signal handlers for an unmapped address. If the address, taken modulo 2^32, belongs
  /// to this memory, the function makes the address accessible and returns true.
  bool reach(const void* address);

 private:
  /// Largest distance of an alias in units of 4 GiB: a 32-bit index of elements of 64 bytes reaches
  /// this far.
  static constexpr std::size_t kFarthest = 64;
  static constexpr std::size_t kMostAliases = 8;

  char* mapping_;
  char* begin_;
  std::size_t size_;
  std::array<char*, kMostAliases> aliases_{};
  std::size_t alias_count_ = 0;
};

}  // namespace simtrt

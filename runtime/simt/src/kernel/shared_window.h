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

/// Memory between guards that addresses above it reach as well, once `reach` has been asked.
class SharedWindow {
 public:
  /// Throws std::bad_alloc.
  explicit SharedWindow(std::size_t bytes);
  SharedWindow(const SharedWindow&) = delete;
  SharedWindow& operator=(const SharedWindow&) = delete;
  ~SharedWindow();

  char* begin() const { return begin_; }

  /// True if an address that nothing is mapped at is one of the memory's when it is taken modulo
  /// 2^32; it can be accessed from now on. For handlers of signals.
  bool reach(const void* address);

 private:
  /// Elements of 64 bytes whose index wraps lie 64 times 4 GiB above.
  static constexpr std::size_t kFarthest = 64;
  static constexpr std::size_t kMostAliases = 8;

  char* mapping_;
  char* begin_;
  std::size_t size_;
  std::array<char*, kMostAliases> aliases_{};
  std::size_t alias_count_ = 0;
};

}  // namespace simtrt

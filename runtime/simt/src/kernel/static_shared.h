// Static shared memory of a worker. The compiler plugin makes each `__shared__` variable an
// ordinary, zero-initialised variable of its module (a program or library), whose memory no code
// accesses. To the variable's address the plugin adds the distance to a copy that belongs to the
// thread of the operating system (plugin/shared_memory.cpp). Only the accessed pages of a copy
// occupy memory.
//
// Ownership: each thread of the operating system owns its StaticShared, which owns a SharedWindow
// for each module whose kernels the thread has run. Copies of unloaded modules are released when
// the thread uses another module for the first time.
// Threads: the owning thread, and the signal handler on that thread (reach()).
// Memory ordering: there are no atomics; nothing is shared between threads.
#pragma once

#include "kernel/shared_window.h"

#include <simtrt/config.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace simtrt {

/// Addresses of a module's zero-initialised variables.
struct ZeroSegment {
  std::uintptr_t begin;
  std::size_t bytes;

  bool holds(std::uintptr_t address, std::size_t size) const {
    return address - begin < bytes && size <= bytes - (address - begin);
  }
  bool operator==(const ZeroSegment& other) const {
    return begin == other.begin && bytes == other.bytes;
  }
};

/// One thread's copies of the modules' shared variables.
class StaticShared {
 public:
  /// Object of the calling thread.
  static StaticShared& of_thread();

  /// Distance in bytes from a variable to its copy. Ends the process if memory is exhausted.
  std::ptrdiff_t distance(std::uintptr_t variable, std::size_t bytes) {
    for (const Copy& copy : copies_) {
      if (copy.segment.holds(variable, bytes)) return copy.distance;
    }
    return distance_of_new(variable, bytes);
  }

  /// Tells the checkers about a variable that the thread accesses.
  void note_variable(std::uintptr_t variable, std::size_t bytes) const;

  /// True if a copy of the calling thread contains the address.
  static bool holds(const volatile void* address);

  /// Calls SharedWindow::reach for each copy of the calling thread. Called by signal handlers.
  static bool reach(const void* address);

 private:
  struct Copy {
    ZeroSegment segment;
    std::ptrdiff_t distance;
    std::unique_ptr<SharedWindow> memory;
  };

  std::ptrdiff_t distance_of_new(std::uintptr_t variable, std::size_t bytes);

  std::vector<Copy> copies_;
};

}  // namespace simtrt

/// Called by code that the plugin generates, which depends on this name and type.
extern "C" SIMTRT_EXPORT std::ptrdiff_t simtrt_shared_distance(const void* variable,
                                                               std::size_t bytes) noexcept;

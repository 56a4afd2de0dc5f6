// Static shared memory of a worker. The plugin of the compiler makes each `__shared__` variable an
// ordinary one of its module (a program or library), whose zeros nobody touches, and adds to its
// address the distance to a copy that each thread of the operating system has for itself
// (plugin/shared_memory.cpp). Only pages that kernels touch take memory.
//
// Ownership: each thread of the operating system owns its StaticShared, which owns a SharedWindow for
// each module whose kernels the thread has run. Copies of modules that were unloaded are released
// when the next module is met.
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

/// Addresses of a module's variables that begin as zeros.
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

/// Copies of the modules' shared variables for one thread.
class StaticShared {
 public:
  /// Those of the calling thread.
  static StaticShared& of_thread();

  /// From a variable to its copy. Ends the process when there is no memory.
  std::ptrdiff_t distance(std::uintptr_t variable, std::size_t bytes) {
    for (const Copy& copy : copies_) {
      if (copy.segment.holds(variable, bytes)) return copy.distance;
    }
    return distance_of_new(variable, bytes);
  }

  /// SharedWindow::reach for each copy of the calling thread. For handlers of signals.
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

/// Called by code that the plugin has compiled; its name and type are the plugin's, too.
extern "C" SIMTRT_EXPORT std::ptrdiff_t simtrt_shared_distance(const void* variable,
                                                               std::size_t bytes) noexcept;

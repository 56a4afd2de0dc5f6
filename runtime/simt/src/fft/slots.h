// Plans by the numbers of their handles.
//
// Ownership: one table, which is never destroyed, shares ownership of the plans with calls in
// progress.
// Threads: any thread. Memory ordering: a mutex protects the table; there are no atomics.
#pragma once

#include <simtfft.h>

#include <map>
#include <memory>
#include <mutex>

#include "fft/plan.h"

namespace simtrt::fft {

class Slots {
 public:
  static Slots& instance();

  simtfftHandle add();
  /// Slot of a handle; null for an invalid handle. The slot stays alive if another thread removes
  /// it.
  std::shared_ptr<Slot> find(simtfftHandle handle);
  bool remove(simtfftHandle handle);

 private:
  std::mutex mutex_;
  std::map<simtfftHandle, std::shared_ptr<Slot>> slots_;
  simtfftHandle next_ = 1;
};

}  // namespace simtrt::fft

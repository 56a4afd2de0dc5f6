// Lock of the checkers.
//
// Each access of an instrumented program takes it for some tens of nanoseconds. std::mutex costs two atomic operations where
// one is enough: with it, the race checks of build_scripts/check_cost's product by tiles take 8 % longer. A waiting thread
// lets others run, because the owner may write a finding.
//
// Memory ordering: lock acquires what unlock has released.
#pragma once

#include <atomic>
#include <thread>

namespace simtrt::check {

class Lock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) {
      while (taken_.load(std::memory_order_relaxed)) std::this_thread::yield();
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

/// The lock that guards all data of the checkers, except the contexts of threads.
inline Lock& lock() {
  static Lock one;
  return one;
}

}  // namespace simtrt::check

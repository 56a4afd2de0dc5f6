// Lock of the checkers.
//
// Each access of an instrumented program takes it for some nanoseconds. An atomic exchange waits until the processor has
// written all earlier stores: race checks of build_scripts/check_cost's vector addition take a quarter longer with it. So
// the lock prefers one thread, as the biased locks of Java machines do (Kawachiya, Koseki, Onodera, "Lock Reservation",
// OOPSLA 2002): a thread that takes the lock many times in a row takes it by plain stores and loads, until another thread
// wants it. That thread revokes the preference with membarrier(2), a barrier in all threads of the process, which takes
// microseconds. Without membarrier, no thread is preferred.
//
// Memory ordering: lock acquires what unlock has released. The preferred thread stores `is_inside_` before it loads
// `preferred_`, and the revoking thread stores `preferred_` before it loads `is_inside_`; the barrier in all threads is
// between its two steps, so one of the two threads sees the other's store.
#pragma once

#include <atomic>

namespace simtrt::check {

class Lock {
 public:
  void lock() {
    const auto me = self();
    if (preferred_.load(std::memory_order_relaxed) == me) {
      is_inside_.store(true, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
      if (__builtin_expect(preferred_.load(std::memory_order_relaxed) == me, true)) return;
      is_inside_.store(false, std::memory_order_release);
    }
    lock_slowly();
  }
  void unlock() {
    if (__builtin_expect(!is_taken_by_exchange_, true)) {
      is_inside_.store(false, std::memory_order_release);
      return;
    }
    is_taken_by_exchange_ = false;
    taken_.store(false, std::memory_order_release);
  }

 private:
  using Thread = const char*;  ///< an address in the thread's memory

  static Thread self() {
    static __attribute__((tls_model("initial-exec"))) thread_local char place;
    return &place;
  }
  void lock_slowly();
  void revoke();

  std::atomic<Thread> preferred_{nullptr};
  std::atomic<bool> is_inside_{false};  ///< the preferred thread holds the lock, or tries to take it
  std::atomic<bool> taken_{false};
  // The holder owns these.
  bool is_taken_by_exchange_ = false;
  Thread last_ = nullptr;  ///< the last thread that took the lock by exchange
  unsigned in_a_row_ = 0;
};

/// The lock that guards all data of the checkers, except the contexts of threads.
inline Lock& lock() {
  static Lock one;
  return one;
}

}  // namespace simtrt::check

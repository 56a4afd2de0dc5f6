// Lock of the checkers.
//
// Each access of an instrumented program takes it for some nanoseconds. An atomic exchange waits until the processor has
// written all earlier stores: race checks of build_scripts/check_cost's vector addition take a quarter longer with it. So
// the lock prefers one thread, as the biased locks of Java machines do (Kawachiya, Koseki, Onodera, "Lock Reservation",
// OOPSLA 2002): a thread that takes the lock many times in a row takes it by plain stores and loads, until another thread
// wants it. That thread revokes the preference with membarrier(2), a barrier in all threads of the process, which takes
// microseconds. Without membarrier, no thread is preferred.
//
// Each thread that was ever preferred has a place of its own, where it states that it is inside. With one place for all,
// a thread that is interrupted between its two steps below would later overwrite what the next preferred thread states.
//
// Memory ordering: lock acquires what unlock has released. The preferred thread stores that it is inside before it loads
// `preferred_`, and the revoking thread stores `preferred_` before it loads the other's place; the barrier in all threads is
// between its two steps, so one of the two threads sees the other's store.
#pragma once

#include <atomic>

namespace simtrt::check {

class Lock {
 public:
  void lock() {
    Place* const mine = own_place();
    if (preferred_.load(std::memory_order_relaxed) == mine && mine != nullptr) {
      mine->is_inside.store(true, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
      if (__builtin_expect(preferred_.load(std::memory_order_relaxed) == mine, true)) return;
      mine->is_inside.store(false, std::memory_order_release);
    }
    lock_slowly();
  }
  void unlock() {
    if (__builtin_expect(!is_taken_by_exchange_, true)) {
      own_place()->is_inside.store(false, std::memory_order_release);
      return;
    }
    is_taken_by_exchange_ = false;
    taken_.store(false, std::memory_order_release);
  }

 private:
  /// Statement of a preferred thread. It outlives the thread, because another thread may read it.
  struct alignas(64) Place {
    std::atomic<bool> is_inside{false};  ///< the thread holds a lock, or tries to take it
  };

  /// The place of this thread; nullptr before it is preferred for the first time.
  static Place*& own_place() {
    static __attribute__((tls_model("initial-exec"))) thread_local Place* place = nullptr;
    return place;
  }
  void lock_slowly();
  void prefer_this_thread();
  void revoke(Place& preferred);

  std::atomic<Place*> preferred_{nullptr};
  std::atomic<bool> taken_{false};
  // The holder owns these.
  bool is_taken_by_exchange_ = false;
  const void* last_ = nullptr;  ///< an address in the memory of the last thread that took the lock by exchange
  unsigned in_a_row_ = 0;
};

/// The lock that guards all data of the checkers, except the contexts of threads.
inline Lock& lock() {
  static Lock one;
  return one;
}

}  // namespace simtrt::check

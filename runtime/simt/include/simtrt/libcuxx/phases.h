// A counter of arrivals in phases, on which cuda::barrier, cuda::pipeline and the __mbarrier
// functions are built.
//
// Ownership: the object lives in memory of the program, often shared memory, without a constructor.
// Threads: any thread of the host or of a kernel, of several blocks too.
// Memory ordering: an arrival releases; a wait that sees the end of the phase acquires.
#pragma once

#include <simtrt/libcuxx/scope.h>

#include <cstdint>

namespace simtrt {

/// Phase k is complete when as many arrivals as expected have followed the end of phase k-1.
class Phases {
 public:
  void expect(std::uint32_t count) {
    expected_ = count;
    pending_ = count;
    phase_ = 0;
  }

  /// Number of complete phases, modulo 2^32.
  std::uint32_t complete() const { return __atomic_load_n(&phase_, __ATOMIC_ACQUIRE); }
  bool has_completed(std::uint32_t phase) const {
    return static_cast<std::int32_t>(complete() - phase) > 0;
  }
  std::uint32_t pending() const { return __atomic_load_n(&pending_, __ATOMIC_RELAXED); }

  /// Counts `count` arrivals in the current phase, and returns the number of this phase. The last
  /// arrival calls `last()` before the phase ends.
  template <class Last>
  std::uint32_t arrive(std::uint32_t count, Last last) {
    const std::uint32_t phase = complete();
    if (__atomic_fetch_sub(&pending_, count, __ATOMIC_ACQ_REL) == count) {
      last();
      __atomic_store_n(&pending_, __atomic_load_n(&expected_, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
      __atomic_store_n(&phase_, phase + 1, __ATOMIC_RELEASE);
    }
    return phase;
  }
  std::uint32_t arrive(std::uint32_t count = 1) {
    return arrive(count, [] {});
  }
  /// Removes one thread from all later phases.
  void drop() { __atomic_fetch_sub(&expected_, 1, __ATOMIC_RELAXED); }

  /// Waits until the phase with this number is complete.
  void wait(std::uint32_t phase) const {
    wait_until([&] { return has_completed(phase); });
  }

 private:
  std::uint32_t pending_;
  std::uint32_t expected_;
  std::uint32_t phase_;
};

}  // namespace simtrt

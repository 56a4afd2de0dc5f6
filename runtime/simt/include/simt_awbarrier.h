// Barriers with arrival and wait: the functions of cuda_awbarrier.h and
// cuda_awbarrier_primitives.h (CUDA 12.4). A thread that waits lets the other threads of its block
// run.
//
// Ownership: the program's memory holds the barrier, without a constructor.
// Threads: threads of a kernel.
// Memory ordering: an arrival releases; a wait that sees the end of the phase acquires.
#pragma once

#include <simtrt/libcuxx/scope.h>

#include <cstddef>
#include <cstdint>

/// Bits 0 to 19: missing arrivals; bits 20 to 39: expected arrivals; bits 40 to 63: complete phases.
typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t;

namespace simtrt {

inline constexpr std::uint64_t kMbarrierCount = (1 << 20) - 1;

inline std::uint64_t mbarrier_pending(std::uint64_t state) { return state & kMbarrierCount; }
inline std::uint64_t mbarrier_expected(std::uint64_t state) { return state >> 20 & kMbarrierCount; }
inline std::uint64_t mbarrier_phase(std::uint64_t state) { return state >> 40; }
inline std::uint64_t mbarrier_state(std::uint64_t pending, std::uint64_t expected,
                                    std::uint64_t phase) {
  return pending | expected << 20 | phase << 40;
}

/// Arrives, and removes `dropped` threads from later phases. Returns the earlier state.
inline std::uint64_t mbarrier_arrive(__mbarrier_t* barrier, std::uint64_t dropped) {
  std::uint64_t state = __atomic_load_n(barrier, __ATOMIC_RELAXED), next;
  do {
    const std::uint64_t expected = mbarrier_expected(state) - dropped;
    next = mbarrier_pending(state) == 1
               ? mbarrier_state(expected, expected, mbarrier_phase(state) + 1)
               : mbarrier_state(mbarrier_pending(state) - 1, expected, mbarrier_phase(state));
  } while (!__atomic_compare_exchange_n(barrier, &state, next, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
  return state;
}

/// True if `done()`, at once or after other threads ran.
template <class Done>
bool is_soon(Done done) {
  if (done()) return true;
  let_others_run();
  return done();
}

}  // namespace simtrt

inline std::uint32_t __mbarrier_maximum_count() {
  return static_cast<std::uint32_t>(simtrt::kMbarrierCount);
}
inline void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t expected) {
  *barrier = simtrt::mbarrier_state(expected, expected, 0);
}
inline void __mbarrier_inval(__mbarrier_t*) {}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return simtrt::mbarrier_arrive(barrier, 0);
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return simtrt::mbarrier_arrive(barrier, 1);
}
inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return simtrt::is_soon([&] {
    return simtrt::mbarrier_phase(__atomic_load_n(barrier, __ATOMIC_ACQUIRE)) !=
           simtrt::mbarrier_phase(token);
  });
}
inline bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return simtrt::is_soon([&] {
    return (simtrt::mbarrier_phase(__atomic_load_n(barrier, __ATOMIC_ACQUIRE)) & 1) != parity;
  });
}
inline bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, std::uint32_t) {
  return __mbarrier_test_wait(barrier, token);
}
inline bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, std::uint32_t) {
  return __mbarrier_test_wait_parity(barrier, parity);
}
inline std::uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return static_cast<std::uint32_t>(simtrt::mbarrier_pending(token));
}

namespace nvcuda::experimental {

class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    std::uint32_t pending_count() const { return __mbarrier_token_pending_count(state_); }

   private:
    friend class awbarrier;
    explicit arrival_token(__mbarrier_token_t state) : state_(state) {}
    __mbarrier_token_t state_ = 0;
  };

  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;

  arrival_token arrive() { return arrival_token(__mbarrier_arrive(&state_)); }
  arrival_token arrive_and_drop() { return arrival_token(__mbarrier_arrive_and_drop(&state_)); }
  void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&state_, token.state_)) {
    }
  }
  void arrive_and_wait() { wait(arrive()); }
  bool timed_wait(arrival_token token, std::uint32_t) {
    return __mbarrier_test_wait(&state_, token.state_);
  }
  static std::uint32_t max() { return __mbarrier_maximum_count(); }

 private:
  friend void init(awbarrier* barrier, std::uint32_t expected);
  __mbarrier_t state_;
};

inline void init(awbarrier* barrier, std::uint32_t expected) {
  __mbarrier_init(&barrier->state_, expected);
}
inline void inval(awbarrier*) {}

}  // namespace nvcuda::experimental

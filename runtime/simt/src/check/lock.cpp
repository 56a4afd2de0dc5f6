#include "check/lock.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <thread>

namespace simtrt::check {
namespace {

/// As many exchanges take longer than a revocation.
constexpr unsigned kPreferAfter = 256;

/// As many threads of one process can be preferred.
constexpr std::size_t kPlaces = 1024;

bool call(int command) { return syscall(SYS_membarrier, command, 0) == 0; }

bool has_barrier_of_all_threads() {
  static const bool has = call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  return has;
}

/// A full barrier in all running threads of the process.
void barrier_of_all_threads() {
  if (call(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  // A kernel that does not keep the registration over a fork.
  call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  call(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

}  // namespace

void Lock::lock_slowly() {
  while (taken_.exchange(true, std::memory_order_acquire)) {
    // Other threads run, because the holder may write a finding.
    while (taken_.load(std::memory_order_relaxed)) std::this_thread::yield();
  }
  if (Place* const preferred = preferred_.load(std::memory_order_relaxed)) revoke(*preferred);
  is_taken_by_exchange_ = true;
  const void* const me = &own_place();
  in_a_row_ = last_ == me ? in_a_row_ + 1 : 0;
  last_ = me;
  if (in_a_row_ < kPreferAfter || !has_barrier_of_all_threads()) return;
  in_a_row_ = 0;
  prefer_this_thread();
}

void Lock::prefer_this_thread() {
  static std::array<Place, kPlaces> places;
  static std::atomic<std::size_t> used{0};
  Place*& mine = own_place();
  if (mine == nullptr) {
    const std::size_t next = used.fetch_add(1, std::memory_order_relaxed);
    if (next < kPlaces) mine = &places[next];
  }
  preferred_.store(mine, std::memory_order_relaxed);
}

void Lock::revoke(Place& preferred) {
  preferred_.store(nullptr, std::memory_order_relaxed);
  barrier_of_all_threads();
  while (preferred.is_inside.load(std::memory_order_acquire)) std::this_thread::yield();
}

}  // namespace simtrt::check

#include "ccl/patience.h"

#include "streams/workers.h"

#include <chrono>
#include <thread>

namespace simtrt::ccl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSpins = 200;  ///< each spin is a pause of about 40 cycles
constexpr std::chrono::microseconds kYields{500};  ///< longer than the usual differences between ranks
/// A thread that notices the ring later than this competes with other programs.
constexpr std::chrono::microseconds kLate{200};
constexpr int kWaitsAfterLate = 100;

}  // namespace

bool Patience::wait(const RankState& rank, std::uint32_t heard) {
  const auto rung = [&] { return rank.doorbell.load(std::memory_order_acquire) != heard; };
  for (int spin = 0; spin < kSpins; ++spin) {
    if (rung()) return true;
    pause_processor();
  }
  if (waits_without_yield_ > 0) {
    --waits_without_yield_;
    return false;
  }
  for (const auto end = Clock::now() + kYields; Clock::now() < end;) {
    std::this_thread::yield();
    if (!rung()) continue;
    note_ring(rank);
    return true;
  }
  return false;
}

void Patience::note_ring(const RankState& rank) {
  const Clock::duration ring{rank.rung.load(std::memory_order_relaxed)};
  if (Clock::now().time_since_epoch() - ring > kLate) waits_without_yield_ = kWaitsAfterLate;
}

}  // namespace simtrt::ccl

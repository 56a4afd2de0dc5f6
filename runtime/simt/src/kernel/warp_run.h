// The lanes of one running warp: who has returned, and who waits for whom.
#pragma once

#include "kernel/fiber.h"

#include <simtrt/kernel/warp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace simtrt {

/// Where the lanes of one mask meet, again and again.
///
/// What they bring is kept for two generations in turn: a lane can only be at the next meeting but
/// one when all lanes have been at the next, and so have read what was brought to this.
struct Meeting {
  lanemask_t mask = 0;
  lanemask_t arrived = 0;
  unsigned generation = 0;
  unsigned readers = 0;  ///< lanes that have met and not yet read
  Collective kind = Collective::kSync;
  FiberQueue waiting;
  struct Brought {
    lanemask_t present = 0;
    lanemask_t ayes = 0;
    std::array<std::uint64_t, kWarpSize> bits;
  };
  std::array<Brought, 2> brought;
};

/// Lanes that wait at one __activemask until the others are somewhere else.
struct Convergence {
  const void* site = nullptr;
  unsigned call = 0;
  lanemask_t arrived = 0;
  FiberQueue waiting;
};

class WarpRun {
 public:
  /// Begins anew with these lanes.
  void reset(lanemask_t lanes) {
    alive = lanes;
    used_ = 0;
    converging.clear();
  }

  /// The meeting of the lanes of `mask`.
  Meeting& meeting(lanemask_t mask) {
    if (used_ != 0 && last_->mask == mask) return *last_;
    return find(mask);
  }

  /// Meetings that have been asked for since `reset`.
  template <class Visit>
  void each_meeting(Visit visit) {
    for (std::size_t index = 0; index < used_; ++index) visit(*meetings_[index]);
  }

  lanemask_t alive = 0;
  std::vector<Convergence> converging;
  /// What lanes that waited at an __activemask get: by lane.
  std::array<lanemask_t, kWarpSize> converged{};

 private:
  Meeting& find(lanemask_t mask);

  std::vector<std::unique_ptr<Meeting>> meetings_;
  std::size_t used_ = 0;
  Meeting* last_ = nullptr;
};

}  // namespace simtrt

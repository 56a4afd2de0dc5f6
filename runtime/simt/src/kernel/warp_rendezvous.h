// Lanes of one running warp: lanes that have not returned, and lanes that wait in a collective.
//
// Ownership: a BlockScheduler owns one WarpState for each warp; a WarpState owns its rendezvous and
// uses them again for later blocks. A reference to a rendezvous stays valid while lanes are in it.
// Fibers in the queues belong to the scheduler's FiberPool.
// Threads: only the worker that runs the block.
// Memory ordering: there are no atomics. All lanes run on one thread of the operating system, so
// program order makes a lane's contribution visible to the lanes that read it.
#pragma once

#include "check/settings.h"
#include "kernel/fiber.h"

#include <simtrt/kernel/warp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace simtrt {

/// Collective of the lanes of one mask. The first collective of a mask is its generation 0, the
/// next one generation 1, and so on.
///
/// Two sets of contributions, used in turn, suffice: a lane reaches generation n + 2 only after all
/// lanes have reached n + 1, and each of them has then read generation n.
struct WarpRendezvous {
  lanemask_t mask = 0;
  lanemask_t arrived = 0;
  unsigned generation = 0;
  unsigned readers = 0;  ///< lanes that have yet to read the contributions
  Collective kind = Collective::kSync;
  // Call of the first lane that has arrived, for the checkers.
  const void* first_site = nullptr;
  unsigned first_thread = 0;
  FiberQueue waiting;
  struct Contributions {
    lanemask_t present = 0;                     ///< lanes that took part
    lanemask_t votes = 0;                       ///< lanes with a true predicate
    bool combined = false;                      ///< a reader has replaced `bits` by results
    std::array<std::uint64_t, kWarpSize> bits;  ///< by lane
  };
  std::array<Contributions, 2> contributions;
};

/// Lanes that wait at one call of __activemask. They continue when every other lane of the warp
/// waits elsewhere, has returned, or is at the same call.
struct Convergence {
  const void* site = nullptr;
  unsigned call = 0;
  lanemask_t arrived = 0;
  FiberQueue waiting;
};

/// Last collective that a lane has called, for the checkers.
struct LastCollective {
  const void* site = nullptr;
  lanemask_t mask = 0;
};

class WarpState {
 public:
  /// Begins a block with the given lanes.
  void reset(lanemask_t lanes) {
    alive = lanes;
    begun_with = lanes;
    used_ = 0;
    converging.clear();
    if (check::kinds.sync) last_collective.fill({});
  }

  /// Rendezvous of the lanes of `mask`.
  WarpRendezvous& rendezvous_of(lanemask_t mask) {
    if (used_ != 0 && last_->mask == mask) return *last_;
    return find_or_begin(mask);
  }

  /// Calls `visit` for every rendezvous used since `reset`.
  template <class Visit>
  void each_rendezvous(Visit visit) {
    for (std::size_t index = 0; index < used_; ++index) visit(*rendezvous_[index]);
  }

  lanemask_t alive = 0;       ///< lanes that have not returned from the kernel
  lanemask_t begun_with = 0;  ///< lanes of the last `reset`
  /// By lane; only under the checks of collectives.
  std::array<LastCollective, kWarpSize> last_collective;
  std::vector<Convergence> converging;
  /// Result of the last __activemask, by lane.
  std::array<lanemask_t, kWarpSize> converged{};

 private:
  WarpRendezvous& find_or_begin(lanemask_t mask);

  std::vector<std::unique_ptr<WarpRendezvous>> rendezvous_;
  std::size_t used_ = 0;
  WarpRendezvous* last_ = nullptr;
};

}  // namespace simtrt

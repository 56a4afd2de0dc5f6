// Collectives of a warp: the functions that kernels call, and their implementation in the
// scheduler.
#include "check/events.h"
#include "kernel/block_scheduler.h"
#include "kernel/warp_rendezvous.h"

#include <simt_warp_trees.h>
#include <simtrt/kernel/warp.h>

namespace simtrt {
namespace {

// A lane that the mask names has returned instead of arriving, and its last collective was the same call with another
// mask: the lanes of one call disagree about its mask. (A lane that returns after other calls is permitted.)
void check_masks(const WarpState& warp, const WarpRendezvous& rendezvous, unsigned warp_begin) {
  const lanemask_t missing = rendezvous.mask & warp.begun_with & ~rendezvous.arrived;
  for (lanemask_t left = missing; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    const LastCollective& last = warp.last_collective[lane];
    if (last.site != rendezvous.first_site || last.mask == rendezvous.mask) continue;
    check::different_masks(rendezvous.first_site, {rendezvous.mask, rendezvous.first_thread},
                           {last.mask, warp_begin + lane});
    return;
  }
}

}  // namespace

WarpRendezvous& BlockScheduler::arrive_and_wait(Collective kind, lanemask_t mask,
                                                std::uint64_t bits, bool vote, const void* site,
                                                unsigned* generation) {
  if (!cursor_.interleaved) begin_interleaving(rank());
  ++counts_.collectives;
  const unsigned thread = rank();
  const unsigned lane = thread % kWarpSize;
  const lanemask_t self = lanemask_t{1} << lane;
  if ((mask & self) == 0) {
    if (check::active)
      check::bad_collective("mask", "a lane calls a collective of its warp whose mask does not hold it", site);
    fail(simtErrorLaunchFailure,
         "a lane calls a collective of its warp whose mask does not hold it");
  }
  WarpState& warp = warps_[thread / kWarpSize];
  if (check::kinds.sync) warp.last_collective[lane] = {site, mask};
  WarpRendezvous& rendezvous = warp.rendezvous_of(mask);
  *generation = rendezvous.generation & 1;
  WarpRendezvous::Contributions& contributions = rendezvous.contributions[*generation];
  if (rendezvous.arrived == 0) {
    rendezvous.kind = kind;
    contributions.votes = 0;
    contributions.combined = false;
    rendezvous.first_site = site;
    rendezvous.first_thread = thread;
  } else if (check::kinds.sync && site != rendezvous.first_site) {
    check::different_calls("mask", "lanes of one mask are at different collectives of their warp", rendezvous.first_site,
                           rendezvous.first_thread, site, thread);
  }
  if (rendezvous.kind != kind) {
    fail(simtErrorLaunchFailure, "lanes of one mask stand at different collectives of their warp");
  }
  contributions.bits[lane] = bits;
  if (vote) contributions.votes |= self;
  rendezvous.arrived |= self;
  if (rendezvous.arrived == (mask & warp.alive)) {
    complete_rendezvous(rendezvous);
  } else {
    rendezvous.waiting.push(*running_);
    wait(WaitReason::kWarp, site, &rendezvous);
  }
  return rendezvous;
}

void BlockScheduler::complete_rendezvous(WarpRendezvous& rendezvous) {
  const lanemask_t present = rendezvous.arrived;
  if (check::kinds.sync) {
    const unsigned warp = rendezvous.first_thread / kWarpSize;
    check_masks(warps_[warp], rendezvous, warp * kWarpSize);
  }
  rendezvous.contributions[rendezvous.generation & 1].present = present;
  rendezvous.readers += static_cast<unsigned>(__builtin_popcountll(rendezvous.arrived));
  rendezvous.arrived = 0;
  ++rendezvous.generation;
  if (check::active && rendezvous.kind == Collective::kSync)
    check::warp_sync_complete(rank() / kWarpSize, present);
  ready_.take(rendezvous.waiting);
}

lanemask_t BlockScheduler::converge(const void* site, unsigned call) {
  if (!cursor_.interleaved) begin_interleaving(rank());
  const unsigned thread = rank();
  const unsigned lane = thread % kWarpSize;
  WarpState& warp = warps_[thread / kWarpSize];
  Convergence* here = nullptr;
  for (Convergence& known : warp.converging) {
    if (known.site == site && known.call == call) here = &known;
  }
  if (here == nullptr) here = &warp.converging.emplace_back(Convergence{site, call, 0, {}});
  here->arrived |= lanemask_t{1} << lane;
  here->waiting.push(*running_);
  if (here->arrived == warp.alive) resolve_convergence();
  wait(WaitReason::kConverge, site, nullptr);
  return warp.converged[lane];
}

// Resumes the lanes that wait at the same __activemask. Returns true if there are such lanes.
bool BlockScheduler::resolve_convergence() {
  bool any = false;
  for (unsigned begin = 0; begin < cursor_.threads; begin += kWarpSize) {
    WarpState& warp = warps_[begin / kWarpSize];
    const bool whole = warp.converging.size() == 1 && warp.converging[0].arrived == warp.alive;
    // No thread is ready, so that all lanes that have begun wait.
    const bool stuck = ready_.empty() && has_begun(begin + kWarpSize);
    if (!whole && !stuck) continue;
    for (Convergence& group : warp.converging) {
      for (int lane = 0; lane < kWarpSize; ++lane) {
        if (group.arrived >> lane & 1) warp.converged[lane] = group.arrived;
      }
      any = true;
    }
    for (Convergence& group : warp.converging) ready_.take(group.waiting);
    warp.converging.clear();
  }
  return any;
}

void warp_sync(lanemask_t mask) {
  unsigned generation;
  WarpRendezvous& rendezvous =
      BlockScheduler::current_or_abort("__syncwarp")
          .arrive_and_wait(Collective::kSync, mask, 0, false,
                           __builtin_return_address(0), &generation);
  --rendezvous.readers;
}

std::uint64_t warp_shuffle(lanemask_t mask, std::uint64_t bits, unsigned source) {
  unsigned generation;
  WarpRendezvous& rendezvous =
      BlockScheduler::current_or_abort("a shuffle")
          .arrive_and_wait(Collective::kShuffle, mask, bits, false,
                           __builtin_return_address(0), &generation);
  const WarpRendezvous::Contributions& contributions = rendezvous.contributions[generation];
  --rendezvous.readers;
  if ((contributions.present >> source & 1) != 0) return contributions.bits[source];
  if (check::kinds.sync) {
    const unsigned thread = BlockScheduler::current()->rank() / kWarpSize * kWarpSize + source;
    if ((mask >> source & 1) == 0 && thread < blockDim.x * blockDim.y * blockDim.z)
      check::bad_collective("mask", "a shuffle reads the value of a lane that its mask does not hold",
                            __builtin_return_address(0));
  }
  // CUDA leaves both values undefined. NVIDIA's sample `reduction` (reduce7) adds values of lanes outside of the mask to a
  // sum, which is right on GPUs only if these values are 0.
  return (mask >> source & 1) == 0 ? 0 : bits;
}

lanemask_t warp_vote(lanemask_t mask, bool predicate, lanemask_t* present) {
  unsigned generation;
  WarpRendezvous& rendezvous =
      BlockScheduler::current_or_abort("a vote")
          .arrive_and_wait(Collective::kVote, mask, 0, predicate,
                           __builtin_return_address(0), &generation);
  --rendezvous.readers;
  *present = rendezvous.contributions[generation].present;
  return rendezvous.contributions[generation].votes;
}

lanemask_t warp_match(lanemask_t mask, std::uint64_t bits, lanemask_t* present) {
  unsigned generation;
  WarpRendezvous& rendezvous =
      BlockScheduler::current_or_abort("a match")
          .arrive_and_wait(Collective::kMatch, mask, bits, false,
                           __builtin_return_address(0), &generation);
  --rendezvous.readers;
  const WarpRendezvous::Contributions& contributions = rendezvous.contributions[generation];
  *present = contributions.present;
  lanemask_t same = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if ((contributions.present >> lane & 1) != 0 && contributions.bits[lane] == bits)
      same |= lanemask_t{1} << lane;
  }
  return same;
}

lanemask_t warp_gather(lanemask_t mask, std::uint64_t bits, std::uint64_t* values) {
  unsigned generation;
  WarpRendezvous& rendezvous =
      BlockScheduler::current_or_abort("a reduction")
          .arrive_and_wait(Collective::kReduce, mask, bits, false,
                           __builtin_return_address(0), &generation);
  --rendezvous.readers;
  const WarpRendezvous::Contributions& contributions = rendezvous.contributions[generation];
  for (int lane = 0; lane < kWarpSize; ++lane) values[lane] = contributions.bits[lane];
  return contributions.present;
}

std::uint64_t warp_gather(lanemask_t mask, std::uint64_t bits, const WarpCombine& combine) {
  unsigned generation;
  BlockScheduler& scheduler = BlockScheduler::current_or_abort("a reduction");
  WarpRendezvous& rendezvous =
      scheduler.arrive_and_wait(Collective::kReduce, mask, bits, false, __builtin_return_address(0), &generation);
  --rendezvous.readers;
  WarpRendezvous::Contributions& contributions = rendezvous.contributions[generation];
  if (!contributions.combined) {
    contributions.combined = true;
    combine.of_warp(contributions.bits.data(), contributions.present, combine.state);
  }
  return contributions.bits[scheduler.rank() % kWarpSize];
}

lanemask_t warp_active(unsigned call) {
  return BlockScheduler::current_or_abort("__activemask")
      .converge(__builtin_return_address(0), call);
}

void warp_store(const volatile void* address, unsigned call) noexcept {
  BlockScheduler* const scheduler = BlockScheduler::current();
  if (scheduler == nullptr || !scheduler->is_shared(address)) return;
  scheduler->converge(__builtin_return_address(0), call);
}

}  // namespace simtrt

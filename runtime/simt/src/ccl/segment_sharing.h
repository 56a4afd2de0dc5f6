// Distribution of a segment among the ranks of one machine: the lowest rank makes it and passes its file descriptor
// to the others by Unix sockets.
//
// Threads: any thread may call the function. It has no state.
#pragma once

#include "ccl/rendezvous.h"
#include "ccl/segment.h"

#include <memory>

namespace simtrt::ccl {

/// Segment that all ranks of this machine get. Throws Failure: simtcclSystemError if the memory cannot be allocated
/// or the time limit is over, simtcclRemoteError if a rank has ended. Throws Aborted.
std::unique_ptr<Segment> share_segment(const Membership& membership, const Wait& wait);

}  // namespace simtrt::ccl

// Meeting of the ranks of a new communicator. The process that makes a unique id listens on a socket
// whose name is in the id; when all ranks have joined, each gets the communicator's segment.
//
// The socket has a name in Linux's abstract namespace and no file, so that a killed job leaves no file.
// Only processes of the same user may join.
//
// Ownership: a detached thread of the process owns the socket until all ranks have joined, a rank
// fails, or the time limit is over.
// Threads: any thread may call both functions. There are no atomics.
#pragma once

#include <simtccl.h>

#include <atomic>
#include <chrono>

namespace simtrt::ccl {

/// Time in which all ranks of a communicator must join: SIMTCCL_INIT_SECONDS, 600 by default.
std::chrono::seconds init_limit();

/// Opens a meeting and returns its id. Throws Failure (simtcclSystemError).
simtcclUniqueId open_meeting();

/// Joins the meeting of `id` and returns the file descriptor of the segment, which the caller closes.
/// Throws Failure: simtcclInvalidArgument for an id that simtcclGetUniqueId did not make,
/// simtcclInvalidUsage if the ranks disagree about their number or have equal numbers,
/// simtcclRemoteError if a rank ended, simtcclSystemError after the time limit. Throws Aborted.
int join_meeting(const simtcclUniqueId& id, int ranks, int rank, const std::atomic<bool>& aborted);

}  // namespace simtrt::ccl

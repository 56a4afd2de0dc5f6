// Meeting of the ranks of a new communicator. The process that makes a unique id listens on a Unix socket and at a
// TCP address, which are in the id. When all ranks have joined, each gets a list of all ranks, with their machines
// and addresses. Until the ranks have connected to each other, the process tells them of a rank that ends.
//
// A unique id is secret: only processes that know the id's random number may join by TCP, and only processes of the
// same user by the Unix socket.
//
// Ownership: a detached thread of the process owns the sockets until all ranks have connected to each other, a rank
// fails, or the time limit is over.
// Threads: any thread may call the functions. There are no atomics.
#pragma once

#include "ccl/sockets.h"

#include <simtccl.h>

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace simtrt::ccl {

/// Time in which all ranks of a communicator must join: SIMTCCL_INIT_SECONDS, 600 by default.
std::chrono::seconds init_limit();

/// Random number of a communicator.
struct Token {
  unsigned char bytes[16];
};

/// Machine of a rank, by its boot and its network namespace. Ranks with equal hosts share memory.
struct Host {
  char boot[40];
  std::uint64_t network;

  friend bool operator==(const Host& a, const Host& b) {
    return a.network == b.network && std::memcmp(a.boot, b.boot, sizeof a.boot) == 0;
  }
};

/// Rank of a communicator, as the other ranks see it.
struct Member {
  Host host;
  Address address;  ///< the rank listens there for ranks of other machines
};

/// Rank that has joined a meeting.
struct Membership {
  Token token;
  int rank = 0;
  std::vector<Member> members;  ///< by rank
  Descriptor local;             ///< listens under local_name(rank)
  Descriptor remote;            ///< listens at members[rank].address; may be nothing
  Descriptor server;            ///< connection with the process that made the id

  bool is_local(int peer) const {
    return members[static_cast<std::size_t>(peer)].host == members[static_cast<std::size_t>(rank)].host;
  }
  /// Name of the Unix socket of a rank of this machine.
  std::string local_name(int peer) const;
  /// Throws Failure if the server has told of a rank that ended.
  void check_ranks() const;
  /// Tells the server that this rank has connected to all others.
  void finish() const;
};

/// Opens a meeting and returns its id. Throws Failure (simtcclSystemError).
simtcclUniqueId open_meeting();

/// Joins the meeting of `id`.
/// Throws Failure: simtcclInvalidArgument for an id that simtcclGetUniqueId did not make,
/// simtcclInvalidUsage if the ranks disagree about their number or have equal numbers,
/// simtcclRemoteError if a rank ended, simtcclSystemError after the time limit. Throws Aborted.
Membership join_meeting(const simtcclUniqueId& id, int ranks, int rank, const std::atomic<bool>& aborted);

}  // namespace simtrt::ccl

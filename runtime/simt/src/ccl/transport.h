// Connections of one rank with the other ranks of its communicator.
//
// Each machine has a segment with a channel for each pair of ranks. Ranks of one machine use the same segment
// (SharedMemory). For a rank of another machine, TCP connections copy the blocks of the two channels from one machine's
// segment to the other's (Links). Transfers use channels only, so that results do not depend on the transport.
//
// Ownership: the communicator owns the Peers, which own the segment and the transports.
// Threads: the thread that performs launches uses the object; any thread may read the failure.
#pragma once

#include "ccl/rendezvous.h"
#include "ccl/segment.h"

#include <memory>
#include <string>
#include <vector>

namespace simtrt::ccl {

/// Way by which the blocks of channels reach other ranks.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Tells a rank that this rank has written or read a block of their channels.
  virtual void notify(int peer) = 0;
  /// True if the blocks that notify() announced have left this process: it may then stop or end.
  virtual bool has_sent_all() const = 0;
  /// Reason for which a rank can no longer send and receive; empty if the rank is present.
  virtual std::string absence(int peer) = 0;
  /// Records a failure for all ranks of the transport.
  virtual void fail(simtcclResult_t result, const std::string& reason) = 0;
  /// Says goodbye to the other ranks, after all blocks.
  virtual void leave(RankStatus status) = 0;
};

class Peers {
 public:
  /// Connects to all other ranks. Throws Failure: simtcclRemoteError if a rank cannot be reached or has ended,
  /// simtcclSystemError after the time limit or without memory. Throws Aborted.
  Peers(const Membership& membership, const Wait& wait);
  ~Peers();

  int ranks() const { return segment_->ranks(); }
  int rank() const { return rank_; }
  Channel& from(int peer) { return segment_->channel(peer, rank_); }
  Channel& to(int peer) { return segment_->channel(rank_, peer); }
  void notify(int peer) { of(peer).notify(peer); }
  bool has_sent_all() const;
  std::string absence(int peer) { return of(peer).absence(peer); }

  /// Records the first failure of the communicator and wakes all ranks.
  void fail(simtcclResult_t result, const std::string& reason);
  simtcclResult_t failure() const { return segment_->failure(); }
  std::string reason() { return segment_->reason(); }
  void leave(RankStatus status);

  RankState& state() { return segment_->rank(rank_); }
  /// Waits until the doorbell differs from `heard`, for `limit` at most.
  void wait(std::uint32_t heard, std::chrono::microseconds limit) { segment_->wait(rank_, heard, limit); }
  /// Wakes this rank's own thread.
  void wake() { segment_->ring(rank_); }

 private:
  Transport& of(int peer) { return *of_rank_[static_cast<std::size_t>(peer)]; }

  const int rank_;
  const std::unique_ptr<Segment> segment_;
  std::vector<std::unique_ptr<Transport>> transports_;
  std::vector<Transport*> of_rank_;
};

}  // namespace simtrt::ccl

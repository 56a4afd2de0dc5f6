#include "ccl/transport.h"

#include "ccl/links.h"
#include "ccl/segment_sharing.h"

#include <algorithm>

namespace simtrt::ccl {
namespace {

constexpr std::chrono::milliseconds kCheck{50};

/// Transport to ranks of the same machine.
class SharedMemory : public Transport {
 public:
  /// Enters the segment, and waits for the other ranks of this machine.
  SharedMemory(const Membership& membership, Segment& segment, const Wait& wait)
      : segment_(segment), rank_(membership.rank) {
    segment_.enter(rank_);
    try {
      for (int peer = 0; peer < segment_.ranks(); ++peer) {
        if (membership.is_local(peer)) wait_for(peer, wait);
      }
    } catch (...) {
      segment_.leave(rank_, RankStatus::kAborted);
      throw;
    }
  }

  void notify(int peer) override { segment_.ring(peer); }
  bool has_sent_all() const override { return true; }
  std::string absence(int peer) override { return segment_.absence(peer); }
  void fail(simtcclResult_t result, const std::string& reason) override { segment_.fail(result, reason); }
  void leave(RankStatus status) override { segment_.leave(rank_, status); }

 private:
  void wait_for(int peer, const Wait& wait) {
    for (;;) {
      const std::uint32_t heard = segment_.rank(rank_).doorbell.load();
      if (segment_.rank(peer).status.load() != RankStatus::kStarting) return;
      segment_.wait(rank_, heard, kCheck);
      wait.check("rank " + std::to_string(peer) + " ended while it joined");
    }
  }

  Segment& segment_;
  const int rank_;
};

}  // namespace

Peers::Peers(const Membership& membership, const Wait& wait)
    : rank_(membership.rank), segment_(share_segment(membership, wait)) {
  transports_.push_back(std::make_unique<SharedMemory>(membership, *segment_, wait));
  of_rank_.assign(membership.members.size(), transports_.front().get());
  bool alone = true;
  for (int peer = 0; peer < ranks(); ++peer) alone = alone && membership.is_local(peer);
  if (alone) return;
  try {
    transports_.push_back(std::make_unique<Links>(membership, *segment_, wait));
  } catch (...) {
    transports_.front()->leave(RankStatus::kAborted);
    throw;
  }
  for (int peer = 0; peer < ranks(); ++peer) {
    if (!membership.is_local(peer)) of_rank_[static_cast<std::size_t>(peer)] = transports_.back().get();
  }
}

Peers::~Peers() = default;

void Peers::fail(simtcclResult_t result, const std::string& reason) {
  for (const auto& transport : transports_) transport->fail(result, reason);
}

bool Peers::has_sent_all() const {
  return std::all_of(transports_.begin(), transports_.end(), [](auto& one) { return one->has_sent_all(); });
}

void Peers::leave(RankStatus status) {
  for (const auto& transport : transports_) transport->leave(status);
}

}  // namespace simtrt::ccl

// Messages of a meeting, and its server (rendezvous.h).
//
// Threads: the thread that calls Meeting::run().
#pragma once

#include "ccl/rendezvous.h"

#include <cstdint>
#include <vector>

namespace simtrt::ccl {

/// First message of a rank to the server.
struct Join {
  Token token;
  std::int32_t ranks;
  std::int32_t rank;
  Member member;
};

/// Answer of the server. After simtcclSuccess, one Member for each rank follows. A second answer is a failure: a rank
/// ended before all ranks had connected to each other. Each rank that has connected sends one byte to the server.
struct Reply {
  std::int32_t result;
  char reason[252];
};

/// Collects the ranks of one communicator, and answers each.
class Meeting {
 public:
  Meeting(const Token& token, Descriptor local, Descriptor remote);
  void run();

 private:
  /// Connection whose Join is not yet complete.
  struct Unknown {
    Descriptor socket;
    Join join;
    std::size_t received = 0;
  };

  bool complete() const;
  void listen_once();
  /// Waits until each rank has connected to the others. Throws Failure if a rank ends before.
  void wait_until_connected();
  void accept_one(const Descriptor& listener);
  /// Reads from a connection; true if the connection has ended or has become a rank.
  bool read(Unknown& from);
  void add(Unknown& from);
  std::string rank_of(int fd) const;
  std::string late() const;
  void answer(const Reply& reply);

  const Token token_;
  Descriptor local_;
  Descriptor remote_;
  std::chrono::steady_clock::time_point end_;
  std::vector<Descriptor> joined_;  ///< by rank
  std::vector<Member> members_;     ///< by rank
  std::vector<Unknown> unknown_;
};

}  // namespace simtrt::ccl

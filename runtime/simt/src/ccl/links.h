// Transport to ranks of other machines: a TCP connection with each of them. The thread that performs launches sends the blocks
// of its channels, as far as the connections take them; a thread of the links sends the rest, and receives.
//
// Failures: a rank whose process ends closes its connections. A network that is down is noticed because the peer's
// system acknowledges nothing for SIMTCCL_NET_SECONDS (20 by default, 3 at least); idle connections are probed each
// second. A stopped process is no failure, because its system still answers.
//
// Ownership: the object owns the connections. The destructor ends the thread.
// Threads: the thread that performs launches calls the functions of Transport, also after the links' thread has ended.
// Memory ordering: `sleeping_` is exchanged with acquire and release ordering on both sides: either the thread sends
// what a caller has left before its own exchange, or the caller sees `sleeping_` and wakes the thread.
#pragma once

#include "ccl/link.h"
#include "ccl/transport.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace simtrt::ccl {

class Links : public Transport {
 public:
  /// Connects to all ranks of other machines. Throws as Peers does.
  Links(const Membership& membership, Segment& segment, const Wait& wait);
  ~Links() override;

  void notify(int peer) override;
  bool has_sent_all() const override;
  std::string absence(int peer) override;
  void fail(simtcclResult_t result, const std::string& reason) override;
  /// Sends all blocks and the status, and waits until the peers have received them, for a limited time.
  void leave(RankStatus status) override;

 private:
  void run();
  void send();
  void wait();
  void wake();
  bool is_over() const;

  std::vector<std::unique_ptr<Link>> links_;
  std::vector<Link*> of_rank_;
  const Descriptor event_;  ///< wakes the thread
  std::atomic<bool> sleeping_{false};
  std::atomic<RankStatus> leaves_{RankStatus::kJoined};
  std::chrono::steady_clock::time_point end_{};  ///< of the farewell; written before `leaves_`
  std::thread thread_;
};

}  // namespace simtrt::ccl

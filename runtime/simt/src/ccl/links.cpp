#include "ccl/links.h"

#include "environment.h"
#include "process/runtime_thread.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

namespace simtrt::ccl {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kCheckMilliseconds = 1000;
/// Time in which a connection must state its rank.
constexpr std::chrono::seconds kHello{10};
/// Time in which the peers must receive the farewell of an abort.
constexpr std::chrono::milliseconds kAbort{500};

std::chrono::seconds network_limit() {
  static const auto limit = environment_number("SIMTCCL_NET_SECONDS", 20, 3, 1 << 20);
  return std::chrono::seconds(limit);
}

/// First message of a connection.
struct Hello {
  Token token;
  std::int32_t rank;
};

Descriptor connect_rank(const Membership& membership, int peer, const Wait& wait) {
  const std::string who = "rank " + std::to_string(peer);
  const Hello hello{membership.token, membership.rank};
  try {
    Descriptor made = connect_tcp(membership.members[static_cast<std::size_t>(peer)].address, wait);
    if (send_all(made.get(), &hello, sizeof hello, wait)) return made;
  } catch (const Failure& failure) {
    throw Failure(simtcclRemoteError, who + " cannot be reached: " + failure.what() +
                                          "; SIMTCCL_SOCKET_IFNAME selects the network interface");
  }
  throw Failure(simtcclRemoteError, who + " ended while it joined");
}

/// Rank of a new connection; -1 for a connection of another program.
int rank_of(const Descriptor& connection, const Membership& membership) {
  Hello hello{};
  try {
    if (!receive_all(connection.get(), &hello, sizeof hello, {Steady::now() + kHello})) return -1;
  } catch (const Failure&) {
    return -1;
  }
  const int ranks = static_cast<int>(membership.members.size());
  const bool valid = std::memcmp(&hello.token, &membership.token, sizeof hello.token) == 0 &&
                     hello.rank > membership.rank && hello.rank < ranks && !membership.is_local(hello.rank);
  return valid ? hello.rank : -1;
}

/// Connections with all ranks of other machines: to lower ranks, and from higher ranks.
std::map<int, Descriptor> connect_all(const Membership& membership, const Wait& wait) {
  std::map<int, Descriptor> made;
  std::size_t remote = 0;
  for (int peer = 0; peer < static_cast<int>(membership.members.size()); ++peer) {
    if (membership.is_local(peer)) continue;
    ++remote;
    if (peer < membership.rank) made[peer] = connect_rank(membership, peer, wait);
  }
  while (made.size() < remote) {
    Descriptor one = accept_from(membership.remote.get());
    if (one) {
      const int peer = rank_of(one, membership);
      if (peer >= 0) made[peer] = std::move(one);
    } else if (!poll_one(membership.remote.get(), POLLIN)) {
      wait.check("a rank of another machine ended while it joined");
    }
  }
  return made;
}

}  // namespace

Links::Links(const Membership& membership, Segment& segment, const Wait& wait)
    : of_rank_(membership.members.size()), event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_) system_error("eventfd");
  for (auto& [peer, connection] : connect_all(membership, wait)) {
    links_.push_back(std::make_unique<Link>(std::move(connection), membership.rank, peer, segment));
    of_rank_[static_cast<std::size_t>(peer)] = links_.back().get();
  }
  try {
    thread_ = start_thread([this] {
      const RuntimeThread thread;
      run();
    });
  } catch (const std::system_error& error) {
    throw Failure(simtcclSystemError, std::string("no thread: ") + error.what());
  }
}

Links::~Links() { leave(RankStatus::kAborted); }

void Links::run() {
  for (auto checked = Steady::now(); !is_over();) {
    stop_if_process_ends();
    wait();
    for (const auto& link : links_) link->receive();
    if (Steady::now() - checked < std::chrono::milliseconds(kCheckMilliseconds)) continue;
    checked = Steady::now();
    for (const auto& link : links_) link->check_network(network_limit());
  }
}

void Links::send() {
  const RankStatus status = leaves_.load();
  for (const auto& link : links_) {
    if (status != RankStatus::kJoined) link->say_goodbye(status);
    link->send();
  }
}

/// Waits until a connection or the rank has something to do.
void Links::wait() {
  sleeping_.exchange(true, std::memory_order_acq_rel);
  send();
  std::vector<pollfd> polled{{event_.get(), POLLIN, 0}};
  for (const auto& link : links_) {
    const short events = link->is_blocked() ? POLLIN | POLLOUT : POLLIN;
    if (!link->is_over()) polled.push_back({link->socket(), events, 0});
  }
  poll(polled.data(), polled.size(), leaves_.load() == RankStatus::kJoined ? kCheckMilliseconds : kPollMilliseconds);
  sleeping_.exchange(false, std::memory_order_acq_rel);
  eventfd_t count = 0;
  eventfd_read(event_.get(), &count);
}

bool Links::is_over() const {
  if (leaves_.load() == RankStatus::kJoined) return false;
  const bool all = std::all_of(links_.begin(), links_.end(), [](auto& link) { return link->is_over(); });
  return all || Steady::now() > end_;
}

void Links::wake() {
  if (sleeping_.exchange(false, std::memory_order_acq_rel)) eventfd_write(event_.get(), 1);
}

void Links::notify(int peer) {
  Link& link = *of_rank_[static_cast<std::size_t>(peer)];
  link.send();
  if (link.is_blocked()) wake();
}

bool Links::has_sent_all() const {
  return std::none_of(links_.begin(), links_.end(), [](auto& link) { return link->is_blocked(); });
}

std::string Links::absence(int peer) { return of_rank_[static_cast<std::size_t>(peer)]->absence(); }

void Links::fail(simtcclResult_t result, const std::string& reason) {
  for (const auto& link : links_) link->fail(result, reason);
  wake();
}

void Links::leave(RankStatus status) {
  if (!thread_.joinable()) return;
  end_ = Steady::now() + (status == RankStatus::kAborted ? kAbort : network_limit());
  leaves_.store(status);
  wake();
  thread_.join();
}

}  // namespace simtrt::ccl

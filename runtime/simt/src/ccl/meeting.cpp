#include "ccl/meeting.h"

#include "ccl/segment.h"
#include "process/runtime_thread.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace simtrt::ccl {
namespace {

using Steady = std::chrono::steady_clock;

/// Time in which a rank must receive the answer.
constexpr std::chrono::seconds kAnswer{10};

bool is_unix(int fd) {
  int domain = 0;
  socklen_t size = sizeof domain;
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

}  // namespace

Meeting::Meeting(const Token& token, Descriptor local, Descriptor remote)
    : token_(token), local_(std::move(local)), remote_(std::move(remote)), end_(Steady::now() + init_limit()) {}

void Meeting::run() {
  try {
    while (!complete()) listen_once();
    answer({simtcclSuccess, ""});
    // A later rank with the same id finds no meeting.
    local_ = Descriptor();
    remote_ = Descriptor();
    unknown_.clear();
    wait_until_connected();
  } catch (const Failure& failure) {
    Reply reply{failure.result, ""};
    std::strncpy(reply.reason, failure.what(), sizeof reply.reason - 1);
    answer(reply);
  }
}

bool Meeting::complete() const {
  return !joined_.empty() && std::all_of(joined_.begin(), joined_.end(), [](auto& one) { return bool(one); });
}

void Meeting::listen_once() {
  std::vector<pollfd> polled{{local_.get(), POLLIN, 0}, {remote_.get(), POLLIN, 0}};
  const std::size_t listeners = polled.size();
  for (const Unknown& one : unknown_) polled.push_back({one.socket.get(), POLLIN, 0});
  const std::size_t known = polled.size();
  for (const Descriptor& one : joined_) {
    if (one) polled.push_back({one.get(), POLLIN, 0});
  }
  poll(polled.data(), polled.size(), kPollMilliseconds);
  stop_if_process_ends();
  for (std::size_t i = known; i < polled.size(); ++i) {
    if (polled[i].revents != 0)  // a rank that has joined sends nothing more
      throw Failure(simtcclRemoteError, rank_of(polled[i].fd) + " ended before all ranks had joined");
  }
  for (std::size_t i = known; i-- > listeners;) {
    const auto place = unknown_.begin() + static_cast<std::ptrdiff_t>(i - listeners);
    if (polled[i].revents != 0 && read(*place)) unknown_.erase(place);
  }
  if (polled[0].revents != 0) accept_one(local_);
  if (polled[1].revents != 0) accept_one(remote_);
  if (Steady::now() > end_) throw Failure(simtcclSystemError, late());
}

void Meeting::wait_until_connected() {
  for (;;) {
    std::vector<pollfd> polled;
    for (const Descriptor& one : joined_) {
      if (one) polled.push_back({one.get(), POLLIN, 0});
    }
    if (polled.empty()) return;
    poll(polled.data(), polled.size(), kPollMilliseconds);
    stop_if_process_ends();
    for (const pollfd& one : polled) {
      char finished = 0;
      if (one.revents == 0) continue;
      if (recv(one.fd, &finished, sizeof finished, MSG_DONTWAIT) != sizeof finished)
        throw Failure(simtcclRemoteError, rank_of(one.fd) + " ended before all ranks had joined");
      *std::find_if(joined_.begin(), joined_.end(), [&](auto& rank) { return rank.get() == one.fd; }) = Descriptor();
    }
    if (Steady::now() > end_) throw Failure(simtcclSystemError, "not all ranks have connected to each other");
  }
}

void Meeting::accept_one(const Descriptor& listener) {
  Descriptor one = accept_from(listener.get());
  if (one && (!is_unix(one.get()) || is_of_this_user(one.get())))
    unknown_.push_back({std::move(one), {}, 0});
}

bool Meeting::read(Unknown& from) {
  const ssize_t received = recv(from.socket.get(), reinterpret_cast<char*>(&from.join) + from.received,
                                sizeof from.join - from.received, MSG_DONTWAIT);
  if (received < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (received <= 0) return true;
  from.received += static_cast<std::size_t>(received);
  if (from.received < sizeof from.join) return false;
  add(from);
  return true;
}

void Meeting::add(Unknown& from) {
  const Join& join = from.join;
  if (std::memcmp(&join.token, &token_, sizeof token_) != 0) return;
  if (join.ranks < 1 || join.ranks > kMaxRanks || join.rank < 0 || join.rank >= join.ranks) return;
  const std::string rank = "rank " + std::to_string(join.rank);
  if (joined_.empty()) {
    joined_.resize(static_cast<std::size_t>(join.ranks));
    members_.resize(joined_.size());
  }
  // After a failure, the connection stays in `unknown_` and gets the answer, too.
  if (join.ranks != static_cast<int>(joined_.size())) {
    throw Failure(simtcclInvalidUsage, rank + " expects " + std::to_string(join.ranks) +
                                           " ranks, another expects " + std::to_string(joined_.size()));
  }
  const auto index = static_cast<std::size_t>(join.rank);
  if (joined_[index]) throw Failure(simtcclInvalidUsage, "two processes join as " + rank);
  members_[index] = join.member;
  joined_[index] = std::move(from.socket);
}

std::string Meeting::rank_of(int fd) const {
  for (std::size_t rank = 0; rank < joined_.size(); ++rank) {
    if (joined_[rank].get() == fd) return "rank " + std::to_string(rank);
  }
  return "a rank";
}

std::string Meeting::late() const {
  std::string missing;
  for (std::size_t rank = 0; rank < joined_.size(); ++rank) {
    if (!joined_[rank]) missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
  }
  return "after " + std::to_string(init_limit().count()) + " s (SIMTCCL_INIT_SECONDS), " +
         std::to_string(joined_.size()) + " ranks were expected, and these had not joined: " + missing;
}

void Meeting::answer(const Reply& reply) {
  const Wait wait{Steady::now() + kAnswer};
  const auto tell = [&](const Descriptor& one) {
    if (!one) return;
    try {
      if (!send_all(one.get(), &reply, sizeof reply, wait) || reply.result != simtcclSuccess) return;
      send_all(one.get(), members_.data(), members_.size() * sizeof(Member), wait);
    } catch (const Failure&) {
      // The rank is stopped, and gets an error when its connection ends.
    }
  };
  for (const Descriptor& one : joined_) tell(one);
  for (const Unknown& one : unknown_) tell(one.socket);
}

}  // namespace simtrt::ccl

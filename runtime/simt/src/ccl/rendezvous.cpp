#include "ccl/rendezvous.h"

#include "ccl/errors.h"
#include "ccl/segment.h"
#include "environment.h"
#include "process/runtime_thread.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace simtrt::ccl {
namespace {

using Steady = std::chrono::steady_clock;

constexpr char kMagic[] = "SIMTCCL1";
constexpr int kPollMilliseconds = 50;

struct Id {
  char magic[8];
  char name[56];
};
static_assert(sizeof(Id) <= SIMTCCL_UNIQUE_ID_BYTES);

struct Join {
  int ranks;
  int rank;
};
struct Reply {
  simtcclResult_t result;
  char reason[248];
};

/// File descriptor that is closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void system_error(const char* call) {
  throw Failure(simtcclSystemError, std::string(call) + ": " + std::strerror(errno));
}

std::pair<sockaddr_un, socklen_t> address_of(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // a leading 0: abstract namespace
  return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())};
}

Descriptor open_socket() {
  Descriptor made(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (made.get() < 0) system_error("socket");
  return made;
}

bool is_of_this_user(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

/// Server side: collects the ranks of one communicator.
class Meeting {
 public:
  explicit Meeting(Descriptor listener)
      : listener_(std::move(listener)), end_(Steady::now() + init_limit()) {}

  void run() {
    try {
      while (!complete()) listen_once();
      const Descriptor segment(Segment::make(static_cast<int>(joined_.size())));
      answer({simtcclSuccess, ""}, segment.get());
    } catch (const Failure& failure) {
      Reply reply{failure.result, ""};
      std::strncpy(reply.reason, failure.what(), sizeof reply.reason - 1);
      answer(reply, -1);
    }
  }

 private:
  bool complete() const {
    return !joined_.empty() &&
           std::all_of(joined_.begin(), joined_.end(), [](auto& one) { return one.get() >= 0; });
  }

  void listen_once() {
    std::vector<pollfd> polled{{listener_.get(), POLLIN, 0}};
    for (const Descriptor& one : unknown_) polled.push_back({one.get(), POLLIN, 0});
    const std::size_t known = polled.size();
    for (const Descriptor& one : joined_) {
      if (one.get() >= 0) polled.push_back({one.get(), POLLIN, 0});
    }
    poll(polled.data(), polled.size(), kPollMilliseconds);
    stop_if_process_ends();
    for (std::size_t i = known; i < polled.size(); ++i) {
      if (polled[i].revents != 0)  // a rank that has joined sends nothing more
        throw Failure(simtcclRemoteError, rank_of(polled[i].fd) + " ended before all ranks had joined");
    }
    for (std::size_t i = known; i-- > 1;) {
      if (polled[i].revents == 0) continue;
      Descriptor one = std::move(unknown_[i - 1]);
      unknown_.erase(unknown_.begin() + static_cast<std::ptrdiff_t>(i - 1));
      add(std::move(one));
    }
    if (polled[0].revents != 0) {
      Descriptor one(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (one.get() >= 0 && is_of_this_user(one.get())) unknown_.push_back(std::move(one));
    }
    if (Steady::now() > end_) throw Failure(simtcclSystemError, late());
  }

  void add(Descriptor from) {
    Join join{};
    if (recv(from.get(), &join, sizeof join, MSG_DONTWAIT) != sizeof join) return;
    const std::string rank = "rank " + std::to_string(join.rank);
    if (join.ranks < 1 || join.ranks > kMaxRanks || join.rank < 0 || join.rank >= join.ranks) return;
    if (joined_.empty()) joined_.resize(static_cast<std::size_t>(join.ranks));
    if (join.ranks != static_cast<int>(joined_.size())) {
      const std::string reason = rank + " expects " + std::to_string(join.ranks) +
                                 " ranks, another rank expects " + std::to_string(joined_.size());
      unknown_.push_back(std::move(from));  // the connection gets the answer, too
      throw Failure(simtcclInvalidUsage, reason);
    }
    Descriptor& place = joined_[static_cast<std::size_t>(join.rank)];
    if (place.get() >= 0) {
      unknown_.push_back(std::move(from));
      throw Failure(simtcclInvalidUsage, "two processes join as " + rank);
    }
    place = std::move(from);
  }

  std::string rank_of(int fd) const {
    for (std::size_t rank = 0; rank < joined_.size(); ++rank) {
      if (joined_[rank].get() == fd) return "rank " + std::to_string(rank);
    }
    return "a rank";
  }

  std::string late() const {
    std::string missing;
    for (std::size_t rank = 0; rank < joined_.size(); ++rank) {
      if (joined_[rank].get() < 0) missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
    }
    return "after " + std::to_string(init_limit().count()) + " s (SIMTCCL_INIT_SECONDS), " +
           std::to_string(joined_.size()) + " ranks were expected, and these had not joined: " +
           missing;
  }

  void answer(const Reply& reply, int segment) {
    iovec text{const_cast<Reply*>(&reply), sizeof reply};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof segment)] = {};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    if (segment >= 0) {
      message.msg_control = space;
      message.msg_controllen = sizeof space;
      cmsghdr* header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof segment);
      std::memcpy(CMSG_DATA(header), &segment, sizeof segment);
    }
    for (const auto* group : {&joined_, &unknown_}) {
      for (const Descriptor& one : *group) {
        if (one.get() >= 0) sendmsg(one.get(), &message, MSG_NOSIGNAL);
      }
    }
  }

  Descriptor listener_;
  const Steady::time_point end_;
  std::vector<Descriptor> joined_;   ///< by rank
  std::vector<Descriptor> unknown_;  ///< connections that have not sent a Join
};

/// Receives a reply, with the file descriptor of the segment.
int receive_segment(int fd) {
  Reply reply{};
  iovec text{&reply, sizeof reply};
  int segment = -1;
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof segment)] = {};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  if (recvmsg(fd, &message, MSG_CMSG_CLOEXEC) != sizeof reply)
    throw Failure(simtcclRemoteError, "the process that made the unique id has ended");
  if (reply.result != simtcclSuccess) throw Failure(reply.result, reply.reason);
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS)
    throw Failure(simtcclInternalError, "the reply has no segment");
  std::memcpy(&segment, CMSG_DATA(header), sizeof segment);
  return segment;
}

}  // namespace

std::chrono::seconds init_limit() {
  static const auto limit = environment_number("SIMTCCL_INIT_SECONDS", 600, 1, 1 << 30);
  return std::chrono::seconds(limit);
}

simtcclUniqueId open_meeting() {
  unsigned char random[16];
  if (getrandom(random, sizeof random, 0) != sizeof random) system_error("getrandom");
  std::string name = "simtccl-";
  for (const unsigned char byte : random) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", byte);
    name += hex;
  }
  Descriptor listener = open_socket();
  const auto [address, size] = address_of(name);
  if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0)
    system_error("bind");
  if (listen(listener.get(), kMaxRanks) != 0) system_error("listen");
  start_thread([meeting = Meeting(std::move(listener))]() mutable {
    const RuntimeThread thread;
    meeting.run();
  }).detach();
  Id id{};
  std::memcpy(id.magic, kMagic, sizeof id.magic);
  std::memcpy(id.name, name.c_str(), name.size());
  simtcclUniqueId bytes{};
  std::memcpy(&bytes, &id, sizeof id);
  return bytes;
}

int join_meeting(const simtcclUniqueId& bytes, int ranks, int rank,
                 const std::atomic<bool>& aborted) {
  Id id;
  std::memcpy(&id, &bytes, sizeof id);
  if (std::memcmp(id.magic, kMagic, sizeof id.magic) != 0)
    throw Failure(simtcclInvalidArgument, "simtcclGetUniqueId did not make this id");
  const Descriptor server = open_socket();
  const auto [address, size] = address_of(std::string(id.name, strnlen(id.name, sizeof id.name)));
  if (connect(server.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    throw Failure(simtcclRemoteError,
                  std::string("no process listens for this id: the process that made it has ended, "
                              "or a communicator was made from it (connect: ") +
                      std::strerror(errno) + ")");
  }
  const Join join{ranks, rank};
  if (send(server.get(), &join, sizeof join, MSG_NOSIGNAL) != sizeof join) system_error("send");
  // The server answers within its time limit, unless its process is stopped.
  const auto end = Steady::now() + init_limit() + std::chrono::seconds(5);
  pollfd polled{server.get(), POLLIN, 0};
  while (poll(&polled, 1, kPollMilliseconds) <= 0) {
    stop_if_process_ends();
    if (aborted.load()) throw Aborted();
    if (Steady::now() > end)
      throw Failure(simtcclSystemError, "the process that made the unique id does not answer");
  }
  return receive_segment(server.get());
}

}  // namespace simtrt::ccl

#include "ccl/segment_sharing.h"

#include "ccl/meeting.h"

#include <poll.h>
#include <sys/socket.h>

#include <vector>

namespace simtrt::ccl {
namespace {

std::vector<int> local_ranks(const Membership& membership) {
  std::vector<int> found;
  for (int rank = 0; rank < static_cast<int>(membership.members.size()); ++rank) {
    if (membership.is_local(rank)) found.push_back(rank);
  }
  return found;
}

/// Message with a file descriptor, or without one if `reply` is a failure.
struct Passing {
  explicit Passing(Reply& reply) : text{&reply, sizeof reply} {
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
  }

  iovec text;
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
};

void pass(const Descriptor& to, Reply reply, int segment) {
  Passing passing(reply);
  if (segment >= 0) {
    cmsghdr* header = CMSG_FIRSTHDR(&passing.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof segment);
    std::memcpy(CMSG_DATA(header), &segment, sizeof segment);
  } else {
    passing.message.msg_controllen = 0;
  }
  sendmsg(to.get(), &passing.message, MSG_NOSIGNAL);
}

Descriptor receive_segment(const Descriptor& from) {
  Reply reply{};
  Passing passing(reply);
  const ssize_t received = recvmsg(from.get(), &passing.message, MSG_CMSG_CLOEXEC);
  if (received != sizeof reply) throw Failure(simtcclRemoteError, "a rank of this machine ended while it joined");
  if (reply.result != simtcclSuccess) throw Failure(static_cast<simtcclResult_t>(reply.result), reply.reason);
  const cmsghdr* header = CMSG_FIRSTHDR(&passing.message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS)
    throw Failure(simtcclInternalError, "the reply has no segment");
  int segment = -1;
  std::memcpy(&segment, CMSG_DATA(header), sizeof segment);
  return Descriptor(segment);
}

/// Makes the segment and passes it to `others` ranks. All of them get the error if the memory cannot be allocated.
Descriptor make_for(std::size_t others, const Membership& membership, const Wait& wait) {
  Descriptor segment;
  Reply reply{simtcclSuccess, ""};
  try {
    segment = Descriptor(Segment::make(static_cast<int>(membership.members.size())));
  } catch (const Failure& failure) {
    reply.result = failure.result;
    std::strncpy(reply.reason, failure.what(), sizeof reply.reason - 1);
  }
  while (others > 0) {
    const Descriptor one = accept_from(membership.local.get());
    if (one && is_of_this_user(one.get())) {
      pass(one, reply, segment.get());
      --others;
    } else if (!poll_one(membership.local.get(), POLLIN)) {
      wait.check("a rank of this machine ended while it joined");
    }
  }
  if (reply.result != simtcclSuccess) throw Failure(static_cast<simtcclResult_t>(reply.result), reply.reason);
  return segment;
}

Descriptor receive_from(int rank, const Membership& membership, const Wait& wait) {
  const std::string who = "rank " + std::to_string(rank);
  const Descriptor maker = connect_unix(membership.local_name(rank));
  if (!maker) throw Failure(simtcclRemoteError, who + " ended while it joined");
  while (!poll_one(maker.get(), POLLIN)) wait.check(who + " has not sent its segment");
  return receive_segment(maker);
}

}  // namespace

std::unique_ptr<Segment> share_segment(const Membership& membership, const Wait& wait) {
  const std::vector<int> local = local_ranks(membership);
  const Descriptor segment = local.front() == membership.rank
                                 ? make_for(local.size() - 1, membership, wait)
                                 : receive_from(local.front(), membership, wait);
  return std::make_unique<Segment>(segment.get(), static_cast<int>(membership.members.size()));
}

}  // namespace simtrt::ccl

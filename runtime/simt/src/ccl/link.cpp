#include "ccl/link.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <utility>

namespace simtrt::ccl {
namespace {

void set(int fd, int level, int option, int value) { setsockopt(fd, level, option, &value, sizeof value); }

/// Parts of a message that are not yet sent or received: of its frame, and of its data.
int remaining(const Frame& frame, char* data, std::size_t done, iovec* parts) {
  int count = 0;
  if (done < sizeof frame) {
    char* begin = reinterpret_cast<char*>(const_cast<Frame*>(&frame));
    parts[count++] = {begin + done, sizeof frame - done};
  }
  const std::size_t data_done = done < sizeof frame ? 0 : done - sizeof frame;
  if (data != nullptr && data_done < frame.bytes) parts[count++] = {data + data_done, frame.bytes - data_done};
  return count;
}

bool would_block() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

Link::Link(Descriptor socket, int rank, int peer, Segment& segment)
    : socket_(std::move(socket)),
      rank_(rank),
      peer_(peer),
      segment_(segment),
      out_(segment.channel(rank, peer)),
      in_(segment.channel(peer, rank)) {
  sent_.done = sent_.size();
  // Probes of an idle connection, each second. check_network() decides when the peer is lost.
  set(socket_.get(), IPPROTO_TCP, TCP_KEEPIDLE, 1);
  set(socket_.get(), IPPROTO_TCP, TCP_KEEPINTVL, 1);
  set(socket_.get(), IPPROTO_TCP, TCP_KEEPCNT, 127);
  set(socket_.get(), SOL_SOCKET, SO_KEEPALIVE, 1);
}

void Link::begin(FrameKind kind, std::uint32_t value) {
  read_told_ = in_.read.load(std::memory_order_acquire);
  sent_ = {};
  sent_.frame = {kind, value, read_told_, 0, {}};
}

/// Begins the next message; false if there is none.
bool Link::begin_message() {
  if (const auto failure = std::exchange(failure_, std::nullopt)) {
    begin(FrameKind::kFailure, failure->result);
    std::strncpy(sent_text_, failure->what(), sizeof sent_text_ - 1);
    sent_.data = sent_text_;
    sent_.frame.bytes = sizeof sent_text_;
  } else if (blocks_sent_ < out_.written.load(std::memory_order_acquire)) {
    const auto slot = blocks_sent_++ % kSlots;
    begin(FrameKind::kBlock, 0);
    sent_.frame.bytes = out_.headers[slot].bytes;
    sent_.frame.description = out_.headers[slot].description;
    sent_.data = out_.data[slot];
  } else if (read_told_ != in_.read.load(std::memory_order_acquire)) {
    begin(FrameKind::kRead, 0);
  } else if (goodbye_ && !goodbye_sent_) {
    begin(FrameKind::kLeave, static_cast<std::uint32_t>(*goodbye_));
    goodbye_sent_ = true;
  } else {
    return false;
  }
  return true;
}

void Link::send() {
  const std::lock_guard lock(mutex_);
  const bool was_blocked = blocked_.exchange(false);
  send_locked();
  if (was_blocked && !blocked_) segment_.ring(rank_);  // the rank may wait until all is sent
}

void Link::send_locked() {
  while (!over_ && !shut_) {
    if (sent_.done == sent_.size() && (goodbye_sent_ || !begin_message())) {
      if (!goodbye_sent_) return;
      shutdown(socket_.get(), SHUT_WR);
      shut_ = true;
      return;
    }
    iovec parts[2];
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = static_cast<std::size_t>(remaining(sent_.frame, sent_.data, sent_.done, parts));
    const ssize_t sent = sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    blocked_ = sent < 0 && would_block();
    // The end of the connection is noticed by receive(), which reads a farewell before.
    if (sent < 0) return;
    sent_.done += static_cast<std::size_t>(sent);
  }
}

void Link::receive() {
  while (!over_) {
    // Only the frame at first: it states the place of the data.
    iovec parts[2];
    const int count = remaining(received_.frame, received_.data, received_.done, parts);
    const ssize_t got = readv(socket_.get(), parts, std::min(count, 1));
    if (got < 0 && would_block()) return;
    if (got < 0) return lose(std::string("has ended, or its connection is broken: ") + std::strerror(errno));
    if (got == 0) return lose("has ended: its process is gone");
    received_.done += static_cast<std::size_t>(got);
    if (received_.done == sizeof(Frame) && !begin_data()) return lose("has sent an invalid message");
    if (received_.done == received_.size()) end_message();
  }
}

bool Link::begin_data() {
  const Frame& frame = received_.frame;
  {
    const std::lock_guard lock(mutex_);
    if (frame.read < out_.read.load(std::memory_order_relaxed) || frame.read > blocks_sent_) return false;
  }
  note_read(frame.read);
  if (frame.kind == FrameKind::kFailure) {
    received_.data = received_text_;
    return frame.bytes == sizeof received_text_;
  }
  if (frame.kind != FrameKind::kBlock) return frame.bytes == 0;
  const auto written = in_.written.load(std::memory_order_relaxed);
  if (frame.bytes > kSlotBytes || written - in_.read.load(std::memory_order_acquire) >= kSlots) return false;
  in_.headers[written % kSlots] = {frame.description, frame.bytes};
  received_.data = in_.data[written % kSlots];
  return true;
}

void Link::end_message() {
  const Frame frame = received_.frame;
  received_ = {};
  if (frame.kind == FrameKind::kBlock) {
    in_.written.fetch_add(1, std::memory_order_release);
    segment_.ring(rank_);
  } else if (frame.kind == FrameKind::kFailure) {
    received_text_[sizeof received_text_ - 1] = 0;
    const std::lock_guard lock(mutex_);
    failed_ = true;
    segment_.fail(static_cast<simtcclResult_t>(frame.value), received_text_);
  } else if (frame.kind == FrameKind::kLeave) {
    const bool aborted = frame.value == static_cast<std::uint32_t>(RankStatus::kAborted);
    note_absence(aborted ? "has aborted its communicator" : "has destroyed its communicator");
  }
}

void Link::note_read(std::uint64_t read) {
  if (read == out_.read.load(std::memory_order_relaxed)) return;
  out_.read.store(read, std::memory_order_release);
  segment_.ring(rank_);
}

void Link::check_network(std::chrono::seconds limit) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (over_ || getsockopt(socket_.get(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return;
  if (std::chrono::milliseconds(info.tcpi_last_ack_recv) < limit) return;
  lose("cannot be reached: its machine has not answered for " + std::to_string(limit.count()) +
       " s (SIMTCCL_NET_SECONDS)");
}

void Link::say_goodbye(RankStatus status) {
  const std::lock_guard lock(mutex_);
  goodbye_ = status;
}

void Link::lose(const std::string& reason) {
  over_ = true;
  shutdown(socket_.get(), SHUT_RDWR);
  note_absence(reason);
}

void Link::note_absence(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    if (absent_.load()) return;  // after a farewell, the connection ends
    absence_ = reason;
    absent_.store(true);
  }
  segment_.ring(rank_);
}

void Link::fail(simtcclResult_t result, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(failed_, true)) failure_.emplace(result, reason);
}

std::string Link::absence() const { return absent_.load() ? absence_ : ""; }

}  // namespace simtrt::ccl

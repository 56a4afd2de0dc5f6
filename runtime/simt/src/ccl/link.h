// TCP connection with one rank of another machine.
//
// Each message has a Frame. A block is sent when the writer has put it into its channel: the channel at the other end
// has a free slot then, because the writer's `read` advances only when the reader has read a block. A rank that
// stops reading therefore never blocks the connection.
//
// Ownership: Links owns the connection, and the link refers to the segment.
// Threads: the thread that performs launches and the links' thread send; the links' thread receives and checks the network.
// Memory ordering: `mutex_` guards all that send() uses, and `absence_`. `absence_` is written once, before `absent_`.
#pragma once

#include "ccl/descriptor.h"
#include "ccl/segment.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace simtrt::ccl {

enum class FrameKind : std::uint32_t { kRead, kBlock, kFailure, kLeave };

/// Head of a message.
struct Frame {
  FrameKind kind;
  std::uint32_t value;  ///< simtcclResult_t of a failure, RankStatus of a farewell
  std::uint64_t read;   ///< blocks that the sender has read from its channel
  std::uint64_t bytes;  ///< of the data that follows
  Description description;
};

class Link {
 public:
  Link(Descriptor socket, int rank, int peer, Segment& segment);

  /// Sends what is ready, as far as the connection takes it.
  void send();
  /// Receives what has arrived, and wakes the rank if its channels have changed.
  void receive();
  /// Ends the link if the peer's system has acknowledged nothing for `limit`.
  void check_network(std::chrono::seconds limit);
  /// Sends a farewell after all blocks, and nothing later.
  void say_goodbye(RankStatus status);
  /// True if nothing can be sent or received any more.
  bool is_over() const { return over_.load(); }
  /// True if the connection must become writable before more can be sent.
  bool is_blocked() const { return blocked_.load() && !is_over(); }
  int socket() const { return socket_.get(); }

  void fail(simtcclResult_t result, const std::string& reason);
  std::string absence() const;

 private:
  /// Message that is being sent or received.
  struct Message {
    Frame frame{};
    char* data = nullptr;
    std::size_t done = 0;  ///< bytes of the frame and of the data
    std::size_t size() const { return sizeof frame + frame.bytes; }
  };

  void send_locked();
  bool begin_message();
  void begin(FrameKind kind, std::uint32_t value);
  bool begin_data();
  void end_message();
  void note_read(std::uint64_t read);
  void lose(const std::string& reason);
  void note_absence(const std::string& reason);

  const Descriptor socket_;
  const int rank_;
  const int peer_;
  Segment& segment_;
  Channel& out_;
  Channel& in_;
  Message sent_;
  Message received_;
  std::uint64_t blocks_sent_ = 0;
  std::uint64_t read_told_ = 0;
  std::optional<RankStatus> goodbye_;
  bool goodbye_sent_ = false;
  bool shut_ = false;
  std::atomic<bool> blocked_{false};
  std::atomic<bool> over_{false};
  char sent_text_[256] = {};
  char received_text_[256] = {};

  std::mutex mutex_;
  std::optional<Failure> failure_;  ///< to be sent
  bool failed_ = false;             ///< a failure was sent or received; further ones are not sent
  std::string absence_;
  std::atomic<bool> absent_{false};
};

}  // namespace simtrt::ccl

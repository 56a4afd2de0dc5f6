// Memory that the ranks of one communicator share: state of the ranks, and a channel for each ordered
// pair of ranks. A channel is a ring of slots; one rank writes it, one rank reads it.
//
// Ownership: the segment is a memfd without a name. Each rank maps it; the system frees it with the
// last mapping, so that a killed job leaves no memory allocated.
// Threads: the thread that performs a communicator's launches uses the segment; simtcclCommGetAsyncError reads
// `failure` from any thread.
// Memory ordering: a writer fills a slot and then stores `written` with release ordering; the reader
// loads it with acquire ordering. `read` is the same in the other direction. Doorbells and `waiting`
// are sequentially consistent: a rank stores `waiting` and then tests the doorbell, its peer rings and
// then tests `waiting`. `rung` is relaxed: a wrong time only changes how a rank waits.
#pragma once

#include <simtccl.h>

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace simtrt::ccl {

inline constexpr std::size_t kSlotBytes = SIMTCCL_BLOCK_BYTES;
inline constexpr std::size_t kSlots = 4;
inline constexpr int kMaxRanks = 1024;

/// Description of an operation, which must be the same at both ends of a transfer.
struct Description {
  std::uint32_t kind = 0;
  std::uint32_t type = 0;
  std::uint32_t op = 0;
  std::int32_t root = 0;
  std::uint64_t count = 0;
  std::uint64_t number = 0;  ///< number of the collective; 0 for sends and receives

  friend bool operator==(const Description& a, const Description& b) {
    return a.kind == b.kind && a.type == b.type && a.op == b.op && a.root == b.root &&
           a.count == b.count && a.number == b.number;
  }
  /// Text for messages: "all_reduce 3 of 4 float32, sum".
  std::string text() const;
};

struct Channel {
  alignas(64) std::atomic<std::uint64_t> written;
  alignas(64) std::atomic<std::uint64_t> read;
  struct Header {
    Description description;
    std::uint64_t bytes;
  };
  alignas(64) Header headers[kSlots];
  alignas(4096) char data[kSlots][kSlotBytes];
};

enum class RankStatus : std::uint32_t { kStarting, kJoined, kLeft, kAborted, kEnded };

struct RankState {
  /// Robust mutex that the rank's thread holds while the communicator exists: EOWNERDEAD shows another rank that the
  /// process has ended. This rank then sets `status` to kEnded.
  alignas(64) pthread_mutex_t alive;
  alignas(64) std::atomic<std::uint32_t> doorbell;  ///< changes when a peer notifies the rank
  std::atomic<std::chrono::steady_clock::rep> rung;  ///< time of a recent ring; the clock is that of the machine
  std::atomic<std::uint32_t> waiting;
  std::atomic<RankStatus> status;
};

struct Control {
  std::uint32_t ranks;
  std::atomic<std::uint32_t> failure;  ///< simtcclResult_t of the first failure
  std::atomic<std::uint32_t> reason_written;
  char reason[256];
};

/// Mapping of a segment by one rank.
class Segment {
 public:
  /// Makes a segment for `ranks` ranks and returns its file descriptor, which the caller closes.
  /// Throws Failure (simtcclSystemError).
  static int make(int ranks);

  /// Maps the segment of a file descriptor. Throws Failure (simtcclSystemError).
  Segment(int fd, int ranks);
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment();

  int ranks() const { return ranks_; }
  Control& control() { return *reinterpret_cast<Control*>(base_); }
  RankState& rank(int rank);
  Channel& channel(int from, int to);

  /// Records the first failure of the communicator and wakes all ranks.
  void fail(simtcclResult_t result, const std::string& reason);
  simtcclResult_t failure() const;
  std::string reason();

  /// Wakes the thread of a rank.
  void ring(int rank);
  /// Waits until the rank's doorbell differs from `heard`, for `limit` at most.
  void wait(int rank, std::uint32_t heard, std::chrono::microseconds limit);

  /// Marks the calling thread as the thread of `rank`, until leave().
  void enter(int rank);
  void leave(int rank, RankStatus status);
  /// Reason for which a rank can no longer send and receive; empty if the rank is present.
  std::string absence(int rank);

 private:
  char* base_ = nullptr;
  std::size_t bytes_ = 0;
  int ranks_ = 0;
};

}  // namespace simtrt::ccl

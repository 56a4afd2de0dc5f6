#include "ccl/segment.h"

#include "ccl/errors.h"
#include "ccl/names.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace simtrt::ccl {
namespace {

constexpr const char* kProcessEnded = "has ended: its process is gone";

std::size_t round_up(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }
std::size_t begin_of_ranks() { return round_up(sizeof(Control)); }
std::size_t begin_of_channels(int ranks) {
  return round_up(begin_of_ranks() + static_cast<std::size_t>(ranks) * sizeof(RankState));
}
std::size_t bytes_for(int ranks) {
  const auto n = static_cast<std::size_t>(ranks);
  return begin_of_channels(ranks) + n * n * sizeof(Channel);
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* limit) {
  return syscall(SYS_futex, &word, operation, value, limit, nullptr, 0);
}

[[noreturn]] void system_error(const char* call) {
  throw Failure(simtcclSystemError, std::string(call) + ": " + std::strerror(errno));
}

void* map(int fd, std::size_t bytes) {
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED) system_error("mmap");
  return base;
}

}  // namespace

std::string Description::text() const {
  std::string text = name_of_kind(kind);
  if (number != 0) text += " (collective " + std::to_string(number) + ")";
  text += " of " + std::to_string(count) + " " + name_of_type(type);
  if (op != kNoOp) text += std::string(", ") + name_of_op(op);
  if (root >= 0) text += ", root " + std::to_string(root);
  return text;
}

int Segment::make(int ranks) {
  const int fd = memfd_create("simtccl", MFD_CLOEXEC);
  if (fd < 0) system_error("memfd_create");
  const std::size_t bytes = bytes_for(ranks);
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    close(fd);
    system_error("ftruncate");
  }
  // The file is zeroed: channels, doorbells and states begin with 0.
  auto* base = static_cast<char*>(map(fd, begin_of_channels(ranks)));
  reinterpret_cast<Control*>(base)->ranks = static_cast<std::uint32_t>(ranks);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  for (int rank = 0; rank < ranks; ++rank) {
    auto* states = reinterpret_cast<RankState*>(base + begin_of_ranks());
    pthread_mutex_init(&states[rank].alive, &attributes);
  }
  pthread_mutexattr_destroy(&attributes);
  munmap(base, begin_of_channels(ranks));
  return fd;
}

Segment::Segment(int fd, int ranks)
    : base_(static_cast<char*>(map(fd, bytes_for(ranks)))), bytes_(bytes_for(ranks)), ranks_(ranks) {}

Segment::~Segment() { munmap(base_, bytes_); }

RankState& Segment::rank(int rank) {
  return reinterpret_cast<RankState*>(base_ + begin_of_ranks())[rank];
}

Channel& Segment::channel(int from, int to) {
  auto* channels = reinterpret_cast<Channel*>(base_ + begin_of_channels(ranks_));
  return channels[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) +
                  static_cast<std::size_t>(to)];
}

void Segment::fail(simtcclResult_t result, const std::string& reason) {
  Control& shared = control();
  std::uint32_t none = simtcclSuccess;
  if (shared.failure.compare_exchange_strong(none, result)) {
    std::strncpy(shared.reason, reason.c_str(), sizeof shared.reason - 1);
    shared.reason_written.store(1, std::memory_order_release);
  }
  for (int rank = 0; rank < ranks_; ++rank) ring(rank);
}

simtcclResult_t Segment::failure() const {
  return static_cast<simtcclResult_t>(reinterpret_cast<const Control*>(base_)->failure.load());
}

std::string Segment::reason() {
  const bool written = control().reason_written.load(std::memory_order_acquire) != 0;
  return written ? control().reason : "";
}

void Segment::ring(int rank) {
  RankState& state = this->rank(rank);
  state.rung.store(std::chrono::steady_clock::now().time_since_epoch().count(), std::memory_order_relaxed);
  state.doorbell.fetch_add(1);
  if (state.waiting.load() != 0) futex(state.doorbell, FUTEX_WAKE, 1, nullptr);
}

void Segment::wait(int rank, std::uint32_t heard, std::chrono::microseconds limit) {
  RankState& state = this->rank(rank);
  const auto count = limit.count();
  const timespec time{static_cast<time_t>(count / 1000000), static_cast<long>(count % 1000000) * 1000};
  state.waiting.store(1);
  if (state.doorbell.load() == heard) futex(state.doorbell, FUTEX_WAIT, heard, &time);
  state.waiting.store(0);
}

void Segment::enter(int rank) {
  pthread_mutex_lock(&this->rank(rank).alive);
  this->rank(rank).status.store(RankStatus::kJoined);
  for (int peer = 0; peer < ranks_; ++peer) ring(peer);
}

void Segment::leave(int rank, RankStatus status) {
  this->rank(rank).status.store(status);
  pthread_mutex_unlock(&this->rank(rank).alive);
  for (int peer = 0; peer < ranks_; ++peer) ring(peer);
}

std::string Segment::absence(int rank) {
  RankState& state = this->rank(rank);
  switch (state.status.load()) {
    case RankStatus::kStarting: return "";
    case RankStatus::kLeft: return "has destroyed its communicator";
    case RankStatus::kAborted: return "has aborted its communicator";
    case RankStatus::kEnded: return kProcessEnded;
    case RankStatus::kJoined: break;
  }
  switch (pthread_mutex_trylock(&state.alive)) {
    case EBUSY: return "";
    case 0:  // the rank has left since the test above
      pthread_mutex_unlock(&state.alive);
      return "has destroyed its communicator";
    default:
      // EOWNERDEAD. The status keeps the result: once the mutex is not recoverable, a trylock of glibc takes it, and
      // the next one returns EBUSY.
      state.status.store(RankStatus::kEnded);
      pthread_mutex_unlock(&state.alive);
      return kProcessEnded;
  }
}

}  // namespace simtrt::ccl

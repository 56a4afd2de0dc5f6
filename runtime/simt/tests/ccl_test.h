// Code shared by the tests of simtccl: communicators of threads and of processes.
#pragma once

#include "kernel_test.h"

#include <simtccl.h>

#include <unistd.h>

#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

inline doctest::String toString(simtcclResult_t result) { return simtcclGetErrorString(result); }

#define CHECK_CCL(...) CHECK_EQ((__VA_ARGS__), simtcclSuccess)
#define REQUIRE_CCL(...) REQUIRE_EQ((__VA_ARGS__), simtcclSuccess)

/// Keeps an object until the ranks of with_ranks() have ended.
inline std::vector<std::shared_ptr<void>>& kept_objects() {
  static std::vector<std::shared_ptr<void>> objects;
  return objects;
}
inline std::mutex& kept_mutex() {
  static std::mutex mutex;
  return mutex;
}
inline void keep(std::shared_ptr<void> object) {
  const std::lock_guard lock(kept_mutex());
  kept_objects().push_back(std::move(object));
}
inline void release_kept() {
  std::vector<std::shared_ptr<void>> objects;
  const std::lock_guard lock(kept_mutex());
  objects.swap(kept_objects());
}

/// Values in device memory of one rank. The memory is freed when all ranks have ended: simtFree waits
/// for all streams of the device, also for the other ranks' streams.
template <class T>
class RankArray {
 public:
  template <class... Arguments>
  explicit RankArray(const Arguments&... arguments)
      : array_(std::make_shared<DeviceArray<T>>(arguments...)) {
    keep(array_);
  }
  T* data() const { return array_->data(); }
  std::size_t bytes() const { return array_->bytes(); }
  std::vector<T> values() const { return array_->values(); }

 private:
  std::shared_ptr<DeviceArray<T>> array_;
};

/// Runs `body(rank, comm)` for each rank of a new communicator, each on its own thread. All ranks use
/// device 0. The body destroys or aborts the communicator if `owns` is true.
inline void with_ranks(int ranks, const std::function<void(int, simtcclComm_t)>& body,
                       bool owns = false) {
  simtcclUniqueId id;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([=, &body] {
      simtcclComm_t comm = nullptr;
      REQUIRE_CCL(simtcclCommInitRank(&comm, ranks, id, rank));
      body(rank, comm);
      if (!owns) CHECK_CCL(simtcclCommDestroy(comm));
    });
  }
  for (auto& thread : threads) thread.join();
  release_kept();
}

/// Stream of one rank.
class OwnStream {
 public:
  OwnStream() { REQUIRE_OK(simtStreamCreateWithFlags(&stream_, simtStreamNonBlocking)); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  ~OwnStream() { simtStreamDestroy(stream_); }
  operator simtStream_t() const { return stream_; }
  void wait() const { REQUIRE_OK(simtStreamSynchronize(stream_)); }

 private:
  simtStream_t stream_ = nullptr;
};

/// True for the results of a call while another rank fails: the call starts its operation, or the
/// failure is already known.
inline bool is_started_or_remote_error(simtcclResult_t called) {
  return called == simtcclSuccess || called == simtcclRemoteError;
}

/// Waits until a communicator has failed, for ten seconds at most, and returns the failure.
inline simtcclResult_t failure_of(simtcclComm_t comm) {
  simtcclResult_t result = simtcclSuccess;
  for (int turn = 0; turn < 1000 && result == simtcclSuccess; ++turn) {
    CHECK_CCL(simtcclCommGetAsyncError(comm, &result));
    if (result == simtcclSuccess) usleep(10000);
  }
  return result;
}

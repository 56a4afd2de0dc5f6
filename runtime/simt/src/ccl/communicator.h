// Communicator of one rank: a queue of launches, and a thread that performs them.
//
// Ownership: the handle, each launch on a stream, and callers share ownership. The thread keeps the
// communicator alive until it ends.
// Threads: any thread may call the public functions. The communicator's thread performs the launches, or in its place a
// thread that waits for a launch (streams/helping_thread.h): two wake-ups take longer than small transfers. One thread
// at a time performs transfers.
// Memory ordering: `mutex_` guards the queue and the state. `aborted_` is sequentially consistent, and
// is tested after each wait.
#pragma once

#include "ccl/collectives.h"
#include "ccl/errors.h"
#include "streams/device.h"

#include <simtccl.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace simtrt::ccl {

/// Operations that one call or one group submits to a stream.
using Operations = std::vector<Operation>;

class Communicator : public std::enable_shared_from_this<Communicator> {
 public:
  /// Starts to join the communicator of `id`; wait_until_ready() waits for the other ranks.
  static std::shared_ptr<Communicator> start(const simtcclUniqueId& id, int ranks, int rank,
                                             Device& device, bool blocking);

  /// Waits until all ranks have joined. Throws Failure if they could not.
  void wait_until_ready();
  /// simtcclInProgress, the failure of the communicator, or simtcclSuccess.
  simtcclResult_t state();
  /// Reason of the failure; empty without a failure.
  std::string reason();
  /// Throws Failure if the communicator has failed or is not ready.
  void check();

  /// Submits operations to a stream as one piece of work. Returns the error of the submission to the
  /// stream.
  simtError_t submit(const std::shared_ptr<Stream>& stream, Operations operations);

  /// Starts a split (simtcclCommSplit) on the communicator's thread. `finish` of the result waits for
  /// the other ranks and returns the new communicator; null without a color. `finish` throws Failure.
  struct Split {
    std::function<std::shared_ptr<Communicator>()> finish;
  };
  Split split(int color, int key, bool blocking);

  /// Waits until all submitted operations have ended. Throws Failure as soon as one of them has failed.
  void finalize();
  /// Ends the thread, after finalize(); or at once, if `abort` is true.
  void close(bool abort);

  simtcclRedOp_t add_scaled_sum(const Reduction& reduction);
  bool remove_scaled_sum(simtcclRedOp_t op);
  /// Reduction of an operation; empty for an invalid `op` or a scaled sum of another type.
  std::optional<Reduction> reduction(simtcclRedOp_t op, simtcclDataType_t type);

  const int ranks;
  const int rank;
  Device& device;
  const bool blocking;

  Communicator(int ranks, int rank, Device& device, bool blocking);
  ~Communicator();

 private:
  /// Entry of the queue. The thread performs the entry after its stream has reached it.
  struct Launch {
    std::shared_ptr<const Operations> operations;
    std::function<void()> job;   ///< work of the communicator itself, in place of operations
    std::function<void()> done;  ///< called once, after the end
    bool reached = false;
    simtError_t error = simtSuccess;  ///< earlier error of the device; the operations then fail
  };
  using LaunchPointer = std::shared_ptr<Launch>;

  void run(const simtcclUniqueId& id);
  void join(const simtcclUniqueId& id);
  LaunchPointer next();
  void perform_launch(Launch& launch);
  /// Performs a launch on the calling thread, which waits for it, if its turn has come. Otherwise the communicator's
  /// thread performs it.
  void perform_by_waiting_thread(const LaunchPointer& launch);
  Endpoint endpoint() { return {*peers_, aborted_, patience_}; }
  void perform_operations(const Operations& operations);
  /// Keeps a failed operation unfinished until the communicator is aborted, or for a limited time.
  void hold_failure();
  void reach(const LaunchPointer& launch, simtError_t error, std::function<void()> done);
  void end_all();
  /// New communicator of a split; null without a color. `members` receives its ranks in this communicator.
  std::shared_ptr<Communicator> split_on_thread(int color, int key, bool blocking, std::vector<int>& members);
  /// Waits until the new communicator of a split has been joined, and ends the join if a member has left this
  /// communicator, for example by the end of its process. The meeting does not know a rank that has not connected.
  void watch_split(Communicator& made, const std::vector<int>& members);
  /// Waits for `limit` at most. Returns false as soon as the ranks have joined, or the join has failed.
  bool is_joining(std::chrono::milliseconds limit);
  /// Ends the join with an error.
  void abandon_join(const std::string& reason);
  void gather(const void* send, void* receive, std::size_t bytes);
  void fail(simtcclResult_t result, const std::string& reason);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable wake_;  ///< of the communicator's thread
  std::deque<LaunchPointer> queue_;
  bool performs_ = false;  ///< a thread performs the first launch, or the communicator's thread ends
  bool ready_ = false;
  bool closing_ = false;
  bool ended_ = false;  ///< the thread performs no more launches
  std::optional<Failure> failure_;
  std::optional<std::chrono::steady_clock::time_point> held_until_;  ///< see hold_failure()
  std::vector<std::optional<Reduction>> scaled_sums_;
  std::atomic<bool> aborted_{false};
  std::atomic<bool> captured_{false};  ///< a graph contains operations
  std::unique_ptr<Peers> peers_;      ///< written once, before ready_
  Patience patience_;                 ///< of the thread that performs a launch
  std::uint64_t collectives_ = 0;     ///< of the thread that performs a launch
};

}  // namespace simtrt::ccl

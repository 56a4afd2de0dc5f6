// Streams: queues of work that workers, and threads that wait for it, execute in order.
//
// Ownership: the handle, the pool of workers while the stream is queued, and everything that waits
// for the stream share ownership of it. A stream shares ownership of its work until the work is
// complete. A stream refers to its device, which is never destroyed.
// Threads: any thread may call the public functions, except advance(): one worker at a time calls
// it, or a waiting thread in place of a worker. The thread that ends later work also executes the marks that follow. The lock of captures (graph.h) guards `capture` and `capture_tail`, the device's order lock
// guards `legacy_seen`, and `mutex_` guards the private members.
// Memory ordering: `done_` is written under `mutex_` by a release store, and read without the lock
// by an acquire load: a thread that reads a number sees all writes of the work up to that number.
// Waiters are registered under `mutex_` after a second test of `done_`, so that none is missed. `resumptions_` changes under
// `mutex_` after the stream has been queued, and is read without the lock. A waiting thread that sees the old number before
// it sleeps is notified; one that sees the new number finds the stream queued, or executed by another thread.
#pragma once

#include "activity/recorder.h"
#include "handles.h"
#include "streams/work.h"
#include "streams/workers.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace simtrt {

class Capture;
class Device;
class Stream;

/// Condition: all work submitted to `stream` up to number `count` is complete.
struct Dependency {
  std::shared_ptr<Stream> stream;
  std::uint64_t count = 0;
};

/// Work that precedes all later work of one stream. Maps the id of another stream to a number: work
/// of the other stream up to this number precedes.
using SeenStreams = std::unordered_map<std::uint64_t, std::uint64_t>;

class Stream final : public Runnable, public std::enable_shared_from_this<Stream> {
 public:
  Stream(Device& device, unsigned flags, int priority, bool legacy);

  /// Appends work, which begins when the stream's earlier work and `after` are complete. Returns
  /// the number of the work.
  std::uint64_t push(std::shared_ptr<const Work> work, std::vector<Dependency> after);

  /// Number of the work submitted last.
  std::uint64_t last() const;
  /// True if all work up to number `count` is complete.
  bool reached(std::uint64_t count) const { return done_.load(std::memory_order_acquire) >= count; }
  bool idle() const { return reached(last()); }
  /// Blocks the calling thread until all work up to number `count` is complete. The thread executes work that no worker
  /// has begun.
  void wait(std::uint64_t count);

  void advance() override;
  int urgency() const override { return -priority; }

  Device& device;
  const unsigned flags;
  const int priority;  ///< as in CUDA: a lower number is a higher priority
  const bool legacy;   ///< true for the device's default stream
  const std::uint64_t id;

  /// Capture to which this stream belongs, or null. Guarded by the lock of captures (graph.h).
  std::shared_ptr<Capture> capture;
  std::vector<std::size_t> capture_tail;  ///< nodes of the capture that precede the next node

  /// True if all later work of this stream is ordered after `work`: `work` belongs to this stream,
  /// or to a stream for which this stream has waited by an event.
  bool is_ordered_after(const Dependency& work) const;
  /// Records that this stream waits for `work`, and thus for the work in `before`, which precedes it.
  void note_wait(const Dependency& work, const SeenStreams& before);
  SeenStreams seen() const;

  /// Number of the default stream's work up to which this stream has waited. Guarded by the
  /// device's order lock.
  std::uint64_t legacy_seen = 0;

 private:
  struct Entry {
    std::shared_ptr<const Work> work;
    /// Work for which the entry waits: before its execution, the work that must precede it; after
    /// its execution, its child grids.
    std::vector<Dependency> after;
    bool performed = false;
    std::uint32_t correlation = 0;  ///< correlation id of the records for profilers
  };

  /// Executes the first entry, for which `running_` was set, on the calling thread.
  void run_here();
  enum class Step { kDone, kLater };
  Step perform(Entry& entry);
  Step start_kernel(Entry& entry, const KernelWork& work);
  void run_task(const TaskWork& task);
  void start_later(const std::shared_ptr<const Work>& work, simtError_t sticky);
  std::vector<Dependency> run_together(const KernelWork& work);
  void wait_until_reached(std::uint64_t count);
  /// Executes work of this stream up to number `count`, or work of another stream for which this work waits, on the
  /// calling thread. Returns false if another thread executes the work, or if it waits for something else.
  bool help(std::uint64_t count);
  /// Work of another stream for which work up to number `count` waits.
  std::optional<Dependency> awaited(std::uint64_t count) const;
  /// As wait_until_reached(), by a thread that can help.
  void wait_and_help(std::uint64_t count);
  /// Sleeps until all work up to number `count` is complete, or until the stream has been resumed more than `resumptions`
  /// times.
  void sleep(std::uint64_t count, std::uint64_t resumptions);
  /// Queues the stream, whose wait for another stream has ended. A thread that waits for the stream is preferred to a
  /// worker: the result need not pass from thread to thread.
  void resume();
  /// Called at the end of work that another thread has performed, by that thread.
  void complete_later_work();
  /// Executes the stream's work until it is empty or has to wait, or until `count` is reached; the rest is queued then.
  void advance_to(std::uint64_t count);
  /// Number of a launch for the checkers.
  std::uint32_t check_run(const KernelWork& work) const;
  /// Called after the execution of the first entry. The entry is complete when `children` are
  /// complete.
  void performed(std::vector<Dependency> children);
  bool is_met(std::vector<Dependency>& after);
  /// Ends the first entry: removes it, and continues what waits for it.
  void complete();
  /// Returns true if the work with number `count` is complete. Otherwise returns false; `waiting`
  /// is queued when that work is complete.
  bool reached_or_notify(std::uint64_t count, const std::shared_ptr<Stream>& waiting);

  class Helper;
  friend class GridJob;
  friend class HostThread;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> queue_;
  std::uint64_t put_ = 0;
  std::atomic<std::uint64_t> done_{0};
  bool running_ = false;
  std::uint64_t wanted_ = std::numeric_limits<std::uint64_t>::max();  ///< the number for which `changed_` is notified
  unsigned helpers_ = 0;                      ///< waiting threads that execute the stream when it is resumed
  std::atomic<std::uint64_t> resumptions_{0};
  std::weak_ptr<Stream> awaited_stream_;      ///< see awaited()
  std::uint64_t awaited_count_ = 0;
  activity::Running recorded_;  ///< the first entry's work, while it runs
  struct Waiter {
    std::uint64_t count;
    std::shared_ptr<Stream> stream;
  };
  std::vector<Waiter> waiters_;
  SeenStreams seen_;

 public:
  /// True for the stream on which the bodies of a conditional node run. The checkers do not know the order of its work.
  bool is_inside_node = false;
};

Handles<simtStream_t, Stream>& stream_handles();
void delete_stream_handle(simtStream_t handle);

/// Stream of a handle; null for an invalid handle. 0 and simtStreamLegacy denote the default stream of the current
/// device, simtStreamPerThread the calling thread's own stream. In a kernel, all three denote the null stream of its
/// block.
std::shared_ptr<Stream> find_stream(simtStream_t handle);

}  // namespace simtrt

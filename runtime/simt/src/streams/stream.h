// Streams: queues of work that workers bring forward, in order.
//
// Ownership: a stream is shared by its handle, by the pool while it is queued, and by everything
// that waits for it. A stream shares ownership of its work until the work is done. It refers to its
// device, which is never destroyed.
// Threads: any thread may call the public functions, except advance(): one worker at a time calls
// it. `capture` and `capture_tail` belong to the lock of captures (graph.h), `legacy_seen` to the
// device's order lock, and the private members to `mutex_`.
// Memory ordering: `done_` is written under `mutex_` by a release store, and read without the lock by
// an acquire load: a thread that sees a number sees what the work up to that number wrote. Waiters
// are registered under `mutex_` after a second look at `done_`, so none is missed.
#pragma once

#include "activity/recorder.h"
#include "handles.h"
#include "streams/work.h"
#include "streams/workers.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace simtrt {

class Capture;
class Device;
class Stream;

/// "All that was put on `stream` up to number `count` is done."
struct Dependency {
  std::shared_ptr<Stream> stream;
  std::uint64_t count = 0;
};

/// Of other streams, by their id, the number up to which their work is waited for.
using SeenStreams = std::unordered_map<std::uint64_t, std::uint64_t>;

class Stream final : public Runnable, public std::enable_shared_from_this<Stream> {
 public:
  Stream(Device& device, unsigned flags, int priority, bool legacy);

  /// Puts work at the end, to begin when `after` is met as well. Gives its number.
  std::uint64_t push(std::shared_ptr<const Work> work, std::vector<Dependency> after);

  /// The number of what was put last.
  std::uint64_t last() const;
  /// True if everything up to `count` is done.
  bool reached(std::uint64_t count) const { return done_.load(std::memory_order_acquire) >= count; }
  bool idle() const { return reached(last()); }
  /// Blocks the calling thread until then.
  void wait(std::uint64_t count);

  void advance() override;
  int urgency() const override { return -priority; }

  Device& device;
  const unsigned flags;
  const int priority;  ///< as CUDA counts: lower goes first
  const bool legacy;   ///< the device's default stream
  const std::uint64_t id;

  /// The capture that this stream takes part in, or null. Guarded by the lock of captures (graph.h).
  std::shared_ptr<Capture> capture;
  std::vector<std::size_t> capture_tail;  ///< nodes of the capture that the next node comes after

  /// True if all that comes after on this stream comes after `work`: it is work of this stream, or
  /// of one that this stream has waited for by an event.
  bool is_ordered_after(const Dependency& work) const;
  /// Notes that this stream waits for `work`, and so for what `before` says came before that.
  void note_wait(const Dependency& work, const SeenStreams& before);
  SeenStreams seen() const;

  /// Of the default stream's work, the number this stream has waited for already. Guarded by the
  /// device's order lock.
  std::uint64_t legacy_seen = 0;

 private:
  struct Entry {
    std::shared_ptr<const Work> work;
    /// Work that it waits for: to begin, and once it was performed, to be complete.
    std::vector<Dependency> after;
    bool performed = false;
    std::uint32_t correlation = 0;  ///< of its records for profilers
  };

  enum class Step { kDone, kLater };
  Step perform(Entry& entry);
  Step start_kernel(Entry& entry, const KernelWork& work);
  void run_task(const TaskWork& task);
  std::vector<Dependency> run_together(const KernelWork& work);
  /// The first entry was performed, and is complete when `children` are.
  void performed(std::vector<Dependency> children);
  bool is_met(std::vector<Dependency>& after);
  void complete();
  /// True when `count` is reached; else `waiting` is put in line once it is.
  bool reached_or_notify(std::uint64_t count, const std::shared_ptr<Stream>& waiting);

  friend class GridJob;
  friend class HostThread;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> queue_;
  std::uint64_t put_ = 0;
  std::atomic<std::uint64_t> done_{0};
  bool running_ = false;
  activity::Running recorded_;  ///< the work in front, while it runs
  struct Waiter {
    std::uint64_t count;
    std::shared_ptr<Stream> stream;
  };
  std::vector<Waiter> waiters_;
  SeenStreams seen_;
};

Handles<simtStream_t, Stream>& stream_handles();
void delete_stream_handle(simtStream_t handle);

/// The stream of a handle: 0 and simtStreamLegacy are the default stream of the current device,
/// simtStreamPerThread the calling thread's own; in a kernel, all three are the null stream of its
/// block. Null where it is none.
std::shared_ptr<Stream> find_stream(simtStream_t handle);

}  // namespace simtrt

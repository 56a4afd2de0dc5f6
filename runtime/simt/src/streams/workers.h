// Threads of the operating system that run all work: blocks of kernels, copies, work of libraries.
//
// One pool serves all devices. A stream that has work is queued here; a worker takes the stream and
// runs its work until the stream is empty or has to wait. Jobs of many pieces are shared: workers
// without a stream execute pieces, too. A thread that waits for a queued stream executes it in place
// of an idle worker (helping_thread.h); no more threads execute than there are workers.
//
// Ownership: Workers is one object that is never destroyed. The queues share ownership of streams
// and jobs with the callers that queued them.
// Threads: any thread may call put(), share() and count(). Several threads may call work() of one
// job at the same time, and exactly one of these calls returns true.
// Memory ordering:
// - Job::next_ is relaxed, because it only distributes the numbers of pieces. Workers receive the
//   job itself under Workers::mutex_. An outdated result of exhausted() costs one additional check.
// - Job::done_ is incremented with acquire-release ordering and read with acquire ordering: a
//   thread that sees that the last piece is complete also sees the writes of all pieces.
// - Workers::offered_ and executing_ only end the spinning of idle workers, which then acquire the
//   mutex. They change under the mutex, and a worker reads them under the mutex before it sleeps,
//   so that no wake-up is lost. Relaxed ordering would suffice.
// - Workers::is_helped_ is relaxed in effect: an outdated value delays a stream by one doze, or wakes
//   a worker in vain.
// - Workers::count_ is sequentially consistent; workers read it while other workers are being
//   started.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace simtrt {

/// Object that workers execute when it is queued: a stream.
class Runnable {
 public:
  virtual ~Runnable() = default;
  virtual void advance() = 0;
  /// Objects with higher urgency precede objects with lower urgency.
  virtual int urgency() const = 0;
};

/// Work of many pieces, shared by several workers.
class Job {
 public:
  /// Workers take `grain` pieces at a time.
  Job(std::uint64_t pieces, std::uint64_t grain, int urgency)
      : urgency(urgency), pieces_(pieces), grain_(grain) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// Executes pieces until none remains. Returns true to exactly one caller: the one that completed the last piece.
  bool work();
  bool exhausted() const { return next_.load(std::memory_order_relaxed) >= pieces_; }
  bool done() const { return done_.load(std::memory_order_acquire) >= pieces_; }

  /// Called after the last piece, by the worker that completed it.
  virtual void finish() = 0;

  const int urgency;

 protected:
  virtual void run(std::uint64_t begin, std::uint64_t end) = 0;

 private:
  const std::uint64_t pieces_;
  const std::uint64_t grain_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> done_{0};
};

class Workers {
 public:
  /// The only pool, started at the first call: SIMT_NUM_THREADS workers, or one for each processor that the process may
  /// use. Throws std::bad_alloc if the system permits no thread.
  static Workers& instance();

  unsigned count() const { return count_; }

  /// Queues a stream that has work. If not `by_worker`, the caller wakes another thread that executes the stream.
  void put(std::shared_ptr<Runnable> stream, bool by_worker = true);

  /// Lets idle workers join a job. The caller should call job->work() as well.
  void share(std::shared_ptr<Job> job);

  /// Takes a stream out of the queue: the caller executes it in place of an idle worker, and calls end_help() afterwards.
  /// Returns false if the stream is not queued (a worker has begun it), or if all workers execute.
  bool begin_help(const Runnable& stream);
  void end_help();

  /// Queued work is wanted soon, or grows: a worker executes it, even if waiting threads have executed the last streams.
  void hurry();
  /// Wakes a worker if something is queued.
  void wake();

  /// True if the calling thread belongs to the pool, or helps.
  static bool is_worker();

 private:
  Workers();
  void loop();
  bool next(std::shared_ptr<Runnable>& stream, std::shared_ptr<Job>& job);
  /// Returns true if all places were taken.
  bool end_execution();
  bool spin() const;
  void sleep(int& dozes);
  /// True if something is queued that one more thread may execute.
  bool has_task() const;

  std::atomic<unsigned> count_{0};
  std::mutex mutex_;
  std::condition_variable something_;
  std::deque<std::shared_ptr<Runnable>> streams_;
  std::vector<std::shared_ptr<Job>> jobs_;
  std::atomic<unsigned> offered_{
      0};  ///< queued streams and jobs; workers read it before they sleep
  std::atomic<unsigned> executing_{0};  ///< threads that execute a stream or a job: at most count_
  std::atomic<bool> is_helped_{false};  ///< the last stream was executed by a thread that waited for it
  unsigned asleep_ = 0;                 ///< workers that wait for a notification
  unsigned dozing_ = 0;                 ///< those of them that wake after a short time, too: at most one
};

/// Pauses briefly in a spin loop; the awaited event is usually imminent.
inline void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace simtrt

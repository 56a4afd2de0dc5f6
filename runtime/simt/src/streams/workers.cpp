#include "streams/workers.h"

#include "check/settings.h"
#include "environment.h"
#include "kernel/guarded_call.h"
#include "process/processors.h"
#include "process/runtime_thread.h"

#include <simtrt/enqueue.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>
#include <thread>

namespace simtrt {
namespace {

thread_local bool in_pool = false;

unsigned wanted_workers() {
  return static_cast<unsigned>(
      // The checkers see more of a schedule with one worker, and the same in every run.
      environment_number("SIMT_NUM_THREADS", check::active ? 1 : usable_processors(), 1, 1024));
}

}  // namespace

bool Job::work() {
  const Working working;
  for (;;) {
    stop_if_process_ends();
    const std::uint64_t begin = next_.fetch_add(grain_, std::memory_order_relaxed);
    if (begin >= pieces_) return false;
    const std::uint64_t end = std::min(begin + grain_, pieces_);
    run(begin, end);
    if (done_.fetch_add(end - begin, std::memory_order_acq_rel) + (end - begin) == pieces_)
      return true;
  }
}

Workers& Workers::instance() {
  // Never destroyed: work may still run while the process ends.
  static Workers& workers = *new Workers();
  if (workers.count() == 0) throw std::bad_alloc();
  return workers;
}

Workers::Workers() {
  const unsigned wanted = wanted_workers();
  try {
    for (; count_ < wanted; ++count_) start_thread([this] { loop(); }).detach();
  } catch (const std::system_error&) {
    // The system has refused to start more threads. The started threads refer to this object, so it
    // must not be destroyed.
    if (count_ != 0) {
      std::fprintf(stderr, "simt: the system allows %u of %u workers\n", count_.load(), wanted);
    }
  }
}

bool Workers::is_worker() { return in_pool; }

bool Workers::begin_help(const Runnable& stream) {
  const std::lock_guard lock(mutex_);
  if (executing_.load() >= count_) return false;
  const auto place = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const auto& queued) { return queued.get() == &stream; });
  if (place == streams_.end()) return false;
  streams_.erase(place);
  offered_.fetch_sub(1, std::memory_order_relaxed);
  executing_.fetch_add(1, std::memory_order_relaxed);
  is_helped_ = true;
  in_pool = true;
  return true;
}

void Workers::hurry() {
  if (is_helped_.exchange(false)) wake();
}

void Workers::wake() {
  bool wakes;
  {
    const std::lock_guard lock(mutex_);
    wakes = asleep_ != 0 && has_task();
  }
  if (wakes) something_.notify_one();
}

void Workers::end_help() {
  in_pool = false;
  // A worker that found all places taken sleeps although something is queued.
  if (end_execution() && has_task()) something_.notify_all();
}

bool Workers::end_execution() {
  const std::lock_guard lock(mutex_);
  return executing_.fetch_sub(1, std::memory_order_relaxed) == count_;
}

bool Workers::has_task() const {
  return offered_.load(std::memory_order_acquire) != 0 &&
         executing_.load(std::memory_order_acquire) < count_;
}

void Workers::put(std::shared_ptr<Runnable> stream, bool by_worker) {
  bool wakes;
  {
    const std::lock_guard lock(mutex_);
    const int urgency = stream->urgency();
    auto place = streams_.end();
    while (place != streams_.begin() && (*std::prev(place))->urgency() < urgency) --place;
    streams_.insert(place, std::move(stream));
    offered_.fetch_add(1, std::memory_order_release);
    wakes = by_worker && asleep_ != 0 && !(is_helped_ && dozing_ != 0);
  }
  if (wakes) something_.notify_one();
}

void Workers::share(std::shared_ptr<Job> job) {
  // In a session of the checkers, one worker runs a grid: findings then are the same in every run.
  if (count_ == 1 || check::active) return;
  unsigned sleepers;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    offered_.fetch_add(1, std::memory_order_release);
    sleepers = asleep_;
  }
  if (sleepers != 0) something_.notify_all();
}

// Streams come first unless a job is more urgent, because the work of a new stream may occupy all
// workers.
bool Workers::next(std::shared_ptr<Runnable>& stream, std::shared_ptr<Job>& job) {
  std::vector<std::shared_ptr<Job>> ended;  // destroyed without the lock: a job owns objects of the program
  const std::lock_guard lock(mutex_);
  if (executing_.load(std::memory_order_relaxed) >= count_) return false;
  for (auto it = jobs_.begin(); it != jobs_.end();) {
    if ((*it)->exhausted()) {
      ended.push_back(std::move(*it));
      it = jobs_.erase(it);
      offered_.fetch_sub(1, std::memory_order_relaxed);
      continue;
    }
    if (job == nullptr || (*it)->urgency > job->urgency) job = *it;
    ++it;
  }
  if (!streams_.empty() && (job == nullptr || streams_.front()->urgency() >= job->urgency)) {
    job = nullptr;
    is_helped_ = false;
    stream = std::move(streams_.front());
    streams_.pop_front();
    offered_.fetch_sub(1, std::memory_order_relaxed);
  }
  if (stream == nullptr && job == nullptr) return false;
  executing_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void Workers::loop() {
  in_pool = true;
  const RuntimeThread thread;
  bool has_executed = false;
  int dozes = 0;
  for (;;) {
    std::shared_ptr<Runnable> stream;
    std::shared_ptr<Job> job;
    if (next(stream, job)) {
      if (stream != nullptr) {
        stream->advance();
      } else if (job->work()) {
        job->finish();
      }
      end_execution();
      has_executed = true;
      dozes = 0;
      continue;
    }
    if (has_executed && spin()) continue;
    has_executed = false;
    sleep(dozes);
  }
}

bool Workers::spin() const {
  // About 40 us, in which a program that launches kernel after kernel launches the next one. A longer spin takes the
  // processor from other threads, which get it at each yield.
  constexpr int kSpins = 1500;
  constexpr int kSpinsToYield = 32;
  for (int spins = 1; spins <= kSpins; ++spins) {
    if (has_task()) return true;
    if (spins % kSpinsToYield == 0) std::this_thread::yield();
    pause_processor();
  }
  return false;
}

// If waiting threads execute the streams, the worker that each new stream would wake finds nothing to execute, at a cost
// of some microseconds for the program. One worker therefore dozes for a while: it looks for streams by itself.
void Workers::sleep(int& dozes) {
  constexpr auto kDoze = std::chrono::microseconds(200);
  constexpr int kDozes = 100;
  std::unique_lock lock(mutex_);
  if (has_task()) return;
  ++asleep_;
  if (dozes < kDozes && dozing_ == 0) {
    ++dozes;
    ++dozing_;
    something_.wait_for(lock, kDoze);
    --dozing_;
  } else {
    dozes = 0;
    something_.wait(lock);
  }
  --asleep_;
}

namespace {

class ParallelFor final : public Job {
 public:
  ParallelFor(std::size_t count, std::size_t grain,
              const std::function<void(std::size_t, std::size_t)>& body)
      : Job(count, grain, /*urgency=*/1 << 20), body_(body) {}
  void finish() override {}

  /// Exception of the first piece that failed, or null.
  std::exception_ptr thrown;

 protected:
  void run(std::uint64_t begin, std::uint64_t end) override {
    // A fault ends only this piece: the frames of other pieces and of the caller stay intact.
    std::exception_ptr failure = failure_of([&] { body_(begin, end); });
    if (failure == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (thrown == nullptr) thrown = std::move(failure);
  }

 private:
  std::mutex mutex_;
  const std::function<void(std::size_t, std::size_t)>& body_;
};

}  // namespace

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body) {
  if (count == 0) return;
  grain = std::max<std::size_t>(grain, 1);
  if (!Workers::is_worker() || count <= grain) return body(0, count);
  auto job = std::make_shared<ParallelFor>(count, grain, body);
  Workers::instance().share(job);
  job->work();
  // The loop only yields, because the pieces that other workers are executing are short: `grain` is
  // chosen accordingly.
  while (!job->done()) std::this_thread::yield();
  if (job->thrown == nullptr) return;
  try {
    std::rethrow_exception(job->thrown);
  } catch (const DeviceFault&) {
    note_fault(job->thrown);
    throw;
  }
}

}  // namespace simtrt

#include "streams/workers.h"

#include "environment.h"
#include "kernel/fault.h"

#include <simtrt/enqueue.h>

#include <algorithm>
#include <exception>
#include <thread>

namespace simtrt {
namespace {

thread_local bool in_pool = false;

unsigned processors() {
  const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : count;
}

}  // namespace

bool Job::work() {
  for (;;) {
    const std::uint64_t begin = next_.fetch_add(grain_, std::memory_order_relaxed);
    if (begin >= pieces_) return false;
    const std::uint64_t end = std::min(begin + grain_, pieces_);
    run(begin, end);
    if (done_.fetch_add(end - begin, std::memory_order_acq_rel) + (end - begin) == pieces_)
      return true;
  }
}

Workers& Workers::instance() {
  // Never destroyed: what is on streams may still run when the process ends.
  static Workers& workers = *new Workers();
  return workers;
}

Workers::Workers()
    : count_(static_cast<unsigned>(environment_number("SIMT_NUM_THREADS", processors(), 1, 1024))) {
  for (unsigned index = 0; index < count_; ++index) std::thread(&Workers::loop, this).detach();
}

bool Workers::is_worker() { return in_pool; }

void Workers::put(std::shared_ptr<Runnable> stream) {
  {
    const std::lock_guard lock(mutex_);
    const int urgency = stream->urgency();
    auto place = streams_.end();
    while (place != streams_.begin() && (*std::prev(place))->urgency() < urgency) --place;
    streams_.insert(place, std::move(stream));
    offered_.fetch_add(1, std::memory_order_release);
  }
  announce();
}

void Workers::share(std::shared_ptr<Job> job) {
  if (count_ == 1) return;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    offered_.fetch_add(1, std::memory_order_release);
  }
  announce();
}

void Workers::announce() {
  unsigned sleepers;
  {
    const std::lock_guard lock(mutex_);
    sleepers = asleep_;
  }
  if (sleepers != 0) something_.notify_all();
}

// A stream first, unless a job is more urgent: a stream that is not begun may hold work for all.
bool Workers::next(std::shared_ptr<Runnable>& stream, std::shared_ptr<Job>& job) {
  const std::lock_guard lock(mutex_);
  for (auto it = jobs_.begin(); it != jobs_.end();) {
    if ((*it)->exhausted()) {
      it = jobs_.erase(it);
      offered_.fetch_sub(1, std::memory_order_relaxed);
      continue;
    }
    if (job == nullptr || (*it)->urgency > job->urgency) job = *it;
    ++it;
  }
  if (!streams_.empty() && (job == nullptr || streams_.front()->urgency() >= job->urgency)) {
    job = nullptr;
    stream = std::move(streams_.front());
    streams_.pop_front();
    offered_.fetch_sub(1, std::memory_order_relaxed);
  }
  return stream != nullptr || job != nullptr;
}

void Workers::loop() {
  in_pool = true;
  const SignalStack signal_stack;
  constexpr int kSpins = 4000;
  for (;;) {
    std::shared_ptr<Runnable> stream;
    std::shared_ptr<Job> job;
    if (next(stream, job)) {
      if (stream != nullptr) {
        stream->advance();
      } else if (job->work()) {
        job->finish();
      }
      continue;
    }
    int spins = 0;
    while (spins < kSpins && offered_.load(std::memory_order_acquire) == 0) {
      pause_processor();
      ++spins;
    }
    if (spins < kSpins) continue;
    std::unique_lock lock(mutex_);
    ++asleep_;
    something_.wait(lock, [this] { return offered_.load(std::memory_order_relaxed) != 0; });
    --asleep_;
  }
}

namespace {

class ParallelFor final : public Job {
 public:
  ParallelFor(std::size_t count, std::size_t grain,
              const std::function<void(std::size_t, std::size_t)>& body)
      : Job(count, grain, /*urgency=*/1 << 20), body_(body) {}
  void finish() override {}

  /// What the first piece that failed has thrown, or null.
  std::exception_ptr thrown;

 protected:
  void run(std::uint64_t begin, std::uint64_t end) override {
    try {
      body_(begin, end);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (thrown == nullptr) thrown = std::current_exception();
    }
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
  // Pieces that others have taken are short by what `grain` means.
  while (!job->done()) std::this_thread::yield();
  if (job->thrown != nullptr) std::rethrow_exception(job->thrown);
}

}  // namespace simtrt

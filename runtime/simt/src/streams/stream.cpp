#include "streams/stream.h"

#include "check/events.h"
#include "kernel/block_scheduler.h"
#include "kernel/thread_order.h"
#include "kernel/grid_barrier.h"
#include "kernel/fault_signals.h"
#include "kernel/guarded_call.h"
#include "process/runtime_thread.h"
#include "streams/child_grids.h"
#include "streams/device.h"
#include "streams/host_thread.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <system_error>
#include <thread>

namespace simtrt {
namespace {

std::atomic<std::uint64_t> next_id{1};

constexpr const char* kNoResources =
    "simt: the machine has no memory or no threads left for the threads of a block\n";

/// True for work that takes less time than to wake a worker for it.
bool is_short(const Work& work) {
  const auto* task = std::get_if<TaskWork>(&work);
  return std::holds_alternative<MarkWork>(work) || (task != nullptr && task->is_short);
}

}  // namespace

/// Blocks of one launch, shared by workers.
class GridJob final : public Job {
 public:
  GridJob(const KernelWork& work, std::shared_ptr<Stream> stream, std::uint64_t blocks,
          std::uint64_t grain)
      : Job(blocks, grain, stream->urgency()), grid_(work, *stream), stream_(std::move(stream)) {}

  std::vector<Dependency> settle() { return grid_.settle(); }
  void set_check_run(std::uint32_t run) { grid_.check_run = run; }

  void finish() override {
    stream_->performed(grid_.settle());
    stream_->advance();
  }

 protected:
  void run(std::uint64_t begin, std::uint64_t end) override {
    Device::set_current(stream_->device.ordinal);  // for API calls of the kernel
    try {
      BlockScheduler& scheduler = BlockScheduler::of_thread();
      const std::uint64_t blocks = grid_.config.blocks();
      for (std::uint64_t index = begin; index < end && grid_.error() == simtSuccess; ++index)
        scheduler.run(grid_, has_block_order ? ordered_block(index, blocks) : index);
    } catch (const std::bad_alloc&) {
      grid_.fail(simtErrorLaunchOutOfResources, kNoResources);
    }
  }

 private:
  StreamGrid grid_;
  std::shared_ptr<Stream> stream_;
};

Stream::Stream(Device& device, unsigned flags, int priority, bool legacy)
    : device(device), flags(flags), priority(priority), legacy(legacy), id(next_id.fetch_add(1)) {}

std::uint64_t Stream::last() const {
  const std::lock_guard lock(mutex_);
  return put_;
}

std::uint64_t Stream::push(std::shared_ptr<const Work> work, std::vector<Dependency> after) {
  const activity::Submission submission(*work);
  bool start;
  std::uint64_t number;
  const bool by_caller = is_short(*work) && after.empty();
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(work), std::move(after), /*performed=*/false,
                      submission.correlation()});
    number = ++put_;
    if (check::active) check::submitted(*this, number);
    start = !running_;
    running_ = true;
  }
  if (!start) {
    Workers::instance().hurry();
  } else if (by_caller) {
    run_here();
  } else {
    Workers::instance().put(shared_from_this());
  }
  return number;
}

void Stream::run_here() {
  Entry* entry;
  {
    const std::lock_guard lock(mutex_);
    entry = &queue_.front();  // the reference stays valid while entries are appended
  }
  perform(*entry);  // short work is done when it returns
  complete();
  {
    const std::lock_guard lock(mutex_);
    running_ = !queue_.empty();
    if (!running_) return;
  }
  Workers::instance().put(shared_from_this());
}

void Stream::resume() {
  bool is_helped;
  {
    const std::lock_guard lock(mutex_);
    is_helped = helpers_ != 0;
    Workers::instance().put(shared_from_this(), /*by_worker=*/!is_helped);
    ++resumptions_;  // a thread that reads the new number finds the stream queued
  }
  if (is_helped) changed_.notify_all();
}

bool Stream::reached_or_notify(std::uint64_t count, const std::shared_ptr<Stream>& waiting) {
  if (reached(count)) return true;
  const std::lock_guard lock(mutex_);
  if (reached(count)) return true;
  waiters_.push_back({count, waiting});
  return false;
}

void Stream::complete() {
  // The record is written before the work is marked as complete, so that a program that waits for
  // the work finds the record.
  if (recorded_.work != nullptr) activity::end(*this, std::exchange(recorded_, {}));
  std::vector<std::shared_ptr<Stream>> released;
  // Its members are freed without the lock, and after the work counts as complete: destructors of the program may wait
  // for the stream, or for a lock of a thread that waits for the stream.
  Entry done_entry;
  {
    const std::lock_guard lock(mutex_);
    done_entry = std::move(queue_.front());
    queue_.pop_front();
    const std::uint64_t done = done_.load(std::memory_order_relaxed) + 1;
    done_.store(done, std::memory_order_release);
    auto late = std::partition(waiters_.begin(), waiters_.end(),
                               [&](const Waiter& waiter) { return waiter.count > done; });
    for (auto it = late; it != waiters_.end(); ++it) released.push_back(std::move(it->stream));
    waiters_.erase(late, waiters_.end());
    if (done >= wanted_) {
      wanted_ = std::numeric_limits<std::uint64_t>::max();  // threads that wait for later work set it again
      changed_.notify_all();
    }
  }
  for (const auto& stream : released) stream->resume();
}

void Stream::complete_later_work() {
  for (;;) {  // marks, which are often all that follows, need no worker
    complete();
    Entry* entry;
    {
      const std::lock_guard lock(mutex_);
      running_ = !queue_.empty();
      if (!running_) return;
      entry = &queue_.front();
    }
    if (!entry->after.empty() || !std::holds_alternative<MarkWork>(*entry->work)) break;
    perform(*entry);
  }
  Workers::instance().put(shared_from_this());
}

void Stream::advance() { advance_to(std::numeric_limits<std::uint64_t>::max()); }

void Stream::advance_to(std::uint64_t count) {
  const auto self = shared_from_this();  // the work may hold the last other reference
  for (;;) {
    Entry* entry;
    {
      const std::lock_guard lock(mutex_);
      if (queue_.empty()) {
        running_ = false;
        return;
      }
      entry = &queue_.front();  // the reference stays valid while entries are appended
    }
    if (reached(count)) return Workers::instance().put(self);
    if (!entry->performed) {
      if (!is_met(entry->after) || perform(*entry) == Step::kLater) return;
    }
    if (!is_met(entry->after)) return;
    complete();
  }
}

bool Stream::is_met(std::vector<Dependency>& after) {
  while (!after.empty()) {
    const Dependency& dependency = after.back();
    if (!dependency.stream->reached(dependency.count)) {
      {
        const std::lock_guard lock(mutex_);  // before another thread can resume this stream
        awaited_stream_ = dependency.stream;
        awaited_count_ = dependency.count;
      }
      if (!dependency.stream->reached_or_notify(dependency.count, shared_from_this())) return false;
    }
    after.pop_back();
  }
  return true;
}

void Stream::performed(std::vector<Dependency> children) {
  const std::lock_guard lock(mutex_);
  Entry& entry = queue_.front();
  entry.after = std::move(children);
  entry.performed = true;
}

bool Stream::is_ordered_after(const Dependency& work) const {
  if (work.stream.get() == this) return true;
  const std::lock_guard lock(mutex_);
  const auto it = seen_.find(work.stream->id);
  return it != seen_.end() && it->second >= work.count;
}

void Stream::note_wait(const Dependency& work, const SeenStreams& before) {
  if (check::active) check::stream_waits(*this, work.stream->id, work.count);
  const std::lock_guard lock(mutex_);
  const auto note = [this](std::uint64_t stream, std::uint64_t count) {
    auto& known = seen_[stream];
    known = std::max(known, count);
  };
  for (const auto& [stream, count] : before) note(stream, count);
  note(work.stream->id, work.count);
}

SeenStreams Stream::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

Stream::Step Stream::perform(Entry& entry) {
  const Work& work = *entry.work;
  recorded_ = activity::begin(work, entry.correlation);
  const simtError_t sticky = device.sticky();
  if (const auto* mark = std::get_if<MarkWork>(&work)) {
    mark->mark->when = Clock::now();
    mark->mark->reached.store(true, std::memory_order_release);
    return Step::kDone;
  }
  if (const auto* host = std::get_if<HostWork>(&work)) {
    if (sticky != simtSuccess && !host->even_after_error) return Step::kDone;
    HostThread::instance().put(shared_from_this(), [run = host->run, sticky] { run(sticky); });
    return Step::kLater;
  }
  if (std::holds_alternative<LaterWork>(work)) {
    start_later(entry.work, sticky);
    return Step::kLater;
  }
  // After a fault, no device work is executed.
  if (sticky != simtSuccess) return Step::kDone;
  if (const auto* kernel = std::get_if<KernelWork>(&work)) return start_kernel(entry, *kernel);
  const auto& task = std::get<TaskWork>(work);
  if (check::active) check::begin_task(check::begin_run(*this, done_.load() + 1, task.name, is_inside_node));
  run_task(task);
  if (check::active) check::end_task(task.name);
  return Step::kDone;
}

void Stream::start_later(const std::shared_ptr<const Work>& work, simtError_t sticky) {
  // `done` may be called before `start` returns; it removes the entry that owns the work.
  const std::shared_ptr<const Work> owned = work;
  std::get<LaterWork>(*owned).start(sticky, [self = shared_from_this()] { self->complete_later_work(); });
}

void Stream::run_task(const TaskWork& task) {
  const Working working;
  install_fault_handlers();
  const std::exception_ptr failure = failure_of(task.run);
  if (failure == nullptr) return;
  try {
    std::rethrow_exception(failure);
  } catch (const DeviceFault& fault) {
    std::fprintf(stderr, "simt: %s: %s\n", task.name, fault.what());
    device.set_sticky(fault.error);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "simt: %s: an exception was thrown: %s\n", task.name, exception.what());
    device.set_sticky(simtErrorLaunchFailure);
  } catch (...) {
    std::fprintf(stderr, "simt: %s: an exception was thrown\n", task.name);
    device.set_sticky(simtErrorLaunchFailure);
  }
}

Stream::Step Stream::start_kernel(Entry& entry, const KernelWork& work) {
  install_fault_handlers();
  if (work.cooperative) {
    entry.after = run_together(work);
    entry.performed = true;
    return Step::kDone;
  }
  // The number of pieces is large enough that the workers finish at about the same time, and small
  // enough that the overhead is low.
  Workers& workers = Workers::instance();
  const std::uint64_t blocks = work.config.blocks();
  const std::uint64_t grain =
      std::max<std::uint64_t>(1, blocks / (std::uint64_t{workers.count()} * 16));
  auto job = std::make_shared<GridJob>(work, shared_from_this(), blocks, grain);
  if (check::active) job->set_check_run(check_run(work));
  // Smallest number of CUDA threads for which it is faster to wake another worker.
  constexpr std::uint64_t kWorthSharing = 4096;
  if (blocks > 1 && blocks * work.config.threads_per_block() >= kWorthSharing) workers.share(job);
  if (!job->work()) return Step::kLater;
  entry.after = job->settle();
  entry.performed = true;
  return Step::kDone;
}

std::uint32_t Stream::check_run(const KernelWork& work) const {
  const dim3& grid = work.config.grid;
  const dim3& block = work.config.block;
  std::string name = work.kernel->site.kernel;
  if (name.front() == '(' && name.back() == ')') name = name.substr(1, name.size() - 2);
  return check::begin_run(*this, done_.load() + 1, "kernel " + name,
                          work.depth != 0 || is_inside_node, grid.x, grid.y, block.x, block.y);
}

// Runs a cooperative launch. Its blocks wait for each other, so each block needs its own thread of
// the operating system.
std::vector<Dependency> Stream::run_together(const KernelWork& work) {
  StreamGrid grid(work, *this);
  if (check::active) grid.check_run = check_run(work);
  GridBarrier barrier(work.config.blocks(), grid);
  grid.barrier = &barrier;
  std::vector<std::thread> threads;
  threads.reserve(work.config.blocks());
  try {
    for (std::uint64_t index = 0; index < work.config.blocks(); ++index) {
      threads.push_back(start_thread([&grid, index] {
        Device::set_current(grid.stream.device.ordinal);
        try {
          const RuntimeThread thread;
          const Working working;
          BlockScheduler scheduler;
          scheduler.run(grid, index);
        } catch (const std::bad_alloc&) {
          grid.fail(simtErrorLaunchOutOfResources, kNoResources);
        }
      }));
    }
  } catch (const std::system_error&) {
    grid.fail(simtErrorLaunchOutOfResources, kNoResources);
  }
  for (auto& thread : threads) thread.join();
  return grid.settle();
}

}  // namespace simtrt

#include "streams/host_thread.h"

#include "process/runtime_thread.h"
#include "process/state.h"

#include <cstdlib>
#include <thread>

namespace simtrt {
namespace {

thread_local bool on_host_thread = false;

}  // namespace

HostThread& HostThread::instance() {
  static HostThread& thread = *new HostThread();
  return thread;
}

HostThread::HostThread() { start_thread([this] { loop(); }).detach(); }

bool HostThread::is_current() { return on_host_thread; }

void HostThread::put(std::shared_ptr<Stream> stream, std::function<void()> function) {
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back({std::move(stream), std::move(function)});
  }
  something_.notify_one();
}

void HostThread::loop() {
  on_host_thread = true;
  const RuntimeThread thread;
  for (;;) {
    Call call;
    {
      std::unique_lock lock(mutex_);
      something_.wait(lock, [this] { return !calls_.empty(); });
      call = std::move(calls_.front());
      calls_.pop_front();
    }
    call.function();
    // The function has forked, and this code runs in the child. The current thread is the child's
    // only thread. Threads that exist only in the parent may hold the runtime's locks. A process
    // ends with its last thread, so the child exits here.
    if (process_is_forked()) std::exit(0);
    call.stream->complete_later_work();
  }
}

}  // namespace simtrt

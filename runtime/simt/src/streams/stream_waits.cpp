// Threads of the program that wait for a stream, and execute its work meanwhile.
#include "check/events.h"
#include "streams/helping_thread.h"
#include "streams/stream.h"

#include <algorithm>
#include <utility>

namespace simtrt {

/// Registers the calling thread as a helper of a stream during the object's lifetime.
class Stream::Helper {
 public:
  explicit Helper(Stream& stream) : stream_(stream) { change(1); }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper() {
    change(-1);
    // The stream may have been queued for this thread, without a worker being woken.
    Workers::instance().wake();
  }

 private:
  void change(int change) {
    const std::lock_guard lock(stream_.mutex_);
    stream_.helpers_ += change;
  }

  Stream& stream_;
};

void Stream::wait(std::uint64_t count) {
  wait_until_reached(count);
  if (check::active) check::host_waited(*this, count);
}

void Stream::wait_until_reached(std::uint64_t count) {
  if (reached(count)) return;
  if (HelpingThread::can_help()) return wait_and_help(count);
  while (!reached(count)) {
    Workers::instance().hurry();
    sleep(count, resumptions_.load());
  }
}

void Stream::wait_and_help(std::uint64_t count) {
  const Helper registered(*this);
  while (!reached(count)) {
    const std::uint64_t resumptions = resumptions_.load();
    if (help(count)) continue;
    Workers::instance().hurry();
    sleep(count, resumptions);
  }
}

void Stream::sleep(std::uint64_t count, std::uint64_t resumptions) {
  constexpr int kSpins = 200;
  const auto ends = [&] { return reached(count) || resumptions_.load() != resumptions; };
  for (int spin = 0; spin < kSpins; ++spin) {
    if (ends()) return;
    pause_processor();
  }
  std::unique_lock lock(mutex_);
  while (!ends()) {
    wanted_ = std::min(wanted_, count);
    changed_.wait(lock);
  }
}

std::optional<Dependency> Stream::awaited(std::uint64_t count) const {
  const std::lock_guard lock(mutex_);
  if (reached(count)) return std::nullopt;
  Dependency dependency{awaited_stream_.lock(), awaited_count_};
  if (dependency.stream == nullptr || dependency.stream->reached(dependency.count)) return std::nullopt;
  return dependency;
}

bool Stream::help(std::uint64_t count) {
  Dependency target{shared_from_this(), count};
  for (;;) {
    {
      const HelpingThread thread(target.stream);
      if (thread.helps()) {
        target.stream->advance_to(target.count);
        return true;
      }
    }
    auto awaited = target.stream->awaited(target.count);
    if (!awaited) return false;
    target = *std::move(awaited);
  }
}

}  // namespace simtrt

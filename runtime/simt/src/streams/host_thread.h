// Thread for functions of the program that a stream calls: simtLaunchHostFunc and callbacks. These
// functions may take long; therefore they do not run on the workers, which run kernels.
//
// Ownership: one object, never destroyed. It shares ownership of a stream until the function has
// returned and the stream's work is complete.
// Threads: any thread may call put() and is_current(). Functions run on one thread, one by one.
// Memory ordering: the mutex orders put() before the call; there are no atomics.
#pragma once

#include "streams/stream.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace simtrt {

class HostThread {
 public:
  static HostThread& instance();

  /// Runs `function` on the thread; after the function has returned, the first entry of the stream
  /// is complete.
  void put(std::shared_ptr<Stream> stream, std::function<void()> function);

  /// True if the calling thread is the host thread. Functions on this thread may not call the
  /// runtime.
  static bool is_current();

 private:
  HostThread();
  void loop();

  struct Call {
    std::shared_ptr<Stream> stream;
    std::function<void()> function;
  };
  std::mutex mutex_;
  std::condition_variable something_;
  std::deque<Call> calls_;
};

}  // namespace simtrt

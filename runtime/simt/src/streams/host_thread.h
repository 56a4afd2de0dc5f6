// Where functions of the program run that a stream calls: simtLaunchHostFunc and callbacks. They
// may take long, and are kept away from the workers that run kernels.
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

  /// Runs `function`, and then completes what stands first on the stream.
  void put(std::shared_ptr<Stream> stream, std::function<void()> function);

  /// Whether the calling thread is this one: functions on it may not call the runtime.
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

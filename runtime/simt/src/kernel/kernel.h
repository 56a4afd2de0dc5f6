// A launched kernel with its arguments, as streams and graphs hold it.
//
// Ownership: streams, graphs and GridRun share ownership of a Kernel. It owns the KernelCall that the
// launch handed over, and destroys it at the end.
// Threads: several workers call run_threads() at the same time, each with a ThreadCursor of its own.
// Memory ordering: the object does not change once it is made, and the mutex of the stream
// publishes it. There are no atomics.
#pragma once

#include <simtrt/kernel/launch.h>

namespace simtrt {

/// Owns what a launch handed over.
class Kernel {
 public:
  Kernel(const KernelCall& call, const LaunchSite& site) : site(site), call_(call) {}
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  void run_threads(ThreadCursor& cursor) { call_.run_threads(call_.call, cursor); }

  const LaunchSite site;

 private:
  const KernelCall call_;
};

}  // namespace simtrt

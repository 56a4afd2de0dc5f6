// A launched kernel with its arguments, as stored in streams and graphs.
//
// Ownership: streams, graphs and GridRun share ownership of a Kernel. A Kernel owns the KernelCall
// received from the launch, and destroys it at the end.
// Threads: several workers call run_threads() at the same time, each with its own ThreadCursor.
// Memory ordering: a Kernel is constant after its construction, and the mutex of the stream
// publishes it. There are no atomics.
#pragma once

#include <simtrt/kernel/launch.h>

namespace simtrt {

/// Owner of the arguments of a launch.
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

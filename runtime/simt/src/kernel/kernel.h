// A launched kernel with its arguments, as streams and graphs hold it.
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

  void run_threads(Turns& turns) { call_.run_threads(call_.call, turns); }

  const LaunchSite site;

 private:
  const KernelCall call_;
};

}  // namespace simtrt

// Names of kernels as profilers show them.
//
// Ownership, threads, memory ordering: a function without state; any thread may call it.
#pragma once

#include <simtrt/kernel/launch.h>

#include <string>

namespace simtrt::activity {

/// Name of a launch's kernel, with the template arguments of the launching function filled in:
/// "scale<T, 4>" in "void run(T*) [with T = float]" becomes "scale<float, 4>". A kernel launched by
/// its address has the name of its symbol, if the dynamic linker knows one.
std::string kernel_name(const LaunchSite& site, const void* address);

}  // namespace simtrt::activity

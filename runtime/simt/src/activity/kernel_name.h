// Names of kernels as profilers show them.
//
// Ownership, threads, memory ordering: a function without state; any thread may call it.
#pragma once

#include <simtrt/kernel/launch.h>

#include <string>

namespace simtrt::activity {

/// The kernel of a launch with the template arguments that the launching function knows:
/// "scale<T, 4>" in "void run(T*) [with T = float]" is "scale<float, 4>". A kernel that is launched
/// by its address alone has the name of its symbol, where the dynamic linker knows it.
std::string kernel_name(const LaunchSite& site, const void* address);

}  // namespace simtrt::activity

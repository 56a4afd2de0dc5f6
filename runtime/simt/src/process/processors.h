// Number of processors that this process may use at once.
//
// Ownership, threads, memory ordering: the functions have no state; any thread may call them.
#pragma once

#include <string>

namespace simtrt {

/// Processors of the process's affinity, at most as many as the quotas of its control groups come to,
/// rounded up. At least 1.
unsigned usable_processors();

/// Processors' worth of time that the control groups of the process allow, versions 1 and 2; 0 where
/// there is no quota. Files are looked up below `root`, which is empty but in tests.
double processor_quota(const std::string& root);

}  // namespace simtrt

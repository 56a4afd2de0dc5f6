// Number of processors that this process may use concurrently.
//
// Threads: any thread may call the functions, which have no state.
#pragma once

#include <string>

namespace simtrt {

/// Number of processors in the process's affinity mask, limited by the quotas of its control groups (rounded up). At
/// least 1.
unsigned usable_processors();

/// CPU quota of the process's control groups (versions 1 and 2), in processors; 0 without a quota.
/// The files of /proc and /sys are read below the folder `root`, which is empty except in tests.
double processor_quota(const std::string& root);

}  // namespace simtrt

// Number of processors that this process may use concurrently.
//
// Ownership, threads, memory ordering: the functions have no state; any thread may call them.
#pragma once

#include <string>

namespace simtrt {

/// Number of processors in the process's affinity mask, limited by the quotas of its control groups (rounded up). At
/// least 1.
unsigned usable_processors();

/// CPU quota of the process's control groups (versions 1 and 2), in processors; 0 without a quota. Files are searched
/// below `root`, which is empty except in tests.
double processor_quota(const std::string& root);

}  // namespace simtrt

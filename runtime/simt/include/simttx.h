// Marks and ranges for profilers (NVTX). They do nothing, and return the values of NVTX without a
// profiler. Source: CUDA 12.4, nvtx3/nvToolsExt.h.
#pragma once

#include <cstdint>

#define SIMTTX_VERSION 3

typedef std::uint64_t simttxRangeId_t;

inline void simttxMarkA(const char*) {}

/// Range of the calling thread, which ends at the matching simttxRangePop. Both functions return
/// the depth of the range; -2 without a profiler.
inline int simttxRangePushA(const char*) { return -2; }
inline int simttxRangePop() { return -2; }

/// Range that another thread may end.
inline simttxRangeId_t simttxRangeStartA(const char*) { return 0; }
inline void simttxRangeEnd(simttxRangeId_t) {}

#define simttxMark simttxMarkA
#define simttxRangePush simttxRangePushA
#define simttxRangeStart simttxRangeStartA

// Marks and ranges for profilers (NVTX). The functions do nothing, and return NVTX's results for
// a process without a profiler. Source: CUDA 12.4, nvtx3/nvToolsExt.h.
#pragma once

#include <cstdint>

#define SIMTTX_VERSION 3

typedef std::uint64_t simttxRangeId_t;

inline void simttxMarkA(const char*) {}

/// Begin and end a range of the calling thread. Both functions return the depth of the range, or -2
/// without a profiler.
inline int simttxRangePushA(const char*) { return -2; }
inline int simttxRangePop() { return -2; }

/// Begin and end a range that another thread may end.
inline simttxRangeId_t simttxRangeStartA(const char*) { return 0; }
inline void simttxRangeEnd(simttxRangeId_t) {}

#define simttxMark simttxMarkA
#define simttxRangePush simttxRangePushA
#define simttxRangeStart simttxRangeStartA

// Marks and ranges for profilers (NVTX). They do nothing, and answer what NVTX's own answer where
// no profiler listens. Source: CUDA 12.4, nvtx3/nvToolsExt.h.
#pragma once

#include <cstdint>

#define SIMTTX_VERSION 3

typedef std::uint64_t simttxRangeId_t;

inline void simttxMarkA(const char*) {}

/// A range of the calling thread, which ends at the matching simttxRangePop. Both give the depth
/// of the range, or -2 where no profiler counts them.
inline int simttxRangePushA(const char*) { return -2; }
inline int simttxRangePop() { return -2; }

/// A range that another thread may end.
inline simttxRangeId_t simttxRangeStartA(const char*) { return 0; }
inline void simttxRangeEnd(simttxRangeId_t) {}

#define simttxMark simttxMarkA
#define simttxRangePush simttxRangePushA
#define simttxRangeStart simttxRangeStartA

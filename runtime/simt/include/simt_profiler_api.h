// simtProfilerStart and simtProfilerStop. Both do nothing: this target's work runs on the host, and
// a program cannot switch a profiler of the host on or off. Source: CUDA 12.4, cuda_profiler_api.h.
#pragma once

#include <simtrt/api/types.h>

inline simtError_t simtProfilerStart() { return simtSuccess; }
inline simtError_t simtProfilerStop() { return simtSuccess; }

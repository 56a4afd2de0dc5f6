// simtProfilerStart and simtProfilerStop. Both do nothing: a host profiler sees all of this target
// and cannot be switched by the program. Source: CUDA 12.4, cuda_profiler_api.h.
#pragma once

#include <simtrt/api/types.h>

inline simtError_t simtProfilerStart() { return simtSuccess; }
inline simtError_t simtProfilerStop() { return simtSuccess; }

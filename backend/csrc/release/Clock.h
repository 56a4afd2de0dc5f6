#pragma once

// c10::getTime and the other clock functions moved from the profiler to c10 in 2.3.
#if __has_include(<c10/util/ApproximateClock.h>)
#include <c10/util/ApproximateClock.h>
namespace at::cuda::backend {
using c10::getTime;
}
#else
#include <torch/csrc/profiler/util.h>
namespace at::cuda::backend {
using torch::profiler::impl::getTime;
}
#endif

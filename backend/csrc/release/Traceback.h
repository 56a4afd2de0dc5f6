#pragma once

#include "../Backend.h"
#include "Version.h"

// The wheel of 2.1 lacks a header for tracebacks; with 2.1, no call stacks are recorded.
#if __has_include(<torch/csrc/profiler/unwind/unwind.h>)
#define BACKEND_HAS_TRACEBACKS 1
#include <torch/csrc/profiler/combined_traceback.h>
#else
#define BACKEND_HAS_TRACEBACKS 0
#endif

namespace at::cuda::backend::release {

// Call stack of the caller: Python frames, and C++ frames if `native`; null if recording is not
// supported.
inline Context gatherCalls([[maybe_unused]] bool native) {
#if BACKEND_HAS_TRACEBACKS
  return torch::CapturedTraceback::gather(/*python=*/true, /*script=*/true, /*cpp=*/native);
#else
  return nullptr;
#endif
}

}  // namespace at::cuda::backend::release

#pragma once

#include "../Backend.h"
#include "Version.h"

// The wheel of 2.1 lacks a header that tracebacks need: nothing records calls there.
#if __has_include(<torch/csrc/profiler/unwind/unwind.h>)
#define BACKEND_HAS_TRACEBACKS 1
#include <torch/csrc/profiler/combined_traceback.h>
#else
#define BACKEND_HAS_TRACEBACKS 0
#endif

namespace at::cuda::backend::release {

// The calls of Python, and those of C++ where `native`, that led here; null where nothing
// records them.
inline Context gatherCalls([[maybe_unused]] bool native) {
#if BACKEND_HAS_TRACEBACKS
  return torch::CapturedTraceback::gather(/*python=*/true, /*script=*/true, /*cpp=*/native);
#else
  return nullptr;
#endif
}

}  // namespace at::cuda::backend::release

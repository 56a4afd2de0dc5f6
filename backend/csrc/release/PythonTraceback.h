#pragma once

#include "Traceback.h"

#include <pybind11/pybind11.h>

#include <vector>

#if BACKEND_HAS_TRACEBACKS

// From 2.8 on, the header that declares py_symbolize includes a library whose headers no wheel
// contains.
#if BACKEND_TORCH_AT_LEAST(2, 8) && !__has_include(<nlohmann/json.hpp>)
namespace torch {
TORCH_API std::vector<pybind11::object> py_symbolize(std::vector<CapturedTraceback*>& to_symbolize);
}  // namespace torch
#else
#include <torch/csrc/profiler/python/combined_traceback.h>
#endif

namespace at::cuda::backend::release {

using Traceback = torch::CapturedTraceback;

// Call stacks as lists of frames (Python objects), one for each traceback.
inline std::vector<pybind11::object> framesOf(std::vector<Traceback*>& tracebacks) {
  return torch::py_symbolize(tracebacks);
}

}  // namespace at::cuda::backend::release

#else

namespace at::cuda::backend::release {

struct Traceback : GatheredContext {};

inline std::vector<pybind11::object> framesOf(std::vector<Traceback*>& /*tracebacks*/) {
  return {};
}

}  // namespace at::cuda::backend::release

#endif

#pragma once

#include "Traceback.h"

#include <c10/util/irange.h>
#include <pybind11/pybind11.h>

#include <unordered_map>
#include <vector>

namespace at::cuda::backend::release {

#if BACKEND_HAS_TRACEBACKS

using Traceback = torch::CapturedTraceback;

// Call stacks as lists of frames (Python objects), one for each traceback. A frame is a dictionary
// with the keys of torch.cuda.memory._snapshot(): name, filename, line.
//
// torch::py_symbolize does the same, but libtorch_python exports it from 2.4 on only.
inline std::vector<pybind11::object> framesOf(const std::vector<Traceback*>& tracebacks) {
  // Symbolization is slow, and many blocks share a traceback.
  std::vector<Traceback*> unique;
  std::unordered_map<Traceback*, size_t> indices;
  for (Traceback* const traceback : tracebacks) {
    if (indices.emplace(traceback, unique.size()).second) {
      unique.push_back(traceback);
    }
  }
  const torch::SymbolizedTracebacks symbolized = torch::symbolize(unique);
  std::vector<pybind11::dict> frames(symbolized.all_frames.size());
  for (const auto i : c10::irange(frames.size())) {
    const auto& frame = symbolized.all_frames[i];
    frames[i]["name"] = frame.funcname;
    frames[i]["filename"] = frame.filename;
    frames[i]["line"] = frame.lineno;
  }
  std::vector<pybind11::list> lists(unique.size());
  for (const auto i : c10::irange(lists.size())) {
    for (const auto frame : symbolized.tracebacks.at(i)) {
      lists[i].append(frames.at(frame));
    }
  }
  std::vector<pybind11::object> result;
  result.reserve(tracebacks.size());
  for (Traceback* const traceback : tracebacks) {
    result.push_back(lists[indices.at(traceback)]);
  }
  return result;
}

#else

struct Traceback : GatheredContext {};

inline std::vector<pybind11::object> framesOf(const std::vector<Traceback*>& /*tracebacks*/) {
  return {};
}

#endif

}  // namespace at::cuda::backend::release

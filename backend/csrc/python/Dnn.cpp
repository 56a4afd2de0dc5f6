#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/Exceptions.h>

namespace at::cuda::backend::python {
namespace {

py::dict calls() {
  py::dict kinds;
  for (const DnnCalls& entry : dnn_calls()) {
    if (!kinds.contains(entry.kind)) {
      kinds[entry.kind.c_str()] = py::dict();
    }
    kinds[entry.kind.c_str()][entry.library.c_str()] = entry.calls;
  }
  return kinds;
}

}  // namespace

void bindDnn(py::module_& module) {
  using torch::wrap_pybind_function;
  choose_attention_by_dnn_library();
  module.def("dnn_libraries", wrap_pybind_function(dnn_libraries));
  module.def("dnn_groups", wrap_pybind_function(dnn_groups), py::arg("name"));
  module.def("dnn_calls", wrap_pybind_function(calls));
  module.def("dnn_library", wrap_pybind_function(dnn_library));
  module.def("set_dnn_library", wrap_pybind_function(set_dnn_library), py::arg("name"));
}

}  // namespace at::cuda::backend::python

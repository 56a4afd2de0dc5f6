#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/Exceptions.h>

namespace at::cuda::backend::python {

void bindDnn(py::module_& module) {
  using torch::wrap_pybind_function;
  module.def("dnn_libraries", wrap_pybind_function(dnn_libraries));
  module.def("dnn_library", wrap_pybind_function(dnn_library));
  module.def("set_dnn_library", wrap_pybind_function(set_dnn_library), py::arg("name"));
}

}  // namespace at::cuda::backend::python

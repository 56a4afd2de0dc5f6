#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/Exceptions.h>

namespace at::cuda::backend::python {
namespace {

py::dict namesDict() {
  py::dict result;
  result["lower"] = names().lower;
  result["UPPER"] = names().upper;
  result["fallback_variable"] = names().fallback_variable;
  return result;
}

}  // namespace

void bindFallback(py::module_& module) {
  using torch::wrap_pybind_function;
  module.def("fallback_counts", wrap_pybind_function(fallback_counts));
  module.def("reset_fallback_counts", wrap_pybind_function(reset_fallback_counts));
  module.def("fallback_allowed", wrap_pybind_function(fallback_allowed));
  module.def("set_fallback_allowed", wrap_pybind_function(set_fallback_allowed),
             py::arg("allowed"));
  module.def("names", wrap_pybind_function(namesDict));
}

}  // namespace at::cuda::backend::python

#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/Exceptions.h>

#include <optional>

namespace at::cuda::backend::python {
namespace {

StreamFields fieldsOf(const Stream& stream) {
  const auto data = stream.pack3();
  return {data.stream_id, data.device_index, static_cast<int64_t>(data.device_type)};
}

}  // namespace

void bindStreams(py::module_& module) {
  using torch::wrap_pybind_function;
  using torch::wrap_pybind_function_no_gil;
  const auto id = py::arg("stream_id"), index = py::arg("device_index"),
             type = py::arg("device_type");

  module.def("current_stream", wrap_pybind_function([](DeviceIndex device) {
               return fieldsOf(current_stream(device));
             }),
             py::arg("index"));
  module.def("default_stream", wrap_pybind_function([](DeviceIndex device) {
               return fieldsOf(default_stream(device));
             }),
             py::arg("index"));
  module.def("set_stream", wrap_pybind_function([](int64_t i, int64_t d, int64_t t) {
               set_stream(streamOf({i, d, t}));
             }),
             id, index, type);
  module.def("stream_from_pool", wrap_pybind_function([](int priority, DeviceIndex device) {
               return fieldsOf(stream_from_pool(priority, device));
             }),
             py::arg("priority"), py::arg("index"));
  module.def("stream_from_external", wrap_pybind_function([](uintptr_t handle, DeviceIndex device) {
               return fieldsOf(stream_from_external(handle, device));
             }),
             py::arg("handle"), py::arg("index"));
  module.def("stream_handle", wrap_pybind_function([](int64_t i, int64_t d, int64_t t) {
               return stream_handle(streamOf({i, d, t}));
             }),
             id, index, type);
  module.def("stream_priority", wrap_pybind_function([](int64_t i, int64_t d, int64_t t) {
               return stream_priority(streamOf({i, d, t}));
             }),
             id, index, type);
  module.def("stream_priority_range", wrap_pybind_function(stream_priority_range));
  module.def("is_current_stream_capturing", wrap_pybind_function(is_current_stream_capturing));
  module.def("graph_pool_handle", wrap_pybind_function(graph_pool_handle));

  py::class_<Graph>(module, "Graph", py::module_local())
      .def(py::init<>())
      .def("capture_begin",
           wrap_pybind_function_no_gil(
               [](Graph& self, std::optional<MempoolId> pool, const std::string& mode) {
                 self.capture_begin(pool.value_or(MempoolId{0, 0}), mode);
               }),
           py::arg("pool") = py::none(), py::arg("capture_error_mode") = "global")
      .def("capture_end", wrap_pybind_function_no_gil(&Graph::capture_end))
      .def("replay", wrap_pybind_function_no_gil(&Graph::replay))
      .def("reset", wrap_pybind_function_no_gil(&Graph::reset))
      .def("pool", wrap_pybind_function_no_gil(&Graph::pool))
      .def("register_generator_state",
           wrap_pybind_function_no_gil(&Graph::register_generator_state), py::arg("generator"))
      .def("enable_debug_mode", wrap_pybind_function_no_gil(&Graph::enable_debug_mode))
      .def("debug_dump", wrap_pybind_function_no_gil(&Graph::debug_dump), py::arg("path"));
}

}  // namespace at::cuda::backend::python

#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/Exceptions.h>

namespace at::cuda::backend::python {
namespace {

py::tuple shareStorage(const py::object& object) {
  const Storage storage = torch::createStorage(object.ptr());
  SharedStorage shared;
  {
    const py::gil_scoped_release released;
    shared = share_storage(storage);
  }
  return py::make_tuple(shared.device, py::bytes(shared.memory), shared.bytes, shared.offset,
                        py::bytes(shared.uses), py::bytes(shared.ready));
}

py::object openSharedStorage(DeviceIndex device, const std::string& memory, size_t bytes,
                             size_t offset, const std::string& uses, const std::string& ready) {
  Storage storage;
  {
    const py::gil_scoped_release released;
    storage = open_shared_storage({device, memory, bytes, offset, uses, ready});
  }
  return py::reinterpret_steal<py::object>(torch::createPyObject(storage));
}

}  // namespace

void bindSharing(py::module_& module) {
  using torch::wrap_pybind_function;
  using torch::wrap_pybind_function_no_gil;
  const auto id = py::arg("stream_id"), index = py::arg("device_index"),
             type = py::arg("device_type");

  module.def("share_storage", wrap_pybind_function(shareStorage), py::arg("storage"));
  module.def("open_shared_storage", wrap_pybind_function(openSharedStorage), py::arg("index"),
             py::arg("memory"), py::arg("size"), py::arg("offset"), py::arg("uses"),
             py::arg("ready"));
  module.def("release_shared_storage", wrap_pybind_function(release_shared_storage),
             py::arg("uses"));
  module.def("collect_shared_storages", wrap_pybind_function_no_gil(collect_shared_storages));

  py::class_<InterprocessEvent>(module, "InterprocessEvent", py::module_local())
      .def(py::init<bool>(), py::arg("blocking"))
      .def(py::init<DeviceIndex, const std::string&>(), py::arg("index"), py::arg("handle"))
      .def("record",
           wrap_pybind_function([](InterprocessEvent& self, int64_t i, int64_t d, int64_t t) {
             self.record(streamOf({i, d, t}));
           }),
           id, index, type)
      .def("block",
           wrap_pybind_function([](InterprocessEvent& self, int64_t i, int64_t d, int64_t t) {
             self.block(streamOf({i, d, t}));
           }),
           id, index, type)
      .def("query", wrap_pybind_function([](const InterprocessEvent& self) { return self.query(); }))
      .def("synchronize", wrap_pybind_function_no_gil(&InterprocessEvent::synchronize))
      .def("handle", wrap_pybind_function(
                         [](InterprocessEvent& self) { return py::bytes(self.handle()); }))
      .def("event_handle", wrap_pybind_function(&InterprocessEvent::event_handle));
}

}  // namespace at::cuda::backend::python

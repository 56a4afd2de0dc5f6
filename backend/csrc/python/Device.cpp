#include "Bindings.h"

#include "../Backend.h"
#include "../release/LazyInit.h"

#include <ATen/cuda/Sleep.h>
#include <torch/csrc/Exceptions.h>

#include <pthread.h>

#include <mutex>
#include <sstream>

namespace at::cuda::backend::python {
namespace {

bool in_bad_fork = false;  // true in a child process forked after the device was used

void afterFork() {
  in_bad_fork = true;
  release::requireInit();
}

// Registers a fork handler: a child process cannot use the device, because threads and state of the
// runtime stay with the parent.
void guardForks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, afterFork); });
}

void initDevice() {
  TORCH_CHECK(!in_bad_fork, "Cannot re-initialize ", names().upper,
              " in forked subprocess. To use it with multiprocessing, you must use the 'spawn' "
              "start method");
  guardForks();
  init();
}

DeviceIndex countDevices() {
  guardForks();
  return device_count();
}

std::string describe(const DeviceProperties& known) {
  constexpr size_t mega = 1024 * 1024;
  std::ostringstream out;
  out << "DeviceProperties(name='" << known.name << "', major=" << known.major
      << ", minor=" << known.minor << ", total_memory=" << known.total_memory / mega
      << "MB, multi_processor_count=" << known.multi_processor_count
      << ", warp_size=" << known.warp_size << ", uuid=" << known.uuid.text()
      << ", L2_cache_size=" << static_cast<size_t>(known.L2_cache_size) / mega << "MB)";
  return out.str();
}

}  // namespace

void bindDevice(py::module_& module) {
  using torch::wrap_pybind_function;
  using torch::wrap_pybind_function_no_gil;

  py::class_<DeviceUuid>(module, "DeviceUuid", py::module_local())
      .def_readonly("bytes", &DeviceUuid::bytes)
      .def("__str__", &DeviceUuid::text);
  py::class_<DeviceProperties>(module, "DeviceProperties", py::module_local())
      .def_readonly("name", &DeviceProperties::name)
      .def_readonly("major", &DeviceProperties::major)
      .def_readonly("minor", &DeviceProperties::minor)
      .def_readonly("total_memory", &DeviceProperties::total_memory)
      .def_readonly("multi_processor_count", &DeviceProperties::multi_processor_count)
      .def_readonly("warp_size", &DeviceProperties::warp_size)
      .def_readonly("max_threads_per_multi_processor",
                    &DeviceProperties::max_threads_per_multi_processor)
      .def_readonly("max_threads_per_block", &DeviceProperties::max_threads_per_block)
      .def_readonly("shared_memory_per_block", &DeviceProperties::shared_memory_per_block)
      .def_readonly("regs_per_multiprocessor", &DeviceProperties::regs_per_multiprocessor)
      .def_readonly("L2_cache_size", &DeviceProperties::L2_cache_size)
      .def_readonly("is_integrated", &DeviceProperties::is_integrated)
      .def_readonly("is_multi_gpu_board", &DeviceProperties::is_multi_gpu_board)
      .def_readonly("uuid", &DeviceProperties::uuid)
      .def("__repr__", &describe);

  module.def("init", wrap_pybind_function_no_gil(initDevice));
  module.def("is_in_bad_fork", [] { return in_bad_fork; });
  module.def("device_count", wrap_pybind_function(countDevices));
  module.def("current_device", wrap_pybind_function(current_device));
  module.def("set_device", wrap_pybind_function(set_device), py::arg("index"));
  module.def("exchange_device", wrap_pybind_function(exchange_device), py::arg("index"));
  module.def("maybe_exchange_device", wrap_pybind_function(maybe_exchange_device),
             py::arg("index"));
  module.def("prepare_profiler", wrap_pybind_function(prepare_profiler), py::arg("host_only"));
  module.def("synchronize", wrap_pybind_function_no_gil(synchronize));
  module.def("sleep", wrap_pybind_function_no_gil(at::cuda::sleep), py::arg("cycles"));
  module.def("has_primary_context", wrap_pybind_function(has_primary_context), py::arg("index"));
  module.def("can_device_access_peer", wrap_pybind_function(can_device_access_peer),
             py::arg("index"), py::arg("peer"));
  module.def("get_device_properties", wrap_pybind_function(get_device_properties),
             py::arg("index"));
  module.def("mem_get_info", wrap_pybind_function(mem_get_info), py::arg("index"));
  module.def("runtime_version", wrap_pybind_function(runtime_version));
  module.def("driver_version", wrap_pybind_function(driver_version));
  module.def("get_sync_debug_mode", wrap_pybind_function(get_sync_debug_mode));
  module.def("set_sync_debug_mode", wrap_pybind_function(set_sync_debug_mode), py::arg("mode"));
}

}  // namespace at::cuda::backend::python

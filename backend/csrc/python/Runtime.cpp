#include "Bindings.h"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <torch/csrc/Exceptions.h>

// Calls of the vendor's runtime for programs that call the runtime themselves. A call returns its
// status, 0 for success, and an error does not stay for the next call.
namespace at::cuda::backend::python {
namespace {

int statusOf(cudaError_t error) {
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
  }
  return static_cast<int>(error);
}

std::string errorString(int error) {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}

int startProfiler() { return statusOf(cudaProfilerStart()); }

int stopProfiler() { return statusOf(cudaProfilerStop()); }

int registerHost(uintptr_t address, size_t bytes, unsigned flags) {
  return statusOf(cudaHostRegister(reinterpret_cast<void*>(address), bytes, flags));
}

int unregisterHost(uintptr_t address) {
  return statusOf(cudaHostUnregister(reinterpret_cast<void*>(address)));
}

int createStream(uintptr_t handle) {
  return statusOf(cudaStreamCreate(reinterpret_cast<cudaStream_t*>(handle)));
}

int destroyStream(uintptr_t stream) {
  return statusOf(cudaStreamDestroy(reinterpret_cast<cudaStream_t>(stream)));
}

}  // namespace

void bindRuntime(py::module_& module) {
  using torch::wrap_pybind_function;
  using torch::wrap_pybind_function_no_gil;
  module.def("error_string", wrap_pybind_function(errorString), py::arg("error"));
  module.def("start_profiler", wrap_pybind_function_no_gil(startProfiler));
  module.def("stop_profiler", wrap_pybind_function_no_gil(stopProfiler));
  module.def("register_host", wrap_pybind_function_no_gil(registerHost), py::arg("address"),
             py::arg("bytes"), py::arg("flags"));
  module.def("unregister_host", wrap_pybind_function_no_gil(unregisterHost), py::arg("address"));
  module.def("create_stream", wrap_pybind_function_no_gil(createStream), py::arg("handle"));
  module.def("destroy_stream", wrap_pybind_function_no_gil(destroyStream), py::arg("stream"));
}

}  // namespace at::cuda::backend::python

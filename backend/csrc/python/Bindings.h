#pragma once

#include <c10/core/Stream.h>
#include <torch/csrc/utils/pybind.h>

#include <tuple>

// Parts of the Python module; each file binds one part.
namespace at::cuda::backend::python {

/// Makes a thread wait if it returns to Python while the interpreter shuts down. Otherwise the C++
/// runtime would terminate the process.
void keepThreadsAtFinalization();

/// Fields of torch.Stream: stream_id, device_index, device_type.
using StreamFields = std::tuple<int64_t, int64_t, int64_t>;

inline Stream streamOf(const StreamFields& fields) {
  const auto [id, index, type] = fields;
  return Stream::unpack3(id, static_cast<DeviceIndex>(index), static_cast<DeviceType>(type));
}

void bindDevice(py::module_& module);
void bindMemory(py::module_& module);
void bindMemorySnapshot(py::module_& module);
void bindRuntime(py::module_& module);
void bindStreams(py::module_& module);
void bindSharing(py::module_& module);
void bindRandom(py::module_& module);
void bindFallback(py::module_& module);
void bindDnn(py::module_& module);
void bindDeviceName(py::module_& module);
void bindOperators(py::module_& module);
/// Only in builds with a library of collectives (`backend/with/nccl`).
void bindDistributed(py::module_& module);
void bindNccl(py::module_& module);

}  // namespace at::cuda::backend::python

#pragma once

#include <torch/csrc/utils/pybind.h>

// The parts of the module, one file each.
namespace at::cuda::backend::python {

void bindDevice(py::module_& module);
void bindMemory(py::module_& module);
void bindMemorySnapshot(py::module_& module);
void bindStreams(py::module_& module);
void bindRandom(py::module_& module);
void bindFallback(py::module_& module);

}  // namespace at::cuda::backend::python

#pragma once

#include <torch/csrc/utils/pybind.h>

// The parts of the module, one file each.
namespace at::cuda::backend::python {

/// Let threads that return to Python during its finalization wait, where the C++ runtime would end the process.
void keepThreadsAtFinalization();

void bindDevice(py::module_& module);
void bindMemory(py::module_& module);
void bindMemorySnapshot(py::module_& module);
void bindStreams(py::module_& module);
void bindRandom(py::module_& module);
void bindFallback(py::module_& module);

}  // namespace at::cuda::backend::python

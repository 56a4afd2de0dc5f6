#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/Generator.h>

#include <mutex>

namespace at::cuda::backend::python {
namespace {

py::tuple defaultGenerators() {
  py::tuple result(device_count());
  for (const auto i : c10::irange(device_count())) {
    result[i] =
        py::reinterpret_steal<py::object>(THPGenerator_initDefaultGenerator(default_generator(i)));
  }
  return result;
}

void manualSeed(uint64_t seed, DeviceIndex index) {
  Generator generator = default_generator(index);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(seed);
}

void manualSeedAll(uint64_t seed) {
  for (const auto i : c10::irange(device_count())) {
    manualSeed(seed, i);
  }
}

}  // namespace

void bindRandom(py::module_& module) {
  using torch::wrap_pybind_function;
  module.def("default_generators", wrap_pybind_function(defaultGenerators));
  module.def("manual_seed", wrap_pybind_function(manualSeed), py::arg("seed"), py::arg("index"));
  module.def("manual_seed_all", wrap_pybind_function(manualSeedAll), py::arg("seed"));
}

}  // namespace at::cuda::backend::python

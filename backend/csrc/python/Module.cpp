// The module `_C`: README.md of this folder lists what it holds.

#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/Exceptions.h>

namespace {

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "_C",
                          "What the package asks of its libraries.",
                          -1,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

extern "C" BACKEND_API PyObject* torch_backend_init_module() {
  HANDLE_TH_ERRORS
  PyObject* const created = PyModule_Create(&definition);
  if (created == nullptr) {
    throw python_error();
  }
  auto module = py::reinterpret_steal<py::module_>(created);
  using namespace at::cuda::backend::python;
  bindDevice(module);
  bindMemory(module);
  bindStreams(module);
  bindRandom(module);
  bindFallback(module);
  return module.release().ptr();
  END_HANDLE_TH_ERRORS
}

// Python module `_C`. README.md of this folder documents its contents.

#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/Exceptions.h>

extern "C" BACKEND_API PyObject* torch_backend_init_module() {
  HANDLE_TH_ERRORS
  static PyModuleDef definition;
  auto module = py::module_::create_extension_module(
      "_C", "What the package asks of its libraries.", &definition);
  using namespace at::cuda::backend::python;
  keepThreadsAtFinalization();
  bindDevice(module);
  bindMemory(module);
  bindMemorySnapshot(module);
  bindRuntime(module);
  bindStreams(module);
  bindSharing(module);
  bindRandom(module);
  bindFallback(module);
  bindDnn(module);
  bindDeviceName(module);
  bindOperators(module);
#ifdef USE_C10D_NCCL
  bindDistributed(module);
#endif
  return module.ptr();
  END_HANDLE_TH_ERRORS
}

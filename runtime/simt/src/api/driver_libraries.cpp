// Libraries of the driver API. A library is a module, and its kernels are functions: a device has one context, which is always there.
#include <simt_driver.h>

#include <cstddef>

namespace {

simtDrvModule module_of(simtDrvLibrary library) { return reinterpret_cast<simtDrvModule>(library); }

// Calls `load`, which stores a module, and gives the module to `*library`.
template <class Load>
simtDrvResult store(simtDrvLibrary* library, Load load) {
  if (library == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  simtDrvModule module = nullptr;
  const simtDrvResult error = load(&module);
  if (error == SIMT_DRV_SUCCESS) *library = reinterpret_cast<simtDrvLibrary>(module);
  return error;
}

}  // namespace

simtDrvResult simtDrvLibraryLoadData(simtDrvLibrary* library, const void* code, simtDrvJit_option* jit_options,
                                     void** jit_values, unsigned jit_count, simtDrvLibraryOption*, void**, unsigned) {
  return store(library, [&](simtDrvModule* module) {
    return simtDrvModuleLoadDataEx(module, code, jit_count, jit_options, jit_values);
  });
}
simtDrvResult simtDrvLibraryLoadFromFile(simtDrvLibrary* library, const char* path, simtDrvJit_option*, void**,
                                         unsigned, simtDrvLibraryOption*, void**, unsigned) {
  return store(library, [&](simtDrvModule* module) { return simtDrvModuleLoad(module, path); });
}
simtDrvResult simtDrvLibraryUnload(simtDrvLibrary library) { return simtDrvModuleUnload(module_of(library)); }
simtDrvResult simtDrvLibraryGetKernel(simtDrvKernel* kernel, simtDrvLibrary library, const char* name) {
  if (kernel == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  simtDrvFunction function = nullptr;
  const simtDrvResult error = simtDrvModuleGetFunction(&function, module_of(library), name);
  if (error == SIMT_DRV_SUCCESS) *kernel = reinterpret_cast<simtDrvKernel>(function);
  return error;
}
simtDrvResult simtDrvLibraryGetModule(simtDrvModule* module, simtDrvLibrary library) {
  if (module == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (library == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  *module = module_of(library);
  return SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvLibraryGetGlobal(simtDrvDeviceptr* pointer, std::size_t* bytes, simtDrvLibrary library,
                                      const char* name) {
  return simtDrvModuleGetGlobal(pointer, bytes, module_of(library), name);
}
simtDrvResult simtDrvKernelGetFunction(simtDrvFunction* function, simtDrvKernel kernel) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (kernel == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  *function = reinterpret_cast<simtDrvFunction>(kernel);
  return SIMT_DRV_SUCCESS;
}

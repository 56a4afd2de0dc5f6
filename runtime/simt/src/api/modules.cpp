// Modules of the driver API: shared libraries that simtrtc has compiled.
#include "api/last_error.h"
#include "handles.h"
#include "rtc/compile.h"

#include <simt.h>

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <memory>

// A function is the address of its kernel.
struct SIMTmodule_st {
  void* library = nullptr;
  ~SIMTmodule_st() { dlclose(library); }
};

namespace {

using namespace simtrt;

Handles<simtDrvModule, SIMTmodule_st>& modules() {
  static auto& handles = *new Handles<simtDrvModule, SIMTmodule_st>();
  return handles;
}

// Address of a symbol. A lowered name denotes a variable with the address.
void* find(const SIMTmodule_st& module, const char* name) {
  void* found = dlsym(module.library, name);
  return found != nullptr && std::strncmp(name, "simt_rtc_", 9) == 0 ? *static_cast<void**>(found)
                                                                    : found;
}

}  // namespace

simtDrvResult simtDrvModuleLoadData(simtDrvModule* module, const void* image) {
  if (module == nullptr || image == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  const std::string path = rtc::library_of(image);
  if (path.empty()) return SIMT_DRV_ERROR_INVALID_IMAGE;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return SIMT_DRV_ERROR_SHARED_OBJECT_INIT_FAILED;
  auto made = std::make_shared<SIMTmodule_st>();
  made->library = library;
  *module = made.get();
  modules().add(*module, std::move(made));
  return SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvModuleLoadDataEx(simtDrvModule* module, const void* image, unsigned,
                                      simtDrvJit_option*, void**) {
  return simtDrvModuleLoadData(module, image);
}
simtDrvResult simtDrvModuleUnload(simtDrvModule handle) {
  // Work that is running may use the library; it is unloaded when the process ends.
  const auto module = modules().find(handle);
  return module == nullptr ? SIMT_DRV_ERROR_INVALID_HANDLE : SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvModuleGetFunction(simtDrvFunction* function, simtDrvModule handle,
                                       const char* name) {
  const auto module = modules().find(handle);
  if (function == nullptr || name == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (module == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  *function = reinterpret_cast<simtDrvFunction>(find(*module, name));
  return *function == nullptr ? SIMT_DRV_ERROR_NOT_FOUND : SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvModuleGetGlobal(simtDrvDeviceptr* pointer, std::size_t* bytes,
                                     simtDrvModule handle, const char* name) {
  const auto module = modules().find(handle);
  if (name == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (module == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  void* found = find(*module, name);
  if (found == nullptr) return SIMT_DRV_ERROR_NOT_FOUND;
  Dl_info place;
  void* symbol = nullptr;
  if (dladdr1(found, &place, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr)
    return SIMT_DRV_ERROR_NOT_FOUND;
  if (pointer != nullptr) *pointer = reinterpret_cast<std::uintptr_t>(found);
  const std::size_t size = static_cast<const ElfW(Sym)*>(symbol)->st_size;
  // Copies between the host and the device accept the address.
  register_symbol(found, size);
  if (bytes != nullptr) *bytes = size;
  return SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvLaunchKernel(simtDrvFunction function, unsigned grid_x, unsigned grid_y,
                                  unsigned grid_z, unsigned block_x, unsigned block_y,
                                  unsigned block_z, unsigned shared_bytes, simtDrvStream stream,
                                  void** arguments, void** extra) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  if (extra != nullptr) return SIMT_DRV_ERROR_NOT_SUPPORTED;
  const simtrt::KeptLastError kept;
  const simtError_t error = simtLaunchKernel(
      reinterpret_cast<const void*>(function), dim3(grid_x, grid_y, grid_z),
      dim3(block_x, block_y, block_z), arguments, shared_bytes, stream);
  // The driver API has no error of its own for configurations.
  return error == simtErrorInvalidConfiguration ? SIMT_DRV_ERROR_INVALID_VALUE
                                                : static_cast<simtDrvResult>(error);
}

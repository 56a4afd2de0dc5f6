// Modules of the driver API: shared libraries that simtcc has written or simtrtc has compiled.
#include "api/last_error.h"
#include "handles.h"
#include "rtc/compile.h"
#include "streams/graph.h"

#include <simt_driver.h>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// A function is the address of its kernel.
struct SIMTmodule_st {
  void* library = nullptr;
  int file = -1;  ///< memory file of the library; open, because its number is part of the library's name
  ~SIMTmodule_st() {
    if (library != nullptr) dlclose(library);
    if (file >= 0) close(file);
  }
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

// Size of the shared library that begins at an address, by its ELF header; 0 for other data. The
// section headers are the last part of a file.
std::size_t library_size(const void* image) {
  if (std::strncmp(static_cast<const char*>(image), ELFMAG, SELFMAG) != 0) return 0;
  ElfW(Ehdr) header;
  std::memcpy(&header, image, sizeof header);
  return header.e_type == ET_DYN ? header.e_shoff + std::size_t{header.e_shentsize} * header.e_shnum
                                 : 0;
}

// Opens a copy of the library, so that each module has its own variables.
bool open_copy(const void* image, std::size_t size, SIMTmodule_st* module) {
  module->file = memfd_create("simt-module", MFD_CLOEXEC);
  const char* from = static_cast<const char*>(image);
  while (module->file >= 0 && size > 0) {
    const ssize_t written = write(module->file, from, size);
    if (written < 0) return false;
    from += written;
    size -= static_cast<std::size_t>(written);
  }
  const std::string path = "/proc/self/fd/" + std::to_string(module->file);
  module->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  return module->library != nullptr;
}

// Addresses of the arguments that `extra` passes in one buffer; none if the buffer does not fit the
// kernel's parameters. An argument lies at a multiple of its alignment, which is known only for
// sizes of scalars and of vector types.
std::optional<std::vector<void*>> unpacked(const void* kernel, void** extra) {
  char* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != SIMT_DRV_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == SIMT_DRV_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<char*>(extra[1]);
    else if (*extra == SIMT_DRV_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<std::size_t*>(extra[1]);
    else return std::nullopt;
  }
  const std::size_t* sizes = argument_sizes(kernel);
  if (sizes == nullptr || buffer == nullptr) return std::nullopt;
  std::vector<void*> found;
  std::size_t end = 0;
  for (; *sizes != 0; ++sizes) {
    if (*sizes > 16 || (*sizes & (*sizes - 1)) != 0) return std::nullopt;
    end = (end + *sizes - 1) / *sizes * *sizes;
    found.push_back(buffer + end);
    end += *sizes;
  }
  return end == bytes ? std::optional(std::move(found)) : std::nullopt;
}

// Error of the driver API for a launch; the driver API has no error of its own for configurations.
simtDrvResult result_of(simtError_t error) {
  return error == simtErrorInvalidConfiguration ? SIMT_DRV_ERROR_INVALID_VALUE
                                                : static_cast<simtDrvResult>(error);
}

}  // namespace

simtDrvResult simtDrvModuleLoad(simtDrvModule* module, const char* path) {
  if (module == nullptr || path == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  std::ifstream file(path, std::ios::binary);
  if (!file) return SIMT_DRV_ERROR_FILE_NOT_FOUND;
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  if (library_size(content.c_str()) > content.size()) return SIMT_DRV_ERROR_INVALID_IMAGE;
  return simtDrvModuleLoadData(module, content.c_str());
}
simtDrvResult simtDrvModuleLoadData(simtDrvModule* module, const void* image) {
  if (module == nullptr || image == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  auto made = std::make_shared<SIMTmodule_st>();
  if (const std::size_t size = library_size(image)) {
    if (!open_copy(image, size, made.get())) return SIMT_DRV_ERROR_SHARED_OBJECT_INIT_FAILED;
  } else {
    const std::string path = rtc::library_of(image);
    if (path.empty()) return SIMT_DRV_ERROR_INVALID_IMAGE;
    made->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (made->library == nullptr) return SIMT_DRV_ERROR_SHARED_OBJECT_INIT_FAILED;
  }
  *module = made.get();
  modules().add(*module, std::move(made));
  return SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvModuleLoadDataEx(simtDrvModule* module, const void* image, unsigned,
                                      simtDrvJit_option*, void**) {
  return simtDrvModuleLoadData(module, image);
}
simtDrvResult simtDrvModuleLoadFatBinary(simtDrvModule* module, const void* image) {
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
  const void* kernel = reinterpret_cast<const void*>(function);
  std::optional<std::vector<void*>> from_buffer;
  if (extra != nullptr) {
    from_buffer = unpacked(kernel, extra);
    if (!from_buffer || arguments != nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
    arguments = from_buffer->data();
  }
  const simtrt::KeptLastError kept;
  return result_of(simtLaunchKernel(kernel, dim3(grid_x, grid_y, grid_z),
                                    dim3(block_x, block_y, block_z), arguments, shared_bytes,
                                    stream));
}
simtDrvResult simtDrvLaunchCooperativeKernel(simtDrvFunction function, unsigned grid_x,
                                             unsigned grid_y, unsigned grid_z, unsigned block_x,
                                             unsigned block_y, unsigned block_z,
                                             unsigned shared_bytes, simtDrvStream stream,
                                             void** arguments) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  const simtrt::KeptLastError kept;
  return result_of(simtLaunchCooperativeKernel(
      reinterpret_cast<const void*>(function), dim3(grid_x, grid_y, grid_z),
      dim3(block_x, block_y, block_z), arguments, shared_bytes, stream));
}
simtDrvResult simtDrvFuncGetAttribute(int* value, simtDrvFunction_attribute attribute,
                                      simtDrvFunction function) {
  if (value == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  const simtrt::KeptLastError kept;
  simtFuncAttributes all;
  if (const simtError_t error = simtFuncGetAttributes(&all, reinterpret_cast<const void*>(function)))
    return static_cast<simtDrvResult>(error);
  switch (attribute) {
    case SIMT_DRV_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = all.maxThreadsPerBlock; break;
    case SIMT_DRV_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      break;
    case SIMT_DRV_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(all.constSizeBytes);
      break;
    case SIMT_DRV_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(all.localSizeBytes);
      break;
    case SIMT_DRV_FUNC_ATTRIBUTE_NUM_REGS: *value = all.numRegs; break;
    case SIMT_DRV_FUNC_ATTRIBUTE_PTX_VERSION: *value = all.ptxVersion; break;
    case SIMT_DRV_FUNC_ATTRIBUTE_BINARY_VERSION: *value = all.binaryVersion; break;
    case SIMT_DRV_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = all.cacheModeCA; break;
    case SIMT_DRV_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      break;
    case SIMT_DRV_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = all.preferredShmemCarveout;
      break;
    default: return SIMT_DRV_ERROR_INVALID_VALUE;
  }
  return SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvFuncSetAttribute(simtDrvFunction function, simtDrvFunction_attribute attribute,
                                      int value) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  const simtrt::KeptLastError kept;
  return static_cast<simtDrvResult>(
      simtFuncSetAttribute(reinterpret_cast<const void*>(function),
                           static_cast<simtFuncAttribute>(attribute), value));
}
simtDrvResult simtDrvFuncSetCacheConfig(simtDrvFunction function, simtDrvFunc_cache config) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  const simtrt::KeptLastError kept;
  return static_cast<simtDrvResult>(simtFuncSetCacheConfig(
      reinterpret_cast<const void*>(function), static_cast<simtFuncCache>(config)));
}
simtDrvResult simtDrvOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                               simtDrvFunction function,
                                                               int block_size,
                                                               std::size_t shared_bytes) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  const simtrt::KeptLastError kept;
  return static_cast<simtDrvResult>(simtOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(function), block_size, shared_bytes));
}

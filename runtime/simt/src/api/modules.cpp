// Modules of the driver API: shared libraries that simtcc has written or simtrtc has compiled.
#include "api/jit_options.h"
#include "api/module_text.h"
#include "handles.h"
#include "rtc/compile.h"

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
#include <string>

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

}  // namespace

bool simtrt::is_module_image(const void* image, std::size_t bytes) {
  if (bytes < sizeof(ElfW(Ehdr))) return false;
  if (const std::size_t size = library_size(image)) return size <= bytes;
  const std::string text(static_cast<const char*>(image), bytes);
  return std::strncmp(text.c_str(), kTextOfLibrary, std::strlen(kTextOfLibrary)) == 0 ||
         !rtc::library_of(text.c_str()).empty();
}

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
  } else if (const std::string library = decoded_library(image); !library.empty()) {
    if (library_size(library.c_str()) != library.size()) return SIMT_DRV_ERROR_INVALID_IMAGE;
    if (!open_copy(library.c_str(), library.size(), made.get()))
      return SIMT_DRV_ERROR_SHARED_OBJECT_INIT_FAILED;
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
simtDrvResult simtDrvModuleLoadDataEx(simtDrvModule* module, const void* image, unsigned count,
                                      simtDrvJit_option* options, void** values) {
  if (!answer_options(count, options, values)) return SIMT_DRV_ERROR_INVALID_VALUE;
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

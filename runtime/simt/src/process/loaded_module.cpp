#include "process/loaded_module.h"

#include <dlfcn.h>
#include <unistd.h>

namespace simtrt {

std::string LoadedModule::path() const {
  if (map->l_name[0] == '/') return map->l_name;
  // The name of the program itself may be empty, or relative to a folder that is no longer the current one.
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : map->l_name;
}

LoadedModule module_at(const void* address) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
  dl_find_object found{};
  if (_dl_find_object(const_cast<void*>(address), &found) != 0) return {};
  return {found.dlfo_map_start, found.dlfo_link_map};
#else
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return {};
  return {info.dli_fbase, map};
#endif
}

}  // namespace simtrt

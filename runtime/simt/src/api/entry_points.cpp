// simtGetDriverEntryPoint and simtDrvGetProcAddress.
#include "api/call.h"
#include "api/driver_result.h"
#include "process/loaded_module.h"

#include <simt_driver.h>

#include <cctype>
#include <cstring>
#include <dlfcn.h>
#include <string>

using namespace simtrt;

namespace {

// Function of this library for a name of CUDA: "cuMemAlloc" is simtDrvMemAlloc. Null for other names.
void* find_function(const char* name) {
  if (std::strncmp(name, "cu", 2) != 0 || !std::isupper(static_cast<unsigned char>(name[2])))
    return nullptr;
  static void* const library =
      dlopen(module_at(reinterpret_cast<const void*>(&find_function)).path().c_str(), RTLD_LAZY | RTLD_NOLOAD);
  return library == nullptr ? nullptr : dlsym(library, (std::string("simtDrv") + (name + 2)).c_str());
}

simtError_t get(const char* name, void** function, unsigned long long flags,
                simtDriverEntryPointQueryResult* result) {
  if (name == nullptr || function == nullptr || flags > simtEnablePerThreadDefaultStream)
    return simtErrorInvalidValue;
  if (flags == simtEnablePerThreadDefaultStream) return simtErrorNotSupported;
  *function = find_function(name);
  if (result != nullptr)
    *result = *function == nullptr ? simtDriverEntryPointSymbolNotFound : simtDriverEntryPointSuccess;
  return simtSuccess;
}

}  // namespace

simtError_t simtGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    simtDriverEntryPointQueryResult* result) {
  return call_in_any_state([&] { return get(name, function, flags, result); });
}

simtError_t simtGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                             unsigned long long flags,
                                             simtDriverEntryPointQueryResult* result) {
  return simtGetDriverEntryPoint(name, function, flags, result);
}

simtDrvResult simtDrvGetProcAddress(const char* name, void** function, int, unsigned long long flags,
                                    simtDrvDriverProcAddressQueryResult* result) {
  simtDriverEntryPointQueryResult found = simtDriverEntryPointSuccess;
  const simtDrvResult error = driver_result(get(name, function, flags, &found));
  if (error == SIMT_DRV_SUCCESS && result != nullptr)
    *result = static_cast<simtDrvDriverProcAddressQueryResult>(found);
  return error;
}

// The linker of the driver API, for one image.
#include "api/jit_options.h"
#include "handles.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

struct SIMTlinkState_st {
  std::string image;
};

namespace simtrt {

bool answer_options(unsigned count, const simtDrvJit_option* options, void** values) {
  if (count != 0 && (options == nullptr || values == nullptr)) return false;
  // CUDA Driver API, CUjit_option: a buffer's size is read, and then replaced by the bytes of the log.
  for (unsigned i = 0; i < count; ++i) {
    const int size_option = options[i] == SIMT_DRV_JIT_INFO_LOG_BUFFER
                                ? SIMT_DRV_JIT_INFO_LOG_BUFFER_SIZE_BYTES
                                : SIMT_DRV_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
    if (options[i] == SIMT_DRV_JIT_WALL_TIME) values[i] = nullptr;
    if (options[i] != SIMT_DRV_JIT_INFO_LOG_BUFFER && options[i] != SIMT_DRV_JIT_ERROR_LOG_BUFFER)
      continue;
    for (unsigned j = 0; j < count; ++j) {
      if (options[j] != size_option) continue;
      if (values[i] != nullptr && static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(values[j])) != 0)
        *static_cast<char*>(values[i]) = 0;
      values[j] = nullptr;
    }
  }
  return true;
}

}  // namespace simtrt

namespace {

using namespace simtrt;

Handles<simtDrvLinkState, SIMTlinkState_st>& states() {
  static auto& handles = *new Handles<simtDrvLinkState, SIMTlinkState_st>();
  return handles;
}

simtDrvResult add(simtDrvLinkState handle, std::string image) {
  const auto state = states().find(handle);
  if (state == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  if (!is_module_image(image.data(), image.size())) return SIMT_DRV_ERROR_INVALID_IMAGE;
  if (!state->image.empty()) return SIMT_DRV_ERROR_NOT_SUPPORTED;
  state->image = std::move(image);
  return SIMT_DRV_SUCCESS;
}

}  // namespace

simtDrvResult simtDrvLinkCreate(unsigned count, simtDrvJit_option* options, void** values,
                                simtDrvLinkState* state) {
  if (state == nullptr || !answer_options(count, options, values))
    return SIMT_DRV_ERROR_INVALID_VALUE;
  auto made = std::make_shared<SIMTlinkState_st>();
  *state = made.get();
  states().add(*state, std::move(made));
  return SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvLinkAddData(simtDrvLinkState state, simtDrvJitInputType, void* image,
                                 std::size_t bytes, const char*, unsigned count,
                                 simtDrvJit_option* options, void** values) {
  if (image == nullptr || !answer_options(count, options, values))
    return SIMT_DRV_ERROR_INVALID_VALUE;
  return add(state, std::string(static_cast<const char*>(image), bytes));
}
simtDrvResult simtDrvLinkAddFile(simtDrvLinkState state, simtDrvJitInputType, const char* path,
                                 unsigned count, simtDrvJit_option* options, void** values) {
  if (path == nullptr || !answer_options(count, options, values))
    return SIMT_DRV_ERROR_INVALID_VALUE;
  std::ifstream file(path, std::ios::binary);
  if (!file) return SIMT_DRV_ERROR_FILE_NOT_FOUND;
  return add(state, std::string(std::istreambuf_iterator<char>(file), {}));
}
simtDrvResult simtDrvLinkComplete(simtDrvLinkState handle, void** image, std::size_t* bytes) {
  const auto state = states().find(handle);
  if (image == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  if (state == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  if (state->image.empty()) return SIMT_DRV_ERROR_INVALID_VALUE;
  *image = state->image.data();
  if (bytes != nullptr) *bytes = state->image.size();
  return SIMT_DRV_SUCCESS;
}
simtDrvResult simtDrvLinkDestroy(simtDrvLinkState state) {
  return states().remove(state) == nullptr ? SIMT_DRV_ERROR_INVALID_HANDLE : SIMT_DRV_SUCCESS;
}

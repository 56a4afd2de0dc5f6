// Functions of modules: attributes and launches.
#include "api/driver_result.h"
#include "streams/graph.h"

#include <simt_driver.h>
#include <simt_runtime_api.h>

#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace {

using namespace simtrt;

using Addresses = std::optional<std::vector<void*>>;

// Addresses of the arguments in one buffer; none if the buffer does not fit the kernel's
// parameters. An argument lies at a multiple of its alignment, which is known only for sizes of
// scalars and of vector types.
Addresses unpacked(const void* kernel, char* buffer, std::size_t bytes) {
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

// Addresses of the arguments in the buffer that `extra` names.
Addresses unpacked(const void* kernel, void** extra) {
  char* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != SIMT_DRV_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == SIMT_DRV_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<char*>(extra[1]);
    else if (*extra == SIMT_DRV_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<std::size_t*>(extra[1]);
    else return std::nullopt;
  }
  return unpacked(kernel, buffer, bytes);
}

// Configuration of a function for the launches of CUDA 3 (simtDrvLaunchGrid).
struct Configuration {
  dim3 block;
  unsigned shared_bytes = 0;
  std::vector<char> arguments;
};

struct Configurations {
  std::mutex mutex;
  std::map<simtDrvFunction, Configuration> all;

  static Configurations& instance() {
    static auto& configurations = *new Configurations();
    return configurations;
  }
};

// Calls `change` with the configuration of a function.
template <class Change>
simtDrvResult configure(simtDrvFunction function, Change change) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  Configurations& known = Configurations::instance();
  const std::lock_guard lock(known.mutex);
  return change(known.all[function]);
}

}  // namespace

simtDrvResult simtDrvLaunchKernel(simtDrvFunction function, unsigned grid_x, unsigned grid_y,
                                  unsigned grid_z, unsigned block_x, unsigned block_y,
                                  unsigned block_z, unsigned shared_bytes, simtDrvStream stream,
                                  void** arguments, void** extra) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  const void* kernel = reinterpret_cast<const void*>(function);
  Addresses from_buffer;
  if (extra != nullptr) {
    from_buffer = unpacked(kernel, extra);
    if (!from_buffer || arguments != nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
    arguments = from_buffer->data();
  }
  const simtrt::KeptLastError kept;
  return driver_result(simtLaunchKernel(kernel, dim3(grid_x, grid_y, grid_z),
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
  return driver_result(simtLaunchCooperativeKernel(
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
    return driver_result(error);
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
  return driver_result(
      simtFuncSetAttribute(reinterpret_cast<const void*>(function),
                           static_cast<simtFuncAttribute>(attribute), value));
}
simtDrvResult simtDrvFuncSetCacheConfig(simtDrvFunction function, simtDrvFunc_cache config) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  const simtrt::KeptLastError kept;
  return driver_result(simtFuncSetCacheConfig(
      reinterpret_cast<const void*>(function), static_cast<simtFuncCache>(config)));
}
simtDrvResult simtDrvOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                               simtDrvFunction function,
                                                               int block_size,
                                                               std::size_t shared_bytes) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  const simtrt::KeptLastError kept;
  return driver_result(simtOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(function), block_size, shared_bytes));
}
simtDrvResult simtDrvOccupancyMaxPotentialBlockSize(int* blocks, int* block_size,
                                                    simtDrvFunction function,
                                                    simtDrvOccupancyB2DSize shared_bytes_of,
                                                    std::size_t shared_bytes, int limit) {
  if (function == nullptr) return SIMT_DRV_ERROR_INVALID_HANDLE;
  const simtrt::KeptLastError kept;
  return driver_result(simtrt::best_block_size(
      blocks, block_size,
      [=](int threads) {
        return shared_bytes_of == nullptr ? shared_bytes : shared_bytes_of(threads);
      },
      limit));
}
simtDrvResult simtDrvFuncSetBlockShape(simtDrvFunction function, int x, int y, int z) {
  if (x < 1 || y < 1 || z < 1) return SIMT_DRV_ERROR_INVALID_VALUE;
  return configure(function, [&](Configuration& how) {
    how.block = dim3(x, y, z);
    return SIMT_DRV_SUCCESS;
  });
}
simtDrvResult simtDrvFuncSetSharedSize(simtDrvFunction function, unsigned bytes) {
  return configure(function, [&](Configuration& how) {
    how.shared_bytes = bytes;
    return SIMT_DRV_SUCCESS;
  });
}
simtDrvResult simtDrvParamSetSize(simtDrvFunction function, unsigned bytes) {
  return configure(function, [&](Configuration& how) {
    how.arguments.resize(bytes);
    return SIMT_DRV_SUCCESS;
  });
}
simtDrvResult simtDrvParamSetv(simtDrvFunction function, int offset, void* value, unsigned bytes) {
  if (offset < 0 || value == nullptr) return SIMT_DRV_ERROR_INVALID_VALUE;
  return configure(function, [&](Configuration& how) {
    const std::size_t end = static_cast<std::size_t>(offset) + bytes;
    if (how.arguments.size() < end) how.arguments.resize(end);
    std::memcpy(how.arguments.data() + offset, value, bytes);
    return SIMT_DRV_SUCCESS;
  });
}
simtDrvResult simtDrvParamSeti(simtDrvFunction function, int offset, unsigned value) {
  return simtDrvParamSetv(function, offset, &value, sizeof value);
}
simtDrvResult simtDrvParamSetf(simtDrvFunction function, int offset, float value) {
  return simtDrvParamSetv(function, offset, &value, sizeof value);
}
simtDrvResult simtDrvLaunchGridAsync(simtDrvFunction function, int width, int height,
                                     simtDrvStream stream) {
  if (width < 1 || height < 1) return SIMT_DRV_ERROR_INVALID_VALUE;
  Configuration how;
  const simtDrvResult known = configure(function, [&](Configuration& set) {
    how = set;
    return SIMT_DRV_SUCCESS;
  });
  if (known != SIMT_DRV_SUCCESS) return known;
  const void* kernel = reinterpret_cast<const void*>(function);
  Addresses arguments = unpacked(kernel, how.arguments.data(), how.arguments.size());
  if (!arguments) return SIMT_DRV_ERROR_INVALID_VALUE;
  const simtrt::KeptLastError kept;
  return driver_result(simtLaunchKernel(kernel, dim3(width, height), how.block, arguments->data(),
                                        how.shared_bytes, stream));
}
simtDrvResult simtDrvLaunchGrid(simtDrvFunction function, int width, int height) {
  return simtDrvLaunchGridAsync(function, width, height, nullptr);
}
simtDrvResult simtDrvLaunch(simtDrvFunction function) {
  return simtDrvLaunchGrid(function, 1, 1);
}

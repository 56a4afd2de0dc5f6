#include "Backend.h"
#include "release/Hooks.h"
#include "sdk/Fields.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/irange.h>

#include <cstdio>

namespace at::cuda::backend {
namespace {

DeviceUuid uuidOf(const char* bytes) { return {{bytes, bytes + 16}}; }

}  // namespace

std::string DeviceUuid::text() const {
  std::string result;
  for (const auto i : c10::irange(bytes.size())) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned>(bytes[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      result += '-';
    }
    result += digits;
  }
  return result;
}

void checkIndex(DeviceIndex index) {
  const auto count = c10::cuda::device_count();
  TORCH_CHECK(index >= 0 && index < count, "Invalid device index ", static_cast<int>(index),
              ": the number of devices is ", static_cast<int>(count));
}

void init() { initDevice(); }

DeviceIndex device_count() { return c10::cuda::device_count(); }

DeviceIndex current_device() { return c10::cuda::current_device(); }

void set_device(DeviceIndex index) {
  if (index < 0) {
    return;
  }
  checkIndex(index);
  c10::cuda::set_device(index);
}

DeviceIndex exchange_device(DeviceIndex index) {
  if (index < 0) {
    return -1;
  }
  checkIndex(index);
  return c10::cuda::ExchangeDevice(index);
}

DeviceIndex maybe_exchange_device(DeviceIndex index) {
  if (index < 0) {
    return -1;
  }
  checkIndex(index);
  return c10::cuda::MaybeExchangeDevice(index);
}

void synchronize() { c10::cuda::device_synchronize(); }

bool has_primary_context(DeviceIndex index) { return c10::cuda::hasPrimaryContext(index); }

bool can_device_access_peer(DeviceIndex index, DeviceIndex peer) {
  checkIndex(index);
  checkIndex(peer);
  return at::cuda::canDeviceAccessPeer(index, peer);
}

DeviceProperties get_device_properties(DeviceIndex index) {
  checkIndex(index);
  const cudaDeviceProp& known = *at::cuda::getDeviceProperties(index);
  DeviceProperties result;
  result.name = known.name;
  result.major = known.major;
  result.minor = known.minor;
  result.total_memory = known.totalGlobalMem;
  result.multi_processor_count = known.multiProcessorCount;
  result.warp_size = known.warpSize;
  result.max_threads_per_multi_processor = known.maxThreadsPerMultiProcessor;
  result.max_threads_per_block = known.maxThreadsPerBlock;
  result.shared_memory_per_block = known.sharedMemPerBlock;
  result.regs_per_multiprocessor = BACKEND_FIELD_OR(known, regsPerMultiprocessor, 0);
  result.L2_cache_size = BACKEND_FIELD_OR(known, l2CacheSize, 0);
  result.is_integrated = BACKEND_FIELD_OR(known, integrated, 0) != 0;
  result.is_multi_gpu_board = BACKEND_FIELD_OR(known, isMultiGpuBoard, 0) != 0;
  result.uuid = fieldOr(
      known,
      [](const auto& given) -> decltype(uuidOf(given.uuid.bytes)) {
        return uuidOf(given.uuid.bytes);
      },
      DeviceUuid());
  return result;
}

std::pair<size_t, size_t> mem_get_info(DeviceIndex index) {
  checkIndex(index);
  const c10::cuda::CUDAGuard guard(index);
  size_t free = 0, total = 0;
  C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return {free, total};
}

int runtime_version() {
  int version = 0;
  C10_CUDA_CHECK(cudaRuntimeGetVersion(&version));
  return version;
}

int driver_version() {
  int version = 0;
  C10_CUDA_CHECK(cudaDriverGetVersion(&version));
  return version;
}

int get_sync_debug_mode() {
  return static_cast<int>(c10::cuda::warning_state().get_sync_debug_mode());
}

void set_sync_debug_mode(int mode) {
  TORCH_CHECK(mode >= 0 && mode <= 2, "the modes are 0 (off), 1 (warn) and 2 (error), not ", mode);
  c10::cuda::warning_state().set_sync_debug_mode(static_cast<c10::cuda::SyncDebugMode>(mode));
}

const Generator& default_generator(DeviceIndex index) {
  init();
  return at::cuda::detail::getDefaultCUDAGenerator(index);
}

}  // namespace at::cuda::backend

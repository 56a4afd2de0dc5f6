// Interfaces through which torch's generic code calls a device: hooks, allocator and generators.
// They are registered when the library is loaded; nothing touches the device before its first use.

#include "release/Generator.h"
#include "release/Hooks.h"
#include "sdk/Fields.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDADevice.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CachingHostAllocator.h>
#include <ATen/cuda/PeerToPeerAccess.h>
#include <ATen/native/cuda/Resize.h>
#include <c10/core/Allocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda.h>

namespace c10::cuda::_internal {
void setHasPrimaryContext(bool (*func)(DeviceIndex));
}

namespace at::cuda::backend {
namespace {

bool deviceHasContext(DeviceIndex index) {
  TORCH_CHECK(index >= 0 && index < c10::cuda::device_count(), "there is no device ",
              static_cast<int>(index), ", only ", static_cast<int>(c10::cuda::device_count()));
  unsigned int flags = 0;
  int active = 0;
  const CUresult result = cuDevicePrimaryCtxGetState(index, &flags, &active);
  // A driver that is not initialised returns an error here; then no context exists.
  return result == CUDA_SUCCESS && active == 1;
}

struct Hooks final : DeviceHooks {
  void init() const override {
    const auto devices = c10::cuda::device_count_ensure_non_zero();
    c10::cuda::CUDACachingAllocator::init(devices);
    at::cuda::detail::init_p2p_access_cache(devices);
  }

  bool hasPrimaryContext(DeviceIndex index) const override {
    return c10::cuda::hasPrimaryContext(index);
  }

  DeviceIndex deviceCount() const override { return c10::cuda::device_count(); }

  void setCurrentDevice(DeviceIndex index) const override { c10::cuda::set_device(index); }

  DeviceIndex getCurrentDevice() const override { return c10::cuda::current_device(); }

  DeviceIndex exchangeDevice(DeviceIndex index) const override {
    return c10::cuda::ExchangeDevice(index);
  }

  DeviceIndex maybeExchangeDevice(DeviceIndex index) const override {
    return c10::cuda::MaybeExchangeDevice(index);
  }

  const Generator& getDefaultGenerator(DeviceIndex index) const override {
    return at::cuda::detail::getDefaultCUDAGenerator(index);
  }

  Generator getNewGenerator(DeviceIndex index) const override {
    return at::cuda::detail::createCUDAGenerator(index);
  }

  Device getDeviceFromPtr(void* data) const override { return at::cuda::getDeviceFromPtr(data); }

  bool isPinnedPtr(const void* data) const override {
    if (c10::cuda::device_count() == 0) {
      return false;
    }
    // The query runs on the current device and must not create a context there.
    c10::cuda::OptionalCUDAGuard guard;
    if (const auto used = c10::cuda::getDeviceIndexWithPrimaryContext()) {
      guard.set_index(*used);
    }
    cudaPointerAttributes attributes{};
    const cudaError_t error = cudaPointerGetAttributes(&attributes, data);
    if (error != cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    // Older SDKs have the field `memoryType` instead of `type`, like CUDA before 10.0.
    constexpr auto unknown = cudaMemoryTypeDevice;
    const auto older = BACKEND_FIELD_OR(attributes, memoryType, unknown);
    return BACKEND_FIELD_OR(attributes, type, older) == cudaMemoryTypeHost;
  }

  Allocator* getPinnedMemoryAllocator() const override {
    return at::cuda::getCachingHostAllocator();
  }

  void resizePrivateUse1Bytes(const Storage& storage, size_t size) const override {
    at::native::resize_bytes_cuda(storage.unsafeGetStorageImpl(), size);
  }
};

// Looks up the caching allocator at each call, because a program can replace the allocator at run
// time, and because the allocator may be created after this object is registered.
struct DeviceAllocator final : Allocator {
  DataPtr allocate(size_t size) BACKEND_ALLOCATE_CONST override {
    // Creating a storage may be the first use of the device.
    initDevice();
    return current()->allocate(size);
  }

  DeleterFnPtr raw_deleter() const override { return current()->raw_deleter(); }

#if BACKEND_TORCH_AT_LEAST(2, 3)
  void copy_data(void* to, const void* from, size_t size) const override {
    current()->copy_data(to, from, size);
  }
#endif

 private:
  static c10::cuda::CUDACachingAllocator::CUDAAllocator* current() {
    return c10::cuda::CUDACachingAllocator::get();
  }
};

struct Registration {
  Registration() {
    // The hooks and the allocator are never destroyed: torch keeps raw pointers to both objects and
    // uses them during static destruction.
    RegisterPrivateUse1HooksInterface(new Hooks);
    SetAllocator(kCUDA, new DeviceAllocator);
    c10::cuda::_internal::setHasPrimaryContext(deviceHasContext);
  }
};
const Registration registration;
const GeneratorRegistration generators(at::cuda::detail::createCUDAGenerator);

}  // namespace
}  // namespace at::cuda::backend

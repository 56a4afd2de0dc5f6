#pragma once

#include "Version.h"

#include <ATen/Context.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>

#if !BACKEND_TORCH_AT_LEAST(2, 3)
#include <c10/util/CallOnce.h>
#endif

namespace at::cuda::backend {

// Before 2.3, Allocator::allocate is a const function.
#if BACKEND_TORCH_AT_LEAST(2, 3)
#define BACKEND_ALLOCATE_CONST
#else
#define BACKEND_ALLOCATE_CONST const
#endif

// Hooks of PyTorch's generic code for a device, with the names of 2.6. Older releases have fewer
// hooks or other names; where PyTorch lacks a hook, the backend itself calls the function.
struct DeviceHooks : PrivateUse1HooksInterface {
#if !BACKEND_TORCH_AT_LEAST(2, 6)
  virtual void init() const = 0;
  virtual Generator getNewGenerator(DeviceIndex index) const = 0;
#endif

#if BACKEND_TORCH_AT_LEAST(2, 3) && !BACKEND_TORCH_AT_LEAST(2, 6)
  void initPrivateUse1() const override { init(); }
#endif

#if !BACKEND_TORCH_AT_LEAST(2, 5)
  virtual const Generator& getDefaultGenerator(DeviceIndex index) const = 0;
  virtual bool isPinnedPtr(const void* data) const = 0;

  const Generator& getDefaultGenerator(DeviceIndex index) override {
    return static_cast<const DeviceHooks*>(this)->getDefaultGenerator(index);
  }
#endif

#if !BACKEND_TORCH_AT_LEAST(2, 4)
  virtual DeviceIndex deviceCount() const = 0;
  virtual void setCurrentDevice(DeviceIndex index) const = 0;
  virtual DeviceIndex getCurrentDevice() const = 0;
  virtual DeviceIndex exchangeDevice(DeviceIndex index) const = 0;
  virtual DeviceIndex maybeExchangeDevice(DeviceIndex index) const = 0;
#endif

#if !BACKEND_TORCH_AT_LEAST(2, 3)
  virtual bool hasPrimaryContext(DeviceIndex index) const = 0;
  virtual Allocator* getPinnedMemoryAllocator() const = 0;
  virtual void resizePrivateUse1Bytes(const Storage& storage, size_t size) const = 0;
#endif
};

inline const DeviceHooks& deviceHooks() {
#if BACKEND_TORCH_AT_LEAST(2, 5)
  return static_cast<const DeviceHooks&>(detail::getPrivateUse1Hooks());
#else
  return static_cast<const DeviceHooks&>(*GetPrivateUse1HooksInterface());
#endif
}

// Initialises the device once in the process. From 2.3 on, PyTorch calls the same function before
// it creates the first tensor on the device.
inline void initDevice() {
#if BACKEND_TORCH_AT_LEAST(2, 6)
  globalContext().lazyInitDevice(kCUDA);
#elif BACKEND_TORCH_AT_LEAST(2, 3)
  globalContext().lazyInitPrivateUse1();
#else
  static c10::once_flag once;
  c10::call_once(once, [] { deviceHooks().init(); });
#endif
}

}  // namespace at::cuda::backend

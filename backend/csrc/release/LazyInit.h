#pragma once

#include "Version.h"

#include <c10/core/DeviceType.h>

// Before 2.3, PyTorch has no initialisation flag for PrivateUse1.
#if __has_include(<torch/csrc/utils/device_lazy_init.h>)
#include <torch/csrc/utils/device_lazy_init.h>
#endif

namespace at::cuda::backend::release {

// Makes PyTorch call the Python initialisation of the device before it next creates a tensor on the
// device.
inline void requireInit() {
#if __has_include(<torch/csrc/utils/device_lazy_init.h>)
  torch::utils::set_requires_device_init(at::kCUDA, true);
#endif
}

}  // namespace at::cuda::backend::release

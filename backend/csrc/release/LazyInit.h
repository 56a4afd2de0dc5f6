#pragma once

#include "Version.h"

#include <c10/core/DeviceType.h>

// PyTorch keeps no such flag for a device on PrivateUse1 before 2.3.
#if __has_include(<torch/csrc/utils/device_lazy_init.h>)
#include <torch/csrc/utils/device_lazy_init.h>
#endif

namespace at::cuda::backend::release {

// Makes PyTorch initialise the device again, in Python, before it next makes a tensor there.
inline void requireInit() {
#if __has_include(<torch/csrc/utils/device_lazy_init.h>)
  torch::utils::set_requires_device_init(at::kCUDA, true);
#endif
}

}  // namespace at::cuda::backend::release

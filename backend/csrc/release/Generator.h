#pragma once

#include "Version.h"

#include <ATen/core/Generator.h>

#if !BACKEND_TORCH_AT_LEAST(2, 7)
#include <ATen/core/GeneratorForPrivateuseone.h>
#endif

namespace at::cuda::backend {

// Tells PyTorch how a generator is made. From 2.7 on PyTorch asks the hooks (getNewGenerator), and
// warns of a registration at every import.
struct GeneratorRegistration {
  explicit GeneratorRegistration(Generator (*make)(DeviceIndex)) {
#if !BACKEND_TORCH_AT_LEAST(2, 7)
    _GeneratorRegister registered(make);
#else
    (void)make;
#endif
  }
};

}  // namespace at::cuda::backend

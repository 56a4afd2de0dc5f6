#pragma once

#include "Version.h"

#include <ATen/core/Generator.h>

#if !BACKEND_TORCH_AT_LEAST(2, 7)
#include <ATen/core/GeneratorForPrivateuseone.h>
#endif

namespace at::cuda::backend {

// Registers the constructor of generators. From 2.7 on, PyTorch calls the hook getNewGenerator
// instead and prints a warning at import if a constructor is registered.
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

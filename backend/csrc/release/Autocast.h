#pragma once

#include "Optional.h"

#include <ATen/autocast_mode.h>

namespace at::cuda::backend::release {

/// Lower precision of automatic mixed precision on the device; empty if it is not enabled. Before 2.4,
/// the device has no automatic mixed precision.
inline optional<ScalarType> autocastType() {
#if BACKEND_TORCH_AT_LEAST(2, 4)
  if (autocast::is_autocast_enabled(kCUDA)) {
    return autocast::get_autocast_dtype(kCUDA);
  }
#endif
  return nullopt;
}

}  // namespace at::cuda::backend::release

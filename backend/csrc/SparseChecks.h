// Compressed sparse tensors created by ported kernels.
#pragma once

#include "release/Optional.h"

#include <ATen/core/Tensor.h>

namespace at::cuda::backend {

/// Result of at::native::_sparse_csr_tensor_unsafe. The parts are validated on any device if checks
/// are enabled.
Tensor makeSparseCsr(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values,
                     IntArrayRef size, optional<ScalarType> dtype,
                     optional<Layout> layout, optional<Device> device);

}  // namespace at::cuda::backend

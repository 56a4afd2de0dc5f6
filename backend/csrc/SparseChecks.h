// Compressed sparse tensors made by kernels of the port.
#pragma once

#include "release/Optional.h"

#include <ATen/core/Tensor.h>

namespace at::cuda::backend {

/// What at::native::_sparse_csr_tensor_unsafe makes, checked for any device where checks are on.
Tensor makeSparseCsr(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values,
                     IntArrayRef size, optional<ScalarType> dtype,
                     optional<Layout> layout, optional<Device> device);

}  // namespace at::cuda::backend

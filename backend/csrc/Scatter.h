#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/native/ScatterGatherChecks.h>

namespace at::cuda::backend {

/// In deterministic mode, writes or adds `source` to `self` by sorted indices; whether it did.
///
/// libtorch_cpu's own scatter does so before it asks for a kernel, for CUDA and XPU by name.
bool scatterInOrder(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                    bool accumulate);

}  // namespace at::cuda::backend

#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/native/ScatterGatherChecks.h>

namespace at::cuda::backend {

/// In deterministic mode, writes the elements of `source` to `self`, or adds them if `accumulate`,
/// in the order of sorted indices, and returns true. Otherwise, does nothing and returns false.
///
/// libtorch_cpu's scatter does the same before it calls the kernel, but only on CUDA and XPU.
bool scatterInOrder(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                    bool accumulate);

}  // namespace at::cuda::backend

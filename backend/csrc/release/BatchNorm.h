#pragma once

#include "Version.h"

#include <ATen/ATen.h>

#include <array>
#include <tuple>

#if !BACKEND_TORCH_AT_LEAST(2, 4)
#include <ATen/ops/native_batch_norm_backward_native.h>

namespace at::native {
// Weak: the build can lack the kernel's source.
extern __attribute__((weak)) decltype(batch_norm_backward_cuda) batch_norm_backward_cuda;
}  // namespace at::native
#endif

namespace at::cuda::backend::release {

/// Gradients of batch normalization by PyTorch's kernel, for the operator native_batch_norm_backward
/// itself. Newer releases have a second operator with this kernel.
inline std::tuple<Tensor, Tensor, Tensor> batchNormBackward(
    const Tensor& grad_output, const Tensor& input, const Tensor& weight,
    const Tensor& running_mean, const Tensor& running_var, const Tensor& mean,
    const Tensor& invstd, bool training, double eps, std::array<bool, 3> wanted) {
#if BACKEND_TORCH_AT_LEAST(2, 4)
  const Tensor reserve = at::empty({0}, input.options().dtype(kByte));
  return at::batch_norm_backward(grad_output, input, weight, running_mean, running_var, mean,
                                 invstd, training, eps, wanted, reserve);
#else
  TORCH_CHECK_NOT_IMPLEMENTED(native::batch_norm_backward_cuda,
                              "the backend was built without the gradients of batch normalization");
  return native::batch_norm_backward_cuda(grad_output, input, weight, running_mean, running_var,
                                          mean, invstd, training, eps, wanted);
#endif
}

}  // namespace at::cuda::backend::release

// Depthwise convolutions by PyTorch's own kernels, which need no columns: for a kernel of 7 * 7 points, the columns have 49
// times the size of the input, and each product of matrices has one row.
#pragma once

#include "dnn/Library.h"

#include <array>

namespace at::cuda::backend::dnn::depthwise {

/// True if PyTorch's kernels compute the convolution and its gradients: each group has one input channel, the image has two
/// or three dimensions and elements, the dtype is a floating-point type, and 32-bit indices suffice. PyTorch before 2.1
/// does not find the kernels of the gradients (BACKEND_HAS_STUBS).
bool takes(const Tensor& input, const Tensor& weight, const Convolution& given);

Tensor forward(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
               const Convolution& given);

/// Gradients of input and weight; an undefined tensor for each gradient that `wanted` does not request.
std::tuple<Tensor, Tensor> backward(const Tensor& grad_output, const Tensor& input,
                                    const Tensor& weight, const Convolution& given,
                                    std::array<bool, 2> wanted);

}  // namespace at::cuda::backend::dnn::depthwise

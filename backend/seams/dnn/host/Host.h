#pragma once

#include "dnn/Library.h"

// Parts of implementation `host`: PyTorch's operators for the CPU, on device memory.
namespace at::cuda::backend::dnn::host {

/// Waits until kernels that write the arguments have completed; the CPU then reads the memory.
void finishEarlierWork();

/// The same memory as a tensor of the CPU, which keeps the memory alive. Undefined for an undefined
/// tensor.
Tensor onHost(const Tensor& tensor);

/// Copy of a tensor of the CPU, on the device of `like`, with the same strides. Undefined for an
/// undefined tensor.
Tensor onDevice(const Tensor& result, const Tensor& like);

extern const ConvolutionGroup kConvolution;
extern const BatchNormGroup kBatchNorm;
extern const AttentionGroup kAttention;
extern const RecurrentGroup kRecurrent;

}  // namespace at::cuda::backend::dnn::host

// Implementation `host` of seam `dnn`: PyTorch's own convolution for the CPU (oneDNN, where the
// installed PyTorch has it). Only for targets whose device memory is memory of the host.

#include "dnn/Library.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/cuda/CUDAStream.h>

namespace at::cuda::backend::dnn {
namespace {

// Waits until kernels that write the arguments have completed; the CPU then reads the memory.
void finishEarlierWork() { c10::cuda::getCurrentCUDAStream().synchronize(); }

// The same memory as a tensor of the CPU, valid as long as `tensor` exists.
Tensor onHost(const Tensor& tensor) {
  if (!tensor.defined()) {
    return tensor;
  }
  return at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(),
                       tensor.options().device(kCPU));
}

Tensor onDevice(const Tensor& result, const Tensor& like) {
  if (!result.defined()) {
    return result;
  }
  Tensor copy =
      at::empty_strided(result.sizes(), result.strides(), result.options().device(like.device()));
  onHost(copy).copy_(result);
  return copy;
}

Tensor convolution(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
                   const Convolution& given) {
  const AutoDispatchBelowADInplaceOrView guard;
  finishEarlierWork();
  const Tensor result =
      at::convolution(onHost(input), onHost(weight),
                      bias.has_value() ? optional<Tensor>(onHost(*bias)) : nullopt, given.stride,
                      given.padding, given.dilation, given.transposed, given.output_padding,
                      given.groups);
  return onDevice(result, input);
}

Gradients convolutionBackward(const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                              const Convolution& given, std::array<bool, 3> wanted) {
  const AutoDispatchBelowADInplaceOrView guard;
  finishEarlierWork();
  const DimVector bias{given.transposed ? weight.size(1) * given.groups : weight.size(0)};
  const auto [grad_input, grad_weight, grad_bias] = at::convolution_backward(
      onHost(grad_output), onHost(input), onHost(weight), IntArrayRef(bias), given.stride,
      given.padding, given.dilation, given.transposed, given.output_padding, given.groups, wanted);
  return {onDevice(grad_input, input), onDevice(grad_weight, input), onDevice(grad_bias, input)};
}

constexpr Library kHost{"host", convolution, convolutionBackward};
const Provider provider(kHost);

}  // namespace
}  // namespace at::cuda::backend::dnn

#include "Host.h"

#include <ATen/core/LegacyTypeDispatch.h>

namespace at::cuda::backend::dnn::host {
namespace {

Tensor forward(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
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

Gradients backward(const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                   const Convolution& given, std::array<bool, 3> wanted) {
  const AutoDispatchBelowADInplaceOrView guard;
  finishEarlierWork();
  const DimVector bias{given.transposed ? weight.size(1) * given.groups : weight.size(0)};
  const auto [grad_input, grad_weight, grad_bias] = at::convolution_backward(
      onHost(grad_output), onHost(input), onHost(weight), IntArrayRef(bias), given.stride,
      given.padding, given.dilation, given.transposed, given.output_padding, given.groups, wanted);
  return {onDevice(grad_input, input), onDevice(grad_weight, input), onDevice(grad_bias, input)};
}

}  // namespace

const ConvolutionGroup kConvolution{forward, backward};

}  // namespace at::cuda::backend::dnn::host

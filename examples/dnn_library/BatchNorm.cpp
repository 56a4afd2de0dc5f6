// Library of neural network layers for target acme (docs/vendor-seams.md). It has one group, batch
// normalization, and takes layers in training on tensors of float. Calls of the vendor's library
// replace the operators in `forward` and `backward`.

#include "dnn/Library.h"

namespace at::acme::backend::dnn {
namespace {

// All dimensions except the channel.
DimVector dimsOf(const Tensor& input) {
  DimVector dims{0};
  for (int64_t dim = 2; dim < input.dim(); ++dim) {
    dims.push_back(dim);
  }
  return dims;
}

// View of a vector of channels that is broadcast to the input.
Tensor overChannels(const Tensor& vector, const Tensor& input) {
  DimVector sizes(input.dim(), 1);
  sizes[1] = vector.numel();
  return vector.view(sizes);
}

bool takes(const Tensor& input, const BatchNorm& layer) {
  return layer.training && input.scalar_type() == kFloat && layer.weight.defined() &&
         layer.bias.defined();
}

std::tuple<Tensor, Tensor, Tensor> forward(const Tensor& input, const BatchNorm& layer) {
  const auto [variance, mean] = at::var_mean(input, dimsOf(input), /*unbiased=*/false);
  const Tensor invstd = (variance + layer.eps).rsqrt();
  if (layer.running_mean.defined()) {
    const auto count = static_cast<double>(input.numel() / input.size(1));
    layer.running_mean.lerp_(mean, layer.momentum);
    layer.running_var.lerp_(variance * (count / (count - 1)), layer.momentum);
  }
  const Tensor normalized = (input - overChannels(mean, input)) * overChannels(invstd, input);
  return {normalized * overChannels(layer.weight, input) + overChannels(layer.bias, input), mean,
          invstd};
}

Gradients backward(const Tensor& grad_output, const Tensor& input, const BatchNorm& layer,
                   const Tensor& mean, const Tensor& invstd, std::array<bool, 3> wanted) {
  const auto count = static_cast<double>(input.numel() / input.size(1));
  const Tensor normalized = (input - overChannels(mean, input)) * overChannels(invstd, input);
  const Tensor grad_bias = grad_output.sum(dimsOf(input));
  const Tensor grad_weight = (grad_output * normalized).sum(dimsOf(input));
  Tensor grad_input;
  if (wanted[0]) {
    const Tensor centered = grad_output - overChannels(grad_bias, input) / count -
                            normalized * overChannels(grad_weight, input) / count;
    grad_input = centered * overChannels(invstd * layer.weight, input);
  }
  return {grad_input, wanted[1] ? grad_weight : Tensor(), wanted[2] ? grad_bias : Tensor()};
}

constexpr Library kAcmeDnn{"acmednn", {}, {forward, backward, takes}, {}, {}};
const Provider provider(kAcmeDnn);

}  // namespace
}  // namespace at::acme::backend::dnn

#include "Host.h"

#include <algorithm>

namespace at::cuda::backend::dnn::host {
namespace {

// dtype of the vectors of a layer; the input's dtype if the layer has none.
ScalarType typeOfVectors(const Tensor& input, const BatchNorm& layer) {
  for (const Tensor* vector : {&layer.weight, &layer.running_mean, &layer.bias}) {
    if (vector->defined()) {
      return vector->scalar_type();
    }
  }
  return input.scalar_type();
}

// The CPU has one dtype for all vectors.
bool takes(const Tensor& input, const BatchNorm& layer) {
  const auto type = typeOfVectors(input, layer);
  const auto fits = [type](const Tensor* vector) {
    return !vector->defined() || vector->scalar_type() == type;
  };
  const auto vectors = {&layer.weight, &layer.bias, &layer.running_mean, &layer.running_var};
  return std::all_of(vectors.begin(), vectors.end(), fits);
}

std::tuple<Tensor, Tensor, Tensor> forward(const Tensor& input, const BatchNorm& layer) {
  finishEarlierWork();
  // The running statistics are in the device's memory, which the CPU updates.
  const auto [output, mean, invstd] = at::native_batch_norm(
      onHost(input), onHost(layer.weight), onHost(layer.bias), onHost(layer.running_mean),
      onHost(layer.running_var), layer.training, layer.momentum, layer.eps);
  if (!layer.training) {
    return {onDevice(output, input), Tensor(), Tensor()};
  }
  return {onDevice(output, input), onDevice(mean, input), onDevice(invstd, input)};
}

Gradients backward(const Tensor& grad_output, const Tensor& input, const BatchNorm& layer,
                   const Tensor& mean, const Tensor& invstd, std::array<bool, 3> wanted) {
  finishEarlierWork();
  const auto type = typeOfVectors(input, layer);
  const auto statistics = [type](const Tensor& vector) {
    return vector.defined() ? onHost(vector).to(type) : vector;
  };
  const auto [grad_input, grad_weight, grad_bias] = at::native_batch_norm_backward(
      onHost(grad_output), onHost(input), onHost(layer.weight), onHost(layer.running_mean),
      onHost(layer.running_var), statistics(mean), statistics(invstd), layer.training, layer.eps,
      wanted);
  return {onDevice(grad_input, input), onDevice(grad_weight, input), onDevice(grad_bias, input)};
}

}  // namespace

const BatchNormGroup kBatchNorm{forward, backward, takes};

}  // namespace at::cuda::backend::dnn::host

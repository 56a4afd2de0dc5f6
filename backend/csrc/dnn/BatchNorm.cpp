// Batch normalization of seam `dnn`. PyTorch selects these operators for a device without cuDNN;
// PyTorch's kernels compute them unless the selected library takes the layer.

#include "Selection.h"

#include "../release/BatchNorm.h"

#include <ATen/AccumulateType.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <algorithm>

namespace at::cuda::backend::dnn {
namespace {

using Optional = const optional<Tensor>&;
using Results = std::tuple<Tensor, Tensor, Tensor>;

Tensor valueOf(Optional tensor) { return tensor.has_value() ? *tensor : Tensor(); }

// Float, or double for an input in double: the type in which PyTorch's kernels save statistics.
ScalarType statisticsType(const Tensor& input) {
  return toAccumulateType(input.scalar_type(), /*is_cuda=*/true);
}

bool isVectorOfChannels(const Tensor& vector, const Tensor& input) {
  const auto type = vector.defined() ? vector.scalar_type() : kFloat;
  return !vector.defined() ||
         (vector.dim() == 1 && vector.size(0) == input.size(1) && vector.is_contiguous() &&
          (type == input.scalar_type() || type == statisticsType(input)));
}

// The selected library if it takes the layer; null: PyTorch's kernels compute the layer.
const Library* libraryFor(const Tensor& input, const BatchNorm& layer) {
  const Library& wanted = selected();
  const std::array<Tensor, 4> vectors{layer.weight, layer.bias, layer.running_mean,
                                      layer.running_var};
  if (!wanted.batchNorm.forward || input.dim() < 2 || !input.is_floating_point() ||
      !areOrdinary({input, layer.weight, layer.bias, layer.running_mean, layer.running_var}) ||
      layer.running_mean.defined() != layer.running_var.defined() ||
      (!layer.training && !layer.running_mean.defined()) ||
      !std::all_of(vectors.begin(), vectors.end(), [&](const Tensor& vector) {
        return isVectorOfChannels(vector, input);
      })) {
    return nullptr;
  }
  return !wanted.batchNorm.takes || wanted.batchNorm.takes(input, layer) ? &wanted : nullptr;
}

Tensor statistics(const Tensor& vector, const Tensor& input, bool training) {
  const auto type = statisticsType(input);
  return training ? vector.to(type) : at::empty({0}, input.options().dtype(type));
}

Results forward(const Tensor& input, const BatchNorm& layer) {
  const DeviceGuard device(input.device());
  const AutoDispatchBelowADInplaceOrView guard;
  const Library* library = libraryFor(input, layer);
  count(Kind::batch_norm, library);
  if (library) {
    const auto [output, mean, invstd] = library->batchNorm.forward(input, layer);
    return {output.contiguous(input.suggest_memory_format()),
            statistics(mean, input, layer.training), statistics(invstd, input, layer.training)};
  }
  // The operator with the suffix `_out` calls PyTorch's kernel.
  const auto options = input.options().dtype(statisticsType(input));
  Tensor output = at::empty_like(input), mean = at::empty({input.size(1)}, options),
         invstd = at::empty({input.size(1)}, options);
  at::native_batch_norm_out(output, mean, invstd, input, layer.weight, layer.bias,
                            layer.running_mean, layer.running_var, layer.training, layer.momentum,
                            layer.eps);
  return {output, mean, invstd};
}

Results batchNorm(const Tensor& input, Optional weight, Optional bias, Optional running_mean,
                  Optional running_var, bool training, double momentum, double eps) {
  return forward(input, {valueOf(weight), valueOf(bias), valueOf(running_mean),
                         valueOf(running_var), training, momentum, eps});
}

Results withStatistics(const Tensor& input, Optional weight, Optional bias, Tensor& running_mean,
                       Tensor& running_var, bool training, double momentum, double eps) {
  return forward(input, {valueOf(weight), valueOf(bias), running_mean, running_var, training,
                         momentum, eps});
}

Results withoutStatistics(const Tensor& input, Optional weight, Optional bias, bool training,
                          double momentum, double eps) {
  return forward(input,
                 {valueOf(weight), valueOf(bias), Tensor(), Tensor(), training, momentum, eps});
}

Gradients backward(const Tensor& grad_output, const Tensor& input, Optional weight,
                   Optional running_mean, Optional running_var, Optional save_mean,
                   Optional save_invstd, bool training, double eps, std::array<bool, 3> wanted) {
  const DeviceGuard device(input.device());
  const AutoDispatchBelowADInplaceOrView guard;
  const BatchNorm layer{valueOf(weight), Tensor(),   valueOf(running_mean), valueOf(running_var),
                        training,        0.0 /*unknown*/, eps};
  const Library* library = areOrdinary({grad_output, input}) ? libraryFor(input, layer) : nullptr;
  if (!library) {
    return release::batchNormBackward(grad_output, input, layer.weight, layer.running_mean,
                                      layer.running_var, valueOf(save_mean), valueOf(save_invstd),
                                      training, eps, wanted);
  }
  const Tensor none;
  auto [grad_input, grad_weight, grad_bias] = library->batchNorm.backward(
      grad_output, input, layer, training ? valueOf(save_mean) : none,
      training ? valueOf(save_invstd) : none, wanted);
  return {grad_input.defined() ? grad_input.contiguous(input.suggest_memory_format()) : grad_input,
          grad_weight, grad_bias};
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("native_batch_norm", batchNorm);
  m.impl("_native_batch_norm_legit", withStatistics);
  m.impl("_native_batch_norm_legit.no_stats", withoutStatistics);
  m.impl("native_batch_norm_backward", backward);
}

}  // namespace
}  // namespace at::cuda::backend::dnn

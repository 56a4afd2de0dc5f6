// Convolutions of seam `dnn`: PyTorch's operators for devices with a library of their own.

#include "Selection.h"

#include <ATen/native/ConvUtils.h>
#include <ATen/native/utils/ParamUtils.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

namespace at::cuda::backend::dnn {
namespace {

DimVector expanded(IntArrayRef values, const char* name, int64_t dims) {
  // A single value applies to all dimensions.
  return DimVector(native::expand_param_if_needed(values, name, dims));
}

Convolution parameters(const Tensor& weight, IntArrayRef stride, IntArrayRef padding,
                       IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                       int64_t groups) {
  const auto dims = weight.dim() - 2;
  return {expanded(stride, "stride", dims),     expanded(padding, "padding", dims),
          expanded(dilation, "dilation", dims), expanded(output_padding, "output_padding", dims),
          groups,                               transposed};
}

// Memory format of the result, as with cuDNN: channels last if one of the inputs has this format.
MemoryFormat formatOf(const Tensor& input, const Tensor& weight) {
  const auto last =
      input.dim() == 5 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast;
  const bool any = input.suggest_memory_format() == last || weight.suggest_memory_format() == last;
  return any && (input.dim() == 4 || input.dim() == 5) ? last : MemoryFormat::Contiguous;
}

Tensor formatted(const Tensor& tensor, MemoryFormat format) {
  return tensor.defined() ? tensor.contiguous(format) : tensor;
}

const Library& library() {
  const Library& wanted = selected();
  return wanted.convolution.forward ? wanted : withConvolutions();
}

Tensor convolution(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
                   IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                   IntArrayRef output_padding, int64_t groups) {
  TORCH_CHECK(input.scalar_type() == weight.scalar_type(), "Input type (", input.toString(),
              ") and weight type (", weight.toString(), ") should be the same");
  const DeviceGuard guard(input.device());
  const auto given =
      parameters(weight, stride, padding, dilation, transposed, output_padding, groups);
  const Library& used = library();
  count(Kind::convolution, &used);
  return formatted(used.convolution.forward(input, weight, bias, given), formatOf(input, weight));
}

Gradients convolutionBackward(const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                              bool transposed, IntArrayRef output_padding, int64_t groups,
                              std::array<bool, 3> output_mask) {
  const DeviceGuard guard(input.device());
  const auto given =
      parameters(weight, stride, padding, dilation, transposed, output_padding, groups);
  const auto format = formatOf(input, weight);
  auto [grad_input, grad_weight, grad_bias] =
      library().convolution.backward(grad_output, input, weight, given, output_mask);
  return {formatted(grad_input, format), formatted(grad_weight, format), grad_bias};
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("convolution_overrideable", convolution);
  m.impl("convolution_backward_overrideable", convolutionBackward);
}

}  // namespace
}  // namespace at::cuda::backend::dnn

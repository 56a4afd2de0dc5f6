#include "Depthwise.h"

#include "release/Version.h"

#include <ATen/native/CanUse32BitIndexMath.h>
#include <ATen/native/ConvUtils.h>
#include <c10/util/accumulate.h>

#include <limits>

namespace at::cuda::backend::dnn::depthwise {
namespace {

bool hasKernels(ScalarType type) {
  return type == kFloat || type == kDouble || type == kHalf || type == kBFloat16;
}

}  // namespace

bool takes(const Tensor& input, const Tensor& weight, const Convolution& given) {
#if BACKEND_HAS_STUBS
  const bool is_image = input.dim() == 4 || input.dim() == 5;
  if (given.transposed || !is_image || given.groups == 1 || input.size(1) != given.groups ||
      weight.size(1) != 1 || !hasKernels(input.scalar_type())) {
    return false;
  }
  const auto output = native::conv_output_size(input.sizes(), weight.sizes(), given.padding,
                                               given.stride, given.dilation);
  const int64_t elements = c10::multiply_integers(output);
  return input.numel() > 0 && elements > 0 && native::canUse32BitIndexMath(input) &&
         elements <= std::numeric_limits<int32_t>::max();
#else
  return false;
#endif
}

Tensor forward(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
               const Convolution& given) {
  const auto kernel = weight.sizes().slice(2);
  if (kernel.size() == 2) {
    return at::_conv_depthwise2d(input, weight, kernel, bias, given.stride, given.padding,
                                 given.dilation);
  }
  return at::conv_depthwise3d(input, weight, kernel, bias, given.stride, given.padding,
                              given.dilation);
}

std::tuple<Tensor, Tensor> backward(const Tensor& grad_output, const Tensor& input,
                                    const Tensor& weight, const Convolution& given,
                                    std::array<bool, 2> wanted) {
  const auto device = input.device().type();
  const auto kernel = weight.sizes().slice(2);
  if (kernel.size() == 2) {
    return native::conv_depthwise2d_backward_stub(device, grad_output, input, weight, kernel,
                                                  given.stride, given.padding, given.dilation,
                                                  wanted);
  }
  const auto [grad_input, grad_weight, none] = native::conv_depthwise3d_backward_stub(
      device, grad_output, input, weight, kernel, given.stride, given.padding, given.dilation,
      std::array<bool, 3>{wanted[0], wanted[1], false});
  return {grad_input, grad_weight};
}

}  // namespace at::cuda::backend::dnn::depthwise

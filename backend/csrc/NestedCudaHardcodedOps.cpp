// Operators on nested tensors whose kernels in libtorch_cpu test for CUDA: on other devices, layer
// norm calls the CPU's kernel, and sums and products with a dense tensor raise an error.

// Wheels before 2.3 lack the headers of nested tensors; there, libtorch_cpu's operators remain.
#if __has_include(<ATen/native/nested/NestedTensorBinaryOps.h>)

#include "release/Optional.h"

#include <ATen/ATen.h>
#include <ATen/NestedTensorImpl.h>
#include <ATen/native/nested/NestedTensorBinaryOps.h>
#include <ATen/native/nested/NestedTensorMath.h>
#include <ATen/native/nested/NestedTensorUtils.h>
#include <ATen/ops/add_native.h>
#include <ATen/ops/mul_native.h>
#include <torch/library.h>

namespace at::cuda::backend {
namespace {

using native::get_nested_tensor_impl;
using native::wrap_buffer;
using Maybe = optional<Tensor>;

// -- layer norm: rows of the buffer all have the same length

struct Rows {
  Tensor input;
  int64_t count;
  int64_t length;
  Tensor weight;
  Tensor bias;
};

Rows rowsOf(const Tensor& input, IntArrayRef shape, const Maybe& weight, const Maybe& bias) {
  TORCH_CHECK(weight.has_value() && bias.has_value() && weight->defined() && bias->defined(),
              "NestedTensor layer_norm requires weight and bias");
  TORCH_CHECK(!weight->is_nested() && !bias->is_nested(),
              "NestedTensor layer_norm takes no nested weight or bias");
  const auto* nested = get_nested_tensor_impl(input);
  TORCH_CHECK(native::nested_tensor_impl_is_contiguous(nested),
              "NestedTensor layer_norm takes contiguous tensors");
  const auto [count, length] =
      native::_check_nested_layer_norm_inputs(*nested, shape, *weight, *bias);
  return {nested->get_buffer().view({count, length}), count, length, weight->reshape({length}),
          bias->reshape({length})};
}

std::tuple<Tensor, Tensor, Tensor> layerNorm(const Tensor& input, IntArrayRef shape,
                                             const Maybe& weight, const Maybe& bias, double eps) {
  const Rows rows = rowsOf(input, shape, weight, bias);
  const auto [output, mean, rstd] =
      at::native_layer_norm(rows.input, {rows.length}, rows.weight, rows.bias, eps);
  return {wrap_buffer(output.view({-1}), get_nested_tensor_impl(input)->get_nested_sizes()),
          mean.view({rows.count}), rstd.view({rows.count})};
}

std::tuple<Tensor, Tensor, Tensor> layerNormBackward(const Tensor& grad, const Tensor& input,
                                                     IntArrayRef shape, const Tensor& mean,
                                                     const Tensor& rstd, const Maybe& weight,
                                                     const Maybe& bias, std::array<bool, 3> mask) {
  const Rows rows = rowsOf(input, shape, weight, bias);
  const Tensor grad_rows =
      get_nested_tensor_impl(grad.contiguous())->get_buffer().view({rows.count, rows.length});
  auto [of_input, of_weight, of_bias] = at::native_layer_norm_backward(
      grad_rows, rows.input, {rows.length}, mean.view({rows.count, 1}), rstd.view({rows.count, 1}),
      rows.weight, rows.bias, mask);
  // The result is nested, whether or not the caller requests this layout.
  const Tensor buffer = mask[0] ? of_input : at::zeros_like(rows.input);
  return {wrap_buffer(buffer.view({-1}), get_nested_tensor_impl(input)->get_nested_sizes()),
          mask[1] ? of_weight.view(shape) : of_weight, mask[2] ? of_bias.view(shape) : of_bias};
}

// -- sums and products with a dense tensor

/// True if `nested` has the shape [B, *, D] and `dense` [B, 1, D], or `nested` [B, *] and `dense`
/// [B, 1].
bool isByRow(const native::NestedTensorImpl& nested, const Tensor& dense) {
  if (nested.dim() != dense.dim() || nested.size(0) != dense.size(0) || dense.size(1) != 1) {
    return false;
  }
  return dense.dim() == 2 || (dense.dim() == 3 && nested.opt_size(2) == dense.size(2));
}

/// True if `nested` has the shape [B, C, *, *] and `dense` [C, 1, 1].
bool isByChannel(const native::NestedTensorImpl& nested, const Tensor& dense) {
  return nested.dim() == 4 && dense.dim() == 3 && nested.opt_size(1) == dense.size(0) &&
         dense.size(1) == 1 && dense.size(2) == 1;
}

Tensor withDense(const Tensor& nested, const Tensor& dense, native::NESTED_DENSE_OP op) {
  const bool adds = op == native::NESTED_DENSE_OP::ADD;
  if (isByRow(*get_nested_tensor_impl(nested), dense)) {
    const Tensor self = nested.contiguous();
    const auto* impl = get_nested_tensor_impl(self);
    Tensor result = wrap_buffer(at::empty_like(impl->get_buffer()), impl->get_nested_sizes());
    native::nested_dense_elementwise_stub(kCUDA, result, self,
                                          dense.dim() == 2 ? dense.unsqueeze(-1) : dense, op);
    return result;
  }
  TORCH_CHECK(isByChannel(*get_nested_tensor_impl(nested), dense),
              "Expected both self and other to be nested, but got a nested self and non-nested "
              "other for op: ",
              adds ? "add" : "mul", ".");
  std::vector<Tensor> results;
  for (const Tensor& one : nested.unbind()) {
    results.push_back(adds ? at::add(one, dense) : at::mul(one, dense));
  }
  return at::_nested_tensor_from_tensor_list(results);
}

bool isDense(const Tensor& self, const Tensor& other) {
  return self.is_nested() && !other.is_nested() && other.dim() > 0 &&
         other.device() == self.device();
}

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  if (!isDense(self, other)) {
    return native::NestedTensor_add_Tensor(self, other, alpha);
  }
  const Tensor scaled = alpha.equal(1) ? other : at::mul(other, alpha);
  return withDense(self, scaled, native::NESTED_DENSE_OP::ADD);
}

Tensor mul(const Tensor& self, const Tensor& other) {
  if (!isDense(self, other)) {
    return native::NestedTensor_mul_Tensor(self, other);
  }
  return withDense(self, other, native::NESTED_DENSE_OP::MUL);
}

TORCH_LIBRARY_IMPL(aten, NestedTensorPrivateUse1, m) {
  m.impl("native_layer_norm", layerNorm);
  m.impl("native_layer_norm_backward", layerNormBackward);
  m.impl("add.Tensor", add);
  m.impl("mul.Tensor", mul);
}

}  // namespace
}  // namespace at::cuda::backend

#endif

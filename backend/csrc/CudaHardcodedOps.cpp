// Operators whose kernels in libtorch_cpu would work on any device, but accept only a fixed list of
// device types or always call CUDA's entry of a DispatchStub. This file implements these operators
// with the same stubs.

#include "release/NamedTensors.h"
#include "release/Optional.h"
#include "release/TensorIterator.h"

#include <ATen/ATen.h>
#include <ATen/TensorIterator.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/native/Activation.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorCompare.h>
#include <ATen/ops/linalg_lstsq_native.h>
#include <ATen/ops/native_group_norm_backward_native.h>
#include <ATen/ops/native_group_norm_native.h>
#include <torch/library.h>

#include <limits>

namespace at::cuda::backend {
namespace {

using Dims = OptionalIntArrayRef;
using Correction = optional<Scalar>;

// -- log_sigmoid_backward: libtorch_cpu calls CUDA's entry of the stub

Tensor& logSigmoidBackwardOut(const Tensor& grad_output, const Tensor& self,
                              const Tensor& /*buffer: the CPU's*/, Tensor& grad_input) {
  TensorIteratorConfig config;
  config.add_output(grad_input);
  addConstInput(config, self);
  addConstInput(config, grad_output);
  auto iterator = config.build();
  native::log_sigmoid_backward_stub(kCUDA, iterator);
  return grad_input;
}

Tensor logSigmoidBackward(const Tensor& grad_output, const Tensor& self, const Tensor& buffer) {
  Tensor grad_input = at::empty_like(grad_output);
  return logSigmoidBackwardOut(grad_output, self, buffer, grad_input);
}

// -- std, var, std_mean, var_mean

struct Spread {
  const char* name;
  Dims dims;
  double correction;
  bool keepdim;
  bool take_sqrt;
};

void checkSpread(const char* name, const Tensor& self) {
  TORCH_CHECK(self.layout() == Layout::Strided, name,
              " only supports strided layout, got: ", self.layout());
  TORCH_CHECK(self.is_floating_point() || self.is_complex(), name,
              " only support floating point and complex dtypes");
}

void warnOfDegreesOfFreedom(const Spread& spread, const TensorIterator& iterator) {
  const int64_t outputs = iterator.num_output_elements();
  const int64_t reduced = outputs == 0 ? 0 : iterator.numel() / outputs;
  if (static_cast<double>(reduced) - spread.correction <= 0) {
    TORCH_WARN(spread.name,
               "(): degrees of freedom is <= 0. Correction should be strictly less than the "
               "reduction factor (input numel "
               "divided by output numel).");
  }
}

void runSpread(const Spread& spread, TensorIterator& iterator, const std::vector<Tensor>& outputs) {
  warnOfDegreesOfFreedom(spread, iterator);
  if (iterator.numel() == 0) {
    for (const Tensor& output : outputs) {
      output.fill_(std::numeric_limits<double>::quiet_NaN());
    }
    return;
  }
  native::std_var_stub(kCUDA, iterator, spread.correction, spread.take_sqrt);
}

Tensor& spreadOut(const Spread& spread, const Tensor& self, Tensor& result) {
  checkSpread(spread.name, self);
  if (self.is_complex()) {
    // The variance of complex numbers is the sum of the variances of the real and imaginary parts.
    Spread variance = spread;
    variance.take_sqrt = false;
    const auto options = self.options().dtype(c10::toRealValueType(result.scalar_type()));
    Tensor real = at::empty({0}, options), imaginary = at::empty({0}, options);
    spreadOut(variance, at::real(self), real);
    spreadOut(variance, at::imag(self), imaginary);
    at::add_out(result, real, imaginary);
    return spread.take_sqrt ? at::sqrt_out(result, result) : result;
  }
  auto iterator = native::make_reduction(spread.name, result, self, spread.dims, spread.keepdim,
                                         result.scalar_type());
  TORCH_CHECK(at::canCast(self.scalar_type(), result.scalar_type()), "result type ",
              self.scalar_type(), " can't be cast to the desired output type ",
              result.scalar_type());
  runSpread(spread, iterator, {result});
  return result;
}

std::tuple<Tensor, Tensor> spreadAndMean(const Spread& spread, const Tensor& self) {
  checkSpread(spread.name, self);
  if (self.is_complex()) {
    Spread variance = spread;
    variance.take_sqrt = false;
    const auto [real, real_mean] = spreadAndMean(variance, at::real(self));
    const auto [imaginary, imaginary_mean] = spreadAndMean(variance, at::imag(self));
    const Tensor sum = at::add(real, imaginary);
    return {spread.take_sqrt ? at::sqrt(sum) : sum, at::complex(real_mean, imaginary_mean)};
  }
  Tensor result = at::empty({0}, self.options()), mean = at::empty({0}, self.options());
  auto iterator = native::make_reduction(spread.name, result, mean, self, spread.dims,
                                         spread.keepdim, result.scalar_type());
  runSpread(spread, iterator, {result, mean});
  return {result, mean};
}

template <bool take_sqrt>
Tensor& stdOrVarOut(const Tensor& self, Dims dims, const Correction& correction, bool keepdim,
                    Tensor& out) {
  return spreadOut(
      {take_sqrt ? "std" : "var", dims, correction.value_or(1).toDouble(), keepdim, take_sqrt},
      self, out);
}

template <bool take_sqrt>
Tensor stdOrVar(const Tensor& self, Dims dims, const Correction& correction, bool keepdim) {
  const auto options = self.options().dtype(c10::toRealValueType(self.scalar_type()));
  Tensor result = at::empty({0}, options);
  return stdOrVarOut<take_sqrt>(self, dims, correction, keepdim, result);
}

template <bool take_sqrt>
std::tuple<Tensor, Tensor> stdOrVarAndMean(const Tensor& self, Dims dims,
                                           const Correction& correction, bool keepdim) {
  return spreadAndMean({take_sqrt ? "std_mean" : "var_mean", dims,
                        correction.value_or(1).toDouble(), keepdim, take_sqrt},
                       self);
}

// -- mode

std::tuple<Tensor&, Tensor&> modeOut(const Tensor& self, int64_t dim, bool keepdim, Tensor& values,
                                     Tensor& indices) {
  TORCH_CHECK(self.layout() == Layout::Strided,
              "mode only supports strided layout, got: ", self.layout());
  for (const Tensor* output : {&values, &indices}) {
    TORCH_CHECK(output->device() == self.device(), "expected device '", self.device(),
                "' but got '", output->device(), "'");
  }
  TORCH_CHECK(values.scalar_type() == self.scalar_type(), "mode(): expected scalar type ",
              self.scalar_type(), " but got ", values.scalar_type(), " for values");
  TORCH_CHECK(indices.scalar_type() == kLong, "mode(): expected scalar type ", kLong, " but got ",
              indices.scalar_type(), " for indices");
  dim = maybe_wrap_dim(dim, self.dim());
  if (self.numel() == 0) {
    const auto sizes = native::get_zero_numel_tensor_size(self, dim, keepdim, "mode()");
    native::resize_output(values, sizes);
    native::resize_output(indices, sizes);
    return {values, indices};
  }
  if (native::_dimreduce_return_trivial_no_ident(values, self, dim, keepdim, "mode")) {
    indices.resize_({}).fill_(0);
    return {values, indices};
  }
  {
    NoNamesGuard guard;
    native::mode_stub(kCUDA, values, indices, self, dim, keepdim);
  }
  setNamesOfReduction(values, self, dim, keepdim);
  setNamesOfReduction(indices, self, dim, keepdim);
  return {values, indices};
}

std::tuple<Tensor, Tensor> mode(const Tensor& self, int64_t dim, bool keepdim) {
  Tensor values = at::empty({0}, self.options()),
         indices = at::empty({0}, self.options().dtype(kLong));
  modeOut(self, dim, keepdim, values, indices);
  return {values, indices};
}

// -- group norm: libtorch_cpu first makes its input contiguous, but keeps the channels-last format
// on the CPU and on PrivateUse1. Its implementation for devices other than the CPU then fails,
// because it requires contiguous tensors.

std::tuple<Tensor, Tensor, Tensor> groupNorm(const Tensor& x, const optional<Tensor>& gamma,
                                             const optional<Tensor>& beta, int64_t n,
                                             int64_t c, int64_t hxw, int64_t group, double eps) {
  return native::native_group_norm(x.contiguous(), gamma, beta, n, c, hxw, group, eps);
}

std::tuple<Tensor, Tensor, Tensor> groupNormBackward(const Tensor& grad_output, const Tensor& x,
                                                     const Tensor& mean, const Tensor& rstd,
                                                     const optional<Tensor>& gamma, int64_t n,
                                                     int64_t c, int64_t hxw, int64_t group,
                                                     std::array<bool, 3> output_mask) {
  return native::native_group_norm_backward(grad_output.contiguous(), x.contiguous(), mean, rstd,
                                            gamma, n, c, hxw, group, output_mask);
}

// -- lstsq: for devices other than CUDA, libtorch_cpu selects LAPACK's default driver `gelsy`,
// which computes the rank; no kernel of this device computes a rank

using Driver = optional<c10::string_view>;

std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> lstsqOut(const Tensor& self, const Tensor& b,
                                                        optional<double> rcond, Driver driver,
                                                        Tensor& solution, Tensor& residuals,
                                                        Tensor& rank, Tensor& singular_values) {
  return native::linalg_lstsq_out(self, b, rcond, driver.has_value() ? driver : Driver("gels"),
                                  solution, residuals, rank, singular_values);
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("linalg_lstsq.out", lstsqOut);
  m.impl("log_sigmoid_backward", logSigmoidBackward);
  m.impl("log_sigmoid_backward.grad_input", logSigmoidBackwardOut);
  m.impl("std.correction", stdOrVar<true>);
  m.impl("std.correction_out", stdOrVarOut<true>);
  m.impl("var.correction", stdOrVar<false>);
  m.impl("var.correction_out", stdOrVarOut<false>);
  m.impl("std_mean.correction", stdOrVarAndMean<true>);
  m.impl("var_mean.correction", stdOrVarAndMean<false>);
  m.impl("mode", mode);
  m.impl("mode.values", modeOut);
  m.impl("native_group_norm", groupNorm);
  m.impl("native_group_norm_backward", groupNormBackward);
}

}  // namespace
}  // namespace at::cuda::backend

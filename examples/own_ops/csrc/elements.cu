// Elementwise operators. PyTorch's loops (ATen/native/cuda/Loops.cuh) handle strides, types and launches.
#include "kernels.h"

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/cuda/Loops.cuh>
#include <ATen/ops/empty_like.h>

namespace example_ops {
namespace {

/// Applies an operation on the arithmetic type of the elements: float for half.
template <typename Operation>
void apply(at::Tensor& out, const at::Tensor& in, Operation operation) {
  auto iterator = at::TensorIteratorConfig().add_output(out).add_const_input(in).build();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, in.scalar_type(), "example_ops", [&] {
    using value_t = at::opmath_type<scalar_t>;
    at::native::gpu_kernel(iterator, [operation] GPU_LAMBDA(scalar_t x) -> scalar_t {
      return static_cast<scalar_t>(operation(static_cast<value_t>(x)));
    });
  });
}

}  // namespace

at::Tensor scale(const at::Tensor& self, double factor) {
  at::Tensor out = at::empty_like(self);
  apply(out, self, [factor] GPU_LAMBDA(auto x) { return x * static_cast<decltype(x)>(factor); });
  return out;
}

at::Tensor& clamp_low_(at::Tensor& self, double low) {
  apply(self, self, [low] GPU_LAMBDA(auto x) {
    const auto least = static_cast<decltype(x)>(low);
    return x < least ? least : x;  // preserves NaN
  });
  return self;
}

void accumulate(at::Tensor& total, const at::Tensor& x) {
  auto iterator = at::TensorIterator::borrowing_binary_op(total, total, x);
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, iterator.common_dtype(), "accumulate", [&] {
    at::native::gpu_kernel(iterator, [] GPU_LAMBDA(scalar_t a, scalar_t b) -> scalar_t { return a + b; });
  });
}

}  // namespace example_ops

// Arguments of all kinds, and results whose size depends on the data.
#include "kernels.h"

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/cuda/CUDAException.h>

namespace example_ops {
namespace {

constexpr int kThreads = 256;

unsigned blocks(int64_t count) { return static_cast<unsigned>((count + kThreads - 1) / kThreads); }

template <typename T>
__global__ void addWeighted(const T* x, T* sum, int64_t count, at::opmath_type<T> weight) {
  using Value = at::opmath_type<T>;  // float for half
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    sum[i] = static_cast<T>(static_cast<Value>(sum[i]) + weight * static_cast<Value>(x[i]));
  }
}

template <typename T>
__global__ void gather(const T* x, const int64_t* number, T* out, int64_t count) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count && x[i] > T(0)) {
    out[number[i] - 1] = x[i];
  }
}

}  // namespace

at::Tensor weighted_sum(at::TensorList xs, at::ArrayRef<double> weights,
                        const std::optional<at::Tensor>& bias) {
  TORCH_CHECK(!xs.empty(), "weighted_sum: no tensors");
  TORCH_CHECK(xs.size() == weights.size(), "weighted_sum: ", xs.size(), " tensors and ",
              weights.size(), " weights");
  at::Tensor sum = at::zeros(xs[0].sizes(), xs[0].options());
  const auto add = [&](const at::Tensor& x, double weight) {
    TORCH_CHECK(x.sizes() == sum.sizes() && x.scalar_type() == sum.scalar_type(),
                "weighted_sum: tensors of one shape and type");
    const at::Tensor in = x.contiguous();
    if (in.numel() == 0) {
      return;
    }
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, in.scalar_type(), "weighted_sum", [&] {
      addWeighted<scalar_t><<<blocks(in.numel()), kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
          in.const_data_ptr<scalar_t>(), sum.mutable_data_ptr<scalar_t>(), in.numel(), weight);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  };
  for (size_t i = 0; i < xs.size(); ++i) {
    add(xs[i], weights[i]);
  }
  if (bias) {
    add(*bias, 1.0);
  }
  return sum;
}

at::Tensor positives(const at::Tensor& x) {
  const at::Tensor in = x.contiguous().view(-1);
  if (in.numel() == 0) {
    return at::empty({0}, in.options());
  }
  // Running count of positive elements: the number of each positive element, from 1.
  const at::Tensor number = at::cumsum(in.gt(0), 0);
  at::Tensor out = at::empty({number[-1].item<int64_t>()}, in.options());
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, in.scalar_type(), "positives", [&] {
    gather<scalar_t><<<blocks(in.numel()), kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
        in.const_data_ptr<scalar_t>(), number.const_data_ptr<int64_t>(),
        out.mutable_data_ptr<scalar_t>(), in.numel());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return out;
}

}  // namespace example_ops

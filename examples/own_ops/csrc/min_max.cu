// Minimum and maximum of each row: one block for each row, by a reduction in shared memory.
#include "kernels.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

namespace example_ops {
namespace {

constexpr int kThreads = 256;

template <typename T>
__global__ void rowMinMax(const T* x, T* low, T* high, int64_t columns) {
  __shared__ T lows[kThreads];
  __shared__ T highs[kThreads];
  const T* row = x + blockIdx.x * columns;
  // Threads beyond the number of columns begin with the first column.
  T least = row[threadIdx.x < columns ? threadIdx.x : 0];
  T greatest = least;
  for (int64_t column = threadIdx.x; column < columns; column += kThreads) {
    least = row[column] < least ? row[column] : least;
    greatest = greatest < row[column] ? row[column] : greatest;
  }
  lows[threadIdx.x] = least;
  highs[threadIdx.x] = greatest;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) {
      const T other = lows[threadIdx.x + width];
      lows[threadIdx.x] = other < lows[threadIdx.x] ? other : lows[threadIdx.x];
      const T another = highs[threadIdx.x + width];
      highs[threadIdx.x] = highs[threadIdx.x] < another ? another : highs[threadIdx.x];
    }
  }
  if (threadIdx.x == 0) {
    low[blockIdx.x] = lows[0];
    high[blockIdx.x] = highs[0];
  }
}

}  // namespace

std::tuple<at::Tensor, at::Tensor> min_max(const at::Tensor& x) {
  TORCH_CHECK(x.dim() > 0 && x.size(-1) > 0, "min_max: rows of at least one element, not ", x.sizes());
  const at::Tensor in = x.contiguous();
  at::Tensor low = at::empty(in.sizes().slice(0, in.dim() - 1), in.options());
  at::Tensor high = at::empty_like(low);
  if (low.numel() > 0) {
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, in.scalar_type(), "min_max", [&] {
      rowMinMax<scalar_t><<<low.numel(), kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
          in.const_data_ptr<scalar_t>(), low.mutable_data_ptr<scalar_t>(),
          high.mutable_data_ptr<scalar_t>(), in.size(-1));
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  }
  return {low, high};
}

/// Gradients go to every element that is the least or the greatest of its row.
at::Tensor min_max_backward(const at::Tensor& low_grad, const at::Tensor& high_grad, const at::Tensor& x,
                            const at::Tensor& low, const at::Tensor& high) {
  const at::Tensor zero = at::zeros({}, x.options());
  const at::Tensor to_low = at::where(x.eq(low.unsqueeze(-1)), low_grad.unsqueeze(-1), zero);
  return to_low + at::where(x.eq(high.unsqueeze(-1)), high_grad.unsqueeze(-1), zero);
}

}  // namespace example_ops

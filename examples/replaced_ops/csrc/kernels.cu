// CUDA kernels that replace PyTorch's. `porter op build` ports them to the target.
#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/TensorMeta.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

#include "kernels.h"

#include <string_view>

namespace replaced_ops {
namespace {

constexpr int kThreads = 256;
constexpr int kMostDims = 8;

unsigned blocks(int64_t count) { return static_cast<unsigned>((count + kThreads - 1) / kThreads); }

struct Sizes {
  int64_t size[kMostDims];
  bool flipped[kMostDims];
  int dims;
};

template <typename T>
__global__ void flip_kernel(const T* in, T* out, Sizes sizes, int64_t count) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  int64_t rest = i, from = 0, stride = 1;
  for (int dim = sizes.dims - 1; dim >= 0; --dim) {
    const int64_t at = rest % sizes.size[dim];
    from += (sizes.flipped[dim] ? sizes.size[dim] - 1 - at : at) * stride;
    stride *= sizes.size[dim];
    rest /= sizes.size[dim];
  }
  out[i] = in[from];
}

__global__ void gelu_kernel(const float* in, float* out, int64_t count, bool tanh_approximation) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float x = in[i];
  constexpr float kSqrtHalf = 0.70710678f, kBeta = 0.79788456f;
  out[i] = tanh_approximation ? 0.5f * x * (1.0f + tanhf(kBeta * (x + 0.044715f * x * x * x)))
                              : 0.5f * x * (1.0f + erff(x * kSqrtHalf));
}

template <typename T>
__global__ void triu_kernel(const T* in, T* out, int64_t rows, int64_t columns, int64_t k, int64_t count) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const int64_t column = i % columns, row = i / columns % rows;
  out[i] = column - row >= k ? in[i] : T(0);
}

}  // namespace

at::Tensor flip(const at::Tensor& self, at::IntArrayRef dims) {
  TORCH_CHECK(self.dim() <= kMostDims, "flip: at most ", kMostDims, " dimensions");
  const at::Tensor in = self.contiguous();
  at::Tensor out = at::empty_like(in);
  Sizes sizes{};
  sizes.dims = static_cast<int>(in.dim());
  for (int dim = 0; dim < sizes.dims; ++dim) sizes.size[dim] = in.size(dim);
  for (const int64_t dim : dims) {
    bool& flipped = sizes.flipped[at::maybe_wrap_dim(dim, in.dim())];
    TORCH_CHECK(!flipped, "flip: a dimension is named twice");
    flipped = true;
  }
  if (in.numel() == 0) return out;
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      at::kHalf, at::kBFloat16, at::kBool, in.scalar_type(), "flip", [&] {
        flip_kernel<scalar_t><<<blocks(in.numel()), kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
            in.const_data_ptr<scalar_t>(), out.mutable_data_ptr<scalar_t>(), sizes, in.numel());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
      });
  return out;
}

// As in PyTorch's kernels, the caller has resized `out`, and `out` may have any strides.
TORCH_IMPL_FUNC(gelu_out)(const at::Tensor& self, c10::string_view approximate, const at::Tensor& out) {
  if (self.numel() == 0) return;
  const at::Tensor in = self.to(at::kFloat).contiguous();
  at::Tensor result = at::empty_like(in);
  gelu_kernel<<<blocks(in.numel()), kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
      in.const_data_ptr<float>(), result.mutable_data_ptr<float>(), in.numel(), approximate == "tanh");
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  out.copy_(result);
}

TORCH_META_FUNC(triu_out)(const at::Tensor& self, int64_t k) {
  TORCH_CHECK(self.dim() >= 2, "triu: a matrix, or a batch of them");
  set_output_contiguous(0, self.sizes(), self.options());
}

TORCH_IMPL_FUNC(triu_out)(const at::Tensor& self, int64_t k, const at::Tensor& out) {
  if (self.numel() == 0) return;
  const at::Tensor in = self.contiguous();
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      at::kHalf, at::kBFloat16, at::kBool, in.scalar_type(), "triu", [&] {
        triu_kernel<scalar_t><<<blocks(in.numel()), kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
            in.const_data_ptr<scalar_t>(), out.mutable_data_ptr<scalar_t>(), in.size(-2), in.size(-1), k,
            in.numel());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
      });
}

}  // namespace replaced_ops

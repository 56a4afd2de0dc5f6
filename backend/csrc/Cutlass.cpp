// Functions that ported sources call and that upstream implements with cutlass, whose templates are
// for NVIDIA's tensor cores.

// Releases before 2.5 have none of these functions.
#if __has_include(<ATen/native/cuda/RowwiseScaledMM.h>)

#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/RowwiseScaledMM.h>

namespace at::cuda::detail {

// Weak: a port that contains RowwiseScaledMM.cu defines the function itself.
__attribute__((weak)) void f8f8bf16_rowwise(at::Tensor /*XQ*/, at::Tensor /*WQ*/,
                                            at::Tensor /*x_scale*/, at::Tensor /*w_scale*/,
                                            std::optional<at::Tensor> /*bias*/,
                                            bool /*use_fast_accum*/, at::Tensor& /*out*/) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, "products of 8-bit floats with a scale for each row are not there for this device");
}

}  // namespace at::cuda::detail

#endif

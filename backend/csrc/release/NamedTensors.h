#pragma once

#include <ATen/core/Tensor.h>

// Named tensors, removed in PyTorch 2.13. For later releases the functions of this file do nothing.
#if __has_include(<ATen/NamedTensorUtils.h>)

#include <ATen/NamedTensorUtils.h>

namespace at::cuda::backend {

using at::NoNamesGuard;
using DimensionNames = std::vector<Dimname>;

inline DimensionNames namesOfDistances(const Tensor& x1, const Tensor& x2) {
  return namedinference::compute_cdist_outnames(x1, x2);
}

inline void setNames(const Tensor& result, const DimensionNames& names) {
  namedinference::propagate_names_if_nonempty(result, names);
}

inline void setNamesOfReduction(const Tensor& result, const Tensor& self, int64_t dim,
                                bool keepdim) {
  namedinference::propagate_names_for_reduction(result, self, dim, keepdim);
}

}  // namespace at::cuda::backend

#else

namespace at::cuda::backend {

struct NoNamesGuard {
  NoNamesGuard() {}
};
struct DimensionNames {};

inline DimensionNames namesOfDistances(const Tensor& /*x1*/, const Tensor& /*x2*/) { return {}; }

inline void setNames(const Tensor& /*result*/, const DimensionNames& /*names*/) {}

inline void setNamesOfReduction(const Tensor& /*result*/, const Tensor& /*self*/, int64_t /*dim*/,
                                bool /*keepdim*/) {}

}  // namespace at::cuda::backend

#endif

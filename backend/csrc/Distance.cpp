// Distances between points. libtorch_cpu's operators accept only a fixed list of device types (see
// CudaHardcodedOps.cpp).

#include "release/NamedTensors.h"
#include "release/Optional.h"

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>
#include <ATen/native/Distance.h>
#include <c10/util/accumulate.h>
#include <torch/library.h>

namespace at::cuda::backend {
namespace {

// Two sets of points, as tensors of shape [batch, points, coordinates]. The batch dimensions of the
// two arguments are broadcast to `batch` and flattened to one dimension of size `batches`.
struct Points {
  Tensor first, second;
  std::vector<int64_t> batch;
  int64_t batches;
};

Points broadcastPoints(const Tensor& x1, const Tensor& x2) {
  Points result;
  result.batch = infer_size(x1.sizes().slice(0, x1.dim() - 2), x2.sizes().slice(0, x2.dim() - 2));
  result.batches = c10::multiply_integers(result.batch);
  const auto expand = [&](const Tensor& x) {
    auto sizes = result.batch;
    sizes.insert(sizes.end(), {x.size(-2), x.size(-1)});
    return x.expand(sizes).contiguous().view({result.batches, x.size(-2), x.size(-1)});
  };
  result.first = expand(x1);
  result.second = expand(x2);
  return result;
}

Tensor cdistForward(const Tensor& x1, const Tensor& x2, double p,
                    optional<int64_t> compute_mode) {
  TORCH_CHECK(x1.dim() >= 2 && x2.dim() >= 2, "cdist only supports at least 2D tensors");
  TORCH_CHECK(x1.size(-1) == x2.size(-1), "X1 and X2 must have the same number of columns");
  TORCH_CHECK(x1.is_floating_point() && x2.is_floating_point(),
              "cdist only supports floating-point dtypes, got: ", x1.scalar_type(), " and ",
              x2.scalar_type());
  TORCH_CHECK(x1.device() == x2.device(), "X1 and X2 must be on one device, got: ", x1.device(),
              ", ", x2.device());
  TORCH_CHECK(p >= 0, "cdist only supports non-negative p values");
  const int64_t mode = compute_mode.value_or(0);
  TORCH_CHECK(mode >= 0 && mode <= 2, "possible modes: 0, 1, 2, but was: ", mode);
  const auto names = namesOfDistances(x1, x2);
  Tensor result;
  {
    NoNamesGuard guard;
    const Points points = broadcastPoints(x1, x2);
    const int64_t rows = x1.size(-2), columns = x2.size(-2);
    auto sizes = points.batch;
    sizes.insert(sizes.end(), {rows, columns});
    // Mode 1 requests a matrix product, mode 2 forbids it; with mode 0 the sizes decide.
    const bool product = p == 2 && (mode == 1 || (mode == 0 && (rows > 25 || columns > 25)));
    if (rows == 0 || columns == 0 || points.batches == 0) {
      result = at::empty(sizes, x1.options());
    } else if (x1.size(-1) == 0) {
      result = at::zeros(sizes, x1.options());
    } else if (product) {
      result = at::_euclidean_dist(points.first, points.second).view(sizes);
    } else {
      result = at::empty(sizes, x1.options());
      native::cdist_stub(kCUDA, result, points.first, points.second, p);
    }
  }
  setNames(result, names);
  return result;
}

Tensor cdistBackward(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p,
                     const Tensor& distances) {
  const Points points = broadcastPoints(x1, x2);
  if (points.first.numel() == 0 || points.second.numel() == 0) {
    return at::zeros_like(x1);
  }
  Tensor result = at::empty_like(points.first, MemoryFormat::Contiguous);
  native::cdist_backward_stub(kCUDA, result, grad.contiguous(), points.first, points.second, p,
                              distances.contiguous());
  auto sizes = points.batch;
  sizes.insert(sizes.end(), {x1.size(-2), x1.size(-1)});
  return result.view(sizes);
}

Tensor pdistForward(const Tensor& self, double p) {
  TORCH_CHECK(self.is_contiguous(), "_pdist_forward requires contiguous input");
  const int64_t points = self.size(0);
  Tensor result = at::empty({points * (points - 1) / 2}, self.options());
  if (self.size(1) == 0) {
    result.zero_();
  } else if (result.numel() > 0) {
    native::pdist_forward_stub(kCUDA, result, self, p);
  }
  return result;
}

Tensor pdistBackward(const Tensor& grad, const Tensor& self, double p, const Tensor& distances) {
  TORCH_CHECK(self.is_contiguous(), "_pdist_backward requires self to be contiguous");
  TORCH_CHECK(distances.is_contiguous(), "_pdist_backward requires pdist to be contiguous");
  Tensor result = at::empty_like(self, MemoryFormat::Contiguous);
  native::pdist_backward_stub(kCUDA, result, grad, self, p, distances);
  return result;
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("_cdist_forward", cdistForward);
  m.impl("_cdist_backward", cdistBackward);
  m.impl("_pdist_forward", pdistForward);
  m.impl("_pdist_backward", pdistBackward);
}

}  // namespace
}  // namespace at::cuda::backend

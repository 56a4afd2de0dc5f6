// Exponential of matrices. libtorch_cpu's implementation keeps its polynomial coefficients on the
// CPU for all devices except CUDA, and cannot combine them with a tensor of another device.
//
// This file implements scaling and squaring with Pade approximants: N. J. Higham, The Scaling and
// Squaring Method for the Matrix Exponential Revisited, SIAM J. Matrix Anal. Appl. 26 (2005),
// algorithm 2.3.

#include <ATen/ATen.h>
#include <ATen/native/LinearAlgebraUtils.h>
#include <torch/library.h>

#include <vector>

namespace at::cuda::backend {
namespace {

/// Coefficients of the numerator of exp's diagonal Pade approximant. The denominator has the same
/// coefficients with alternating signs.
struct Approximant {
  std::vector<double> coefficients;
  double theta;  // largest norm with an error below the dtype's unit roundoff (table 2.3)
};

const Approximant kOfFloat{{17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1},
                           3.925724783138660};
const Approximant kOfDouble{
    {64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000,
     10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1},
    5.371920351148152};

/// Sum of every second coefficient, beginning with coefficients[first], times A^0, A^2, A^4, ...
/// `powers` contains I, A^2, A^4 and A^6; higher powers are products with A^6.
Tensor everySecond(const std::vector<double>& coefficients, size_t first,
                   const std::vector<Tensor>& powers) {
  const size_t low = powers.size();
  Tensor sum = powers[0] * coefficients[first];
  for (size_t k = 1; k < low; ++k) {
    sum.add_(powers[k], coefficients[first + 2 * k]);
  }
  Tensor high;
  for (size_t k = low; first + 2 * k < coefficients.size(); ++k) {
    const Tensor& power = powers[k - low + 1];
    high = high.defined() ? high.add_(power, coefficients[first + 2 * k])
                          : power * coefficients[first + 2 * k];
  }
  return high.defined() ? sum.add_(at::matmul(powers.back(), high)) : sum;
}

Tensor approximate(const Tensor& a, const Approximant& approximant) {
  const Tensor a2 = at::matmul(a, a);
  const Tensor a4 = at::matmul(a2, a2);
  const std::vector<Tensor> powers{at::eye(a.size(-1), a.options()).expand_as(a), a2, a4,
                                   at::matmul(a2, a4)};
  const Tensor odd = at::matmul(a, everySecond(approximant.coefficients, 1, powers));
  const Tensor even = everySecond(approximant.coefficients, 0, powers);
  return at::linalg_solve(even - odd, even + odd);
}

Tensor matrixExp(const Tensor& self) {
  native::squareCheckInputs(self, "linalg.matrix_exp");
  native::checkFloatingOrComplex(self, "linalg.matrix_exp");
  if (self.numel() == 0) {
    return self.clone();
  }
  if (self.size(-1) == 1) {
    return self.exp();
  }
  const auto dtype = self.scalar_type();
  // 16-bit matrices are converted to 32 bits, because no kernel solves linear systems in 16 bits.
  const Tensor a = dtype == kHalf || dtype == kBFloat16 ? self.to(kFloat) : self;
  const Approximant& approximant =
      toRealValueType(a.scalar_type()) == kDouble ? kOfDouble : kOfFloat;
  const Tensor norm = a.abs().sum(-2, true).amax(-1, true);
  // Number of halvings of each matrix. The exponential of the halved matrix is squared the same
  // number of times. 0 for a matrix with infinite elements or NaN.
  const Tensor halvings =
      at::where(norm.isfinite(), (norm / approximant.theta).log2().ceil().clamp_min(0), 0.0);
  Tensor result = approximate(a * at::exp2(-halvings), approximant);
  const auto most = halvings.max().item<double>();
  for (double done = 0; done < most; ++done) {
    result = at::where(halvings > done, at::matmul(result, result), result);
  }
  return result.to(dtype);
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) { m.impl("linalg_matrix_exp", matrixExp); }

}  // namespace
}  // namespace at::cuda::backend

// LU factorisation without pivoting, which cuBLAS and cuSOLVER have and LAPACK lacks.
#pragma once

#include <algorithm>
#include <cstddef>

#include "blas/context.h"

namespace simtrt {

/// Computes L and U of an m x n matrix in place. Returns 0, or the first i (counted from 1) with
/// U(i, i) = 0.
template <class T>
int lu_without_pivoting(int m, int n, T* a, std::ptrdiff_t lda) {
  int info = 0;
  for (std::ptrdiff_t k = 0; k < std::min(m, n); ++k) {
    const T pivot = a[k + k * lda];
    if (pivot == T()) {
      info = info == 0 ? static_cast<int>(k + 1) : info;
      continue;
    }
    for (std::ptrdiff_t i = k + 1; i < m; ++i) {
      a[i + k * lda] /= pivot;
    }
    for (std::ptrdiff_t j = k + 1; j < n; ++j) {
      const T factor = a[k + j * lda];
      for (std::ptrdiff_t i = k + 1; i < m; ++i) {
        a[i + j * lda] -= a[i + k * lda] * factor;
      }
    }
  }
  return info;
}

/// Solves op(A) X = B with the factors of lu_without_pivoting.
template <class T>
void solve_without_pivoting(simtblasOperation_t trans, int n, int nrhs, const T* a, int lda, T* b,
                            int ldb) {
  using namespace host_blas;
  const auto lower = [&] {
    trsm(kLeft, kLower, native(trans), kUnit, n, nrhs, T(1), a, lda, b, ldb);
  };
  const auto upper = [&] {
    trsm(kLeft, kUpper, native(trans), kNonUnit, n, nrhs, T(1), a, lda, b, ldb);
  };
  if (trans == SIMTBLAS_OP_N) {
    lower();
    upper();
  } else {
    upper();
    lower();
  }
}

}  // namespace simtrt

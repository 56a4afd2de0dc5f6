// One matrix product on the host's BLAS, with CUDA's rules for what is not read.
#pragma once

#include <algorithm>
#include <cstddef>

#include "blas/context.h"

namespace simtrt {

/// C *= beta, where a beta of 0 does not read C.
template <class T>
void scale_matrix(int m, int n, T beta, T* c, int ldc) {
  if (beta == T(1)) {
    return;
  }
  for (int j = 0; j < n; ++j) {
    T* const column = c + static_cast<std::ptrdiff_t>(j) * ldc;
    if (beta == T()) {
      std::fill(column, column + m, T());
    } else {
      for (int i = 0; i < m; ++i) {
        column[i] *= beta;
      }
    }
  }
}

/// C = alpha op(A) op(B) + beta C. A and B are not read where alpha or k is 0, C not where beta is
/// 0.
template <class T>
void gemm_on_host(simtblasOperation_t transa, simtblasOperation_t transb, int m, int n, int k,
                  T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc) {
  if (k == 0 || alpha == T()) {
    scale_matrix(m, n, beta, c, ldc);
    return;
  }
  if (beta == T() && (m == 1 || n == 1)) {
    // OpenBLAS makes these a gemv, of which releases differ in whether 0 * NaN stays.
    scale_matrix(m, n, beta, c, ldc);
  }
  host_blas::gemm(native(transa), native(transb), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/// Whether cuBLAS takes these sizes and operations.
inline bool valid_gemm(simtblasOperation_t transa, simtblasOperation_t transb, int m, int n, int k,
                       int lda, int ldb, int ldc) {
  return valid(transa) && valid(transb) && m >= 0 && n >= 0 && k >= 0 &&
         valid_ld(lda, transa == SIMTBLAS_OP_N ? m : k) &&
         valid_ld(ldb, transb == SIMTBLAS_OP_N ? k : n) && valid_ld(ldc, m);
}

inline double gemm_work(int m, int n, int k) {
  return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

}  // namespace simtrt

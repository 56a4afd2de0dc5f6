// cuBLAS's extensions to level 3: geam and dgmm. Both are limited by memory bandwidth, so plain
// loops suffice.
#include <simtrt/enqueue.h>

#include <algorithm>

#include "blas/context.h"

namespace simtrt {
namespace {

/// Element (i, j) of op(X).
template <class T>
T element(simtblasOperation_t op, const T* x, int ld, std::ptrdiff_t i, std::ptrdiff_t j) {
  switch (op) {
    case SIMTBLAS_OP_N: return x[i + j * ld];
    case SIMTBLAS_OP_T: return x[j + i * ld];
    default: return conjugate(x[j + i * ld]);
  }
}

/// Calls `column(j)` for each column of a matrix with `rows` rows, on several workers.
template <class Column>
void for_each_column(int rows, int columns, const Column& column) {
  const auto grain = static_cast<std::size_t>(std::max(1, 32768 / rows));
  parallel_for(static_cast<std::size_t>(columns), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      column(static_cast<std::ptrdiff_t>(j));
    }
  });
}

/// True if writing the result C would overwrite elements of X that have not been read. If C is X,
/// each element must have the same position in both.
template <class T>
bool overlaps(const T* c, int ldc, const T* x, int ldx, simtblasOperation_t op) {
  return c != nullptr && x == c && (op != SIMTBLAS_OP_N || ldx != ldc);
}

template <class T>
simtblasStatus_t geam(simtblasHandle_t handle, const char* name, simtblasOperation_t transa,
                      simtblasOperation_t transb, int m, int n, const T* alpha, const T* a, int lda,
                      const T* beta, const T* b, int ldb, T* c, int ldc) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (m < 0 || n < 0 || !valid(transa) || !valid(transb) ||
      !valid_ld(lda, transa == SIMTBLAS_OP_N ? m : n) ||
      !valid_ld(ldb, transb == SIMTBLAS_OP_N ? m : n) || !valid_ld(ldc, m) ||
      any_null(alpha, beta) || overlaps(c, ldc, a, lda, transa) ||
      overlaps(c, ldc, b, ldb, transb)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  const BlasScalar<T> beta_argument(*handle, beta);
  if (c == nullptr || (a == nullptr && !alpha_argument.known_zero()) ||
      (b == nullptr && !beta_argument.known_zero())) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    const T alpha_value = alpha_argument();
    const T beta_value = beta_argument();
    // An operand whose factor is zero is not read.
    const bool reads_a = alpha_value != T();
    const bool reads_b = beta_value != T();
    for_each_column(m, n, [&](std::ptrdiff_t j) {
      T* const column = c + j * ldc;
      for (std::ptrdiff_t i = 0; i < m; ++i) {
        T sum = reads_a ? alpha_value * element(transa, a, lda, i, j) : T();
        if (reads_b) {
          sum += beta_value * element(transb, b, ldb, i, j);
        }
        column[i] = sum;
      }
    });
  });
}

template <class T>
simtblasStatus_t dgmm(simtblasHandle_t handle, const char* name, simtblasSideMode_t side, int m,
                      int n, const T* a, int lda, const T* x, int incx, T* c, int ldc) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (m < 0 || n < 0 || !valid(side) || !valid_ld(lda, m) || !valid_ld(ldc, m)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(a, x, c)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const bool left = side == SIMTBLAS_SIDE_LEFT;
  return blas_submit(*handle, name, [=] {
    const T* const diagonal = first_element(x, left ? m : n, incx);
    for_each_column(m, n, [&](std::ptrdiff_t j) {
      for (std::ptrdiff_t i = 0; i < m; ++i) {
        c[i + j * ldc] = diagonal[(left ? i : j) * incx] * a[i + j * lda];
      }
    });
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_GEAM(geam_name, dgmm_name, T)                                                       \
  simtblasStatus_t geam_name(simtblasHandle_t handle, simtblasOperation_t transa,                  \
                             simtblasOperation_t transb, int m, int n, const T* alpha, const T* A, \
                             int lda, const T* beta, const T* B, int ldb, T* C, int ldc) {         \
    return geam(handle, #geam_name, transa, transb, m, n, native(alpha), native(A), lda,           \
                native(beta), native(B), ldb, native(C), ldc);                                     \
  }                                                                                                \
  simtblasStatus_t dgmm_name(simtblasHandle_t handle, simtblasSideMode_t mode, int m, int n,       \
                             const T* A, int lda, const T* x, int incx, T* C, int ldc) {           \
    return dgmm(handle, #dgmm_name, mode, m, n, native(A), lda, native(x), incx, native(C), ldc);  \
  }
DEFINE_GEAM(simtblasSgeam, simtblasSdgmm, float)
DEFINE_GEAM(simtblasDgeam, simtblasDdgmm, double)
DEFINE_GEAM(simtblasCgeam, simtblasCdgmm, simtComplex)
DEFINE_GEAM(simtblasZgeam, simtblasZdgmm, simtDoubleComplex)

}  // extern "C"

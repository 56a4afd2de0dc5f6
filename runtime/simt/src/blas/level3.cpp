// Products with symmetric, Hermitian and triangular matrices, and solutions of triangular systems.
#include <algorithm>

#include "blas/batch.h"
#include "blas/gemm.h"

namespace simtrt {
namespace {

/// Calls `one(row, rows, column, columns)` for independent parts of an m x n result: parts are
/// groups of columns if the square matrix is on the left, otherwise groups of rows.
template <class One>
void for_each_independent(simtblasSideMode_t side, int m, int n, const One& one) {
  constexpr int kLeast = 64;
  if (side == SIMTBLAS_SIDE_LEFT) {
    for_each_slice(n, kLeast, gemm_work(m, n, m),
                   [&](int begin, int size) { one(0, m, begin, size); });
  } else {
    for_each_slice(m, kLeast, gemm_work(m, n, n),
                   [&](int begin, int size) { one(begin, size, 0, n); });
  }
}

template <bool is_hermitian, class T>
simtblasStatus_t symm(simtblasHandle_t handle, const char* name, simtblasSideMode_t side,
                      simtblasFillMode_t uplo, int m, int n, const T* alpha, const T* a, int lda,
                      const T* b, int ldb, const T* beta, T* c, int ldc) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (m < 0 || n < 0 || !valid(side) || !valid(uplo) ||
      !valid_ld(lda, side == SIMTBLAS_SIDE_LEFT ? m : n) || !valid_ld(ldb, m) ||
      !valid_ld(ldc, m) || any_null(alpha, beta)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  const BlasScalar<T> beta_argument(*handle, beta);
  if (c == nullptr || (any_null(a, b) && !alpha_argument.known_zero())) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    const T alpha_value = alpha_argument();
    const T beta_value = beta_argument();
    if (beta_value == T() || alpha_value == T()) {
      scale_matrix(m, n, beta_value, c, ldc);
    }
    if (alpha_value == T()) {
      return;
    }
    for_each_independent(side, m, n, [&](int row, int rows, int column, int columns) {
      const T* const of_b = b + row + column * std::ptrdiff_t{ldb};
      T* const of_c = c + row + column * std::ptrdiff_t{ldc};
      if constexpr (is_hermitian) {
        host_blas::hemm(native(side), native(uplo), rows, columns, alpha_value, a, lda, of_b, ldb,
                        beta_value, of_c, ldc);
      } else {
        host_blas::symm(native(side), native(uplo), rows, columns, alpha_value, a, lda, of_b, ldb,
                        beta_value, of_c, ldc);
      }
    });
  });
}

/// Arguments shared by trmm, trsm and trsmBatched.
template <class T>
struct Triangular {
  simtblasSideMode_t side;
  simtblasFillMode_t uplo;
  simtblasOperation_t trans;
  simtblasDiagType_t diag;
  int m;
  int n;
  const T* alpha;
  int lda;
  int ldb;

  int order() const { return side == SIMTBLAS_SIDE_LEFT ? m : n; }
  bool valid() const {
    return simtrt::valid(side) && simtrt::valid(uplo) && simtrt::valid(trans) &&
           simtrt::valid(diag) && m >= 0 && n >= 0 && valid_ld(lda, order()) && valid_ld(ldb, m) &&
           alpha != nullptr;
  }
  double work() const { return gemm_work(m, n, order()); }

  void solve(T alpha_value, const T* a, T* b) const {
    if (alpha_value == T()) {
      scale_matrix(m, n, T(), b, ldb);
      return;
    }
    for_each_independent(side, m, n, [&](int row, int rows, int column, int columns) {
      host_blas::trsm(native(side), native(uplo), native(trans), native(diag), rows, columns,
                      alpha_value, a, lda, b + row + column * std::ptrdiff_t{ldb}, ldb);
    });
  }
};

template <class T>
simtblasStatus_t trmm(simtblasHandle_t handle, const char* name, const Triangular<T>& triangular,
                      const T* a, const T* b, T* c, int ldc) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  // C may overlap B only if both are the same matrix.
  if (!triangular.valid() || !valid_ld(ldc, triangular.m) || (b == c && triangular.ldb != ldc)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (triangular.m == 0 || triangular.n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha(*handle, triangular.alpha);
  if (c == nullptr || (any_null(a, b) && !alpha.known_zero())) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    const T alpha_value = alpha();
    const auto& t = triangular;
    if (alpha_value == T()) {
      scale_matrix(t.m, t.n, T(), c, ldc);
      return;
    }
    for (std::ptrdiff_t j = 0; b != c && j < t.n; ++j) {
      std::copy_n(b + j * t.ldb, t.m, c + j * ldc);
    }
    for_each_independent(t.side, t.m, t.n, [&](int row, int rows, int column, int columns) {
      host_blas::trmm(native(t.side), native(t.uplo), native(t.trans), native(t.diag), rows,
                      columns, alpha_value, a, t.lda, c + row + column * std::ptrdiff_t{ldc}, ldc);
    });
  });
}

template <class T>
simtblasStatus_t trsm(simtblasHandle_t handle, const char* name, const Triangular<T>& triangular,
                      const T* a, T* b) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!triangular.valid()) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (triangular.m == 0 || triangular.n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha(*handle, triangular.alpha);
  if (b == nullptr || (a == nullptr && !alpha.known_zero())) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] { triangular.solve(alpha(), a, b); });
}

template <class T>
simtblasStatus_t trsm_batched(simtblasHandle_t handle, const char* name,
                              const Triangular<T>& triangular, const T* const* a, T* const* b,
                              int count) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!triangular.valid() || count < 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (triangular.m == 0 || triangular.n == 0 || count == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (a == nullptr || b == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<T> alpha(*handle, triangular.alpha);
  return blas_submit(*handle, name, [=] {
    const T alpha_value = alpha();
    for_each_of_batch(count, triangular.work(),
                      [&](int i) { triangular.solve(alpha_value, a[i], b[i]); });
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_SYMM(name, T, is_hermitian)                                                           \
  simtblasStatus_t name(simtblasHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo, \
                        int m, int n, const T* alpha, const T* A, int lda, const T* B, int ldb,    \
                        const T* beta, T* C, int ldc) {                                            \
    return symm<is_hermitian>(handle, #name, side, uplo, m, n, native(alpha), native(A), lda,      \
                              native(B), ldb, native(beta), native(C), ldc);                       \
  }
DEFINE_SYMM(simtblasSsymm, float, false)
DEFINE_SYMM(simtblasDsymm, double, false)
DEFINE_SYMM(simtblasCsymm, simtComplex, false)
DEFINE_SYMM(simtblasZsymm, simtDoubleComplex, false)
DEFINE_SYMM(simtblasChemm, simtComplex, true)
DEFINE_SYMM(simtblasZhemm, simtDoubleComplex, true)

#define TRIANGULAR_ARGUMENTS                                                 \
  simtblasHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo, \
      simtblasOperation_t trans, simtblasDiagType_t diag, int m, int n

#define DEFINE_TRM(trmm_name, trsm_name, batched_name, T, Native)                                  \
  simtblasStatus_t trmm_name(TRIANGULAR_ARGUMENTS, const T* alpha, const T* A, int lda,            \
                             const T* B, int ldb, T* C, int ldc) {                                 \
    const Triangular<Native> arguments{side, uplo, trans, diag, m, n, native(alpha), lda, ldb};    \
    return trmm(handle, #trmm_name, arguments, native(A), native(B), native(C), ldc);              \
  }                                                                                                \
  simtblasStatus_t trsm_name(TRIANGULAR_ARGUMENTS, const T* alpha, const T* A, int lda, T* B,      \
                             int ldb) {                                                            \
    const Triangular<Native> arguments{side, uplo, trans, diag, m, n, native(alpha), lda, ldb};    \
    return trsm(handle, #trsm_name, arguments, native(A), native(B));                              \
  }                                                                                                \
  simtblasStatus_t batched_name(TRIANGULAR_ARGUMENTS, const T* alpha, const T* const A[], int lda, \
                                T* const B[], int ldb, int batchCount) {                           \
    const Triangular<Native> arguments{side, uplo, trans, diag, m, n, native(alpha), lda, ldb};    \
    return trsm_batched(handle, #batched_name, arguments, native(A), native(B), batchCount);       \
  }
DEFINE_TRM(simtblasStrmm, simtblasStrsm, simtblasStrsmBatched, float, float)
DEFINE_TRM(simtblasDtrmm, simtblasDtrsm, simtblasDtrsmBatched, double, double)
DEFINE_TRM(simtblasCtrmm, simtblasCtrsm, simtblasCtrsmBatched, simtComplex, host_blas::Complex)
DEFINE_TRM(simtblasZtrmm, simtblasZtrsm, simtblasZtrsmBatched, simtDoubleComplex,
           host_blas::DoubleComplex)

}  // extern "C"

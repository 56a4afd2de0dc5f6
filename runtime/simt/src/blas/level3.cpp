// Level 3 except gemm: symmetric, Hermitian and triangular matrices.
#include <algorithm>

#include "blas/batch.h"
#include "blas/gemm.h"

namespace simtrt {
namespace {

/// Sets one triangle of C to zero before an update with beta 0, because releases of OpenBLAS differ
/// in the result of 0 * NaN.
template <class T>
void clear_triangle(simtblasFillMode_t uplo, int n, T* c, int ldc) {
  for (int j = 0; j < n; ++j) {
    T* const column = c + static_cast<std::ptrdiff_t>(j) * ldc;
    const int begin = uplo == SIMTBLAS_FILL_MODE_LOWER ? j : 0;
    const int end = uplo == SIMTBLAS_FILL_MODE_LOWER ? n : j + 1;
    std::fill(column + begin, column + end, T());
  }
}

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

enum class Form { kSymmetric, kHermitian };

template <Form form, class T>
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
      if constexpr (form == Form::kHermitian) {
        host_blas::hemm(native(side), native(uplo), rows, columns, alpha_value, a, lda, of_b, ldb,
                        beta_value, of_c, ldc);
      } else {
        host_blas::symm(native(side), native(uplo), rows, columns, alpha_value, a, lda, of_b, ldb,
                        beta_value, of_c, ldc);
      }
    });
  });
}

/// Valid operations of syrk, syr2k, herk and her2k. For real matrices, OP_T and OP_C are equivalent
/// and valid. A symmetric update of complex matrices permits OP_T, a Hermitian update OP_C.
template <Form form, class T>
bool valid_update(simtblasOperation_t trans) {
  constexpr bool complex = !std::is_same_v<T, typename RealOf<T>::type>;
  if (trans == SIMTBLAS_OP_N) {
    return true;
  }
  if (!complex) {
    return valid(trans);
  }
  return trans == (form == Form::kHermitian ? SIMTBLAS_OP_C : SIMTBLAS_OP_T);
}

/// An update of one triangle of C, divided into blocks of columns. The diagonal part of a block is
/// an update itself; the part below or above the diagonal is a product.
struct Update {
  simtblasFillMode_t uplo;
  simtblasOperation_t trans;
  int n;
  int k;

  /// Address of row `row` of op(A).
  template <class T>
  const T* rows_from(const T* a, int row, int lda) const {
    return a + row * (trans == SIMTBLAS_OP_N ? std::ptrdiff_t{1} : std::ptrdiff_t{lda});
  }

  /// Calls `diagonal(begin, size)` and `product(row, rows, column, columns)` for each block.
  template <class Diagonal, class Product>
  void for_each_block(const Diagonal& diagonal, const Product& product) const {
    constexpr int kLeast = 64;
    for_each_slice(n, kLeast, gemm_work(n, n, k), [&](int begin, int size) {
      diagonal(begin, size);
      const bool lower = uplo == SIMTBLAS_FILL_MODE_LOWER;
      const int row = lower ? begin + size : 0;
      const int rows = lower ? n - row : begin;
      if (rows > 0) {
        product(row, rows, begin, size);
      }
    });
  }

  /// One block of columns of C = alpha op(A) op(B)^T + beta C; for Hermitian updates, ^H in place
  /// of ^T.
  template <Form form, class T>
  void multiply(int row, int rows, int column, int columns, T alpha, const T* a, int lda,
                const T* b, int ldb, T beta, T* c, int ldc) const {
    const auto transposed = form == Form::kHermitian ? SIMTBLAS_OP_C : SIMTBLAS_OP_T;
    const bool plain = trans == SIMTBLAS_OP_N;
    gemm_on_host(trans, plain ? transposed : SIMTBLAS_OP_N, rows, columns, k, alpha,
                 rows_from(a, row, lda), lda, rows_from(b, column, ldb), ldb, beta,
                 c + row + column * std::ptrdiff_t{ldc}, ldc);
  }
};

template <Form form, class T, class Alpha>
simtblasStatus_t syrk(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo,
                      simtblasOperation_t trans, int n, int k, const Alpha* alpha, const T* a,
                      int lda, const Alpha* beta, T* c, int ldc) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (n < 0 || k < 0 || !valid(uplo) || !valid_update<form, T>(trans) ||
      !valid_ld(lda, trans == SIMTBLAS_OP_N ? n : k) || !valid_ld(ldc, n) ||
      any_null(alpha, beta)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<Alpha> alpha_argument(*handle, alpha);
  const BlasScalar<Alpha> beta_argument(*handle, beta);
  if (c == nullptr || (a == nullptr && k > 0 && !alpha_argument.known_zero())) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    const Alpha beta_value = beta_argument();
    if (beta_value == Alpha()) {
      clear_triangle(uplo, n, c, ldc);
    }
    const Alpha alpha_value = alpha_argument();
    const Update update{uplo, trans, n, k};
    update.for_each_block(
        [&](int begin, int size) {
          const T* const of_a = update.rows_from(a, begin, lda);
          T* const of_c = c + begin + begin * std::ptrdiff_t{ldc};
          if constexpr (form == Form::kHermitian) {
            host_blas::herk(native(uplo), native(trans), size, k, alpha_value, of_a, lda,
                            beta_value, of_c, ldc);
          } else {
            host_blas::syrk(native(uplo), native(trans), size, k, alpha_value, of_a, lda,
                            beta_value, of_c, ldc);
          }
        },
        [&](int row, int rows, int column, int columns) {
          update.template multiply<form>(row, rows, column, columns, T(alpha_value), a, lda, a, lda,
                                         T(beta_value), c, ldc);
        });
  });
}

template <Form form, class T, class Beta>
simtblasStatus_t syr2k(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo,
                       simtblasOperation_t trans, int n, int k, const T* alpha, const T* a, int lda,
                       const T* b, int ldb, const Beta* beta, T* c, int ldc) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  const int stored_rows = trans == SIMTBLAS_OP_N ? n : k;
  if (n < 0 || k < 0 || !valid(uplo) || !valid_update<form, T>(trans) ||
      !valid_ld(lda, stored_rows) || !valid_ld(ldb, stored_rows) || !valid_ld(ldc, n) ||
      alpha == nullptr || beta == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  const BlasScalar<Beta> beta_argument(*handle, beta);
  if (c == nullptr || (any_null(a, b) && k > 0 && !alpha_argument.known_zero())) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    const Beta beta_value = beta_argument();
    if (beta_value == Beta()) {
      clear_triangle(uplo, n, c, ldc);
    }
    const T alpha_value = alpha_argument();
    const Update update{uplo, trans, n, k};
    update.for_each_block(
        [&](int begin, int size) {
          const T* const of_a = update.rows_from(a, begin, lda);
          const T* const of_b = update.rows_from(b, begin, ldb);
          T* const of_c = c + begin + begin * std::ptrdiff_t{ldc};
          if constexpr (form == Form::kHermitian) {
            host_blas::her2k(native(uplo), native(trans), size, k, alpha_value, of_a, lda, of_b,
                             ldb, beta_value, of_c, ldc);
          } else {
            host_blas::syr2k(native(uplo), native(trans), size, k, alpha_value, of_a, lda, of_b,
                             ldb, beta_value, of_c, ldc);
          }
        },
        [&](int row, int rows, int column, int columns) {
          const T turned = form == Form::kHermitian ? conjugate(alpha_value) : alpha_value;
          update.template multiply<form>(row, rows, column, columns, alpha_value, a, lda, b, ldb,
                                         T(beta_value), c, ldc);
          update.template multiply<form>(row, rows, column, columns, turned, b, ldb, a, lda, T(1),
                                         c, ldc);
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

#define DEFINE_SYMM(name, T, form)                                                                 \
  simtblasStatus_t name(simtblasHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo, \
                        int m, int n, const T* alpha, const T* A, int lda, const T* B, int ldb,    \
                        const T* beta, T* C, int ldc) {                                            \
    return symm<form>(handle, #name, side, uplo, m, n, native(alpha), native(A), lda, native(B),   \
                      ldb, native(beta), native(C), ldc);                                          \
  }
DEFINE_SYMM(simtblasSsymm, float, Form::kSymmetric)
DEFINE_SYMM(simtblasDsymm, double, Form::kSymmetric)
DEFINE_SYMM(simtblasCsymm, simtComplex, Form::kSymmetric)
DEFINE_SYMM(simtblasZsymm, simtDoubleComplex, Form::kSymmetric)
DEFINE_SYMM(simtblasChemm, simtComplex, Form::kHermitian)
DEFINE_SYMM(simtblasZhemm, simtDoubleComplex, Form::kHermitian)

#define DEFINE_SYRK(syrk_name, syr2k_name, T, Alpha, Beta, form)                                   \
  simtblasStatus_t syrk_name(simtblasHandle_t handle, simtblasFillMode_t uplo,                     \
                             simtblasOperation_t trans, int n, int k, const Alpha* alpha,          \
                             const T* A, int lda, const Beta* beta, T* C, int ldc) {               \
    return syrk<form>(handle, #syrk_name, uplo, trans, n, k, native(alpha), native(A), lda,        \
                      native(beta), native(C), ldc);                                               \
  }                                                                                                \
  simtblasStatus_t syr2k_name(simtblasHandle_t handle, simtblasFillMode_t uplo,                    \
                              simtblasOperation_t trans, int n, int k, const T* alpha, const T* A, \
                              int lda, const T* B, int ldb, const Beta* beta, T* C, int ldc) {     \
    return syr2k<form>(handle, #syr2k_name, uplo, trans, n, k, native(alpha), native(A), lda,      \
                       native(B), ldb, native(beta), native(C), ldc);                              \
  }
DEFINE_SYRK(simtblasSsyrk, simtblasSsyr2k, float, float, float, Form::kSymmetric)
DEFINE_SYRK(simtblasDsyrk, simtblasDsyr2k, double, double, double, Form::kSymmetric)
DEFINE_SYRK(simtblasCsyrk, simtblasCsyr2k, simtComplex, simtComplex, simtComplex, Form::kSymmetric)
DEFINE_SYRK(simtblasZsyrk, simtblasZsyr2k, simtDoubleComplex, simtDoubleComplex, simtDoubleComplex,
            Form::kSymmetric)
DEFINE_SYRK(simtblasCherk, simtblasCher2k, simtComplex, float, float, Form::kHermitian)
DEFINE_SYRK(simtblasZherk, simtblasZher2k, simtDoubleComplex, double, double, Form::kHermitian)

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

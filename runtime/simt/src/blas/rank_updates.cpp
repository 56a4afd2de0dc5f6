// Updates of one triangle by a product of a matrix and its transpose (syrk, herk), or of two matrices and their transposes
// (syr2k, her2k).
#include <algorithm>

#include "blas/batch.h"
#include "blas/gemm.h"
#include "blas/rank_update.h"

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

/// An update that is divided into blocks of columns of C. The diagonal part of a block is an update
/// itself; the part below or above the diagonal is a product.
struct DividedUpdate : RankUpdate {
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
  template <class T>
  void multiply(int row, int rows, int column, int columns, T alpha, const T* a, int lda,
                const T* b, int ldb, T beta, T* c, int ldc) const {
    const auto transposed = is_hermitian ? SIMTBLAS_OP_C : SIMTBLAS_OP_T;
    const bool plain = trans == SIMTBLAS_OP_N;
    gemm_on_host(trans, plain ? transposed : SIMTBLAS_OP_N, rows, columns, k, alpha,
                 rows_from(a, row, lda), lda, rows_from(b, column, ldb), ldb, beta,
                 c + row + column * std::ptrdiff_t{ldc}, ldc);
  }
};

template <bool is_hermitian, class T, class Alpha>
simtblasStatus_t syrk(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo,
                      simtblasOperation_t trans, int n, int k, const Alpha* alpha, const T* a,
                      int lda, const Alpha* beta, T* c, int ldc) {
  const DividedUpdate update{{is_hermitian, uplo, trans, n, k}};
  const auto work = [=](Alpha alpha_value, Alpha beta_value) {
    if (beta_value == Alpha()) {
      clear_triangle(uplo, n, c, ldc);
    }
    update.for_each_block(
        [&](int begin, int size) {
          const T* const of_a = update.rows_from(a, begin, lda);
          T* const of_c = c + begin + begin * std::ptrdiff_t{ldc};
          if constexpr (is_hermitian) {
            host_blas::herk(native(uplo), native(trans), size, k, alpha_value, of_a, lda,
                            beta_value, of_c, ldc);
          } else {
            host_blas::syrk(native(uplo), native(trans), size, k, alpha_value, of_a, lda,
                            beta_value, of_c, ldc);
          }
        },
        [&](int row, int rows, int column, int columns) {
          update.multiply(row, rows, column, columns, T(alpha_value), a, lda, a, lda, T(beta_value),
                          c, ldc);
        });
  };
  return submit_rank_update<T>(handle, name, update, {{a, lda}}, alpha, beta, c, ldc, work);
}

template <bool is_hermitian, class T, class Beta>
simtblasStatus_t syr2k(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo,
                       simtblasOperation_t trans, int n, int k, const T* alpha, const T* a, int lda,
                       const T* b, int ldb, const Beta* beta, T* c, int ldc) {
  const DividedUpdate update{{is_hermitian, uplo, trans, n, k}};
  const auto work = [=](T alpha_value, Beta beta_value) {
    if (beta_value == Beta()) {
      clear_triangle(uplo, n, c, ldc);
    }
    update.for_each_block(
        [&](int begin, int size) {
          const T* const of_a = update.rows_from(a, begin, lda);
          const T* const of_b = update.rows_from(b, begin, ldb);
          T* const of_c = c + begin + begin * std::ptrdiff_t{ldc};
          if constexpr (is_hermitian) {
            host_blas::her2k(native(uplo), native(trans), size, k, alpha_value, of_a, lda, of_b,
                             ldb, beta_value, of_c, ldc);
          } else {
            host_blas::syr2k(native(uplo), native(trans), size, k, alpha_value, of_a, lda, of_b,
                             ldb, beta_value, of_c, ldc);
          }
        },
        [&](int row, int rows, int column, int columns) {
          const T turned = is_hermitian ? conjugate(alpha_value) : alpha_value;
          update.multiply(row, rows, column, columns, alpha_value, a, lda, b, ldb, T(beta_value), c,
                          ldc);
          update.multiply(row, rows, column, columns, turned, b, ldb, a, lda, T(1), c, ldc);
        });
  };
  return submit_rank_update<T>(handle, name, update, {{a, lda}, {b, ldb}}, alpha, beta, c, ldc, work);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_SYRK(syrk_name, syr2k_name, T, Alpha, Beta, is_hermitian)                           \
  simtblasStatus_t syrk_name(simtblasHandle_t handle, simtblasFillMode_t uplo,                     \
                             simtblasOperation_t trans, int n, int k, const Alpha* alpha,          \
                             const T* A, int lda, const Beta* beta, T* C, int ldc) {               \
    return syrk<is_hermitian>(handle, #syrk_name, uplo, trans, n, k, native(alpha), native(A),     \
                              lda, native(beta), native(C), ldc);                                  \
  }                                                                                                \
  simtblasStatus_t syr2k_name(simtblasHandle_t handle, simtblasFillMode_t uplo,                    \
                              simtblasOperation_t trans, int n, int k, const T* alpha, const T* A, \
                              int lda, const T* B, int ldb, const Beta* beta, T* C, int ldc) {     \
    return syr2k<is_hermitian>(handle, #syr2k_name, uplo, trans, n, k, native(alpha), native(A),   \
                               lda, native(B), ldb, native(beta), native(C), ldc);                 \
  }
DEFINE_SYRK(simtblasSsyrk, simtblasSsyr2k, float, float, float, false)
DEFINE_SYRK(simtblasDsyrk, simtblasDsyr2k, double, double, double, false)
DEFINE_SYRK(simtblasCsyrk, simtblasCsyr2k, simtComplex, simtComplex, simtComplex, false)
DEFINE_SYRK(simtblasZsyrk, simtblasZsyr2k, simtDoubleComplex, simtDoubleComplex, simtDoubleComplex,
            false)
DEFINE_SYRK(simtblasCherk, simtblasCher2k, simtComplex, float, float, true)
DEFINE_SYRK(simtblasZherk, simtblasZher2k, simtDoubleComplex, double, double, true)

}  // extern "C"

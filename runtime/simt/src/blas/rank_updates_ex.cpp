// Updates of one triangle by a product of two matrices (syrkx, herkx), updates with separate types of input and output
// (syrkEx, herkEx).
#include <algorithm>
#include <type_traits>
#include <vector>

#include "blas/batch.h"
#include "blas/elements.h"
#include "blas/gemm.h"
#include "blas/rank_update.h"

namespace simtrt {
namespace {

/// Operation of the second factor: its conjugate transpose if `is_hermitian`, else its transpose.
simtblasOperation_t second(simtblasOperation_t trans, bool is_hermitian) {
  if (trans != SIMTBLAS_OP_N) {
    return SIMTBLAS_OP_N;
  }
  return is_hermitian ? SIMTBLAS_OP_C : SIMTBLAS_OP_T;
}

/// C = product + beta C in the triangle, for rows [row, row + rows) of columns [column, column + columns).
template <class T, class Beta>
void store_triangle(simtblasFillMode_t uplo, bool is_hermitian, const T* product, int row, int rows,
                    int column, int columns, Beta beta, T* c, std::ptrdiff_t ldc) {
  for (std::ptrdiff_t j = 0; j < columns; ++j) {
    for (std::ptrdiff_t i = 0; i < rows; ++i) {
      const std::ptrdiff_t below = row + i - (column + j);
      if (uplo == SIMTBLAS_FILL_MODE_UPPER ? below > 0 : below < 0) continue;
      T& result = c[row + i + (column + j) * ldc];
      result = product[i + j * rows] + (beta == Beta() ? T() : beta * result);
      if constexpr (!std::is_same_v<T, typename RealOf<T>::type>) {
        if (is_hermitian && below == 0) result = T(result.real());
      }
    }
  }
}

template <class T, class Beta>
simtblasStatus_t syrkx(simtblasHandle_t handle, const char* name, bool is_hermitian,
                       simtblasFillMode_t uplo, simtblasOperation_t trans, int n, int k,
                       const T* alpha, const T* a, int lda, const T* b, int ldb, const Beta* beta,
                       T* c, int ldc) {
  const RankUpdate update{is_hermitian, uplo, trans, n, k};
  const auto work = [=](T alpha_value, Beta beta_value) {
    const std::ptrdiff_t step_a = trans == SIMTBLAS_OP_N ? 1 : lda;
    const std::ptrdiff_t step_b = trans == SIMTBLAS_OP_N ? 1 : ldb;
    for_each_slice(n, 64, gemm_work(n, n, k), [&](int column, int columns) {
      const int row = uplo == SIMTBLAS_FILL_MODE_UPPER ? 0 : column;
      const int rows = uplo == SIMTBLAS_FILL_MODE_UPPER ? column + columns : n - column;
      std::vector<T> product(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
      if (k > 0 && alpha_value != T()) {
        host_blas::gemm(native(trans), native(second(trans, is_hermitian)), rows, columns, k,
                        alpha_value, a + row * step_a, lda, b + column * step_b, ldb, T(),
                        product.data(), rows);
      }
      store_triangle(uplo, is_hermitian, product.data(), row, rows, column, columns, beta_value, c,
                     ldc);
    });
  };
  return submit_rank_update<T>(handle, name, update, {{a, lda}, {b, ldb}}, alpha, beta, c, ldc, work);
}

using Complex = std::complex<float>;

/// Elements of a matrix of 8-bit complex integers as floats.
std::vector<Complex> widened(const void* a, int rows, int columns, int lda) {
  const auto* from = static_cast<const ComplexInt8Element::Storage*>(a);
  std::vector<Complex> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (std::ptrdiff_t j = 0; j < columns; ++j) {
    std::transform(from + j * lda, from + j * lda + rows, values.begin() + j * rows,
                   ComplexInt8Element::load);
  }
  return values;
}

/// syrk (Scalar is Complex) or herk (float) of a matrix that is A or has its values.
template <class Scalar>
void add_product(simtblasFillMode_t uplo, simtblasOperation_t trans, int n, int k, Scalar alpha,
                 const Complex* a, int lda, Scalar beta, Complex* c, int ldc) {
  if constexpr (std::is_same_v<Scalar, float>) {
    host_blas::herk(native(uplo), native(trans), n, k, alpha, a, lda, beta, c, ldc);
  } else {
    host_blas::syrk(native(uplo), native(trans), n, k, alpha, a, lda, beta, c, ldc);
  }
}

template <class Scalar, class Plain>
simtblasStatus_t syrk_ex(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo,
                         simtblasOperation_t trans, int n, int k, const Scalar* alpha,
                         const void* a, simtDataType a_type, int lda, const Scalar* beta, void* c,
                         simtDataType c_type, int ldc, Plain plain) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (c_type != SIMT_C_32F || (a_type != SIMT_C_32F && a_type != SIMT_C_8I)) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  if (a_type == SIMT_C_32F) {
    return plain();
  }
  const bool is_hermitian = std::is_same_v<Scalar, float>;
  const RankUpdate update{is_hermitian, uplo, trans, n, k};
  if (!update.is_valid<Complex>({{nullptr, lda}}, ldc) || any_null(alpha, beta)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<Scalar> alpha_argument(*handle, alpha);
  const BlasScalar<Scalar> beta_argument(*handle, beta);
  if (c == nullptr || (a == nullptr && k > 0)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    const int rows = update.stored_rows();
    const std::vector<Complex> values = widened(a, rows, update.stored_columns(), lda);
    add_product(uplo, trans, n, k, alpha_argument(), values.data(), std::max(rows, 1), beta_argument(),
           static_cast<Complex*>(c), ldc);
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_SYRKX(name, T, Beta, is_hermitian)                                                 \
  simtblasStatus_t name(simtblasHandle_t handle, simtblasFillMode_t uplo,                         \
                        simtblasOperation_t trans, int n, int k, const T* alpha, const T* A,      \
                        int lda, const T* B, int ldb, const Beta* beta, T* C, int ldc) {          \
    return syrkx(handle, #name, is_hermitian, uplo, trans, n, k, native(alpha), native(A), lda,   \
                 native(B), ldb, native(beta), native(C), ldc);                                   \
  }
DEFINE_SYRKX(simtblasSsyrkx, float, float, false)
DEFINE_SYRKX(simtblasDsyrkx, double, double, false)
DEFINE_SYRKX(simtblasCsyrkx, simtComplex, simtComplex, false)
DEFINE_SYRKX(simtblasZsyrkx, simtDoubleComplex, simtDoubleComplex, false)
DEFINE_SYRKX(simtblasCherkx, simtComplex, float, true)
DEFINE_SYRKX(simtblasZherkx, simtDoubleComplex, double, true)

#define DEFINE_SYRK_EX(name, plain, Scalar)                                                       \
  simtblasStatus_t name(simtblasHandle_t handle, simtblasFillMode_t uplo,                         \
                        simtblasOperation_t trans, int n, int k, const Scalar* alpha,             \
                        const void* A, simtDataType Atype, int lda, const Scalar* beta, void* C,  \
                        simtDataType Ctype, int ldc) {                                            \
    return syrk_ex(handle, #name, uplo, trans, n, k, native(alpha), A, Atype, lda, native(beta),  \
                   C, Ctype, ldc, [&] {                                                           \
                     return plain(handle, uplo, trans, n, k, alpha,                               \
                                  static_cast<const simtComplex*>(A), lda, beta,                  \
                                  static_cast<simtComplex*>(C), ldc);                             \
                   });                                                                            \
  }
DEFINE_SYRK_EX(simtblasCsyrkEx, simtblasCsyrk, simtComplex)
DEFINE_SYRK_EX(simtblasCsyrk3mEx, simtblasCsyrk, simtComplex)
DEFINE_SYRK_EX(simtblasCherkEx, simtblasCherk, float)
DEFINE_SYRK_EX(simtblasCherk3mEx, simtblasCherk, float)

}  // extern "C"

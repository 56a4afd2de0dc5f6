// Level 2: matrix-vector operations.
#include <vector>

#include "blas/batch.h"
#include "blas/context.h"
#include "blas/matrix_vector.h"

namespace simtrt {
namespace {

/// Estimate: reading an element from memory takes the time of several multiplications.
double product_work(int m, int n) { return 4.0 * m * n; }

/// y = alpha op(A) x + beta y, on all idle workers.
template <class T>
void multiply(simtblasOperation_t trans, int m, int n, T alpha, const T* a, int lda, const T* x,
              int incx, T beta, T* y, int incy) {
  const bool plain = trans == SIMTBLAS_OP_N;
  const int size = plain ? m : n;
  if (beta == T()) {
    clear(size, y, incy);
  }
  T* const y0 = first_element(y, size, incy);
  // cuBLAS accepts an increment of 0: all elements of x are equal. BLAS does not.
  const bool repeated = incx == 0 && x != nullptr;
  const std::vector<T> equal(repeated ? static_cast<std::size_t>(plain ? n : m) : 0,
                             repeated ? *x : T());
  const T* const x0 = repeated ? equal.data() : x;
  const int step = incx == 0 ? 1 : incx;
  for_each_slice(size, 256, product_work(m, n), [&](int begin, int count) {
    T* const part = y0 + begin * std::ptrdiff_t{incy};
    // If the increment is negative, BLAS expects the lowest address of the vector.
    T* const lowest = incy < 0 ? part + (count - 1) * std::ptrdiff_t{incy} : part;
    host_blas::gemv(native(trans), plain ? count : m, plain ? n : count, alpha,
                    a + begin * (plain ? std::ptrdiff_t{1} : std::ptrdiff_t{lda}), lda, x0, step,
                    beta, lowest, incy);
  });
}

template <class T>
simtblasStatus_t gemv(simtblasHandle_t handle, const char* name, simtblasOperation_t trans, int m,
                      int n, const T* alpha, const T* a, int lda, const T* x, int incx,
                      const T* beta, T* y, int incy) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (m < 0 || n < 0 || !valid_ld(lda, m) || incy == 0 || !valid(trans) ||
      any_null(alpha, beta)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  const BlasScalar<T> beta_argument(*handle, beta);
  if (y == nullptr || (any_null(a, x) && !alpha_argument.known_zero())) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    multiply(trans, m, n, alpha_argument(), a, lda, x, incx, beta_argument(), y, incy);
  });
}

/// The matrices and vectors of a batch: `a(i)`, `x(i)` and `y(i)` are those of product i.
template <class T, class A, class X, class Y>
simtblasStatus_t gemv_batch(simtblasHandle_t handle, const char* name, simtblasOperation_t trans,
                            int m, int n, const T* alpha, int lda, int incx, const T* beta,
                            int incy, int count, bool any_null_operand, A a, X x, Y y) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (m < 0 || n < 0 || count < 0 || !valid_ld(lda, m) || incx == 0 || incy == 0 ||
      !valid(trans) || any_null(alpha, beta)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0 || count == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null_operand) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  const BlasScalar<T> beta_argument(*handle, beta);
  return blas_submit(*handle, name, [=] {
    const T alpha_value = alpha_argument(), beta_value = beta_argument();
    for_each_of_batch(count, product_work(m, n), [&](int i) {
      multiply(trans, m, n, alpha_value, a(i), lda, x(i), incx, beta_value, y(i), incy);
    });
  });
}

template <class T>
simtblasStatus_t symv(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                      const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta,
                      T* y, int incy) {
  const bool is_valid = n >= 0 && valid_ld(lda, n) && valid(uplo);
  return submit_matrix_vector(handle, name, is_valid, n == 0, n, alpha, a, x, incx, beta, y, incy,
                              [=](T alpha_value, T beta_value) {
    host_blas::symv(native(uplo), n, alpha_value, a, lda, x, incx, beta_value, y, incy);
  });
}

enum class Conjugate { kNo, kYes };

template <Conjugate conjugated, class T>
simtblasStatus_t ger(simtblasHandle_t handle, const char* name, int m, int n, const T* alpha,
                     const T* x, int incx, const T* y, int incy, T* a, int lda) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (m < 0 || n < 0 || !valid_ld(lda, m) || incx == 0 || incy == 0 || alpha == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(x, y, a)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  return blas_submit(*handle, name, [=] {
    if constexpr (conjugated == Conjugate::kYes) {
      host_blas::gerc(m, n, alpha_argument(), x, incx, y, incy, a, lda);
    } else {
      host_blas::geru(m, n, alpha_argument(), x, incx, y, incy, a, lda);
    }
  });
}

template <class T, class Real>
simtblasStatus_t syr(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                     const Real* alpha, const T* x, int incx, T* a, int lda) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (n < 0 || !valid_ld(lda, n) || incx == 0 || !valid(uplo) || alpha == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(x, a)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<Real> alpha_argument(*handle, alpha);
  return blas_submit(*handle, name,
                     [=] { host_blas::syr(native(uplo), n, alpha_argument(), x, incx, a, lda); });
}

template <class T>
simtblasStatus_t syr2(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                      const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (n < 0 || !valid_ld(lda, n) || incx == 0 || incy == 0 || !valid(uplo) || alpha == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(x, y, a)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  return blas_submit(*handle, name, [=] {
    host_blas::syr2(native(uplo), n, alpha_argument(), x, incx, y, incy, a, lda);
  });
}

/// Implements trmv and trsv.
template <class T, class Operation>
simtblasStatus_t triangular(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo,
                            simtblasOperation_t trans, simtblasDiagType_t diag, int n, const T* a,
                            int lda, T* x, int incx, Operation operation) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (n < 0 || !valid_ld(lda, n) || incx == 0 || !valid(uplo) || !valid(trans) || !valid(diag)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(a, x)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    operation(native(uplo), native(trans), native(diag), n, a, lda, x, incx);
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_GEMV(name, T)                                                                      \
  simtblasStatus_t name(simtblasHandle_t handle, simtblasOperation_t trans, int m, int n,         \
                        const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, \
                        T* y, int incy) {                                                         \
    return gemv(handle, #name, trans, m, n, native(alpha), native(A), lda, native(x), incx,       \
                native(beta), native(y), incy);                                                   \
  }
DEFINE_GEMV(simtblasSgemv, float)
DEFINE_GEMV(simtblasDgemv, double)
DEFINE_GEMV(simtblasCgemv, simtComplex)
DEFINE_GEMV(simtblasZgemv, simtDoubleComplex)

#define DEFINE_GEMV_BATCH(batched, strided, T)                                                     \
  simtblasStatus_t batched(simtblasHandle_t handle, simtblasOperation_t trans, int m, int n,       \
                           const T* alpha, const T* const Aarray[], int lda,                       \
                           const T* const xarray[], int incx, const T* beta, T* const yarray[],    \
                           int incy, int batchCount) {                                             \
    const auto a = native(Aarray), x = native(xarray);                                             \
    const auto y = native(yarray);                                                                 \
    return gemv_batch(                                                                             \
        handle, #batched, trans, m, n, native(alpha), lda, incx, native(beta), incy, batchCount,   \
        any_null(Aarray, xarray, yarray), [a](int i) { return a[i]; },                             \
        [x](int i) { return x[i]; }, [y](int i) { return y[i]; });                                 \
  }                                                                                                \
  simtblasStatus_t strided(simtblasHandle_t handle, simtblasOperation_t trans, int m, int n,       \
                           const T* alpha, const T* A, int lda, long long int strideA, const T* x, \
                           int incx, long long int stridex, const T* beta, T* y, int incy,         \
                           long long int stridey, int batchCount) {                                \
    return gemv_batch(                                                                             \
        handle, #strided, trans, m, n, native(alpha), lda, incx, native(beta), incy, batchCount,   \
        any_null(A, x, y), [=](int i) { return native(A) + i * strideA; },                         \
        [=](int i) { return native(x) + i * stridex; },                                            \
        [=](int i) { return native(y) + i * stridey; });                                           \
  }
DEFINE_GEMV_BATCH(simtblasSgemvBatched, simtblasSgemvStridedBatched, float)
DEFINE_GEMV_BATCH(simtblasDgemvBatched, simtblasDgemvStridedBatched, double)
DEFINE_GEMV_BATCH(simtblasCgemvBatched, simtblasCgemvStridedBatched, simtComplex)
DEFINE_GEMV_BATCH(simtblasZgemvBatched, simtblasZgemvStridedBatched, simtDoubleComplex)

#define DEFINE_SYMV(name, T)                                                                     \
  simtblasStatus_t name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n, const T* alpha, \
                        const T* A, int lda, const T* x, int incx, const T* beta, T* y,          \
                        int incy) {                                                              \
    return symv(handle, #name, uplo, n, native(alpha), native(A), lda, native(x), incx,          \
                native(beta), native(y), incy);                                                  \
  }
DEFINE_SYMV(simtblasSsymv, float)
DEFINE_SYMV(simtblasDsymv, double)
DEFINE_SYMV(simtblasChemv, simtComplex)
DEFINE_SYMV(simtblasZhemv, simtDoubleComplex)

#define DEFINE_GER(name, T, conjugated)                                                          \
  simtblasStatus_t name(simtblasHandle_t handle, int m, int n, const T* alpha, const T* x,       \
                        int incx, const T* y, int incy, T* A, int lda) {                         \
    return ger<conjugated>(handle, #name, m, n, native(alpha), native(x), incx, native(y), incy, \
                           native(A), lda);                                                      \
  }
DEFINE_GER(simtblasSger, float, Conjugate::kNo)
DEFINE_GER(simtblasDger, double, Conjugate::kNo)
DEFINE_GER(simtblasCgeru, simtComplex, Conjugate::kNo)
DEFINE_GER(simtblasCgerc, simtComplex, Conjugate::kYes)
DEFINE_GER(simtblasZgeru, simtDoubleComplex, Conjugate::kNo)
DEFINE_GER(simtblasZgerc, simtDoubleComplex, Conjugate::kYes)

#define DEFINE_SYR(syr_name, syr2_name, T, Real)                                               \
  simtblasStatus_t syr_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n,           \
                            const Real* alpha, const T* x, int incx, T* A, int lda) {          \
    return syr(handle, #syr_name, uplo, n, alpha, native(x), incx, native(A), lda);            \
  }                                                                                            \
  simtblasStatus_t syr2_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n,          \
                             const T* alpha, const T* x, int incx, const T* y, int incy, T* A, \
                             int lda) {                                                        \
    return syr2(handle, #syr2_name, uplo, n, native(alpha), native(x), incx, native(y), incy,  \
                native(A), lda);                                                               \
  }
DEFINE_SYR(simtblasSsyr, simtblasSsyr2, float, float)
DEFINE_SYR(simtblasDsyr, simtblasDsyr2, double, double)
DEFINE_SYR(simtblasCher, simtblasCher2, simtComplex, float)
DEFINE_SYR(simtblasZher, simtblasZher2, simtDoubleComplex, double)

#define DEFINE_TRIANGULAR(name, T, operation)                                                  \
  simtblasStatus_t name(simtblasHandle_t handle, simtblasFillMode_t uplo,                      \
                        simtblasOperation_t trans, simtblasDiagType_t diag, int n, const T* A, \
                        int lda, T* x, int incx) {                                             \
    return triangular(handle, #name, uplo, trans, diag, n, native(A), lda, native(x), incx,    \
                      [](auto... arguments) { host_blas::operation(arguments...); });          \
  }
DEFINE_TRIANGULAR(simtblasStrmv, float, trmv)
DEFINE_TRIANGULAR(simtblasDtrmv, double, trmv)
DEFINE_TRIANGULAR(simtblasCtrmv, simtComplex, trmv)
DEFINE_TRIANGULAR(simtblasZtrmv, simtDoubleComplex, trmv)
DEFINE_TRIANGULAR(simtblasStrsv, float, trsv)
DEFINE_TRIANGULAR(simtblasDtrsv, double, trsv)
DEFINE_TRIANGULAR(simtblasCtrsv, simtComplex, trsv)
DEFINE_TRIANGULAR(simtblasZtrsv, simtDoubleComplex, trsv)

}  // extern "C"

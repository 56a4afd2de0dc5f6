// Level 2 for banded and packed matrices.
#include "blas/cblas_packed.h"
#include "blas/context.h"
#include "blas/matrix_vector.h"

#include <algorithm>

namespace simtrt {
namespace {

template <class T>
simtblasStatus_t gbmv(simtblasHandle_t handle, const char* name, simtblasOperation_t trans, int m,
                      int n, int kl, int ku, const T* alpha, const T* a, int lda, const T* x,
                      int incx, const T* beta, T* y, int incy) {
  const bool is_valid =
      m >= 0 && n >= 0 && kl >= 0 && ku >= 0 && valid(trans) && valid_ld(lda, kl + ku + 1);
  return submit_matrix_vector(handle, name, is_valid, m == 0 || n == 0, trans == SIMTBLAS_OP_N ? m : n, alpha,
                  a, x, incx, beta, y, incy, [=](T alpha_value, T beta_value) {
                    host_blas::gbmv(native(trans), m, n, kl, ku, alpha_value, a, lda, x, incx,
                                    beta_value, y, incy);
                  });
}

template <class T>
simtblasStatus_t sbmv(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                      int k, const T* alpha, const T* a, int lda, const T* x, int incx,
                      const T* beta, T* y, int incy) {
  const bool is_valid = n >= 0 && k >= 0 && valid(uplo) && valid_ld(lda, k + 1);
  return submit_matrix_vector(handle, name, is_valid, n == 0, n, alpha, a, x, incx, beta, y, incy,
                  [=](T alpha_value, T beta_value) {
                    host_blas::sbmv(native(uplo), n, k, alpha_value, a, lda, x, incx, beta_value,
                                    y, incy);
                  });
}

template <class T>
simtblasStatus_t spmv(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                      const T* alpha, const T* ap, const T* x, int incx, const T* beta, T* y,
                      int incy) {
  return submit_matrix_vector(handle, name, n >= 0 && valid(uplo), n == 0, n, alpha, ap, x, incx, beta, y,
                  incy, [=](T alpha_value, T beta_value) {
                    host_blas::spmv(native(uplo), n, alpha_value, ap, x, incx, beta_value, y, incy);
                  });
}

/// Submits work on operands that must not be null.
template <class Work, class... Pointers>
simtblasStatus_t submit(simtblasHandle_t handle, const char* name, bool is_valid, int n, Work work,
                        const Pointers*... operands) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!is_valid) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  return any_null(operands...) ? SIMTBLAS_STATUS_INVALID_VALUE : blas_submit(*handle, name, work);
}

template <class T, class Real>
simtblasStatus_t spr(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                     const Real* alpha, const T* x, int incx, T* ap) {
  if (handle == nullptr || alpha == nullptr) {
    return handle == nullptr ? SIMTBLAS_STATUS_NOT_INITIALIZED : SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<Real> value(*handle, alpha);
  return submit(
      handle, name, n >= 0 && incx != 0 && valid(uplo), n,
      [=] { host_blas::spr(native(uplo), n, value(), x, incx, ap); }, x, ap);
}

template <class T>
simtblasStatus_t spr2(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                      const T* alpha, const T* x, int incx, const T* y, int incy, T* ap) {
  if (handle == nullptr || alpha == nullptr) {
    return handle == nullptr ? SIMTBLAS_STATUS_NOT_INITIALIZED : SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<T> value(*handle, alpha);
  return submit(
      handle, name, n >= 0 && incx != 0 && incy != 0 && valid(uplo), n,
      [=] { host_blas::spr2(native(uplo), n, value(), x, incx, y, incy, ap); }, x, y, ap);
}

/// tbmv and tbsv.
template <class T, class Operation>
simtblasStatus_t banded(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo,
                        simtblasOperation_t trans, simtblasDiagType_t diag, int n, int k,
                        const T* a, int lda, T* x, int incx, Operation operation) {
  const bool is_valid = n >= 0 && k >= 0 && valid_ld(lda, k + 1) && incx != 0 && valid(uplo) &&
                        valid(trans) && valid(diag);
  return submit(
      handle, name, is_valid, n,
      [=] { operation(native(uplo), native(trans), native(diag), n, k, a, lda, x, incx); }, a, x);
}

/// tpmv and tpsv.
template <class T, class Operation>
simtblasStatus_t packed(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo,
                        simtblasOperation_t trans, simtblasDiagType_t diag, int n, const T* ap,
                        T* x, int incx, Operation operation) {
  const bool is_valid = n >= 0 && incx != 0 && valid(uplo) && valid(trans) && valid(diag);
  return submit(
      handle, name, is_valid, n,
      [=] { operation(native(uplo), native(trans), native(diag), n, ap, x, incx); }, ap, x);
}

/// Calls copy(packed, full, count) for the part of each column in the triangle.
template <class Packed, class Full, class Copy>
void for_each_column(simtblasFillMode_t uplo, int n, Packed* ap, Full* a, int lda, Copy copy) {
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    const std::ptrdiff_t first = uplo == SIMTBLAS_FILL_MODE_UPPER ? 0 : j;
    const std::ptrdiff_t count = uplo == SIMTBLAS_FILL_MODE_UPPER ? j + 1 : n - j;
    copy(ap, a + first + j * lda, count);
    ap += count;
  }
}

template <class T>
simtblasStatus_t unpack(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                        const T* ap, T* a, int lda) {
  return submit(
      handle, name, n >= 0 && valid(uplo) && valid_ld(lda, n), n,
      [=] {
        for_each_column(uplo, n, ap, a, lda, [](const T* from, T* to, std::ptrdiff_t count) {
          std::copy_n(from, count, to);
        });
      },
      ap, a);
}

template <class T>
simtblasStatus_t pack(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                      const T* a, int lda, T* ap) {
  return submit(
      handle, name, n >= 0 && valid(uplo) && valid_ld(lda, n), n,
      [=] {
        for_each_column(uplo, n, ap, a, lda, [](T* to, const T* from, std::ptrdiff_t count) {
          std::copy_n(from, count, to);
        });
      },
      ap, a);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_SYMMETRIC(gbmv_name, sbmv_name, spmv_name, T)                                       \
  simtblasStatus_t gbmv_name(simtblasHandle_t handle, simtblasOperation_t trans, int m, int n,     \
                             int kl, int ku, const T* alpha, const T* A, int lda, const T* x,      \
                             int incx, const T* beta, T* y, int incy) {                            \
    return gbmv(handle, #gbmv_name, trans, m, n, kl, ku, native(alpha), native(A), lda, native(x), \
                incx, native(beta), native(y), incy);                                              \
  }                                                                                                \
  simtblasStatus_t sbmv_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n, int k,       \
                             const T* alpha, const T* A, int lda, const T* x, int incx,            \
                             const T* beta, T* y, int incy) {                                      \
    return sbmv(handle, #sbmv_name, uplo, n, k, native(alpha), native(A), lda, native(x), incx,    \
                native(beta), native(y), incy);                                                    \
  }                                                                                                \
  simtblasStatus_t spmv_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n,              \
                             const T* alpha, const T* AP, const T* x, int incx, const T* beta,     \
                             T* y, int incy) {                                                     \
    return spmv(handle, #spmv_name, uplo, n, native(alpha), native(AP), native(x), incx,           \
                native(beta), native(y), incy);                                                    \
  }
DEFINE_SYMMETRIC(simtblasSgbmv, simtblasSsbmv, simtblasSspmv, float)
DEFINE_SYMMETRIC(simtblasDgbmv, simtblasDsbmv, simtblasDspmv, double)
DEFINE_SYMMETRIC(simtblasCgbmv, simtblasChbmv, simtblasChpmv, simtComplex)
DEFINE_SYMMETRIC(simtblasZgbmv, simtblasZhbmv, simtblasZhpmv, simtDoubleComplex)

#define DEFINE_SPR(spr_name, spr2_name, T, Real)                                                \
  simtblasStatus_t spr_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n,            \
                            const Real* alpha, const T* x, int incx, T* AP) {                   \
    return spr(handle, #spr_name, uplo, n, alpha, native(x), incx, native(AP));                 \
  }                                                                                             \
  simtblasStatus_t spr2_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n,           \
                             const T* alpha, const T* x, int incx, const T* y, int incy,        \
                             T* AP) {                                                           \
    return spr2(handle, #spr2_name, uplo, n, native(alpha), native(x), incx, native(y), incy,   \
                native(AP));                                                                    \
  }
DEFINE_SPR(simtblasSspr, simtblasSspr2, float, float)
DEFINE_SPR(simtblasDspr, simtblasDspr2, double, double)
DEFINE_SPR(simtblasChpr, simtblasChpr2, simtComplex, float)
DEFINE_SPR(simtblasZhpr, simtblasZhpr2, simtDoubleComplex, double)

#define DEFINE_BANDED(name, T, operation)                                                         \
  simtblasStatus_t name(simtblasHandle_t handle, simtblasFillMode_t uplo,                         \
                        simtblasOperation_t trans, simtblasDiagType_t diag, int n, int k,         \
                        const T* A, int lda, T* x, int incx) {                                    \
    return banded(handle, #name, uplo, trans, diag, n, k, native(A), lda, native(x), incx,        \
                  [](auto... arguments) { host_blas::operation(arguments...); });                 \
  }
#define DEFINE_PACKED(name, T, operation)                                                         \
  simtblasStatus_t name(simtblasHandle_t handle, simtblasFillMode_t uplo,                         \
                        simtblasOperation_t trans, simtblasDiagType_t diag, int n, const T* AP,   \
                        T* x, int incx) {                                                         \
    return packed(handle, #name, uplo, trans, diag, n, native(AP), native(x), incx,               \
                  [](auto... arguments) { host_blas::operation(arguments...); });                 \
  }
#define DEFINE_PACK(unpack_name, pack_name, T)                                                    \
  simtblasStatus_t unpack_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n,           \
                               const T* AP, T* A, int lda) {                                      \
    return unpack(handle, #unpack_name, uplo, n, AP, A, lda);                                     \
  }                                                                                               \
  simtblasStatus_t pack_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n, const T* A, \
                             int lda, T* AP) {                                                    \
    return pack(handle, #pack_name, uplo, n, A, lda, AP);                                         \
  }
#define DEFINE_TRIANGULAR(S, T)                \
  DEFINE_BANDED(simtblas##S##tbmv, T, tbmv)    \
  DEFINE_BANDED(simtblas##S##tbsv, T, tbsv)    \
  DEFINE_PACKED(simtblas##S##tpmv, T, tpmv)    \
  DEFINE_PACKED(simtblas##S##tpsv, T, tpsv)    \
  DEFINE_PACK(simtblas##S##tpttr, simtblas##S##trttp, T)
DEFINE_TRIANGULAR(S, float)
DEFINE_TRIANGULAR(D, double)
DEFINE_TRIANGULAR(C, simtComplex)
DEFINE_TRIANGULAR(Z, simtDoubleComplex)

}  // extern "C"

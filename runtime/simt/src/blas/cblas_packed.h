// Functions of the host's BLAS for banded and packed matrices, overloaded over the four element types, as in cblas.h.
// Source of names: the CBLAS of netlib's BLAS 3.12.
#pragma once

#include "blas/cblas.h"

namespace simtrt::host_blas {

// `sb` and `sp` begin the names of banded and packed symmetric (or Hermitian) functions.
#define SIMT_BLAS_DECLARE_PACKED(s, T, S, R, sb, sp)                                               \
  void SIMT_BLAS(cblas_##s##gbmv)(int order, int trans, int m, int n, int kl, int ku, S alpha,     \
                                  const T* a, int lda, const T* x, int incx, S beta, T* y,         \
                                  int incy);                                                       \
  void SIMT_BLAS(cblas_##s##sb##mv)(int order, int uplo, int n, int k, S alpha, const T* a,        \
                                    int lda, const T* x, int incx, S beta, T* y, int incy);        \
  void SIMT_BLAS(cblas_##s##sp##mv)(int order, int uplo, int n, S alpha, const T* ap, const T* x,  \
                                    int incx, S beta, T* y, int incy);                             \
  void SIMT_BLAS(cblas_##s##sp##r)(int order, int uplo, int n, R alpha, const T* x, int incx,      \
                                   T* ap);                                                         \
  void SIMT_BLAS(cblas_##s##sp##r2)(int order, int uplo, int n, S alpha, const T* x, int incx,     \
                                    const T* y, int incy, T* ap);                                  \
  void SIMT_BLAS(cblas_##s##tbmv)(int order, int uplo, int trans, int diag, int n, int k,          \
                                  const T* a, int lda, T* x, int incx);                            \
  void SIMT_BLAS(cblas_##s##tbsv)(int order, int uplo, int trans, int diag, int n, int k,          \
                                  const T* a, int lda, T* x, int incx);                            \
  void SIMT_BLAS(cblas_##s##tpmv)(int order, int uplo, int trans, int diag, int n, const T* ap,    \
                                  T* x, int incx);                                                 \
  void SIMT_BLAS(cblas_##s##tpsv)(int order, int uplo, int trans, int diag, int n, const T* ap,    \
                                  T* x, int incx);

extern "C" {
SIMT_BLAS_DECLARE_PACKED(s, float, float, float, sb, sp)
SIMT_BLAS_DECLARE_PACKED(d, double, double, double, sb, sp)
SIMT_BLAS_DECLARE_PACKED(c, Complex, const void*, float, hb, hp)
SIMT_BLAS_DECLARE_PACKED(z, DoubleComplex, const void*, double, hb, hp)
}  // extern "C"

#define SIMT_BLAS_OVERLOAD_PACKED(s, T, R, sb, sp)                                                 \
  inline void gbmv(Transpose trans, int m, int n, int kl, int ku, T alpha, const T* a, int lda,    \
                   const T* x, int incx, T beta, T* y, int incy) {                                 \
    SIMT_BLAS(cblas_##s##gbmv)                                                                     \
    (kColumnMajor, trans, m, n, kl, ku, scalar(alpha), a, lda, x, incx, scalar(beta), y, incy);    \
  }                                                                                                \
  inline void sbmv(Uplo uplo, int n, int k, T alpha, const T* a, int lda, const T* x, int incx,    \
                   T beta, T* y, int incy) {                                                       \
    SIMT_BLAS(cblas_##s##sb##mv)                                                                   \
    (kColumnMajor, uplo, n, k, scalar(alpha), a, lda, x, incx, scalar(beta), y, incy);             \
  }                                                                                                \
  inline void spmv(Uplo uplo, int n, T alpha, const T* ap, const T* x, int incx, T beta, T* y,     \
                   int incy) {                                                                     \
    SIMT_BLAS(cblas_##s##sp##mv)                                                                   \
    (kColumnMajor, uplo, n, scalar(alpha), ap, x, incx, scalar(beta), y, incy);                    \
  }                                                                                                \
  inline void spr(Uplo uplo, int n, R alpha, const T* x, int incx, T* ap) {                        \
    SIMT_BLAS(cblas_##s##sp##r)(kColumnMajor, uplo, n, alpha, x, incx, ap);                        \
  }                                                                                                \
  inline void spr2(Uplo uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* ap) { \
    SIMT_BLAS(cblas_##s##sp##r2)(kColumnMajor, uplo, n, scalar(alpha), x, incx, y, incy, ap);      \
  }                                                                                                \
  inline void tbmv(Uplo uplo, Transpose trans, Diag diag, int n, int k, const T* a, int lda, T* x, \
                   int incx) {                                                                     \
    SIMT_BLAS(cblas_##s##tbmv)(kColumnMajor, uplo, trans, diag, n, k, a, lda, x, incx);            \
  }                                                                                                \
  inline void tbsv(Uplo uplo, Transpose trans, Diag diag, int n, int k, const T* a, int lda, T* x, \
                   int incx) {                                                                     \
    SIMT_BLAS(cblas_##s##tbsv)(kColumnMajor, uplo, trans, diag, n, k, a, lda, x, incx);            \
  }                                                                                                \
  inline void tpmv(Uplo uplo, Transpose trans, Diag diag, int n, const T* ap, T* x, int incx) {    \
    SIMT_BLAS(cblas_##s##tpmv)(kColumnMajor, uplo, trans, diag, n, ap, x, incx);                   \
  }                                                                                                \
  inline void tpsv(Uplo uplo, Transpose trans, Diag diag, int n, const T* ap, T* x, int incx) {    \
    SIMT_BLAS(cblas_##s##tpsv)(kColumnMajor, uplo, trans, diag, n, ap, x, incx);                   \
  }

SIMT_BLAS_OVERLOAD_PACKED(s, float, float, sb, sp)
SIMT_BLAS_OVERLOAD_PACKED(d, double, double, sb, sp)
SIMT_BLAS_OVERLOAD_PACKED(c, Complex, float, hb, hp)
SIMT_BLAS_OVERLOAD_PACKED(z, DoubleComplex, double, hb, hp)

#undef SIMT_BLAS_DECLARE_PACKED
#undef SIMT_BLAS_OVERLOAD_PACKED

}  // namespace simtrt::host_blas

// Functions of the host's LAPACK that reduce matrices to tridiagonal and bidiagonal form, and form or apply the
// orthogonal (real) or unitary (complex) factors. As in solver/lapack.h, real and complex functions share a name.
// Source of names and arguments: LAPACK 3.12.
#pragma once

#include "solver/lapack.h"

namespace simtrt::lapack {

#define SIMT_LAPACK_REDUCTION(s, T, R, trd, gtr, mtr, gbr)                                        \
  extern "C" {                                                                                    \
  void SIMT_BLAS(s##trd##_)(const char* uplo, const int* n, T* a, const int* lda, R* d, R* e,     \
                            T* tau, T* work, const int* lwork, int* info, std::size_t);           \
  void SIMT_BLAS(s##gtr##_)(const char* uplo, const int* n, T* a, const int* lda, const T* tau,   \
                            T* work, const int* lwork, int* info, std::size_t);                   \
  void SIMT_BLAS(s##mtr##_)(const char* side, const char* uplo, const char* trans, const int* m,  \
                            const int* n, const T* a, const int* lda, const T* tau, T* c,         \
                            const int* ldc, T* work, const int* lwork, int* info, std::size_t,    \
                            std::size_t, std::size_t);                                            \
  void SIMT_BLAS(s##gebrd_)(const int* m, const int* n, T* a, const int* lda, R* d, R* e, T* tauq, \
                            T* taup, T* work, const int* lwork, int* info);                       \
  void SIMT_BLAS(s##gbr##_)(const char* vect, const int* m, const int* n, const int* k, T* a,     \
                            const int* lda, const T* tau, T* work, const int* lwork, int* info,   \
                            std::size_t);                                                         \
  }                                                                                               \
  inline int hetrd(char uplo, int n, T* a, int lda, R* d, R* e, T* tau) {                         \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int lwork) {                                                   \
      SIMT_BLAS(s##trd##_)(&uplo, &n, a, &lda, d, e, tau, work, &lwork, &info, 1);                \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  inline int ungtr(char uplo, int n, T* a, int lda, const T* tau) {                               \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int lwork) {                                                   \
      SIMT_BLAS(s##gtr##_)(&uplo, &n, a, &lda, tau, work, &lwork, &info, 1);                      \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  inline int unmtr(char side, char uplo, char trans, int m, int n, const T* a, int lda,           \
                   const T* tau, T* c, int ldc) {                                                 \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int lwork) {                                                   \
      SIMT_BLAS(s##mtr##_)                                                                        \
      (&side, &uplo, &trans, &m, &n, a, &lda, tau, c, &ldc, work, &lwork, &info, 1, 1, 1);        \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  inline int gebrd(int m, int n, T* a, int lda, R* d, R* e, T* tauq, T* taup) {                   \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int lwork) {                                                   \
      SIMT_BLAS(s##gebrd_)(&m, &n, a, &lda, d, e, tauq, taup, work, &lwork, &info);               \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  inline int ungbr(char vect, int m, int n, int k, T* a, int lda, const T* tau) {                 \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int lwork) {                                                   \
      SIMT_BLAS(s##gbr##_)(&vect, &m, &n, &k, a, &lda, tau, work, &lwork, &info, 1);              \
    });                                                                                           \
    return info;                                                                                  \
  }

SIMT_LAPACK_REDUCTION(s, float, float, sytrd, orgtr, ormtr, orgbr)
SIMT_LAPACK_REDUCTION(d, double, double, sytrd, orgtr, ormtr, orgbr)
SIMT_LAPACK_REDUCTION(c, Complex, float, hetrd, ungtr, unmtr, ungbr)
SIMT_LAPACK_REDUCTION(z, DoubleComplex, double, hetrd, ungtr, unmtr, ungbr)
#undef SIMT_LAPACK_REDUCTION

}  // namespace simtrt::lapack

// Functions of the host's LAPACK that simtsolver calls in addition to those of blas/cblas.h,
// overloaded over the four element types. Each function allocates the workspace that LAPACK
// requests, and returns LAPACK's info. Orthogonal (real) and unitary (complex) functions share a
// name, as do symmetric and Hermitian functions, except for sytrf and sytrs, which are symmetric
// for all types. Source of names and arguments: LAPACK 3.12.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "blas/cblas.h"

namespace simtrt::lapack {

using host_blas::Complex;
using host_blas::DoubleComplex;

// Fortran passes the lengths of character arguments as additional arguments at the end.
#define SIMT_LAPACK_DECLARE(s, T, gqr, mqr)                                                     \
  void SIMT_BLAS(s##potrf_)(const char* uplo, const int* n, T* a, const int* lda, int* info,    \
                            std::size_t);                                                       \
  void SIMT_BLAS(s##potrs_)(const char* uplo, const int* n, const int* nrhs, const T* a,        \
                            const int* lda, T* b, const int* ldb, int* info, std::size_t);      \
  void SIMT_BLAS(s##potri_)(const char* uplo, const int* n, T* a, const int* lda, int* info,    \
                            std::size_t);                                                       \
  void SIMT_BLAS(s##trtri_)(const char* uplo, const char* diag, const int* n, T* a,             \
                            const int* lda, int* info, std::size_t, std::size_t);               \
  void SIMT_BLAS(s##sytrf_)(const char* uplo, const int* n, T* a, const int* lda, int* pivots,  \
                            T* work, const int* lwork, int* info, std::size_t);                 \
  void SIMT_BLAS(s##sytrs_)(const char* uplo, const int* n, const int* nrhs, const T* a,        \
                            const int* lda, const int* pivots, T* b, const int* ldb, int* info, \
                            std::size_t);                                                       \
  void SIMT_BLAS(s##gqr##_)(const int* m, const int* n, const int* k, T* a, const int* lda,     \
                            const T* tau, T* work, const int* lwork, int* info);                \
  void SIMT_BLAS(s##mqr##_)(const char* side, const char* trans, const int* m, const int* n,    \
                            const int* k, const T* a, const int* lda, const T* tau, T* c,       \
                            const int* ldc, T* work, const int* lwork, int* info, std::size_t,  \
                            std::size_t);

#define SIMT_LAPACK_DECLARE_REAL(s, T)                                                             \
  SIMT_LAPACK_DECLARE(s, T, orgqr, ormqr)                                                          \
  void SIMT_BLAS(s##syevd_)(const char* job, const char* uplo, const int* n, T* a, const int* lda, \
                            T* w, T* work, const int* lwork, int* iwork, const int* liwork,        \
                            int* info, std::size_t, std::size_t);                                  \
  void SIMT_BLAS(s##gesvd_)(const char* jobu, const char* jobvt, const int* m, const int* n, T* a, \
                            const int* lda, T* sigma, T* u, const int* ldu, T* vt,                 \
                            const int* ldvt, T* work, const int* lwork, int* info, std::size_t,    \
                            std::size_t);                                                          \
  void SIMT_BLAS(s##gesdd_)(const char* job, const int* m, const int* n, T* a, const int* lda,     \
                            T* sigma, T* u, const int* ldu, T* vt, const int* ldvt, T* work,       \
                            const int* lwork, int* iwork, int* info, std::size_t);                 \
  void SIMT_BLAS(s##geev_)(const char* jobvl, const char* jobvr, const int* n, T* a,               \
                           const int* lda, T* wr, T* wi, T* vl, const int* ldvl, T* vr,            \
                           const int* ldvr, T* work, const int* lwork, int* info, std::size_t,     \
                           std::size_t);

#define SIMT_LAPACK_DECLARE_COMPLEX(s, T, R)                                                       \
  SIMT_LAPACK_DECLARE(s, T, ungqr, unmqr)                                                          \
  void SIMT_BLAS(s##heevd_)(const char* job, const char* uplo, const int* n, T* a, const int* lda, \
                            R* w, T* work, const int* lwork, R* rwork, const int* lrwork,          \
                            int* iwork, const int* liwork, int* info, std::size_t, std::size_t);   \
  void SIMT_BLAS(s##gesvd_)(const char* jobu, const char* jobvt, const int* m, const int* n, T* a, \
                            const int* lda, R* sigma, T* u, const int* ldu, T* vt,                 \
                            const int* ldvt, T* work, const int* lwork, R* rwork, int* info,       \
                            std::size_t, std::size_t);                                             \
  void SIMT_BLAS(s##gesdd_)(const char* job, const int* m, const int* n, T* a, const int* lda,     \
                            R* sigma, T* u, const int* ldu, T* vt, const int* ldvt, T* work,       \
                            const int* lwork, R* rwork, int* iwork, int* info, std::size_t);       \
  void SIMT_BLAS(s##geev_)(const char* jobvl, const char* jobvr, const int* n, T* a,               \
                           const int* lda, T* w, T* vl, const int* ldvl, T* vr, const int* ldvr,   \
                           T* work, const int* lwork, R* rwork, int* info, std::size_t,            \
                           std::size_t);

extern "C" {
SIMT_LAPACK_DECLARE_REAL(s, float)
SIMT_LAPACK_DECLARE_REAL(d, double)
SIMT_LAPACK_DECLARE_COMPLEX(c, Complex, float)
SIMT_LAPACK_DECLARE_COMPLEX(z, DoubleComplex, double)
}  // extern "C"

/// Number that a workspace query of LAPACK writes to the first element of the workspace.
inline int queried(int value) { return std::max(1, value); }
inline int queried(float value) {
  // As a float, a number above 2^24 may have been rounded down by up to one part in 2^24; therefore
  // it is increased.
  return std::max(1, static_cast<int>(static_cast<double>(value) * (1 + 1e-7)));
}
inline int queried(double value) { return std::max(1, static_cast<int>(value)); }
template <class R>
int queried(std::complex<R> value) {
  return queried(value.real());
}

/// Calls `function(work, lwork)` twice: to query the workspace size, and with the workspace.
template <class T, class Function>
void with_workspace(const Function& function) {
  T size{};
  function(&size, -1);
  std::vector<T> work(static_cast<std::size_t>(queried(size)));
  function(work.data(), static_cast<int>(work.size()));
}

#define SIMT_LAPACK_OVERLOAD(s, T, gqr, mqr)                                                      \
  inline int potrf(char uplo, int n, T* a, int lda) {                                             \
    int info = 0;                                                                                 \
    SIMT_BLAS(s##potrf_)(&uplo, &n, a, &lda, &info, 1);                                           \
    return info;                                                                                  \
  }                                                                                               \
  inline int potrs(char uplo, int n, int nrhs, const T* a, int lda, T* b, int ldb) {              \
    int info = 0;                                                                                 \
    SIMT_BLAS(s##potrs_)(&uplo, &n, &nrhs, a, &lda, b, &ldb, &info, 1);                           \
    return info;                                                                                  \
  }                                                                                               \
  inline int potri(char uplo, int n, T* a, int lda) {                                             \
    int info = 0;                                                                                 \
    SIMT_BLAS(s##potri_)(&uplo, &n, a, &lda, &info, 1);                                           \
    return info;                                                                                  \
  }                                                                                               \
  inline int trtri(char uplo, char diag, int n, T* a, int lda) {                                  \
    int info = 0;                                                                                 \
    SIMT_BLAS(s##trtri_)(&uplo, &diag, &n, a, &lda, &info, 1, 1);                                 \
    return info;                                                                                  \
  }                                                                                               \
  inline int sytrf(char uplo, int n, T* a, int lda, int* pivots) {                                \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int lwork) {                                                   \
      SIMT_BLAS(s##sytrf_)(&uplo, &n, a, &lda, pivots, work, &lwork, &info, 1);                   \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  inline int sytrs(char uplo, int n, int nrhs, const T* a, int lda, const int* pivots, T* b,      \
                   int ldb) {                                                                     \
    int info = 0;                                                                                 \
    SIMT_BLAS(s##sytrs_)(&uplo, &n, &nrhs, a, &lda, pivots, b, &ldb, &info, 1);                   \
    return info;                                                                                  \
  }                                                                                               \
  inline int geqrf(int m, int n, T* a, int lda, T* tau) {                                         \
    int info = 0;                                                                                 \
    with_workspace<T>(                                                                            \
        [&](T* work, int lwork) { info = host_blas::geqrf(m, n, a, lda, tau, work, lwork); });    \
    return info;                                                                                  \
  }                                                                                               \
  inline int ungqr(int m, int n, int k, T* a, int lda, const T* tau) {                            \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int lwork) {                                                   \
      SIMT_BLAS(s##gqr##_)(&m, &n, &k, a, &lda, tau, work, &lwork, &info);                        \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  inline int unmqr(char side, char trans, int m, int n, int k, const T* a, int lda, const T* tau, \
                   T* c, int ldc) {                                                               \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int lwork) {                                                   \
      SIMT_BLAS(s##mqr##_)                                                                        \
      (&side, &trans, &m, &n, &k, a, &lda, tau, c, &ldc, work, &lwork, &info, 1, 1);              \
    });                                                                                           \
    return info;                                                                                  \
  }

#define SIMT_LAPACK_OVERLOAD_REAL(s, T)                                                         \
  SIMT_LAPACK_OVERLOAD(s, T, orgqr, ormqr)                                                      \
  inline int heevd(char job, char uplo, int n, T* a, int lda, T* w) {                           \
    int info = 0, isize = 0, query = -1;                                                        \
    T size{};                                                                                   \
    SIMT_BLAS(s##syevd_)                                                                        \
    (&job, &uplo, &n, a, &lda, w, &size, &query, &isize, &query, &info, 1, 1);                  \
    const int lwork = queried(size), liwork = queried(isize);                                   \
    std::vector<T> work(static_cast<std::size_t>(lwork));                                       \
    std::vector<int> iwork(static_cast<std::size_t>(liwork));                                   \
    SIMT_BLAS(s##syevd_)                                                                        \
    (&job, &uplo, &n, a, &lda, w, work.data(), &lwork, iwork.data(), &liwork, &info, 1, 1);     \
    return info;                                                                                \
  }                                                                                             \
  inline int gesvd(char jobu, char jobvt, int m, int n, T* a, int lda, T* sigma, T* u, int ldu, \
                   T* vt, int ldvt, T* unconverged) {                                           \
    int info = 0;                                                                               \
    with_workspace<T>([&](T* work, int lwork) {                                                 \
      SIMT_BLAS(s##gesvd_)                                                                      \
      (&jobu, &jobvt, &m, &n, a, &lda, sigma, u, &ldu, vt, &ldvt, work, &lwork, &info, 1, 1);   \
      if (info > 0 && unconverged != nullptr) {                                                 \
        std::copy_n(work + 1, std::min(m, n) - 1, unconverged);                                 \
      }                                                                                         \
    });                                                                                         \
    return info;                                                                                \
  }                                                                                             \
  inline int gesdd(char job, int m, int n, T* a, int lda, T* sigma, T* u, int ldu, T* vt,       \
                   int ldvt) {                                                                  \
    int info = 0;                                                                               \
    std::vector<int> iwork(8 * static_cast<std::size_t>(std::min(m, n)));                       \
    with_workspace<T>([&](T* work, int lwork) {                                                 \
      SIMT_BLAS(s##gesdd_)                                                                      \
      (&job, &m, &n, a, &lda, sigma, u, &ldu, vt, &ldvt, work, &lwork, iwork.data(), &info, 1); \
    });                                                                                         \
    return info;                                                                                \
  }                                                                                             \
  inline int geev(char jobvl, char jobvr, int n, T* a, int lda, std::complex<T>* w, T* vl,      \
                  int ldvl, T* vr, int ldvr) {                                                  \
    int info = 0;                                                                               \
    std::vector<T> real(static_cast<std::size_t>(n)), imaginary(real);                          \
    with_workspace<T>([&](T* work, int lwork) {                                                 \
      SIMT_BLAS(s##geev_)                                                                       \
      (&jobvl, &jobvr, &n, a, &lda, real.data(), imaginary.data(), vl, &ldvl, vr, &ldvr, work,  \
       &lwork, &info, 1, 1);                                                                    \
    });                                                                                         \
    for (std::size_t i = 0; i < real.size(); ++i) {                                             \
      w[i] = {real[i], imaginary[i]};                                                           \
    }                                                                                           \
    return info;                                                                                \
  }

// Size of gesdd's rwork: the maximum of LAPACK's two formulas for jobs A and S, and of its formula
// for job N.
#define SIMT_LAPACK_OVERLOAD_COMPLEX(s, T, R)                                                      \
  SIMT_LAPACK_OVERLOAD(s, T, ungqr, unmqr)                                                         \
  inline int heevd(char job, char uplo, int n, T* a, int lda, R* w) {                              \
    int info = 0, isize = 0, query = -1;                                                           \
    T size{};                                                                                      \
    R rsize{};                                                                                     \
    SIMT_BLAS(s##heevd_)                                                                           \
    (&job, &uplo, &n, a, &lda, w, &size, &query, &rsize, &query, &isize, &query, &info, 1, 1);     \
    const int lwork = queried(size), lrwork = queried(rsize), liwork = queried(isize);             \
    std::vector<T> work(static_cast<std::size_t>(lwork));                                          \
    std::vector<R> rwork(static_cast<std::size_t>(lrwork));                                        \
    std::vector<int> iwork(static_cast<std::size_t>(liwork));                                      \
    SIMT_BLAS(s##heevd_)                                                                           \
    (&job, &uplo, &n, a, &lda, w, work.data(), &lwork, rwork.data(), &lrwork, iwork.data(),        \
     &liwork, &info, 1, 1);                                                                        \
    return info;                                                                                   \
  }                                                                                                \
  inline int gesvd(char jobu, char jobvt, int m, int n, T* a, int lda, R* sigma, T* u, int ldu,    \
                   T* vt, int ldvt, R* unconverged) {                                              \
    int info = 0;                                                                                  \
    std::vector<R> rwork(5 * static_cast<std::size_t>(std::min(m, n)) + 1);                        \
    with_workspace<T>([&](T* work, int lwork) {                                                    \
      SIMT_BLAS(s##gesvd_)                                                                         \
      (&jobu, &jobvt, &m, &n, a, &lda, sigma, u, &ldu, vt, &ldvt, work, &lwork, rwork.data(),      \
       &info, 1, 1);                                                                               \
    });                                                                                            \
    if (info > 0 && unconverged != nullptr) {                                                      \
      std::copy_n(rwork.data(), std::min(m, n) - 1, unconverged);                                  \
    }                                                                                              \
    return info;                                                                                   \
  }                                                                                                \
  inline int gesdd(char job, int m, int n, T* a, int lda, R* sigma, T* u, int ldu, T* vt,          \
                   int ldvt) {                                                                     \
    int info = 0;                                                                                  \
    const auto least = static_cast<std::size_t>(std::min(m, n));                                   \
    const auto most = static_cast<std::size_t>(std::max(m, n));                                    \
    std::vector<int> iwork(8 * least);                                                             \
    std::vector<R> rwork(least * std::max(5 * least + 7, 2 * most + 2 * least + 1) + 1);           \
    with_workspace<T>([&](T* work, int lwork) {                                                    \
      SIMT_BLAS(s##gesdd_)                                                                         \
      (&job, &m, &n, a, &lda, sigma, u, &ldu, vt, &ldvt, work, &lwork, rwork.data(), iwork.data(), \
       &info, 1);                                                                                  \
    });                                                                                            \
    return info;                                                                                   \
  }                                                                                                \
  inline int geev(char jobvl, char jobvr, int n, T* a, int lda, T* w, T* vl, int ldvl, T* vr,      \
                  int ldvr) {                                                                      \
    int info = 0;                                                                                  \
    std::vector<R> rwork(2 * static_cast<std::size_t>(n) + 1);                                     \
    with_workspace<T>([&](T* work, int lwork) {                                                    \
      SIMT_BLAS(s##geev_)                                                                          \
      (&jobvl, &jobvr, &n, a, &lda, w, vl, &ldvl, vr, &ldvr, work, &lwork, rwork.data(), &info, 1, \
       1);                                                                                         \
    });                                                                                            \
    return info;                                                                                   \
  }

SIMT_LAPACK_OVERLOAD_REAL(s, float)
SIMT_LAPACK_OVERLOAD_REAL(d, double)
SIMT_LAPACK_OVERLOAD_COMPLEX(c, Complex, float)
SIMT_LAPACK_OVERLOAD_COMPLEX(z, DoubleComplex, double)

#undef SIMT_LAPACK_DECLARE
#undef SIMT_LAPACK_DECLARE_REAL
#undef SIMT_LAPACK_DECLARE_COMPLEX
#undef SIMT_LAPACK_OVERLOAD
#undef SIMT_LAPACK_OVERLOAD_REAL
#undef SIMT_LAPACK_OVERLOAD_COMPLEX

}  // namespace simtrt::lapack

// Functions of the host's BLAS and LAPACK that simtblas calls, overloaded over the four element
// types. Sources of names and constants: the CBLAS of netlib's BLAS 3.12 and LAPACK 3.12.
//
// The BLAS is OpenBLAS: its PyPI wheel scipy-openblas32 (compile with SIMT_BLAS_PREFIX=scipy_, the
// prefix of its symbols) or a distribution's package (plain names). Both have 32-bit integers.
//
// Threads: OpenBLAS would split large calls over its own thread pool, whose threads spin while they
// wait and thus take processors from the runtime's workers. use_one_thread() restricts each call to
// the calling thread; concurrent calls from several threads are independent. The runtime splits
// large work over its workers instead (batch.h, gemm.h).
#pragma once

#include <complex>
#include <cstddef>

#ifndef SIMT_BLAS_PREFIX
#define SIMT_BLAS_PREFIX
#endif
#define SIMT_BLAS_PASTE(prefix, name) prefix##name
#define SIMT_BLAS_EXPAND(prefix, name) SIMT_BLAS_PASTE(prefix, name)
#define SIMT_BLAS(name) SIMT_BLAS_EXPAND(SIMT_BLAS_PREFIX, name)

namespace simtrt::host_blas {

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

enum Order { kColumnMajor = 102 };
enum Transpose { kNoTrans = 111, kTrans = 112, kConjTrans = 113 };
enum Uplo { kUpper = 121, kLower = 122 };
enum Diag { kNonUnit = 131, kUnit = 132 };
enum Side { kLeft = 141, kRight = 142 };

// Functions of all four types. S is the type of a scalar in CBLAS: a value, or a pointer for
// complex.
#define SIMT_BLAS_DECLARE(s, T, S, symmetric, rank_one)                                            \
  void SIMT_BLAS(cblas_##s##axpy)(int n, S alpha, const T* x, int incx, T* y, int incy);           \
  void SIMT_BLAS(cblas_##s##copy)(int n, const T* x, int incx, T* y, int incy);                    \
  void SIMT_BLAS(cblas_##s##swap)(int n, T* x, int incx, T* y, int incy);                          \
  void SIMT_BLAS(cblas_##s##gemv)(int order, int trans, int m, int n, S alpha, const T* a,         \
                                  int lda, const T* x, int incx, S beta, T* y, int incy);          \
  void SIMT_BLAS(cblas_##s##symmetric##mv)(int order, int uplo, int n, S alpha, const T* a,        \
                                           int lda, const T* x, int incx, S beta, T* y, int incy); \
  void SIMT_BLAS(cblas_##s##rank_one)(int order, int m, int n, S alpha, const T* x, int incx,      \
                                      const T* y, int incy, T* a, int lda);                        \
  void SIMT_BLAS(cblas_##s##symmetric##r2)(int order, int uplo, int n, S alpha, const T* x,        \
                                           int incx, const T* y, int incy, T* a, int lda);         \
  void SIMT_BLAS(cblas_##s##trmv)(int order, int uplo, int trans, int diag, int n, const T* a,     \
                                  int lda, T* x, int incx);                                        \
  void SIMT_BLAS(cblas_##s##trsv)(int order, int uplo, int trans, int diag, int n, const T* a,     \
                                  int lda, T* x, int incx);                                        \
  void SIMT_BLAS(cblas_##s##gemm)(int order, int transa, int transb, int m, int n, int k, S alpha, \
                                  const T* a, int lda, const T* b, int ldb, S beta, T* c,          \
                                  int ldc);                                                        \
  void SIMT_BLAS(cblas_##s##symm)(int order, int side, int uplo, int m, int n, S alpha,            \
                                  const T* a, int lda, const T* b, int ldb, S beta, T* c,          \
                                  int ldc);                                                        \
  void SIMT_BLAS(cblas_##s##syrk)(int order, int uplo, int trans, int n, int k, S alpha,           \
                                  const T* a, int lda, S beta, T* c, int ldc);                     \
  void SIMT_BLAS(cblas_##s##syr2k)(int order, int uplo, int trans, int n, int k, S alpha,          \
                                   const T* a, int lda, const T* b, int ldb, S beta, T* c,         \
                                   int ldc);                                                       \
  void SIMT_BLAS(cblas_##s##trmm)(int order, int side, int uplo, int trans, int diag, int m,       \
                                  int n, S alpha, const T* a, int lda, T* b, int ldb);             \
  void SIMT_BLAS(cblas_##s##trsm)(int order, int side, int uplo, int trans, int diag, int m,       \
                                  int n, S alpha, const T* a, int lda, T* b, int ldb);             \
  void SIMT_BLAS(s##getrf_)(const int* m, const int* n, T* a, const int* lda, int* pivots,         \
                            int* info);                                                            \
  void SIMT_BLAS(s##getrs_)(const char* trans, const int* n, const int* nrhs, const T* a,          \
                            const int* lda, const int* pivots, T* b, const int* ldb, int* info,    \
                            std::size_t trans_length);                                             \
  void SIMT_BLAS(s##geqrf_)(const int* m, const int* n, T* a, const int* lda, T* tau, T* work,     \
                            const int* lwork, int* info);

#define SIMT_BLAS_DECLARE_REAL(s, T)                                                              \
  SIMT_BLAS_DECLARE(s, T, T, sy, ger)                                                             \
  T SIMT_BLAS(cblas_##s##dot)(int n, const T* x, int incx, const T* y, int incy);                 \
  T SIMT_BLAS(cblas_##s##asum)(int n, const T* x, int incx);                                      \
  T SIMT_BLAS(cblas_##s##nrm2)(int n, const T* x, int incx);                                      \
  void SIMT_BLAS(s##rotg_)(T * a, T * b, T * c, T * s_);                                          \
  void SIMT_BLAS(cblas_##s##rotm)(int n, T* x, int incx, T* y, int incy, const T* param);         \
  void SIMT_BLAS(cblas_##s##syr)(int order, int uplo, int n, T alpha, const T* x, int incx, T* a, \
                                 int lda);

#define SIMT_BLAS_DECLARE_COMPLEX(s, real, T, R)                                                  \
  SIMT_BLAS_DECLARE(s, T, const void*, he, geru)                                                  \
  void SIMT_BLAS(cblas_##s##gerc)(int order, int m, int n, const void* alpha, const T* x,         \
                                  int incx, const T* y, int incy, T* a, int lda);                 \
  void SIMT_BLAS(cblas_##s##dotu_sub)(int n, const T* x, int incx, const T* y, int incy,          \
                                      void* result);                                              \
  void SIMT_BLAS(cblas_##s##dotc_sub)(int n, const T* x, int incx, const T* y, int incy,          \
                                      void* result);                                              \
  R SIMT_BLAS(cblas_##real##asum)(int n, const T* x, int incx);                                   \
  R SIMT_BLAS(cblas_##real##nrm2)(int n, const T* x, int incx);                                   \
  void SIMT_BLAS(s##rotg_)(T * a, T * b, R * c, T * s_);                                          \
  void SIMT_BLAS(cblas_##s##her)(int order, int uplo, int n, R alpha, const T* x, int incx, T* a, \
                                 int lda);                                                        \
  void SIMT_BLAS(cblas_##s##hemm)(int order, int side, int uplo, int m, int n, const void* alpha, \
                                  const T* a, int lda, const T* b, int ldb, const void* beta,     \
                                  T* c, int ldc);                                                 \
  void SIMT_BLAS(cblas_##s##herk)(int order, int uplo, int trans, int n, int k, R alpha,          \
                                  const T* a, int lda, R beta, T* c, int ldc);                    \
  void SIMT_BLAS(cblas_##s##her2k)(int order, int uplo, int trans, int n, int k,                  \
                                   const void* alpha, const T* a, int lda, const T* b, int ldb,   \
                                   R beta, T* c, int ldc);

extern "C" {
void SIMT_BLAS(openblas_set_num_threads)(int count);
SIMT_BLAS_DECLARE_REAL(s, float)
SIMT_BLAS_DECLARE_REAL(d, double)
SIMT_BLAS_DECLARE_COMPLEX(c, sc, Complex, float)
SIMT_BLAS_DECLARE_COMPLEX(z, dz, DoubleComplex, double)
}  // extern "C"

/// Restricts all later calls to the calling thread. The setting belongs to the loaded library: only
/// libsimt.so uses the wheel's library, but other users in the process share a distribution's
/// library.
inline void use_one_thread() { SIMT_BLAS(openblas_set_num_threads)(1); }

inline float scalar(float value) { return value; }
inline double scalar(double value) { return value; }
inline const void* scalar(const Complex& value) { return &value; }
inline const void* scalar(const DoubleComplex& value) { return &value; }

// One overloaded name for each function. Scalar arguments of type T are passed by value, or by
// pointer for complex T.
#define SIMT_BLAS_OVERLOAD(s, T, symmetric)                                                        \
  inline void axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {                         \
    SIMT_BLAS(cblas_##s##axpy)(n, scalar(alpha), x, incx, y, incy);                                \
  }                                                                                                \
  inline void copy(int n, const T* x, int incx, T* y, int incy) {                                  \
    SIMT_BLAS(cblas_##s##copy)(n, x, incx, y, incy);                                               \
  }                                                                                                \
  inline void swap(int n, T* x, int incx, T* y, int incy) {                                        \
    SIMT_BLAS(cblas_##s##swap)(n, x, incx, y, incy);                                               \
  }                                                                                                \
  inline void gemv(Transpose trans, int m, int n, T alpha, const T* a, int lda, const T* x,        \
                   int incx, T beta, T* y, int incy) {                                             \
    SIMT_BLAS(cblas_##s##gemv)                                                                     \
    (kColumnMajor, trans, m, n, scalar(alpha), a, lda, x, incx, scalar(beta), y, incy);            \
  }                                                                                                \
  inline void symv(Uplo uplo, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta,   \
                   T* y, int incy) {                                                               \
    SIMT_BLAS(cblas_##s##symmetric##mv)                                                            \
    (kColumnMajor, uplo, n, scalar(alpha), a, lda, x, incx, scalar(beta), y, incy);                \
  }                                                                                                \
  inline void syr2(Uplo uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a,    \
                   int lda) {                                                                      \
    SIMT_BLAS(cblas_##s##symmetric##r2)                                                            \
    (kColumnMajor, uplo, n, scalar(alpha), x, incx, y, incy, a, lda);                              \
  }                                                                                                \
  inline void trmv(Uplo uplo, Transpose trans, Diag diag, int n, const T* a, int lda, T* x,        \
                   int incx) {                                                                     \
    SIMT_BLAS(cblas_##s##trmv)(kColumnMajor, uplo, trans, diag, n, a, lda, x, incx);               \
  }                                                                                                \
  inline void trsv(Uplo uplo, Transpose trans, Diag diag, int n, const T* a, int lda, T* x,        \
                   int incx) {                                                                     \
    SIMT_BLAS(cblas_##s##trsv)(kColumnMajor, uplo, trans, diag, n, a, lda, x, incx);               \
  }                                                                                                \
  inline void gemm(Transpose transa, Transpose transb, int m, int n, int k, T alpha, const T* a,   \
                   int lda, const T* b, int ldb, T beta, T* c, int ldc) {                          \
    SIMT_BLAS(cblas_##s##gemm)                                                                     \
    (kColumnMajor, transa, transb, m, n, k, scalar(alpha), a, lda, b, ldb, scalar(beta), c, ldc);  \
  }                                                                                                \
  inline void symm(Side side, Uplo uplo, int m, int n, T alpha, const T* a, int lda, const T* b,   \
                   int ldb, T beta, T* c, int ldc) {                                               \
    SIMT_BLAS(cblas_##s##symm)                                                                     \
    (kColumnMajor, side, uplo, m, n, scalar(alpha), a, lda, b, ldb, scalar(beta), c, ldc);         \
  }                                                                                                \
  inline void syrk(Uplo uplo, Transpose trans, int n, int k, T alpha, const T* a, int lda, T beta, \
                   T* c, int ldc) {                                                                \
    SIMT_BLAS(cblas_##s##syrk)                                                                     \
    (kColumnMajor, uplo, trans, n, k, scalar(alpha), a, lda, scalar(beta), c, ldc);                \
  }                                                                                                \
  inline void syr2k(Uplo uplo, Transpose trans, int n, int k, T alpha, const T* a, int lda,        \
                    const T* b, int ldb, T beta, T* c, int ldc) {                                  \
    SIMT_BLAS(cblas_##s##syr2k)                                                                    \
    (kColumnMajor, uplo, trans, n, k, scalar(alpha), a, lda, b, ldb, scalar(beta), c, ldc);        \
  }                                                                                                \
  inline void trmm(Side side, Uplo uplo, Transpose trans, Diag diag, int m, int n, T alpha,        \
                   const T* a, int lda, T* b, int ldb) {                                           \
    SIMT_BLAS(cblas_##s##trmm)                                                                     \
    (kColumnMajor, side, uplo, trans, diag, m, n, scalar(alpha), a, lda, b, ldb);                  \
  }                                                                                                \
  inline void trsm(Side side, Uplo uplo, Transpose trans, Diag diag, int m, int n, T alpha,        \
                   const T* a, int lda, T* b, int ldb) {                                           \
    SIMT_BLAS(cblas_##s##trsm)                                                                     \
    (kColumnMajor, side, uplo, trans, diag, m, n, scalar(alpha), a, lda, b, ldb);                  \
  }                                                                                                \
  inline int getrf(int m, int n, T* a, int lda, int* pivots) {                                     \
    int info = 0;                                                                                  \
    SIMT_BLAS(s##getrf_)(&m, &n, a, &lda, pivots, &info);                                          \
    return info;                                                                                   \
  }                                                                                                \
  inline int getrs(char trans, int n, int nrhs, const T* a, int lda, const int* pivots, T* b,      \
                   int ldb) {                                                                      \
    int info = 0;                                                                                  \
    SIMT_BLAS(s##getrs_)(&trans, &n, &nrhs, a, &lda, pivots, b, &ldb, &info, 1);                   \
    return info;                                                                                   \
  }                                                                                                \
  inline int geqrf(int m, int n, T* a, int lda, T* tau, T* work, int lwork) {                      \
    int info = 0;                                                                                  \
    SIMT_BLAS(s##geqrf_)(&m, &n, a, &lda, tau, work, &lwork, &info);                               \
    return info;                                                                                   \
  }

#define SIMT_BLAS_OVERLOAD_REAL(s, T)                                                           \
  SIMT_BLAS_OVERLOAD(s, T, sy)                                                                  \
  inline T asum(int n, const T* x, int incx) { return SIMT_BLAS(cblas_##s##asum)(n, x, incx); } \
  inline T nrm2(int n, const T* x, int incx) { return SIMT_BLAS(cblas_##s##nrm2)(n, x, incx); } \
  inline T dotu(int n, const T* x, int incx, const T* y, int incy) {                            \
    return SIMT_BLAS(cblas_##s##dot)(n, x, incx, y, incy);                                      \
  }                                                                                             \
  inline T dotc(int n, const T* x, int incx, const T* y, int incy) {                            \
    return dotu(n, x, incx, y, incy);                                                           \
  }                                                                                             \
  inline void rotg(T* a, T* b, T* c, T* s_) { SIMT_BLAS(s##rotg_)(a, b, c, s_); }               \
  inline void rotm(int n, T* x, int incx, T* y, int incy, const T* param) {                     \
    SIMT_BLAS(cblas_##s##rotm)(n, x, incx, y, incy, param);                                     \
  }                                                                                             \
  inline void syr(Uplo uplo, int n, T alpha, const T* x, int incx, T* a, int lda) {             \
    SIMT_BLAS(cblas_##s##syr)(kColumnMajor, uplo, n, alpha, x, incx, a, lda);                   \
  }                                                                                             \
  inline void geru(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a,     \
                   int lda) {                                                                   \
    SIMT_BLAS(cblas_##s##ger)(kColumnMajor, m, n, alpha, x, incx, y, incy, a, lda);             \
  }

#define SIMT_BLAS_OVERLOAD_COMPLEX(s, real, T, R)                                                  \
  SIMT_BLAS_OVERLOAD(s, T, he)                                                                     \
  inline R asum(int n, const T* x, int incx) { return SIMT_BLAS(cblas_##real##asum)(n, x, incx); } \
  inline R nrm2(int n, const T* x, int incx) { return SIMT_BLAS(cblas_##real##nrm2)(n, x, incx); } \
  inline T dotu(int n, const T* x, int incx, const T* y, int incy) {                               \
    T result;                                                                                      \
    SIMT_BLAS(cblas_##s##dotu_sub)(n, x, incx, y, incy, &result);                                  \
    return result;                                                                                 \
  }                                                                                                \
  inline T dotc(int n, const T* x, int incx, const T* y, int incy) {                               \
    T result;                                                                                      \
    SIMT_BLAS(cblas_##s##dotc_sub)(n, x, incx, y, incy, &result);                                  \
    return result;                                                                                 \
  }                                                                                                \
  inline void rotg(T* a, T* b, R* c, T* s_) { SIMT_BLAS(s##rotg_)(a, b, c, s_); }                  \
  inline void syr(Uplo uplo, int n, R alpha, const T* x, int incx, T* a, int lda) {                \
    SIMT_BLAS(cblas_##s##her)(kColumnMajor, uplo, n, alpha, x, incx, a, lda);                      \
  }                                                                                                \
  inline void geru(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a,        \
                   int lda) {                                                                      \
    SIMT_BLAS(cblas_##s##geru)(kColumnMajor, m, n, &alpha, x, incx, y, incy, a, lda);              \
  }                                                                                                \
  inline void gerc(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a,        \
                   int lda) {                                                                      \
    SIMT_BLAS(cblas_##s##gerc)(kColumnMajor, m, n, &alpha, x, incx, y, incy, a, lda);              \
  }                                                                                                \
  inline void hemm(Side side, Uplo uplo, int m, int n, T alpha, const T* a, int lda, const T* b,   \
                   int ldb, T beta, T* c, int ldc) {                                               \
    SIMT_BLAS(cblas_##s##hemm)                                                                     \
    (kColumnMajor, side, uplo, m, n, &alpha, a, lda, b, ldb, &beta, c, ldc);                       \
  }                                                                                                \
  inline void herk(Uplo uplo, Transpose trans, int n, int k, R alpha, const T* a, int lda, R beta, \
                   T* c, int ldc) {                                                                \
    SIMT_BLAS(cblas_##s##herk)(kColumnMajor, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);      \
  }                                                                                                \
  inline void her2k(Uplo uplo, Transpose trans, int n, int k, T alpha, const T* a, int lda,        \
                    const T* b, int ldb, R beta, T* c, int ldc) {                                  \
    SIMT_BLAS(cblas_##s##her2k)                                                                    \
    (kColumnMajor, uplo, trans, n, k, &alpha, a, lda, b, ldb, beta, c, ldc);                       \
  }

SIMT_BLAS_OVERLOAD_REAL(s, float)
SIMT_BLAS_OVERLOAD_REAL(d, double)
SIMT_BLAS_OVERLOAD_COMPLEX(c, sc, Complex, float)
SIMT_BLAS_OVERLOAD_COMPLEX(z, dz, DoubleComplex, double)

#undef SIMT_BLAS_DECLARE
#undef SIMT_BLAS_DECLARE_REAL
#undef SIMT_BLAS_DECLARE_COMPLEX
#undef SIMT_BLAS_OVERLOAD
#undef SIMT_BLAS_OVERLOAD_REAL
#undef SIMT_BLAS_OVERLOAD_COMPLEX

}  // namespace simtrt::host_blas

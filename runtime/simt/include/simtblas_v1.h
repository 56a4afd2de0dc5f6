// cuBLAS's API before version 2 (cublas.h): functions without a handle, with characters as options and with scalars by
// value. Source of names and arguments: cuBLAS 12.4, cublas.h.
//
// The functions of real matrices and vectors, and gemm of complex ones, exist. They overload the functions with a handle.
//
// Ownership: the process owns one handle, from simtblasInit to simtblasShutdown.
// Threads: one thread at a time. Memory ordering: as for the functions with a handle.
#pragma once

#include <simtrt/kernel/letters_begin.h>

#include <simt_runtime_api.h>
#include <simtblas.h>

namespace simtrt {

/// Handle of the process, and the first error since the last query.
struct BlasV1 {
  simtblasHandle_t handle = nullptr;
  simtblasStatus_t error = SIMTBLAS_STATUS_SUCCESS;

  static BlasV1& instance() {
    static BlasV1 made;
    return made;
  }
  simtblasStatus_t remember(simtblasStatus_t status) {
    if (error == SIMTBLAS_STATUS_SUCCESS) error = status;
    return status;
  }
};

// Options; a character without meaning becomes a value that every function rejects.
inline simtblasOperation_t blas_operation(char letter) {
  switch (letter) {
    case 'N': case 'n': return SIMTBLAS_OP_N;
    case 'T': case 't': return SIMTBLAS_OP_T;
    case 'C': case 'c': return SIMTBLAS_OP_C;
    default: return static_cast<simtblasOperation_t>(-1);
  }
}
inline simtblasFillMode_t blas_triangle(char letter) {
  return letter == 'U' || letter == 'u'   ? SIMTBLAS_FILL_MODE_UPPER
         : letter == 'L' || letter == 'l' ? SIMTBLAS_FILL_MODE_LOWER
                                          : static_cast<simtblasFillMode_t>(-1);
}
inline simtblasDiagType_t blas_diagonal(char letter) {
  return letter == 'U' || letter == 'u'   ? SIMTBLAS_DIAG_UNIT
         : letter == 'N' || letter == 'n' ? SIMTBLAS_DIAG_NON_UNIT
                                          : static_cast<simtblasDiagType_t>(-1);
}
inline simtblasSideMode_t blas_side(char letter) {
  return letter == 'L' || letter == 'l'   ? SIMTBLAS_SIDE_LEFT
         : letter == 'R' || letter == 'r' ? SIMTBLAS_SIDE_RIGHT
                                          : static_cast<simtblasSideMode_t>(-1);
}

}  // namespace simtrt

inline simtblasStatus_t simtblasInit() {
  auto& state = simtrt::BlasV1::instance();
  return state.handle != nullptr ? SIMTBLAS_STATUS_SUCCESS
                                 : state.remember(simtblasCreate(&state.handle));
}
inline simtblasStatus_t simtblasShutdown() {
  auto& state = simtrt::BlasV1::instance();
  const simtblasHandle_t handle = state.handle;
  state.handle = nullptr;
  return state.remember(handle == nullptr ? SIMTBLAS_STATUS_NOT_INITIALIZED
                                          : simtblasDestroy(handle));
}
/// First error since the last call; the call clears it.
inline simtblasStatus_t simtblasGetError() {
  auto& state = simtrt::BlasV1::instance();
  const simtblasStatus_t error = state.error;
  state.error = SIMTBLAS_STATUS_SUCCESS;
  return error;
}
inline simtblasStatus_t simtblasSetKernelStream(simtStream_t stream) {
  auto& state = simtrt::BlasV1::instance();
  return state.remember(simtblasSetStream(state.handle, stream));
}
inline simtblasStatus_t simtblasAlloc(int count, int bytes, void** pointer) {
  auto& state = simtrt::BlasV1::instance();
  if (count <= 0 || bytes <= 0 || pointer == nullptr)
    return state.remember(SIMTBLAS_STATUS_INVALID_VALUE);
  const simtError_t error = simtMalloc(pointer, static_cast<std::size_t>(count) * bytes);
  return state.remember(error == simtSuccess ? SIMTBLAS_STATUS_SUCCESS
                                             : SIMTBLAS_STATUS_ALLOC_FAILED);
}
inline simtblasStatus_t simtblasFree(void* pointer) {
  return simtrt::BlasV1::instance().remember(simtFree(pointer) == simtSuccess
                                                 ? SIMTBLAS_STATUS_SUCCESS
                                                 : SIMTBLAS_STATUS_INTERNAL_ERROR);
}

// A function without a result, and one with a result; SIMT_HANDLE is the first argument of the function with a handle.
#define SIMT_HANDLE simtrt::BlasV1::instance().handle
#define SIMT_V1(name, parameters, ...)                                \
  inline void name parameters {                                       \
    simtrt::BlasV1::instance().remember(name(SIMT_HANDLE, __VA_ARGS__)); \
  }
#define SIMT_V1_RESULT(name, Result, parameters, ...)                          \
  inline Result name parameters {                                              \
    Result result{};                                                           \
    simtrt::BlasV1::instance().remember(name(SIMT_HANDLE, __VA_ARGS__, &result)); \
    return result;                                                             \
  }
#define SIMT_GEMM(name, T)                                                                       \
  SIMT_V1(name,                                                                                  \
          (char transa, char transb, int m, int n, int k, T alpha, const T* a, int lda,          \
           const T* b, int ldb, T beta, T* c, int ldc),                                          \
          simtrt::blas_operation(transa), simtrt::blas_operation(transb), m, n, k, &alpha, a,    \
          lda, b, ldb, &beta, c, ldc)
#define SIMT_REAL(s, i, T)                                                                       \
  SIMT_V1(simtblas##s##axpy, (int n, T alpha, const T* x, int incx, T* y, int incy), n, &alpha,  \
          x, incx, y, incy)                                                                      \
  SIMT_V1(simtblas##s##copy, (int n, const T* x, int incx, T* y, int incy), n, x, incx, y, incy) \
  SIMT_V1(simtblas##s##swap, (int n, T* x, int incx, T* y, int incy), n, x, incx, y, incy)       \
  SIMT_V1(simtblas##s##scal, (int n, T alpha, T* x, int incx), n, &alpha, x, incx)               \
  SIMT_V1_RESULT(simtblas##s##dot, T, (int n, const T* x, int incx, const T* y, int incy), n, x, \
                 incx, y, incy)                                                                  \
  SIMT_V1_RESULT(simtblas##s##nrm2, T, (int n, const T* x, int incx), n, x, incx)                \
  SIMT_V1_RESULT(simtblas##s##asum, T, (int n, const T* x, int incx), n, x, incx)                \
  SIMT_V1_RESULT(simtblasI##i##amax, int, (int n, const T* x, int incx), n, x, incx)             \
  SIMT_V1_RESULT(simtblasI##i##amin, int, (int n, const T* x, int incx), n, x, incx)             \
  SIMT_V1(simtblas##s##gemv,                                                                     \
          (char trans, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, \
           T* y, int incy),                                                                      \
          simtrt::blas_operation(trans), m, n, &alpha, a, lda, x, incx, &beta, y, incy)          \
  SIMT_V1(simtblas##s##ger,                                                                      \
          (int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda), m, \
          n, &alpha, x, incx, y, incy, a, lda)                                                   \
  SIMT_V1(simtblas##s##symv,                                                                     \
          (char uplo, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,   \
           int incy),                                                                            \
          simtrt::blas_triangle(uplo), n, &alpha, a, lda, x, incx, &beta, y, incy)               \
  SIMT_V1(simtblas##s##syr, (char uplo, int n, T alpha, const T* x, int incx, T* a, int lda),    \
          simtrt::blas_triangle(uplo), n, &alpha, x, incx, a, lda)                               \
  SIMT_V1(simtblas##s##trmv,                                                                     \
          (char uplo, char trans, char diag, int n, const T* a, int lda, T* x, int incx),        \
          simtrt::blas_triangle(uplo), simtrt::blas_operation(trans),                            \
          simtrt::blas_diagonal(diag), n, a, lda, x, incx)                                       \
  SIMT_V1(simtblas##s##trsv,                                                                     \
          (char uplo, char trans, char diag, int n, const T* a, int lda, T* x, int incx),        \
          simtrt::blas_triangle(uplo), simtrt::blas_operation(trans),                            \
          simtrt::blas_diagonal(diag), n, a, lda, x, incx)                                       \
  SIMT_GEMM(simtblas##s##gemm, T)                                                                \
  SIMT_V1(simtblas##s##symm,                                                                     \
          (char side, char uplo, int m, int n, T alpha, const T* a, int lda, const T* b,         \
           int ldb, T beta, T* c, int ldc),                                                      \
          simtrt::blas_side(side), simtrt::blas_triangle(uplo), m, n, &alpha, a, lda, b, ldb,    \
          &beta, c, ldc)                                                                         \
  SIMT_V1(simtblas##s##syrk,                                                                     \
          (char uplo, char trans, int n, int k, T alpha, const T* a, int lda, T beta, T* c,      \
           int ldc),                                                                             \
          simtrt::blas_triangle(uplo), simtrt::blas_operation(trans), n, k, &alpha, a, lda,      \
          &beta, c, ldc)                                                                         \
  SIMT_V1(simtblas##s##trsm,                                                                     \
          (char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* a,       \
           int lda, T* b, int ldb),                                                              \
          simtrt::blas_side(side), simtrt::blas_triangle(uplo), simtrt::blas_operation(trans),   \
          simtrt::blas_diagonal(diag), m, n, &alpha, a, lda, b, ldb)                             \
  SIMT_V1(simtblas##s##trmm,                                                                     \
          (char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* a,       \
           int lda, T* b, int ldb),                                                              \
          simtrt::blas_side(side), simtrt::blas_triangle(uplo), simtrt::blas_operation(trans),   \
          simtrt::blas_diagonal(diag), m, n, &alpha, a, lda, b, ldb, b, ldb)
SIMT_REAL(S, s, float)
SIMT_REAL(D, d, double)
SIMT_GEMM(simtblasCgemm, simtComplex)
SIMT_GEMM(simtblasZgemm, simtDoubleComplex)
#undef SIMT_REAL
#undef SIMT_GEMM
#undef SIMT_V1_RESULT
#undef SIMT_V1
#undef SIMT_HANDLE

#include <simtrt/kernel/letters_end.h>

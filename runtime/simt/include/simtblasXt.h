// cuBLASXt: level 3 functions for matrices in host or device memory (cublasXt.h). The calls wait for their results.
//
// The device reads and writes host memory directly: nothing is copied, and the first selected device computes everything.
// The size of blocks, the pinning of memory, and routines and shares of the processor have no effect. Sizes beyond 32 bits
// are SIMTBLAS_STATUS_NOT_SUPPORTED; a call before simtblasXtDeviceSelect is SIMTBLAS_STATUS_NOT_INITIALIZED. Scalars are
// in host memory. Other errors are those of the function of simtblas with the same name.
//
// Ownership: the program owns handles and matrices. Threads: one thread at a time uses a handle.
// Memory ordering: as for simtblas; results are visible when a call returns.
// Source of names, values and arguments: CUDA 12.4, cublasXt.h.
#pragma once
#define SIMTBLAS_XT_H  // Programs test this macro to learn whether the header was included.

#include <simtblas.h>

#include <cstddef>

namespace simtrt {
struct BlasXtContext;
}  // namespace simtrt

typedef simtrt::BlasXtContext* simtblasXtHandle_t;

typedef enum {
  SIMTBLASXT_PINNING_DISABLED = 0,
  SIMTBLASXT_PINNING_ENABLED = 1
} simtblasXtPinnedMemMode_t;

typedef enum {
  SIMTBLASXT_FLOAT = 0,
  SIMTBLASXT_DOUBLE = 1,
  SIMTBLASXT_COMPLEX = 2,
  SIMTBLASXT_DOUBLECOMPLEX = 3
} simtblasXtOpType_t;

typedef enum {
  SIMTBLASXT_GEMM = 0,
  SIMTBLASXT_SYRK = 1,
  SIMTBLASXT_HERK = 2,
  SIMTBLASXT_SYMM = 3,
  SIMTBLASXT_HEMM = 4,
  SIMTBLASXT_TRSM = 5,
  SIMTBLASXT_SYR2K = 6,
  SIMTBLASXT_HER2K = 7,
  SIMTBLASXT_SPMM = 8,
  SIMTBLASXT_SYRKX = 9,
  SIMTBLASXT_HERKX = 10,
  SIMTBLASXT_TRMM = 11,
  SIMTBLASXT_ROUTINE_MAX = 12
} simtblasXtBlasOp_t;

extern "C" {

#define XT_FUNCTION SIMTRT_EXPORT simtblasStatus_t

XT_FUNCTION simtblasXtCreate(simtblasXtHandle_t* handle);
XT_FUNCTION simtblasXtDestroy(simtblasXtHandle_t handle);
/// Numbers of boards: each device is a board.
XT_FUNCTION simtblasXtGetNumBoards(int nbDevices, int deviceId[], int* nbBoards);
XT_FUNCTION simtblasXtMaxBoards(int* nbGpuBoards);
XT_FUNCTION simtblasXtDeviceSelect(simtblasXtHandle_t handle, int nbDevices, int deviceId[]);
XT_FUNCTION simtblasXtSetBlockDim(simtblasXtHandle_t handle, int blockDim);
XT_FUNCTION simtblasXtGetBlockDim(simtblasXtHandle_t handle, int* blockDim);
XT_FUNCTION simtblasXtSetPinningMemMode(simtblasXtHandle_t handle, simtblasXtPinnedMemMode_t mode);
XT_FUNCTION simtblasXtGetPinningMemMode(simtblasXtHandle_t handle, simtblasXtPinnedMemMode_t* mode);
XT_FUNCTION simtblasXtSetCpuRoutine(simtblasXtHandle_t handle, simtblasXtBlasOp_t blasOp,
                                    simtblasXtOpType_t type, void* blasFunctor);
XT_FUNCTION simtblasXtSetCpuRatio(simtblasXtHandle_t handle, simtblasXtBlasOp_t blasOp,
                                  simtblasXtOpType_t type, float ratio);

// The functions of level 3 for elements of type T; alpha and beta have the types Alpha and Beta.
#define XT_SYMM(name, T)                                                                           \
  XT_FUNCTION name(simtblasXtHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo,    \
                   size_t m, size_t n, const T* alpha, const T* A, size_t lda, const T* B,         \
                   size_t ldb, const T* beta, T* C, size_t ldc);
#define XT_SYRK(name, T, Alpha)                                                                    \
  XT_FUNCTION name(simtblasXtHandle_t handle, simtblasFillMode_t uplo, simtblasOperation_t trans,  \
                   size_t n, size_t k, const Alpha* alpha, const T* A, size_t lda,                 \
                   const Alpha* beta, T* C, size_t ldc);
#define XT_SYR2K(name, T, Beta)                                                                    \
  XT_FUNCTION name(simtblasXtHandle_t handle, simtblasFillMode_t uplo, simtblasOperation_t trans,  \
                   size_t n, size_t k, const T* alpha, const T* A, size_t lda, const T* B,         \
                   size_t ldb, const Beta* beta, T* C, size_t ldc);
/// spmm: symm with a packed A.
#define XT_LEVEL3(letter, T)                                                                       \
  XT_FUNCTION simtblasXt##letter##gemm(                                                            \
      simtblasXtHandle_t handle, simtblasOperation_t transa, simtblasOperation_t transb, size_t m, \
      size_t n, size_t k, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb,          \
      const T* beta, T* C, size_t ldc);                                                            \
  XT_SYMM(simtblasXt##letter##symm, T)                                                             \
  XT_SYRK(simtblasXt##letter##syrk, T, T)                                                          \
  XT_SYR2K(simtblasXt##letter##syr2k, T, T)                                                        \
  XT_SYR2K(simtblasXt##letter##syrkx, T, T)                                                        \
  XT_FUNCTION simtblasXt##letter##spmm(simtblasXtHandle_t handle, simtblasSideMode_t side,         \
                                       simtblasFillMode_t uplo, size_t m, size_t n,                \
                                       const T* alpha, const T* AP, const T* B, size_t ldb,        \
                                       const T* beta, T* C, size_t ldc);                           \
  XT_FUNCTION simtblasXt##letter##trsm(                                                            \
      simtblasXtHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo,                 \
      simtblasOperation_t trans, simtblasDiagType_t diag, size_t m, size_t n, const T* alpha,      \
      const T* A, size_t lda, T* B, size_t ldb);                                                   \
  XT_FUNCTION simtblasXt##letter##trmm(                                                            \
      simtblasXtHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo,                 \
      simtblasOperation_t trans, simtblasDiagType_t diag, size_t m, size_t n, const T* alpha,      \
      const T* A, size_t lda, const T* B, size_t ldb, T* C, size_t ldc);
#define XT_HERMITIAN(letter, T, Real)                                                              \
  XT_SYMM(simtblasXt##letter##hemm, T)                                                             \
  XT_SYRK(simtblasXt##letter##herk, T, Real)                                                       \
  XT_SYR2K(simtblasXt##letter##her2k, T, Real)                                                     \
  XT_SYR2K(simtblasXt##letter##herkx, T, Real)
XT_LEVEL3(S, float)
XT_LEVEL3(D, double)
XT_LEVEL3(C, simtComplex)
XT_LEVEL3(Z, simtDoubleComplex)
XT_HERMITIAN(C, simtComplex, float)
XT_HERMITIAN(Z, simtDoubleComplex, double)

#undef XT_FUNCTION
#undef XT_SYMM
#undef XT_SYRK
#undef XT_SYR2K
#undef XT_LEVEL3
#undef XT_HERMITIAN

}  // extern "C"

// simtblas: dense linear algebra on the host's BLAS, with cuBLAS's functions.
//
// Matrices are column-major. Every function takes a handle and works in the order of the handle's
// stream. In pointer mode host, scalars (alpha, beta) are read during the call, and a call with a
// scalar result waits for the result. In pointer mode device, scalars are read, and scalar results
// are written, in stream order. Functions return a status: SIMTBLAS_STATUS_NOT_INITIALIZED for a
// null handle, SIMTBLAS_STATUS_INVALID_VALUE for null scalars and for invalid sizes, leading
// dimensions or operations, SIMTBLAS_STATUS_NOT_SUPPORTED for invalid combinations of types,
// SIMTBLAS_STATUS_EXECUTION_FAILED if the stream rejects the work.
//
// Products of half and bfloat16 matrices are computed in float and rounded once, for every
// algorithm and math mode. Source of names, values and signatures: CUDA 12.4, cublas_api.h and
// cublas_v2.h (12.4.5).
#pragma once
#define SIMTBLAS_H  // Programs test this macro to learn whether the header was included.

#include <simt_bf16.h>
#include <simt_complex.h>
#include <simt_fp16.h>
#include <simt_runtime_api.h>
#include <simtrt/config.h>

#include <cstddef>

#define SIMTBLAS_VER_MAJOR 12
#define SIMTBLAS_VER_MINOR 4
#define SIMTBLAS_VER_PATCH 5

namespace simtrt {
struct BlasContext;
}  // namespace simtrt

/// State that a host thread passes to each call: stream, modes and workspace. One thread at a time
/// may use a handle.
typedef simtrt::BlasContext* simtblasHandle_t;

typedef enum {
  SIMTBLAS_STATUS_SUCCESS = 0,
  SIMTBLAS_STATUS_NOT_INITIALIZED = 1,
  SIMTBLAS_STATUS_ALLOC_FAILED = 3,
  SIMTBLAS_STATUS_INVALID_VALUE = 7,
  SIMTBLAS_STATUS_ARCH_MISMATCH = 8,
  SIMTBLAS_STATUS_MAPPING_ERROR = 11,
  SIMTBLAS_STATUS_EXECUTION_FAILED = 13,
  SIMTBLAS_STATUS_INTERNAL_ERROR = 14,
  SIMTBLAS_STATUS_NOT_SUPPORTED = 15,
  SIMTBLAS_STATUS_LICENSE_ERROR = 16
} simtblasStatus_t;
typedef simtblasStatus_t simtblasStatus;

typedef enum {
  SIMTBLAS_FILL_MODE_LOWER = 0,
  SIMTBLAS_FILL_MODE_UPPER = 1,
  SIMTBLAS_FILL_MODE_FULL = 2
} simtblasFillMode_t;

typedef enum { SIMTBLAS_DIAG_NON_UNIT = 0, SIMTBLAS_DIAG_UNIT = 1 } simtblasDiagType_t;

typedef enum { SIMTBLAS_SIDE_LEFT = 0, SIMTBLAS_SIDE_RIGHT = 1 } simtblasSideMode_t;

/// SIMTBLAS_OP_CONJG is CUDA's value for a conjugation without transposition; no function accepts
/// it.
typedef enum {
  SIMTBLAS_OP_N = 0,
  SIMTBLAS_OP_T = 1,
  SIMTBLAS_OP_C = 2,
  SIMTBLAS_OP_HERMITAN = 2,
  SIMTBLAS_OP_CONJG = 3
} simtblasOperation_t;

typedef enum {
  SIMTBLAS_POINTER_MODE_HOST = 0,
  SIMTBLAS_POINTER_MODE_DEVICE = 1
} simtblasPointerMode_t;

typedef enum {
  SIMTBLAS_ATOMICS_NOT_ALLOWED = 0,
  SIMTBLAS_ATOMICS_ALLOWED = 1
} simtblasAtomicsMode_t;

/// All enumerators select the one algorithm of the host's BLAS.
typedef enum {
  SIMTBLAS_GEMM_DFALT = -1,
  SIMTBLAS_GEMM_DEFAULT = -1,
  SIMTBLAS_GEMM_ALGO0 = 0,
  SIMTBLAS_GEMM_ALGO1 = 1,
  SIMTBLAS_GEMM_ALGO2 = 2,
  SIMTBLAS_GEMM_ALGO3 = 3,
  SIMTBLAS_GEMM_ALGO4 = 4,
  SIMTBLAS_GEMM_ALGO5 = 5,
  SIMTBLAS_GEMM_ALGO6 = 6,
  SIMTBLAS_GEMM_ALGO7 = 7,
  SIMTBLAS_GEMM_ALGO8 = 8,
  SIMTBLAS_GEMM_ALGO9 = 9,
  SIMTBLAS_GEMM_ALGO10 = 10,
  SIMTBLAS_GEMM_ALGO11 = 11,
  SIMTBLAS_GEMM_ALGO12 = 12,
  SIMTBLAS_GEMM_ALGO13 = 13,
  SIMTBLAS_GEMM_ALGO14 = 14,
  SIMTBLAS_GEMM_ALGO15 = 15,
  SIMTBLAS_GEMM_ALGO16 = 16,
  SIMTBLAS_GEMM_ALGO17 = 17,
  SIMTBLAS_GEMM_ALGO18 = 18,
  SIMTBLAS_GEMM_ALGO19 = 19,
  SIMTBLAS_GEMM_ALGO20 = 20,
  SIMTBLAS_GEMM_ALGO21 = 21,
  SIMTBLAS_GEMM_ALGO22 = 22,
  SIMTBLAS_GEMM_ALGO23 = 23,
  SIMTBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  SIMTBLAS_GEMM_DFALT_TENSOR_OP = 99,
  SIMTBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  SIMTBLAS_GEMM_ALGO1_TENSOR_OP = 101,
  SIMTBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  SIMTBLAS_GEMM_ALGO3_TENSOR_OP = 103,
  SIMTBLAS_GEMM_ALGO4_TENSOR_OP = 104,
  SIMTBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  SIMTBLAS_GEMM_ALGO6_TENSOR_OP = 106,
  SIMTBLAS_GEMM_ALGO7_TENSOR_OP = 107,
  SIMTBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  SIMTBLAS_GEMM_ALGO9_TENSOR_OP = 109,
  SIMTBLAS_GEMM_ALGO10_TENSOR_OP = 110,
  SIMTBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  SIMTBLAS_GEMM_ALGO12_TENSOR_OP = 112,
  SIMTBLAS_GEMM_ALGO13_TENSOR_OP = 113,
  SIMTBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  SIMTBLAS_GEMM_ALGO15_TENSOR_OP = 115
} simtblasGemmAlgo_t;

/// Modes that permit less precision on a GPU. Here float keeps its precision in all modes.
typedef enum {
  SIMTBLAS_DEFAULT_MATH = 0,
  SIMTBLAS_TENSOR_OP_MATH = 1,
  SIMTBLAS_PEDANTIC_MATH = 2,
  SIMTBLAS_TF32_TENSOR_OP_MATH = 3,
  SIMTBLAS_FP32_EMULATED_BF16X9_MATH = 4,    // CUDA 12.9
  SIMTBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,  // CUDA 13
  SIMTBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} simtblasMath_t;

typedef simtDataType simtblasDataType_t;

typedef enum {
  SIMTBLAS_COMPUTE_16F = 64,
  SIMTBLAS_COMPUTE_16F_PEDANTIC = 65,
  SIMTBLAS_COMPUTE_32F = 68,
  SIMTBLAS_COMPUTE_32F_PEDANTIC = 69,
  SIMTBLAS_COMPUTE_32F_FAST_16F = 74,
  SIMTBLAS_COMPUTE_32F_FAST_16BF = 75,
  SIMTBLAS_COMPUTE_32F_FAST_TF32 = 77,
  SIMTBLAS_COMPUTE_64F = 70,
  SIMTBLAS_COMPUTE_64F_PEDANTIC = 71,
  SIMTBLAS_COMPUTE_32I = 72,
  SIMTBLAS_COMPUTE_32I_PEDANTIC = 73,
  SIMTBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,      // CUDA 12.9
  SIMTBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79,  // CUDA 13
} simtblasComputeType_t;

// There is one macro for each list of parameters; a macro such as BLAS_DOT(name, T) declares the
// function `name` for elements of type T. The next three macros are parts of such declarations.
#define BLAS_FUNCTION SIMTRT_EXPORT simtblasStatus_t
#define BLAS_OPS simtblasOperation_t transa, simtblasOperation_t transb
#define BLAS_TRIANGLE simtblasFillMode_t uplo, simtblasOperation_t trans, simtblasDiagType_t diag

extern "C" {

// ---- Handles ------------------------------------------------------------------------------------

/// Creates a handle for the current device: default stream, pointer mode host, default math.
BLAS_FUNCTION simtblasCreate(simtblasHandle_t* handle);
BLAS_FUNCTION simtblasDestroy(simtblasHandle_t handle);
/// Submits the work of later calls to `streamId`. As in CUDA, the handle afterwards uses the
/// library's own workspace.
BLAS_FUNCTION simtblasSetStream(simtblasHandle_t handle, simtStream_t streamId);
BLAS_FUNCTION simtblasGetStream(simtblasHandle_t handle, simtStream_t* streamId);
/// Checks the workspace but does not use it, because the host's BLAS allocates its own memory.
/// Returns SIMTBLAS_STATUS_INVALID_VALUE if the address is not a multiple of 256.
BLAS_FUNCTION simtblasSetWorkspace(simtblasHandle_t handle, void* workspace,
                                   std::size_t workspaceSizeInBytes);
BLAS_FUNCTION simtblasSetPointerMode(simtblasHandle_t handle, simtblasPointerMode_t mode);
BLAS_FUNCTION simtblasGetPointerMode(simtblasHandle_t handle, simtblasPointerMode_t* mode);
BLAS_FUNCTION simtblasSetAtomicsMode(simtblasHandle_t handle, simtblasAtomicsMode_t mode);
BLAS_FUNCTION simtblasGetAtomicsMode(simtblasHandle_t handle, simtblasAtomicsMode_t* mode);
BLAS_FUNCTION simtblasSetMathMode(simtblasHandle_t handle, simtblasMath_t mode);
BLAS_FUNCTION simtblasGetMathMode(simtblasHandle_t handle, simtblasMath_t* mode);
/// Version of the corresponding cuBLAS: major * 10000 + minor * 100 + patch. The handle may be
/// null.
BLAS_FUNCTION simtblasGetVersion(simtblasHandle_t handle, int* version);
BLAS_FUNCTION simtblasGetProperty(libraryPropertyType type, int* value);
SIMTRT_EXPORT std::size_t simtblasGetSimtrtVersion(void);
/// Name of the enumerator, for example "SIMTBLAS_STATUS_SUCCESS".
SIMTRT_EXPORT const char* simtblasGetStatusName(simtblasStatus_t status);
/// Description of the status.
SIMTRT_EXPORT const char* simtblasGetStatusString(simtblasStatus_t status);

// ---- Copies of strided vectors and matrices between host and device -----------------------------

#define BLAS_VECTOR_COPY int n, int elemSize, const void *x, int incx, void *y, int incy
#define BLAS_MATRIX_COPY int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb
BLAS_FUNCTION simtblasSetVector(BLAS_VECTOR_COPY);
BLAS_FUNCTION simtblasGetVector(BLAS_VECTOR_COPY);
BLAS_FUNCTION simtblasSetVectorAsync(BLAS_VECTOR_COPY, simtStream_t stream);
BLAS_FUNCTION simtblasGetVectorAsync(BLAS_VECTOR_COPY, simtStream_t stream);
BLAS_FUNCTION simtblasSetMatrix(BLAS_MATRIX_COPY);
BLAS_FUNCTION simtblasGetMatrix(BLAS_MATRIX_COPY);
BLAS_FUNCTION simtblasSetMatrixAsync(BLAS_MATRIX_COPY, simtStream_t stream);
BLAS_FUNCTION simtblasGetMatrixAsync(BLAS_MATRIX_COPY, simtStream_t stream);
#undef BLAS_VECTOR_COPY
#undef BLAS_MATRIX_COPY

// ---- Level 1 ------------------------------------------------------------------------------------

/// Sum of |x| (asum) and Euclidean norm (nrm2). The result is 0 if n or incx is below 1.
#define BLAS_REDUCE(name, T, Real) \
  BLAS_FUNCTION name(simtblasHandle_t handle, int n, const T* x, int incx, Real* result);
BLAS_REDUCE(simtblasSasum, float, float)
BLAS_REDUCE(simtblasDasum, double, double)
BLAS_REDUCE(simtblasScasum, simtComplex, float)
BLAS_REDUCE(simtblasDzasum, simtDoubleComplex, double)
BLAS_REDUCE(simtblasSnrm2, float, float)
BLAS_REDUCE(simtblasDnrm2, double, double)
BLAS_REDUCE(simtblasScnrm2, simtComplex, float)
BLAS_REDUCE(simtblasDznrm2, simtDoubleComplex, double)
/// Index, counted from 1, of the first element with the largest (amax) or smallest (amin) |x|; for
/// complex x, |re| + |im|. The result is 0 if n or incx is below 1.
BLAS_REDUCE(simtblasIsamax, float, int)
BLAS_REDUCE(simtblasIdamax, double, int)
BLAS_REDUCE(simtblasIcamax, simtComplex, int)
BLAS_REDUCE(simtblasIzamax, simtDoubleComplex, int)
BLAS_REDUCE(simtblasIsamin, float, int)
BLAS_REDUCE(simtblasIdamin, double, int)
BLAS_REDUCE(simtblasIcamin, simtComplex, int)
BLAS_REDUCE(simtblasIzamin, simtDoubleComplex, int)
#undef BLAS_REDUCE

#define BLAS_DOT(name, T)                                                                        \
  BLAS_FUNCTION name(simtblasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, \
                     T* result);
BLAS_DOT(simtblasSdot, float)
BLAS_DOT(simtblasDdot, double)
BLAS_DOT(simtblasCdotu, simtComplex)
BLAS_DOT(simtblasCdotc, simtComplex)
BLAS_DOT(simtblasZdotu, simtDoubleComplex)
BLAS_DOT(simtblasZdotc, simtDoubleComplex)
#undef BLAS_DOT

#define BLAS_LEVEL1(axpy, copy, swap, T)                                                         \
  BLAS_FUNCTION axpy(simtblasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, \
                     int incy);                                                                  \
  BLAS_FUNCTION copy(simtblasHandle_t handle, int n, const T* x, int incx, T* y, int incy);      \
  BLAS_FUNCTION swap(simtblasHandle_t handle, int n, T* x, int incx, T* y, int incy);
BLAS_LEVEL1(simtblasSaxpy, simtblasScopy, simtblasSswap, float)
BLAS_LEVEL1(simtblasDaxpy, simtblasDcopy, simtblasDswap, double)
BLAS_LEVEL1(simtblasCaxpy, simtblasCcopy, simtblasCswap, simtComplex)
BLAS_LEVEL1(simtblasZaxpy, simtblasZcopy, simtblasZswap, simtDoubleComplex)
#undef BLAS_LEVEL1

#define BLAS_SCAL(name, Scalar, T) \
  BLAS_FUNCTION name(simtblasHandle_t handle, int n, const Scalar* alpha, T* x, int incx);
BLAS_SCAL(simtblasSscal, float, float)
BLAS_SCAL(simtblasDscal, double, double)
BLAS_SCAL(simtblasCscal, simtComplex, simtComplex)
BLAS_SCAL(simtblasZscal, simtDoubleComplex, simtDoubleComplex)
BLAS_SCAL(simtblasCsscal, float, simtComplex)
BLAS_SCAL(simtblasZdscal, double, simtDoubleComplex)
#undef BLAS_SCAL

/// Plane rotation x = c x + s y, y = c y - conj(s) x. The pointer mode states the location of c and
/// s.
#define BLAS_ROT(name, T, Real, Sine)                                                \
  BLAS_FUNCTION name(simtblasHandle_t handle, int n, T* x, int incx, T* y, int incy, \
                     const Real* c, const Sine* s);
BLAS_ROT(simtblasSrot, float, float, float)
BLAS_ROT(simtblasDrot, double, double, double)
BLAS_ROT(simtblasCrot, simtComplex, float, simtComplex)
BLAS_ROT(simtblasZrot, simtDoubleComplex, double, simtDoubleComplex)
BLAS_ROT(simtblasCsrot, simtComplex, float, float)
BLAS_ROT(simtblasZdrot, simtDoubleComplex, double, double)
#undef BLAS_ROT

/// Rotation that maps (a, b) to (r, 0). The pointer mode states the location of all four scalars.
#define BLAS_ROTG(name, T, Real) \
  BLAS_FUNCTION name(simtblasHandle_t handle, T* a, T* b, Real* c, T* s);
BLAS_ROTG(simtblasSrotg, float, float)
BLAS_ROTG(simtblasDrotg, double, double)
BLAS_ROTG(simtblasCrotg, simtComplex, float)
BLAS_ROTG(simtblasZrotg, simtDoubleComplex, double)
#undef BLAS_ROTG

/// Modified Givens rotation; `param` contains the five numbers that BLAS defines: flag, h11, h21,
/// h12, h22.
#define BLAS_ROTM(rotm, rotmg, T)                                                    \
  BLAS_FUNCTION rotm(simtblasHandle_t handle, int n, T* x, int incx, T* y, int incy, \
                     const T* param);                                                \
  BLAS_FUNCTION rotmg(simtblasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param);
BLAS_ROTM(simtblasSrotm, simtblasSrotmg, float)
BLAS_ROTM(simtblasDrotm, simtblasDrotmg, double)
#undef BLAS_ROTM

// Level 1 functions whose operands have separate types. executionType is the type of the elements
// for float, double and complex elements, and SIMT_R_32F for half and bfloat16.
BLAS_FUNCTION simtblasAxpyEx(simtblasHandle_t handle, int n, const void* alpha,
                             simtDataType alphaType, const void* x, simtDataType xType, int incx,
                             void* y, simtDataType yType, int incy, simtDataType executionType);
BLAS_FUNCTION simtblasDotEx(simtblasHandle_t handle, int n, const void* x, simtDataType xType,
                            int incx, const void* y, simtDataType yType, int incy, void* result,
                            simtDataType resultType, simtDataType executionType);
BLAS_FUNCTION simtblasDotcEx(simtblasHandle_t handle, int n, const void* x, simtDataType xType,
                             int incx, const void* y, simtDataType yType, int incy, void* result,
                             simtDataType resultType, simtDataType executionType);
BLAS_FUNCTION simtblasScalEx(simtblasHandle_t handle, int n, const void* alpha,
                             simtDataType alphaType, void* x, simtDataType xType, int incx,
                             simtDataType executionType);
BLAS_FUNCTION simtblasNrm2Ex(simtblasHandle_t handle, int n, const void* x, simtDataType xType,
                             int incx, void* result, simtDataType resultType,
                             simtDataType executionType);

// ---- Level 2 ------------------------------------------------------------------------------------

#define BLAS_GEMV(name, T)                                                                     \
  BLAS_FUNCTION name(simtblasHandle_t handle, simtblasOperation_t trans, int m, int n,         \
                     const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, \
                     T* y, int incy);
BLAS_GEMV(simtblasSgemv, float)
BLAS_GEMV(simtblasDgemv, double)
BLAS_GEMV(simtblasCgemv, simtComplex)
BLAS_GEMV(simtblasZgemv, simtDoubleComplex)
#undef BLAS_GEMV

/// y = alpha A x + beta y with a symmetric or Hermitian A, of which only one triangle is read.
#define BLAS_SYMV(name, T)                                                                    \
  BLAS_FUNCTION name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n, const T* alpha, \
                     const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy);
BLAS_SYMV(simtblasSsymv, float)
BLAS_SYMV(simtblasDsymv, double)
BLAS_SYMV(simtblasChemv, simtComplex)
BLAS_SYMV(simtblasZhemv, simtDoubleComplex)
#undef BLAS_SYMV

#define BLAS_GER(name, T)                                                                         \
  BLAS_FUNCTION name(simtblasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, \
                     const T* y, int incy, T* A, int lda);
BLAS_GER(simtblasSger, float)
BLAS_GER(simtblasDger, double)
BLAS_GER(simtblasCgeru, simtComplex)
BLAS_GER(simtblasCgerc, simtComplex)
BLAS_GER(simtblasZgeru, simtDoubleComplex)
BLAS_GER(simtblasZgerc, simtDoubleComplex)
#undef BLAS_GER

/// Rank-one and rank-two updates of one triangle.
#define BLAS_SYR(syr, syr2, T, Real)                                                            \
  BLAS_FUNCTION syr(simtblasHandle_t handle, simtblasFillMode_t uplo, int n, const Real* alpha, \
                    const T* x, int incx, T* A, int lda);                                       \
  BLAS_FUNCTION syr2(simtblasHandle_t handle, simtblasFillMode_t uplo, int n, const T* alpha,   \
                     const T* x, int incx, const T* y, int incy, T* A, int lda);
BLAS_SYR(simtblasSsyr, simtblasSsyr2, float, float)
BLAS_SYR(simtblasDsyr, simtblasDsyr2, double, double)
BLAS_SYR(simtblasCher, simtblasCher2, simtComplex, float)
BLAS_SYR(simtblasZher, simtblasZher2, simtDoubleComplex, double)
#undef BLAS_SYR

#define BLAS_TRV(name, T)                                                                      \
  BLAS_FUNCTION name(simtblasHandle_t handle, BLAS_TRIANGLE, int n, const T* A, int lda, T* x, \
                     int incx);
BLAS_TRV(simtblasStrmv, float)
BLAS_TRV(simtblasDtrmv, double)
BLAS_TRV(simtblasCtrmv, simtComplex)
BLAS_TRV(simtblasZtrmv, simtDoubleComplex)
BLAS_TRV(simtblasStrsv, float)
BLAS_TRV(simtblasDtrsv, double)
BLAS_TRV(simtblasCtrsv, simtComplex)
BLAS_TRV(simtblasZtrsv, simtDoubleComplex)
#undef BLAS_TRV

#include <simtrt/blas/packed.inc>

// ---- Level 3 ------------------------------------------------------------------------------------

/// C = alpha op(A) op(B) + beta C. C is not read if beta is 0; A and B are not read if alpha or k
/// is 0.
#define BLAS_GEMM(gemm, gemmBatched, gemmStridedBatched, T)                                     \
  BLAS_FUNCTION gemm(simtblasHandle_t handle, BLAS_OPS, int m, int n, int k, const T* alpha,    \
                     const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc);   \
  BLAS_FUNCTION gemmBatched(simtblasHandle_t handle, BLAS_OPS, int m, int n, int k,             \
                            const T* alpha, const T* const Aarray[], int lda,                   \
                            const T* const Barray[], int ldb, const T* beta, T* const Carray[], \
                            int ldc, int batchCount);                                           \
  BLAS_FUNCTION gemmStridedBatched(simtblasHandle_t handle, BLAS_OPS, int m, int n, int k,      \
                                   const T* alpha, const T* A, int lda, long long int strideA,  \
                                   const T* B, int ldb, long long int strideB, const T* beta,   \
                                   T* C, int ldc, long long int strideC, int batchCount);
BLAS_GEMM(simtblasSgemm, simtblasSgemmBatched, simtblasSgemmStridedBatched, float)
BLAS_GEMM(simtblasDgemm, simtblasDgemmBatched, simtblasDgemmStridedBatched, double)
BLAS_GEMM(simtblasCgemm, simtblasCgemmBatched, simtblasCgemmStridedBatched, simtComplex)
BLAS_GEMM(simtblasZgemm, simtblasZgemmBatched, simtblasZgemmStridedBatched, simtDoubleComplex)
BLAS_GEMM(simtblasHgemm, simtblasHgemmBatched, simtblasHgemmStridedBatched, __half)
#undef BLAS_GEMM

// The same products. cuBLAS's functions use three real products instead of four.
#define BLAS_GEMM3M(name, T)                                                                  \
  BLAS_FUNCTION name(simtblasHandle_t handle, BLAS_OPS, int m, int n, int k, const T* alpha,  \
                     const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc);
BLAS_GEMM3M(simtblasCgemm3m, simtComplex)
BLAS_GEMM3M(simtblasZgemm3m, simtDoubleComplex)
#undef BLAS_GEMM3M

#define BLAS_GEMM_EX(name, T)                                                                 \
  BLAS_FUNCTION name(simtblasHandle_t handle, BLAS_OPS, int m, int n, int k, const T* alpha,  \
                     const void* A, simtDataType Atype, int lda, const void* B,               \
                     simtDataType Btype, int ldb, const T* beta, void* C, simtDataType Ctype, \
                     int ldc);
BLAS_GEMM_EX(simtblasSgemmEx, float)
BLAS_GEMM_EX(simtblasCgemmEx, simtComplex)
#undef BLAS_GEMM_EX

// Valid combinations of types are those that CUDA 12.4 documents for cublasGemmEx. Compute types by
// element type: 16F and 32F for half; 32F for half, bfloat16, int8, float and complex float; 64F
// for double and complex double; 32I for int8.
#define BLAS_GEMM_EX_ARGUMENTS                                                                   \
  simtblasHandle_t handle, BLAS_OPS, int m, int n, int k, const void *alpha, const void *A,      \
      simtDataType Atype, int lda, const void *B, simtDataType Btype, int ldb, const void *beta, \
      void *C, simtDataType Ctype, int ldc
#define BLAS_GEMM_BATCHED_EX_ARGUMENTS                                                         \
  simtblasHandle_t handle, BLAS_OPS, int m, int n, int k, const void *alpha,                   \
      const void *const Aarray[], simtDataType Atype, int lda, const void *const Barray[],     \
      simtDataType Btype, int ldb, const void *beta, void *const Carray[], simtDataType Ctype, \
      int ldc, int batchCount
#define BLAS_GEMM_STRIDED_BATCHED_EX_ARGUMENTS                                                \
  simtblasHandle_t handle, BLAS_OPS, int m, int n, int k, const void *alpha, const void *A,   \
      simtDataType Atype, int lda, long long int strideA, const void *B, simtDataType Btype,  \
      int ldb, long long int strideB, const void *beta, void *C, simtDataType Ctype, int ldc, \
      long long int strideC, int batchCount
BLAS_FUNCTION simtblasGemmEx(BLAS_GEMM_EX_ARGUMENTS, simtblasComputeType_t computeType,
                             simtblasGemmAlgo_t algo);
BLAS_FUNCTION simtblasGemmBatchedEx(BLAS_GEMM_BATCHED_EX_ARGUMENTS,
                                    simtblasComputeType_t computeType, simtblasGemmAlgo_t algo);
BLAS_FUNCTION simtblasGemmStridedBatchedEx(BLAS_GEMM_STRIDED_BATCHED_EX_ARGUMENTS,
                                           simtblasComputeType_t computeType,
                                           simtblasGemmAlgo_t algo);

/// symm and hemm: C = alpha A B + beta C, or C = alpha B A + beta C; only one triangle of A is
/// read.
#define BLAS_SYMM(name, T)                                                                      \
  BLAS_FUNCTION name(simtblasHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo, \
                     int m, int n, const T* alpha, const T* A, int lda, const T* B, int ldb,    \
                     const T* beta, T* C, int ldc);
BLAS_SYMM(simtblasSsymm, float)
BLAS_SYMM(simtblasDsymm, double)
BLAS_SYMM(simtblasCsymm, simtComplex)
BLAS_SYMM(simtblasZsymm, simtDoubleComplex)
BLAS_SYMM(simtblasChemm, simtComplex)
BLAS_SYMM(simtblasZhemm, simtDoubleComplex)
#undef BLAS_SYMM

/// Updates of one triangle of C. syrk: C = alpha op(A) op(A)' + beta C. syr2k: C = P + P' + beta C
/// with P = alpha op(A) op(B)'. X' is the transpose of X; in herk and her2k, the conjugate
/// transpose.
#define BLAS_SYRK(syrk, syr2k, T, Alpha, Beta)                                                     \
  BLAS_FUNCTION syrk(simtblasHandle_t handle, simtblasFillMode_t uplo, simtblasOperation_t trans,  \
                     int n, int k, const Alpha* alpha, const T* A, int lda, const Beta* beta,      \
                     T* C, int ldc);                                                               \
  BLAS_FUNCTION syr2k(simtblasHandle_t handle, simtblasFillMode_t uplo, simtblasOperation_t trans, \
                      int n, int k, const T* alpha, const T* A, int lda, const T* B, int ldb,      \
                      const Beta* beta, T* C, int ldc);
BLAS_SYRK(simtblasSsyrk, simtblasSsyr2k, float, float, float)
BLAS_SYRK(simtblasDsyrk, simtblasDsyr2k, double, double, double)
BLAS_SYRK(simtblasCsyrk, simtblasCsyr2k, simtComplex, simtComplex, simtComplex)
BLAS_SYRK(simtblasZsyrk, simtblasZsyr2k, simtDoubleComplex, simtDoubleComplex, simtDoubleComplex)
BLAS_SYRK(simtblasCherk, simtblasCher2k, simtComplex, float, float)
BLAS_SYRK(simtblasZherk, simtblasZher2k, simtDoubleComplex, double, double)
#undef BLAS_SYRK

/// trmm: C = alpha op(A) B or alpha B op(A); C may be B. trsm: B is replaced by the solution X of
/// op(A) X = alpha B or X op(A) = alpha B.
#define BLAS_TRM(trmm, trsm, trsmBatched, T)                                                 \
  BLAS_FUNCTION trmm(simtblasHandle_t handle, simtblasSideMode_t side, BLAS_TRIANGLE, int m, \
                     int n, const T* alpha, const T* A, int lda, const T* B, int ldb, T* C,  \
                     int ldc);                                                               \
  BLAS_FUNCTION trsm(simtblasHandle_t handle, simtblasSideMode_t side, BLAS_TRIANGLE, int m, \
                     int n, const T* alpha, const T* A, int lda, T* B, int ldb);             \
  BLAS_FUNCTION trsmBatched(simtblasHandle_t handle, simtblasSideMode_t side, BLAS_TRIANGLE, \
                            int m, int n, const T* alpha, const T* const A[], int lda,       \
                            T* const B[], int ldb, int batchCount);
BLAS_TRM(simtblasStrmm, simtblasStrsm, simtblasStrsmBatched, float)
BLAS_TRM(simtblasDtrmm, simtblasDtrsm, simtblasDtrsmBatched, double)
BLAS_TRM(simtblasCtrmm, simtblasCtrsm, simtblasCtrsmBatched, simtComplex)
BLAS_TRM(simtblasZtrmm, simtblasZtrsm, simtblasZtrsmBatched, simtDoubleComplex)
#undef BLAS_TRM

/// geam: C = alpha op(A) + beta op(B); C may be A or B if that matrix is not transposed. dgmm: C =
/// diag(x) A or A diag(x).
#define BLAS_GEAM(geam, dgmm, T)                                                                  \
  BLAS_FUNCTION geam(simtblasHandle_t handle, BLAS_OPS, int m, int n, const T* alpha, const T* A, \
                     int lda, const T* beta, const T* B, int ldb, T* C, int ldc);                 \
  BLAS_FUNCTION dgmm(simtblasHandle_t handle, simtblasSideMode_t mode, int m, int n, const T* A,  \
                     int lda, const T* x, int incx, T* C, int ldc);
BLAS_GEAM(simtblasSgeam, simtblasSdgmm, float)
BLAS_GEAM(simtblasDgeam, simtblasDdgmm, double)
BLAS_GEAM(simtblasCgeam, simtblasCdgmm, simtComplex)
BLAS_GEAM(simtblasZgeam, simtblasZdgmm, simtDoubleComplex)
#undef BLAS_GEAM

// ---- Batches of factorisations ------------------------------------------------------------------

/// The arrays of pointers are on the device. Pivots and rows are counted from 1.
/// - getrf: LU factorisation. PivotArray receives n pivots for each matrix; if PivotArray is null,
///   the factorisation does not pivot. infoArray, on the device, receives 0, or the first i with
///   U(i, i) = 0.
/// - getrs: solves linear systems with getrf's factors.
/// - geqrf: QR factorisation in LAPACK's storage.
/// - gels: least squares, for m >= n and trans SIMTBLAS_OP_N only. devInfoArray, unless null,
///   receives 0, or the first i with R(i, i) = 0.
/// `info` is on the host and receives 0, or -i if argument i (not counting the handle) is invalid.
#define BLAS_FACTOR(getrf, getrs, geqrf, gels, T)                                                \
  BLAS_FUNCTION getrf(simtblasHandle_t handle, int n, T* const A[], int lda, int* PivotArray,    \
                      int* infoArray, int batchSize);                                            \
  BLAS_FUNCTION getrs(simtblasHandle_t handle, simtblasOperation_t trans, int n, int nrhs,       \
                      const T* const Aarray[], int lda, const int* devIpiv, T* const Barray[],   \
                      int ldb, int* info, int batchSize);                                        \
  BLAS_FUNCTION geqrf(simtblasHandle_t handle, int m, int n, T* const Aarray[], int lda,         \
                      T* const TauArray[], int* info, int batchSize);                            \
  BLAS_FUNCTION gels(simtblasHandle_t handle, simtblasOperation_t trans, int m, int n, int nrhs, \
                     T* const Aarray[], int lda, T* const Carray[], int ldc, int* info,          \
                     int* devInfoArray, int batchSize);
BLAS_FACTOR(simtblasSgetrfBatched, simtblasSgetrsBatched, simtblasSgeqrfBatched,
            simtblasSgelsBatched, float)
BLAS_FACTOR(simtblasDgetrfBatched, simtblasDgetrsBatched, simtblasDgeqrfBatched,
            simtblasDgelsBatched, double)
BLAS_FACTOR(simtblasCgetrfBatched, simtblasCgetrsBatched, simtblasCgeqrfBatched,
            simtblasCgelsBatched, simtComplex)
BLAS_FACTOR(simtblasZgetrfBatched, simtblasZgetrsBatched, simtblasZgeqrfBatched,
            simtblasZgelsBatched, simtDoubleComplex)
#undef BLAS_FACTOR

#include <simtrt/blas/variants.inc>

}  // extern "C"

#include <simtrt/blas/emulation.h>
#include <simtrt/blas/long_sizes.h>

// The computeType is an element type, as in cuBLAS 10 and older: SIMT_R_16F, SIMT_R_32F,
// SIMT_R_32I, SIMT_R_64F or their complex types. The result is the same in PEDANTIC math mode.
BLAS_FUNCTION simtblasGemmEx(BLAS_GEMM_EX_ARGUMENTS, simtDataType computeType,
                             simtblasGemmAlgo_t algo);
BLAS_FUNCTION simtblasGemmBatchedEx(BLAS_GEMM_BATCHED_EX_ARGUMENTS, simtDataType computeType,
                                    simtblasGemmAlgo_t algo);
BLAS_FUNCTION simtblasGemmStridedBatchedEx(BLAS_GEMM_STRIDED_BATCHED_EX_ARGUMENTS,
                                           simtDataType computeType, simtblasGemmAlgo_t algo);

#undef BLAS_GEMM_EX_ARGUMENTS
#undef BLAS_GEMM_BATCHED_EX_ARGUMENTS
#undef BLAS_GEMM_STRIDED_BATCHED_EX_ARGUMENTS
#undef BLAS_FUNCTION
#undef BLAS_OPS
#undef BLAS_TRIANGLE

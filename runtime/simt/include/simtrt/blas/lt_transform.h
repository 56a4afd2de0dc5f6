// simtblasLtMatrixTransform: scales, adds, transposes and converts matrices, and changes their order in memory.
// simtblasLt.h includes this file. Source of names, values and signatures: CUDA 12.4, cublasLt.h (12.4.5).
#pragma once

#include <cstddef>
#include <cstdint>

typedef struct {
  std::uint64_t data[8];
} simtblasLtMatrixTransformDescOpaque_t;
typedef simtblasLtMatrixTransformDescOpaque_t* simtblasLtMatrixTransformDesc_t;

/// The comment after each attribute states the type of its value.
typedef enum {
  SIMTBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE = 0,    // int32_t: simtDataType
  SIMTBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE = 1,  // int32_t: simtblasLtPointerMode_t, HOST or DEVICE
  SIMTBLASLT_MATRIX_TRANSFORM_DESC_TRANSA = 2,        // int32_t: simtblasOperation_t
  SIMTBLASLT_MATRIX_TRANSFORM_DESC_TRANSB = 3         // int32_t
} simtblasLtMatrixTransformDescAttributes_t;

extern "C" {

SIMTRT_EXPORT simtblasStatus_t simtblasLtMatrixTransformDescInit(simtblasLtMatrixTransformDesc_t transformDesc,
                                                                 simtDataType scaleType);
SIMTRT_EXPORT simtblasStatus_t simtblasLtMatrixTransformDescCreate(simtblasLtMatrixTransformDesc_t* transformDesc,
                                                                   simtDataType scaleType);
SIMTRT_EXPORT simtblasStatus_t simtblasLtMatrixTransformDescDestroy(simtblasLtMatrixTransformDesc_t transformDesc);
SIMTRT_EXPORT simtblasStatus_t
simtblasLtMatrixTransformDescSetAttribute(simtblasLtMatrixTransformDesc_t transformDesc,
                                          simtblasLtMatrixTransformDescAttributes_t attr, const void* buf,
                                          std::size_t sizeInBytes);
SIMTRT_EXPORT simtblasStatus_t
simtblasLtMatrixTransformDescGetAttribute(simtblasLtMatrixTransformDesc_t transformDesc,
                                          simtblasLtMatrixTransformDescAttributes_t attr, void* buf,
                                          std::size_t sizeInBytes, std::size_t* sizeWritten);

/// C = alpha * op(A) + beta * op(B), submitted to `stream`. All orders are supported. Elements are converted to the scale
/// type, and the sum to the type of C: integers are rounded to nearest even and saturate. If beta is the host's 0, B is not
/// read, and B and Bdesc may be null. A and C must not overlap, unless they have the same layout.
///
/// Types: a real scale type (16F, 32F, 64F) with real matrices of 8I, 32I, 16F, 16BF, 32F and, for 64F, 64F; the scale type
/// 32I with 8I and 32I; a complex scale type with matrices of this type. Errors: SIMTBLAS_STATUS_NOT_SUPPORTED for other
/// types, SIMTBLAS_STATUS_INVALID_VALUE for null pointers, and for sizes that do not agree.
SIMTRT_EXPORT simtblasStatus_t
simtblasLtMatrixTransform(simtblasLtHandle_t lightHandle, simtblasLtMatrixTransformDesc_t transformDesc,
                          const void* alpha, const void* A, simtblasLtMatrixLayout_t Adesc, const void* beta,
                          const void* B, simtblasLtMatrixLayout_t Bdesc, void* C, simtblasLtMatrixLayout_t Cdesc,
                          simtStream_t stream);

}  // extern "C"

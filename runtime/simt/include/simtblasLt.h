// simtblasLt: simtblasLtMatmul multiplies matrices described by layouts and attributes, and applies
// an epilogue to the product before rounding.
//
// D = epilogue(alpha * scaleA * scaleB * op(A) op(B) + beta * scaleC * C + bias) * scaleD. Products
// of 8-bit integers support all orders, other products COL and ROW. There is one
// algorithm, which needs no workspace. Source of names, values and signatures: CUDA 12.4,
// cublasLt.h (12.4.5). Source of the epilogues: cuBLASLt's documentation.
#pragma once

#include <simtblas.h>

#include <cstddef>
#include <cstdint>

namespace simtrt {
struct BlasLtContext;
}  // namespace simtrt

/// Several threads may use a handle at the same time.
typedef simtrt::BlasLtContext* simtblasLtHandle_t;

// A program may own descriptors; ...Init initialises such a descriptor.
typedef struct {
  std::uint64_t data[8];
} simtblasLtMatrixLayoutOpaque_t;
typedef simtblasLtMatrixLayoutOpaque_t* simtblasLtMatrixLayout_t;

typedef struct {
  std::uint64_t data[32];
} simtblasLtMatmulDescOpaque_t;
typedef simtblasLtMatmulDescOpaque_t* simtblasLtMatmulDesc_t;

typedef struct {
  std::uint64_t data[8];
} simtblasLtMatmulPreferenceOpaque_t;
typedef simtblasLtMatmulPreferenceOpaque_t* simtblasLtMatmulPreference_t;

/// An algorithm for operands of certain types. simtblasLtMatmul accepts algorithms of
/// simtblasLtMatmulAlgoGetHeuristic and simtblasLtMatmulAlgoInit, and a null pointer.
typedef struct {
  std::uint64_t data[8];
} simtblasLtMatmulAlgo_t;

typedef struct {
  simtblasLtMatmulAlgo_t algo;
  std::size_t workspaceSize;
  simtblasStatus_t state;
  float wavesCount;
  int reserved[4];
} simtblasLtMatmulHeuristicResult_t;

/// Location of alpha and beta. A vector alpha has one value for each row of D.
typedef enum {
  SIMTBLASLT_POINTER_MODE_HOST = 0,
  SIMTBLASLT_POINTER_MODE_DEVICE = 1,
  SIMTBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
  SIMTBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
  SIMTBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} simtblasLtPointerMode_t;

/// Order of a matrix in memory. A tiled order stores groups of 32 columns, with ld elements for each
/// group, and in a group one tile after the other: COL32 tiles of 1 row, COL4_4R2_8C of 8 rows,
/// COL32_2R_4R4 of 32 rows.
typedef enum {
  SIMTBLASLT_ORDER_COL = 0,
  SIMTBLASLT_ORDER_ROW = 1,
  SIMTBLASLT_ORDER_COL32 = 2,
  SIMTBLASLT_ORDER_COL4_4R2_8C = 3,
  SIMTBLASLT_ORDER_COL32_2R_4R4 = 4
} simtblasLtOrder_t;

/// The comment after each attribute states the type of its value.
typedef enum {
  SIMTBLASLT_MATRIX_LAYOUT_TYPE = 0,                  // uint32_t: simtDataType
  SIMTBLASLT_MATRIX_LAYOUT_ORDER = 1,                 // int32_t: simtblasLtOrder_t
  SIMTBLASLT_MATRIX_LAYOUT_ROWS = 2,                  // uint64_t
  SIMTBLASLT_MATRIX_LAYOUT_COLS = 3,                  // uint64_t
  SIMTBLASLT_MATRIX_LAYOUT_LD = 4,                    // int64_t, elements
  SIMTBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,           // int32_t
  SIMTBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,  // int64_t, elements
  SIMTBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7           // int64_t; other than 0 is not supported
} simtblasLtMatrixLayoutAttribute_t;

/// The comment after each attribute states the type of its value.
typedef enum {
  SIMTBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,                      // int32_t: simtblasComputeType_t
  SIMTBLASLT_MATMUL_DESC_SCALE_TYPE = 1,                        // int32_t: simtDataType
  SIMTBLASLT_MATMUL_DESC_POINTER_MODE = 2,                      // int32_t
  SIMTBLASLT_MATMUL_DESC_TRANSA = 3,                            // int32_t: simtblasOperation_t
  SIMTBLASLT_MATMUL_DESC_TRANSB = 4,                            // int32_t
  SIMTBLASLT_MATMUL_DESC_TRANSC = 5,                            // int32_t: N only
  SIMTBLASLT_MATMUL_DESC_FILL_MODE = 6,                         // int32_t: FULL only
  SIMTBLASLT_MATMUL_DESC_EPILOGUE = 7,                          // uint32_t
  SIMTBLASLT_MATMUL_DESC_BIAS_POINTER = 8,                      // void*, device
  SIMTBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,                // int64_t
  SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,             // void*, device
  SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,                  // int64_t; for a ReLU mask, in bits
  SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,        // int64_t; for a ReLU mask, in bits
  SIMTBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,        // int64_t
  SIMTBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,                  // int32_t, ignored
  SIMTBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,                  // const float*, device
  SIMTBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,                  // const float*, device
  SIMTBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,                  // const float*, device
  SIMTBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,                  // const float*, device
  SIMTBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,                   // float*, device
  SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,           // int32_t: D's type, or -1
  SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,       // not supported
  SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,        // not supported
  SIMTBLASLT_MATMUL_DESC_FAST_ACCUM = 25,                       // int8_t, ignored
  SIMTBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,                   // int32_t, or -1 for the default
  SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_ROWS = 27,    // int32_t: 0 only
  SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_COLS = 28,    // int32_t: 0 only
  SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_IN_COUNTERS_POINTER = 29,  // not supported
  SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_OUT_COUNTERS_POINTER = 30  // not supported
} simtblasLtMatmulDescAttributes_t;

/// Epilogues. RELU, GELU and BIAS act on the product. The epilogues with AUX also store data for a
/// backward pass: a bit mask for RELU, and the input of GELU (the tanh form). DRELU and DGELU read
/// these data. The epilogues with BGRAD write sums to the bias pointer: BGRAD one sum for each row
/// of D, BGRADA one for each row of op(A), and BGRADB one for each column of op(B).
typedef enum {
  SIMTBLASLT_EPILOGUE_DEFAULT = 1,
  SIMTBLASLT_EPILOGUE_RELU = 2,
  SIMTBLASLT_EPILOGUE_RELU_AUX = 130,
  SIMTBLASLT_EPILOGUE_BIAS = 4,
  SIMTBLASLT_EPILOGUE_RELU_BIAS = 6,
  SIMTBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  SIMTBLASLT_EPILOGUE_DRELU = 136,
  SIMTBLASLT_EPILOGUE_DRELU_BGRAD = 152,
  SIMTBLASLT_EPILOGUE_GELU = 32,
  SIMTBLASLT_EPILOGUE_GELU_AUX = 160,
  SIMTBLASLT_EPILOGUE_GELU_BIAS = 36,
  SIMTBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  SIMTBLASLT_EPILOGUE_DGELU = 192,
  SIMTBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  SIMTBLASLT_EPILOGUE_BGRADA = 256,
  SIMTBLASLT_EPILOGUE_BGRADB = 512
} simtblasLtEpilogue_t;

/// Preferences for the choice of an algorithm. Only SEARCH_MODE has an effect, because only one
/// algorithm exists.
typedef enum {
  SIMTBLASLT_MATMUL_PREF_SEARCH_MODE = 0,            // uint32_t
  SIMTBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,    // uint64_t
  SIMTBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,  // uint32_t
  SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,  // uint32_t
  SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,  // uint32_t
  SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,  // uint32_t
  SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,  // uint32_t
  SIMTBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,        // float
  SIMTBLASLT_MATMUL_PREF_IMPL_MASK = 12              // uint64_t
} simtblasLtMatmulPreferenceAttributes_t;

#include <simtrt/blas/lt_algorithms.h>
#include <simtrt/blas/lt_transform.h>

#define BLASLT_FUNCTION SIMTRT_EXPORT simtblasStatus_t

extern "C" {

BLASLT_FUNCTION simtblasLtCreate(simtblasLtHandle_t* lightHandle);
BLASLT_FUNCTION simtblasLtDestroy(simtblasLtHandle_t lightHandle);
SIMTRT_EXPORT const char* simtblasLtGetStatusName(simtblasStatus_t status);
SIMTRT_EXPORT const char* simtblasLtGetStatusString(simtblasStatus_t status);
/// major * 10000 + minor * 100 + patch of the corresponding cuBLASLt.
SIMTRT_EXPORT std::size_t simtblasLtGetVersion(void);
BLASLT_FUNCTION simtblasLtGetProperty(libraryPropertyType type, int* value);
/// Release of CUDA's runtime API, as simtRuntimeGetVersion returns it.
SIMTRT_EXPORT std::size_t simtblasLtGetRuntimeVersion(void);

// ...Destroy frees the objects of ...Create. ...SetAttribute returns SIMTBLAS_STATUS_INVALID_VALUE
// for an unknown attribute and for a size that is too small. ...GetAttribute writes the value to
// its buffer and the value's size to sizeWritten; if sizeInBytes is 0, it writes the size only.

BLASLT_FUNCTION simtblasLtMatrixLayoutInit(simtblasLtMatrixLayout_t matLayout, simtDataType type,
                                           std::uint64_t rows, std::uint64_t cols, std::int64_t ld);
BLASLT_FUNCTION simtblasLtMatrixLayoutCreate(simtblasLtMatrixLayout_t* matLayout, simtDataType type,
                                             std::uint64_t rows, std::uint64_t cols,
                                             std::int64_t ld);
BLASLT_FUNCTION simtblasLtMatrixLayoutDestroy(simtblasLtMatrixLayout_t matLayout);
BLASLT_FUNCTION simtblasLtMatrixLayoutSetAttribute(simtblasLtMatrixLayout_t matLayout,
                                                   simtblasLtMatrixLayoutAttribute_t attr,
                                                   const void* buf, std::size_t sizeInBytes);
BLASLT_FUNCTION simtblasLtMatrixLayoutGetAttribute(simtblasLtMatrixLayout_t matLayout,
                                                   simtblasLtMatrixLayoutAttribute_t attr,
                                                   void* buf, std::size_t sizeInBytes,
                                                   std::size_t* sizeWritten);

BLASLT_FUNCTION simtblasLtMatmulDescInit(simtblasLtMatmulDesc_t matmulDesc,
                                         simtblasComputeType_t computeType,
                                         simtDataType_t scaleType);
BLASLT_FUNCTION simtblasLtMatmulDescCreate(simtblasLtMatmulDesc_t* matmulDesc,
                                           simtblasComputeType_t computeType,
                                           simtDataType_t scaleType);
BLASLT_FUNCTION simtblasLtMatmulDescDestroy(simtblasLtMatmulDesc_t matmulDesc);
BLASLT_FUNCTION simtblasLtMatmulDescSetAttribute(simtblasLtMatmulDesc_t matmulDesc,
                                                 simtblasLtMatmulDescAttributes_t attr,
                                                 const void* buf, std::size_t sizeInBytes);
BLASLT_FUNCTION simtblasLtMatmulDescGetAttribute(simtblasLtMatmulDesc_t matmulDesc,
                                                 simtblasLtMatmulDescAttributes_t attr, void* buf,
                                                 std::size_t sizeInBytes, std::size_t* sizeWritten);

BLASLT_FUNCTION simtblasLtMatmulPreferenceInit(simtblasLtMatmulPreference_t pref);
BLASLT_FUNCTION simtblasLtMatmulPreferenceCreate(simtblasLtMatmulPreference_t* pref);
BLASLT_FUNCTION simtblasLtMatmulPreferenceDestroy(simtblasLtMatmulPreference_t pref);
BLASLT_FUNCTION simtblasLtMatmulPreferenceSetAttribute(simtblasLtMatmulPreference_t pref,
                                                       simtblasLtMatmulPreferenceAttributes_t attr,
                                                       const void* buf, std::size_t sizeInBytes);
BLASLT_FUNCTION simtblasLtMatmulPreferenceGetAttribute(simtblasLtMatmulPreference_t pref,
                                                       simtblasLtMatmulPreferenceAttributes_t attr,
                                                       void* buf, std::size_t sizeInBytes,
                                                       std::size_t* sizeWritten);

/// Returns one result, with workspaceSize 0. For arguments that simtblasLtMatmul rejects with
/// NOT_SUPPORTED or INVALID_VALUE, this function returns the same status and sets *returnAlgoCount
/// to 0.
BLASLT_FUNCTION simtblasLtMatmulAlgoGetHeuristic(
    simtblasLtHandle_t lightHandle, simtblasLtMatmulDesc_t operationDesc,
    simtblasLtMatrixLayout_t Adesc, simtblasLtMatrixLayout_t Bdesc, simtblasLtMatrixLayout_t Cdesc,
    simtblasLtMatrixLayout_t Ddesc, simtblasLtMatmulPreference_t preference, int requestedAlgoCount,
    simtblasLtMatmulHeuristicResult_t heuristicResultsArray[], int* returnAlgoCount);

/// Submits the multiplication to `stream`. D may be the same matrix as C. If beta is 0, C is not
/// read and may be null.
BLASLT_FUNCTION simtblasLtMatmul(simtblasLtHandle_t lightHandle, simtblasLtMatmulDesc_t computeDesc,
                                 const void* alpha, const void* A, simtblasLtMatrixLayout_t Adesc,
                                 const void* B, simtblasLtMatrixLayout_t Bdesc, const void* beta,
                                 const void* C, simtblasLtMatrixLayout_t Cdesc, void* D,
                                 simtblasLtMatrixLayout_t Ddesc, const simtblasLtMatmulAlgo_t* algo,
                                 void* workspace, std::size_t workspaceSizeInBytes,
                                 simtStream_t stream);

}  // extern "C"

#undef BLASLT_FUNCTION

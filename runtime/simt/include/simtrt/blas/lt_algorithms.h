// The algorithms of simtblasLt. simtblasLt.h includes this file. Source of names, values and signatures: CUDA 12.4,
// cublasLt.h (12.4.5).
//
// The library has one algorithm, and each number denotes it, because programs name the numbers of a GPU's algorithms. A
// configuration selects how a GPU computes; here it is stored, and has no influence on the results.
#pragma once

#include <cstddef>
#include <cstdint>

/// Rows and columns of a part of D that a block computes.
typedef enum {
  SIMTBLASLT_MATMUL_TILE_UNDEFINED = 0, SIMTBLASLT_MATMUL_TILE_8x8 = 1, SIMTBLASLT_MATMUL_TILE_8x16 = 2,
  SIMTBLASLT_MATMUL_TILE_16x8 = 3, SIMTBLASLT_MATMUL_TILE_8x32 = 4, SIMTBLASLT_MATMUL_TILE_16x16 = 5,
  SIMTBLASLT_MATMUL_TILE_32x8 = 6, SIMTBLASLT_MATMUL_TILE_8x64 = 7, SIMTBLASLT_MATMUL_TILE_16x32 = 8,
  SIMTBLASLT_MATMUL_TILE_32x16 = 9, SIMTBLASLT_MATMUL_TILE_64x8 = 10, SIMTBLASLT_MATMUL_TILE_32x32 = 11,
  SIMTBLASLT_MATMUL_TILE_32x64 = 12, SIMTBLASLT_MATMUL_TILE_64x32 = 13, SIMTBLASLT_MATMUL_TILE_32x128 = 14,
  SIMTBLASLT_MATMUL_TILE_64x64 = 15, SIMTBLASLT_MATMUL_TILE_128x32 = 16, SIMTBLASLT_MATMUL_TILE_64x128 = 17,
  SIMTBLASLT_MATMUL_TILE_128x64 = 18, SIMTBLASLT_MATMUL_TILE_64x256 = 19,
  SIMTBLASLT_MATMUL_TILE_128x128 = 20, SIMTBLASLT_MATMUL_TILE_256x64 = 21,
  SIMTBLASLT_MATMUL_TILE_64x512 = 22, SIMTBLASLT_MATMUL_TILE_128x256 = 23,
  SIMTBLASLT_MATMUL_TILE_256x128 = 24, SIMTBLASLT_MATMUL_TILE_512x64 = 25, SIMTBLASLT_MATMUL_TILE_64x96 = 26,
  SIMTBLASLT_MATMUL_TILE_96x64 = 27, SIMTBLASLT_MATMUL_TILE_96x128 = 28, SIMTBLASLT_MATMUL_TILE_128x160 = 29,
  SIMTBLASLT_MATMUL_TILE_160x128 = 30, SIMTBLASLT_MATMUL_TILE_192x128 = 31,
  SIMTBLASLT_MATMUL_TILE_128x192 = 32, SIMTBLASLT_MATMUL_TILE_128x96 = 33,
  SIMTBLASLT_MATMUL_TILE_32x256 = 34, SIMTBLASLT_MATMUL_TILE_256x32 = 35, SIMTBLASLT_MATMUL_TILE_END = 36
} simtblasLtMatmulTile_t;

/// Extent of a part of the inner dimension, and number of the parts in flight.
typedef enum {
  SIMTBLASLT_MATMUL_STAGES_UNDEFINED = 0, SIMTBLASLT_MATMUL_STAGES_16x1 = 1,
  SIMTBLASLT_MATMUL_STAGES_16x2 = 2, SIMTBLASLT_MATMUL_STAGES_16x3 = 3, SIMTBLASLT_MATMUL_STAGES_16x4 = 4,
  SIMTBLASLT_MATMUL_STAGES_16x5 = 5, SIMTBLASLT_MATMUL_STAGES_16x6 = 6, SIMTBLASLT_MATMUL_STAGES_32x1 = 7,
  SIMTBLASLT_MATMUL_STAGES_32x2 = 8, SIMTBLASLT_MATMUL_STAGES_32x3 = 9, SIMTBLASLT_MATMUL_STAGES_32x4 = 10,
  SIMTBLASLT_MATMUL_STAGES_32x5 = 11, SIMTBLASLT_MATMUL_STAGES_32x6 = 12, SIMTBLASLT_MATMUL_STAGES_64x1 = 13,
  SIMTBLASLT_MATMUL_STAGES_64x2 = 14, SIMTBLASLT_MATMUL_STAGES_64x3 = 15, SIMTBLASLT_MATMUL_STAGES_64x4 = 16,
  SIMTBLASLT_MATMUL_STAGES_64x5 = 17, SIMTBLASLT_MATMUL_STAGES_64x6 = 18,
  SIMTBLASLT_MATMUL_STAGES_128x1 = 19, SIMTBLASLT_MATMUL_STAGES_128x2 = 20,
  SIMTBLASLT_MATMUL_STAGES_128x3 = 21, SIMTBLASLT_MATMUL_STAGES_128x4 = 22,
  SIMTBLASLT_MATMUL_STAGES_128x5 = 23, SIMTBLASLT_MATMUL_STAGES_128x6 = 24,
  SIMTBLASLT_MATMUL_STAGES_32x10 = 25, SIMTBLASLT_MATMUL_STAGES_8x4 = 26,
  SIMTBLASLT_MATMUL_STAGES_16x10 = 27, SIMTBLASLT_MATMUL_STAGES_8x5 = 28, SIMTBLASLT_MATMUL_STAGES_8x3 = 31,
  SIMTBLASLT_MATMUL_STAGES_8xAUTO = 32, SIMTBLASLT_MATMUL_STAGES_16xAUTO = 33,
  SIMTBLASLT_MATMUL_STAGES_32xAUTO = 34, SIMTBLASLT_MATMUL_STAGES_64xAUTO = 35,
  SIMTBLASLT_MATMUL_STAGES_128xAUTO = 36, SIMTBLASLT_MATMUL_STAGES_END = 37
} simtblasLtMatmulStages_t;

/// Blocks of a cluster.
typedef enum {
  SIMTBLASLT_CLUSTER_SHAPE_AUTO = 0, SIMTBLASLT_CLUSTER_SHAPE_1x1x1 = 2, SIMTBLASLT_CLUSTER_SHAPE_2x1x1 = 3,
  SIMTBLASLT_CLUSTER_SHAPE_4x1x1 = 4, SIMTBLASLT_CLUSTER_SHAPE_1x2x1 = 5, SIMTBLASLT_CLUSTER_SHAPE_2x2x1 = 6,
  SIMTBLASLT_CLUSTER_SHAPE_4x2x1 = 7, SIMTBLASLT_CLUSTER_SHAPE_1x4x1 = 8, SIMTBLASLT_CLUSTER_SHAPE_2x4x1 = 9,
  SIMTBLASLT_CLUSTER_SHAPE_4x4x1 = 10, SIMTBLASLT_CLUSTER_SHAPE_8x1x1 = 11,
  SIMTBLASLT_CLUSTER_SHAPE_1x8x1 = 12, SIMTBLASLT_CLUSTER_SHAPE_8x2x1 = 13,
  SIMTBLASLT_CLUSTER_SHAPE_2x8x1 = 14, SIMTBLASLT_CLUSTER_SHAPE_16x1x1 = 15,
  SIMTBLASLT_CLUSTER_SHAPE_1x16x1 = 16, SIMTBLASLT_CLUSTER_SHAPE_3x1x1 = 17,
  SIMTBLASLT_CLUSTER_SHAPE_5x1x1 = 18, SIMTBLASLT_CLUSTER_SHAPE_6x1x1 = 19,
  SIMTBLASLT_CLUSTER_SHAPE_7x1x1 = 20, SIMTBLASLT_CLUSTER_SHAPE_9x1x1 = 21,
  SIMTBLASLT_CLUSTER_SHAPE_10x1x1 = 22, SIMTBLASLT_CLUSTER_SHAPE_11x1x1 = 23,
  SIMTBLASLT_CLUSTER_SHAPE_12x1x1 = 24, SIMTBLASLT_CLUSTER_SHAPE_13x1x1 = 25,
  SIMTBLASLT_CLUSTER_SHAPE_14x1x1 = 26, SIMTBLASLT_CLUSTER_SHAPE_15x1x1 = 27,
  SIMTBLASLT_CLUSTER_SHAPE_3x2x1 = 28, SIMTBLASLT_CLUSTER_SHAPE_5x2x1 = 29,
  SIMTBLASLT_CLUSTER_SHAPE_6x2x1 = 30, SIMTBLASLT_CLUSTER_SHAPE_7x2x1 = 31,
  SIMTBLASLT_CLUSTER_SHAPE_1x3x1 = 32, SIMTBLASLT_CLUSTER_SHAPE_2x3x1 = 33,
  SIMTBLASLT_CLUSTER_SHAPE_3x3x1 = 34, SIMTBLASLT_CLUSTER_SHAPE_4x3x1 = 35,
  SIMTBLASLT_CLUSTER_SHAPE_5x3x1 = 36, SIMTBLASLT_CLUSTER_SHAPE_3x4x1 = 37,
  SIMTBLASLT_CLUSTER_SHAPE_1x5x1 = 38, SIMTBLASLT_CLUSTER_SHAPE_2x5x1 = 39,
  SIMTBLASLT_CLUSTER_SHAPE_3x5x1 = 40, SIMTBLASLT_CLUSTER_SHAPE_1x6x1 = 41,
  SIMTBLASLT_CLUSTER_SHAPE_2x6x1 = 42, SIMTBLASLT_CLUSTER_SHAPE_1x7x1 = 43,
  SIMTBLASLT_CLUSTER_SHAPE_2x7x1 = 44, SIMTBLASLT_CLUSTER_SHAPE_1x9x1 = 45,
  SIMTBLASLT_CLUSTER_SHAPE_1x10x1 = 46, SIMTBLASLT_CLUSTER_SHAPE_1x11x1 = 47,
  SIMTBLASLT_CLUSTER_SHAPE_1x12x1 = 48, SIMTBLASLT_CLUSTER_SHAPE_1x13x1 = 49,
  SIMTBLASLT_CLUSTER_SHAPE_1x14x1 = 50, SIMTBLASLT_CLUSTER_SHAPE_1x15x1 = 51,
  SIMTBLASLT_CLUSTER_SHAPE_END = 52
} simtblasLtClusterShape_t;

/// Shape of the matrix instruction.
typedef enum {
  SIMTBLASLT_MATMUL_INNER_SHAPE_UNDEFINED = 0, SIMTBLASLT_MATMUL_INNER_SHAPE_MMA884 = 1,
  SIMTBLASLT_MATMUL_INNER_SHAPE_MMA1684 = 2, SIMTBLASLT_MATMUL_INNER_SHAPE_MMA1688 = 3,
  SIMTBLASLT_MATMUL_INNER_SHAPE_MMA16816 = 4, SIMTBLASLT_MATMUL_INNER_SHAPE_END = 5
} simtblasLtMatmulInnerShape_t;

/// Place where the sums of a split inner dimension are added.
typedef enum {
  SIMTBLASLT_REDUCTION_SCHEME_NONE = 0, SIMTBLASLT_REDUCTION_SCHEME_INPLACE = 1,
  SIMTBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2, SIMTBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
  SIMTBLASLT_REDUCTION_SCHEME_MASK = 7
} simtblasLtReductionScheme_t;

/// Search of the heuristic. LIMITED_BY_ALGO_ID keeps the number of the algorithm in the caller's result.
typedef enum {
  SIMTBLASLT_SEARCH_BEST_FIT = 0, SIMTBLASLT_SEARCH_LIMITED_BY_ALGO_ID = 1,
  SIMTBLASLT_SEARCH_RESERVED_02 = 2, SIMTBLASLT_SEARCH_RESERVED_03 = 3, SIMTBLASLT_SEARCH_RESERVED_04 = 4,
  SIMTBLASLT_SEARCH_RESERVED_05 = 5
} simtblasLtMatmulSearch_t;

/// Bits for the members of simtblasLtPointerMode_t.
typedef enum {
  SIMTBLASLT_POINTER_MODE_MASK_HOST = 1, SIMTBLASLT_POINTER_MODE_MASK_DEVICE = 2,
  SIMTBLASLT_POINTER_MODE_MASK_DEVICE_VECTOR = 4,
  SIMTBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_ZERO = 8,
  SIMTBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_HOST = 16
} simtblasLtPointerModeMask_t;

/// Properties of a computation: kind of instruction, type of the sums, type of the operands.
typedef std::uint64_t simtblasLtNumericalImplFlags_t;
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_FMA (std::uint64_t{0x01} << 0)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_HMMA (std::uint64_t{0x02} << 0)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_IMMA (std::uint64_t{0x04} << 0)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_DMMA (std::uint64_t{0x08} << 0)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_TENSOR_OP_MASK (std::uint64_t{0xfe} << 0)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_OP_TYPE_MASK (std::uint64_t{0xff} << 0)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_16F (std::uint64_t{0x01} << 8)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F (std::uint64_t{0x02} << 8)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F (std::uint64_t{0x04} << 8)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I (std::uint64_t{0x08} << 8)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_TYPE_MASK (std::uint64_t{0xff} << 8)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F (std::uint64_t{0x01} << 16)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF (std::uint64_t{0x02} << 16)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32 (std::uint64_t{0x04} << 16)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F (std::uint64_t{0x08} << 16)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_64F (std::uint64_t{0x10} << 16)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I (std::uint64_t{0x20} << 16)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E4M3 (std::uint64_t{0x40} << 16)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E5M2 (std::uint64_t{0x80} << 16)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_OP_INPUT_TYPE_MASK (std::uint64_t{0xff} << 16)
#define SIMTBLASLT_NUMERICAL_IMPL_FLAGS_GAUSSIAN (std::uint64_t{0x01} << 32)

/// Capabilities of an algorithm. The comment after each attribute states the type of its value, and the value.
typedef enum {
  SIMTBLASLT_ALGO_CAP_SPLITK_SUPPORT = 0,  // int32_t: 0
  SIMTBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK = 1,  // uint32_t: 0
  SIMTBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT = 2,  // uint32_t: 0
  SIMTBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT = 3,  // int32_t: 1
  SIMTBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT = 4,  // int32_t: 1
  SIMTBLASLT_ALGO_CAP_UPLO_SUPPORT = 5,  // int32_t: 0
  SIMTBLASLT_ALGO_CAP_TILE_IDS = 6,  // uint32_t[]: UNDEFINED
  SIMTBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX = 7,  // int32_t: 0
  SIMTBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER = 10,  // int32_t: 1
  SIMTBLASLT_ALGO_CAP_POINTER_MODE_MASK = 11,  // uint32_t: all
  SIMTBLASLT_ALGO_CAP_EPILOGUE_MASK = 12,  // uint32_t: all
  SIMTBLASLT_ALGO_CAP_STAGES_IDS = 13,  // uint32_t[]: UNDEFINED
  SIMTBLASLT_ALGO_CAP_LD_NEGATIVE = 14,  // int32_t: 0
  SIMTBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS = 15,  // uint64_t
  SIMTBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES = 16,  // uint32_t: size of an element
  SIMTBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES = 17,  // uint32_t
  SIMTBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES = 18,  // uint32_t
  SIMTBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES = 19,  // uint32_t
  SIMTBLASLT_ALGO_CAP_ATOMIC_SYNC = 20  // int32_t: 0
} simtblasLtMatmulAlgoCapAttributes_t;

/// Configuration of an algorithm. The comment after each attribute states the type of its value.
typedef enum {
  SIMTBLASLT_ALGO_CONFIG_ID = 0,  // int32_t, read only
  SIMTBLASLT_ALGO_CONFIG_TILE_ID = 1,  // uint32_t: simtblasLtMatmulTile_t
  SIMTBLASLT_ALGO_CONFIG_SPLITK_NUM = 2,  // int32_t
  SIMTBLASLT_ALGO_CONFIG_REDUCTION_SCHEME = 3,  // uint32_t: simtblasLtReductionScheme_t
  SIMTBLASLT_ALGO_CONFIG_CTA_SWIZZLING = 4,  // uint32_t
  SIMTBLASLT_ALGO_CONFIG_CUSTOM_OPTION = 5,  // uint32_t
  SIMTBLASLT_ALGO_CONFIG_STAGES_ID = 6,  // uint32_t: simtblasLtMatmulStages_t
  SIMTBLASLT_ALGO_CONFIG_INNER_SHAPE_ID = 7,  // uint16_t: simtblasLtMatmulInnerShape_t
  SIMTBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID = 8  // uint16_t: simtblasLtClusterShape_t
} simtblasLtMatmulAlgoConfigAttributes_t;

extern "C" {

// Errors: SIMTBLAS_STATUS_NOT_INITIALIZED for a null handle, SIMTBLAS_STATUS_NOT_SUPPORTED for types that simtblasLtMatmul
// does not accept, SIMTBLAS_STATUS_INVALID_VALUE for null pointers.

/// Writes the number of the one algorithm, and 1 to *returnAlgoCount. Requires requestedAlgoCount >= 1.
SIMTRT_EXPORT simtblasStatus_t simtblasLtMatmulAlgoGetIds(simtblasLtHandle_t lightHandle,
                                                          simtblasComputeType_t computeType, simtDataType_t scaleType,
                                                          simtDataType_t Atype, simtDataType_t Btype,
                                                          simtDataType_t Ctype, simtDataType_t Dtype,
                                                          int requestedAlgoCount, int algoIdsArray[],
                                                          int* returnAlgoCount);

/// Makes an algorithm for operands of these types, with the default configuration. A negative number is
/// SIMTBLAS_STATUS_INVALID_VALUE.
SIMTRT_EXPORT simtblasStatus_t simtblasLtMatmulAlgoInit(simtblasLtHandle_t lightHandle,
                                                        simtblasComputeType_t computeType, simtDataType_t scaleType,
                                                        simtDataType_t Atype, simtDataType_t Btype,
                                                        simtDataType_t Ctype, simtDataType_t Dtype, int algoId,
                                                        simtblasLtMatmulAlgo_t* algo);

/// Returns the status of simtblasLtMatmul; SIMTBLAS_STATUS_INVALID_VALUE for an algorithm for operands of other types. On
/// success, *result has all fields but `algo`.
SIMTRT_EXPORT simtblasStatus_t simtblasLtMatmulAlgoCheck(simtblasLtHandle_t lightHandle,
                                                         simtblasLtMatmulDesc_t operationDesc,
                                                         simtblasLtMatrixLayout_t Adesc, simtblasLtMatrixLayout_t Bdesc,
                                                         simtblasLtMatrixLayout_t Cdesc, simtblasLtMatrixLayout_t Ddesc,
                                                         const simtblasLtMatmulAlgo_t* algo,
                                                         simtblasLtMatmulHeuristicResult_t* result);

// As for the attributes of descriptors. The arrays of tiles and stages have one element, UNDEFINED.

SIMTRT_EXPORT simtblasStatus_t simtblasLtMatmulAlgoCapGetAttribute(const simtblasLtMatmulAlgo_t* algo,
                                                                   simtblasLtMatmulAlgoCapAttributes_t attr, void* buf,
                                                                   std::size_t sizeInBytes, std::size_t* sizeWritten);
SIMTRT_EXPORT simtblasStatus_t simtblasLtMatmulAlgoConfigSetAttribute(simtblasLtMatmulAlgo_t* algo,
                                                                      simtblasLtMatmulAlgoConfigAttributes_t attr,
                                                                      const void* buf, std::size_t sizeInBytes);
SIMTRT_EXPORT simtblasStatus_t simtblasLtMatmulAlgoConfigGetAttribute(const simtblasLtMatmulAlgo_t* algo,
                                                                      simtblasLtMatmulAlgoConfigAttributes_t attr,
                                                                      void* buf, std::size_t sizeInBytes,
                                                                      std::size_t* sizeWritten);

}  // extern "C"

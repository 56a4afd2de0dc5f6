#include "blaslt/algorithm.h"

#include "blas/elements.h"
#include "blaslt/attributes.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace simtrt {
namespace {

constexpr std::uint32_t kMade = 0x414C474F;

struct LtAlgorithm {
  using Opaque = simtblasLtMatmulAlgo_t;

  std::uint32_t made = kMade;  // tells an algorithm from other memory of the caller
  std::int32_t id = 0;
  std::int32_t compute = 0;
  std::int32_t scale = 0;
  std::array<std::int32_t, 4> types{};  // of A, B, C and D
  std::uint32_t tile = SIMTBLASLT_MATMUL_TILE_UNDEFINED;
  std::int32_t splits = 1;
  std::uint32_t reduction = SIMTBLASLT_REDUCTION_SCHEME_NONE;
  std::uint32_t swizzling = 0;
  std::uint32_t custom_option = 0;
  std::uint32_t stages = SIMTBLASLT_MATMUL_STAGES_UNDEFINED;
  std::uint16_t inner_shape = SIMTBLASLT_MATMUL_INNER_SHAPE_UNDEFINED;
  std::uint16_t cluster_shape = SIMTBLASLT_CLUSTER_SHAPE_AUTO;
};

constexpr LtAttribute kConfiguration[] = {
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CONFIG_ID, LtAlgorithm, id),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CONFIG_TILE_ID, LtAlgorithm, tile),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CONFIG_SPLITK_NUM, LtAlgorithm, splits),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, LtAlgorithm, reduction),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CONFIG_CTA_SWIZZLING, LtAlgorithm, swizzling),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CONFIG_CUSTOM_OPTION, LtAlgorithm, custom_option),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CONFIG_STAGES_ID, LtAlgorithm, stages),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, LtAlgorithm, inner_shape),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, LtAlgorithm, cluster_shape),
};

/// Capabilities of an algorithm, as the attributes of simtblasLtMatmulAlgoCapAttributes_t.
struct LtCapabilities {
  std::int32_t no = 0;
  std::int32_t yes = 1;
  std::uint32_t pointer_modes = SIMTBLASLT_POINTER_MODE_MASK_HOST | SIMTBLASLT_POINTER_MODE_MASK_DEVICE |
                                SIMTBLASLT_POINTER_MODE_MASK_DEVICE_VECTOR |
                                SIMTBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_ZERO |
                                SIMTBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_HOST;
  std::uint32_t epilogues = SIMTBLASLT_EPILOGUE_DEFAULT | SIMTBLASLT_EPILOGUE_RELU_AUX_BIAS |
                            SIMTBLASLT_EPILOGUE_DRELU_BGRAD | SIMTBLASLT_EPILOGUE_GELU_AUX_BIAS |
                            SIMTBLASLT_EPILOGUE_DGELU_BGRAD | SIMTBLASLT_EPILOGUE_BGRADA | SIMTBLASLT_EPILOGUE_BGRADB;
  std::uint32_t tile = SIMTBLASLT_MATMUL_TILE_UNDEFINED;
  std::uint32_t stages = SIMTBLASLT_MATMUL_STAGES_UNDEFINED;
  std::uint32_t align_a = 1;
  std::uint32_t align_b = 1;
  std::uint32_t align_c = 1;
  std::uint32_t align_d = 1;
  std::uint64_t implementation = 0;
};

constexpr LtAttribute kCapabilities[] = {
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_SPLITK_SUPPORT, LtCapabilities, no),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK, LtCapabilities, no),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT, LtCapabilities, no),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, LtCapabilities, yes),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT, LtCapabilities, yes),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_UPLO_SUPPORT, LtCapabilities, no),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_TILE_IDS, LtCapabilities, tile),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX, LtCapabilities, no),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER, LtCapabilities, yes),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_POINTER_MODE_MASK, LtCapabilities, pointer_modes),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_EPILOGUE_MASK, LtCapabilities, epilogues),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_STAGES_IDS, LtCapabilities, stages),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_LD_NEGATIVE, LtCapabilities, no),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, LtCapabilities, implementation),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES, LtCapabilities, align_a),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES, LtCapabilities, align_b),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES, LtCapabilities, align_c),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES, LtCapabilities, align_d),
    LT_ATTRIBUTE(SIMTBLASLT_ALGO_CAP_ATOMIC_SYNC, LtCapabilities, no),
};

simtblasLtNumericalImplFlags_t input_flag(simtDataType type) {
  switch (type) {
    case SIMT_R_16F: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F;
    case SIMT_R_16BF: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF;
    case SIMT_R_64F:
    case SIMT_C_64F: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_64F;
    case SIMT_R_8I:
    case SIMT_C_8I: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I;
    case SIMT_R_8F_E4M3: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E4M3;
    case SIMT_R_8F_E5M2: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E5M2;
    default: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
  }
}

/// Type of the sums: float for all real operands of at most 32 bits, as GemmValue says.
simtblasLtNumericalImplFlags_t accumulator_flag(GemmValue value) {
  switch (value) {
    case GemmValue::kDouble:
    case GemmValue::kComplexDouble: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F;
    case GemmValue::kInt32: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I;
    default: return SIMTBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F;
  }
}

simtDataType type_of(const LtAlgorithm& algorithm, std::size_t operand) {
  return static_cast<simtDataType>(algorithm.types[operand]);
}

std::optional<LtTypes> types_of(const LtAlgorithm& algorithm) {
  return lt_types(static_cast<simtblasComputeType_t>(algorithm.compute), static_cast<simtDataType>(algorithm.scale),
                  type_of(algorithm, 0), type_of(algorithm, 1), type_of(algorithm, 2), type_of(algorithm, 3));
}

LtCapabilities capabilities_of(const LtAlgorithm& algorithm, const LtTypes& types) {
  LtCapabilities capabilities;
  const auto size = [&](std::size_t operand) {
    return static_cast<std::uint32_t>(element_size(type_of(algorithm, operand)));
  };
  capabilities.align_a = size(0);
  capabilities.align_b = size(1);
  capabilities.align_c = size(2);
  capabilities.align_d = size(3);
  capabilities.implementation = SIMTBLASLT_NUMERICAL_IMPL_FLAGS_FMA | accumulator_flag(types.gemm.value) |
                                input_flag(type_of(algorithm, 0));
  return capabilities;
}

LtAlgorithm algorithm_for(const LtPlan& plan, int id) {
  LtAlgorithm algorithm;
  algorithm.id = id;
  algorithm.compute = plan.matmul.compute_type;
  algorithm.scale = plan.matmul.scale_type;
  algorithm.types = {plan.a.type, plan.b.type, plan.c.type, plan.d.type};
  return algorithm;
}

/// Fields other than `algo` of the result for a valid operation.
void write_result(simtblasLtMatmulHeuristicResult_t* result) {
  result->workspaceSize = 0;
  result->state = SIMTBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
  std::fill(std::begin(result->reserved), std::end(result->reserved), 0);
}

}  // namespace

bool is_algorithm_for(const simtblasLtMatmulAlgo_t& opaque, const LtPlan& plan) {
  const auto algorithm = read_descriptor<LtAlgorithm>(opaque);
  return algorithm.made == kMade && algorithm.compute == plan.matmul.compute_type &&
         algorithm.scale == plan.matmul.scale_type && algorithm.types == algorithm_for(plan, 0).types;
}

}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtblasStatus_t simtblasLtMatmulAlgoGetHeuristic(
    simtblasLtHandle_t lightHandle, simtblasLtMatmulDesc_t operationDesc,
    simtblasLtMatrixLayout_t Adesc, simtblasLtMatrixLayout_t Bdesc, simtblasLtMatrixLayout_t Cdesc,
    simtblasLtMatrixLayout_t Ddesc, simtblasLtMatmulPreference_t preference, int requestedAlgoCount,
    simtblasLtMatmulHeuristicResult_t heuristicResultsArray[], int* returnAlgoCount) {
  if (lightHandle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (preference == nullptr || requestedAlgoCount < 1 || heuristicResultsArray == nullptr ||
      returnAlgoCount == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *returnAlgoCount = 0;
  LtPlan plan;
  const simtblasStatus_t status = lt_plan(operationDesc, Adesc, Bdesc, Cdesc, Ddesc, &plan);
  if (status != SIMTBLAS_STATUS_SUCCESS) return status;
  simtblasLtMatmulHeuristicResult_t& result = heuristicResultsArray[0];
  LtAlgorithm algorithm = algorithm_for(plan, 0);
  if (read_descriptor<LtPreference>(*preference).search_mode == SIMTBLASLT_SEARCH_LIMITED_BY_ALGO_ID) {
    if (!is_algorithm_for(result.algo, plan)) return SIMTBLAS_STATUS_INVALID_VALUE;
    algorithm = read_descriptor<LtAlgorithm>(result.algo);
  }
  write_descriptor(result.algo, algorithm);
  write_result(&result);
  *returnAlgoCount = 1;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasLtMatmulAlgoGetIds(simtblasLtHandle_t lightHandle, simtblasComputeType_t computeType,
                                            simtDataType_t scaleType, simtDataType_t Atype, simtDataType_t Btype,
                                            simtDataType_t Ctype, simtDataType_t Dtype, int requestedAlgoCount,
                                            int algoIdsArray[], int* returnAlgoCount) {
  if (lightHandle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (requestedAlgoCount < 1 || algoIdsArray == nullptr || returnAlgoCount == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *returnAlgoCount = 0;
  if (!lt_types(computeType, scaleType, Atype, Btype, Ctype, Dtype)) return SIMTBLAS_STATUS_NOT_SUPPORTED;
  algoIdsArray[0] = 0;
  *returnAlgoCount = 1;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasLtMatmulAlgoInit(simtblasLtHandle_t lightHandle, simtblasComputeType_t computeType,
                                          simtDataType_t scaleType, simtDataType_t Atype, simtDataType_t Btype,
                                          simtDataType_t Ctype, simtDataType_t Dtype, int algoId,
                                          simtblasLtMatmulAlgo_t* algo) {
  if (lightHandle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (algo == nullptr || algoId < 0) return SIMTBLAS_STATUS_INVALID_VALUE;
  if (!lt_types(computeType, scaleType, Atype, Btype, Ctype, Dtype)) return SIMTBLAS_STATUS_NOT_SUPPORTED;
  LtAlgorithm algorithm;
  algorithm.id = algoId;
  algorithm.compute = computeType;
  algorithm.scale = scaleType;
  algorithm.types = {Atype, Btype, Ctype, Dtype};
  write_descriptor(*algo, algorithm);
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasLtMatmulAlgoCheck(simtblasLtHandle_t lightHandle, simtblasLtMatmulDesc_t operationDesc,
                                           simtblasLtMatrixLayout_t Adesc, simtblasLtMatrixLayout_t Bdesc,
                                           simtblasLtMatrixLayout_t Cdesc, simtblasLtMatrixLayout_t Ddesc,
                                           const simtblasLtMatmulAlgo_t* algo,
                                           simtblasLtMatmulHeuristicResult_t* result) {
  if (lightHandle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (algo == nullptr || result == nullptr) return SIMTBLAS_STATUS_INVALID_VALUE;
  LtPlan plan;
  simtblasStatus_t status = lt_plan(operationDesc, Adesc, Bdesc, Cdesc, Ddesc, &plan);
  if (status == SIMTBLAS_STATUS_SUCCESS && !is_algorithm_for(*algo, plan)) status = SIMTBLAS_STATUS_INVALID_VALUE;
  if (status == SIMTBLAS_STATUS_SUCCESS) write_result(result);
  return status;
}

simtblasStatus_t simtblasLtMatmulAlgoCapGetAttribute(const simtblasLtMatmulAlgo_t* algo,
                                                     simtblasLtMatmulAlgoCapAttributes_t attr, void* buf,
                                                     std::size_t sizeInBytes, std::size_t* sizeWritten) {
  if (algo == nullptr) return SIMTBLAS_STATUS_INVALID_VALUE;
  const auto algorithm = read_descriptor<LtAlgorithm>(*algo);
  const auto types = types_of(algorithm);
  if (algorithm.made != kMade || !types) return SIMTBLAS_STATUS_INVALID_VALUE;
  const LtCapabilities capabilities = capabilities_of(algorithm, *types);
  return get_attribute(&capabilities, kCapabilities, attr, buf, sizeInBytes, sizeWritten);
}

simtblasStatus_t simtblasLtMatmulAlgoConfigSetAttribute(simtblasLtMatmulAlgo_t* algo,
                                                        simtblasLtMatmulAlgoConfigAttributes_t attr, const void* buf,
                                                        std::size_t sizeInBytes) {
  if (attr == SIMTBLASLT_ALGO_CONFIG_ID) return SIMTBLAS_STATUS_INVALID_VALUE;
  return set_attribute(algo, kConfiguration, attr, buf, sizeInBytes);
}

simtblasStatus_t simtblasLtMatmulAlgoConfigGetAttribute(const simtblasLtMatmulAlgo_t* algo,
                                                        simtblasLtMatmulAlgoConfigAttributes_t attr, void* buf,
                                                        std::size_t sizeInBytes, std::size_t* sizeWritten) {
  return get_attribute(algo == nullptr ? nullptr : algo->data, kConfiguration, attr, buf, sizeInBytes, sizeWritten);
}

}  // extern "C"

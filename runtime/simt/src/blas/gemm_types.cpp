#include "blas/gemm_types.h"

namespace simtrt {

namespace {

struct Row {
  simtDataType ab;
  simtDataType c;
  GemmTypes types;
};

constexpr GemmTypes kFloatScaled{GemmValue::kFloat, SIMT_R_32F};
constexpr GemmTypes kComplexScaled{GemmValue::kComplexFloat, SIMT_C_32F};

constexpr Row kCompute16F[] = {
    {SIMT_R_16F, SIMT_R_16F, {GemmValue::kFloat, SIMT_R_16F}},
};
constexpr Row kCompute32I[] = {
    {SIMT_R_8I, SIMT_R_32I, {GemmValue::kInt32, SIMT_R_32I}},
};
constexpr Row kCompute32F[] = {
    {SIMT_R_32F, SIMT_R_32F, kFloatScaled},   {SIMT_R_16F, SIMT_R_16F, kFloatScaled},
    {SIMT_R_16BF, SIMT_R_16BF, kFloatScaled}, {SIMT_R_16F, SIMT_R_32F, kFloatScaled},
    {SIMT_R_16BF, SIMT_R_32F, kFloatScaled},  {SIMT_R_8I, SIMT_R_32F, kFloatScaled},
    {SIMT_C_32F, SIMT_C_32F, kComplexScaled}, {SIMT_C_8I, SIMT_C_32F, kComplexScaled},
};
constexpr Row kCompute32FFast[] = {
    {SIMT_R_32F, SIMT_R_32F, kFloatScaled},
    {SIMT_C_32F, SIMT_C_32F, kComplexScaled},
};
constexpr Row kCompute64F[] = {
    {SIMT_R_64F, SIMT_R_64F, {GemmValue::kDouble, SIMT_R_64F}},
    {SIMT_C_64F, SIMT_C_64F, {GemmValue::kComplexDouble, SIMT_C_64F}},
};

template <std::size_t count>
std::optional<GemmTypes> find(const Row (&rows)[count], simtDataType ab, simtDataType c) {
  for (const Row& row : rows) {
    if (row.ab == ab && row.c == c) {
      return row.types;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<GemmTypes> gemm_types(simtblasComputeType_t compute, simtDataType a, simtDataType b,
                                    simtDataType c) {
  if (a != b) {
    return std::nullopt;
  }
  switch (compute) {
    case SIMTBLAS_COMPUTE_16F:
    case SIMTBLAS_COMPUTE_16F_PEDANTIC: return find(kCompute16F, a, c);
    case SIMTBLAS_COMPUTE_32I:
    case SIMTBLAS_COMPUTE_32I_PEDANTIC: return find(kCompute32I, a, c);
    case SIMTBLAS_COMPUTE_32F:
    case SIMTBLAS_COMPUTE_32F_PEDANTIC: return find(kCompute32F, a, c);
    case SIMTBLAS_COMPUTE_32F_FAST_16F:
    case SIMTBLAS_COMPUTE_32F_FAST_16BF:
    case SIMTBLAS_COMPUTE_32F_EMULATED_16BFX9:
    case SIMTBLAS_COMPUTE_32F_FAST_TF32: return find(kCompute32FFast, a, c);
    case SIMTBLAS_COMPUTE_64F:
    case SIMTBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    case SIMTBLAS_COMPUTE_64F_PEDANTIC: return find(kCompute64F, a, c);
  }
  return std::nullopt;
}

std::optional<simtblasComputeType_t> compute_type_of(simtDataType type) {
  switch (type) {
    case SIMT_R_16F: return SIMTBLAS_COMPUTE_16F;
    case SIMT_R_32F:
    case SIMT_C_32F: return SIMTBLAS_COMPUTE_32F;
    case SIMT_R_64F:
    case SIMT_C_64F: return SIMTBLAS_COMPUTE_64F;
    case SIMT_R_32I: return SIMTBLAS_COMPUTE_32I;
    default: return std::nullopt;
  }
}

}  // namespace simtrt

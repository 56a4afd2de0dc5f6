#include "blaslt/matmul_plan.h"

#include "blaslt/order.h"

namespace simtrt {
namespace {

bool is_fp8(simtDataType type) { return type == SIMT_R_8F_E4M3 || type == SIMT_R_8F_E5M2; }

bool is_complex(const GemmTypes& types) {
  return types.value == GemmValue::kComplexFloat || types.value == GemmValue::kComplexDouble;
}

/// Default type of the bias for fp8 types of A, B, C and D; empty for an invalid combination.
/// Source: the tables of cublasLtMatmul in the cuBLAS 12.4 documentation.
std::optional<simtDataType> fp8_bias_type(simtDataType a, simtDataType b, simtDataType c,
                                          simtDataType d) {
  if (a == SIMT_R_8F_E5M2 && b == SIMT_R_8F_E5M2) {
    return std::nullopt;
  }
  // A result of type E5M2 requires at least one operand of type E5M2.
  if (d == SIMT_R_8F_E5M2 && a == b) {
    return std::nullopt;
  }
  if (c == SIMT_R_32F && d == SIMT_R_32F) {
    return SIMT_R_16BF;
  }
  if ((c == SIMT_R_16BF || c == SIMT_R_16F) && (d == c || is_fp8(d))) {
    return c;
  }
  return std::nullopt;
}

/// Steps of the epilogue with this number (enumeration simtblasLtEpilogue_t); empty for an unknown
/// number.
std::optional<LtEpilogue> epilogue_steps(std::uint32_t number) {
  LtEpilogue steps;
  switch (number) {
    case SIMTBLASLT_EPILOGUE_DEFAULT: return steps;
    case SIMTBLASLT_EPILOGUE_BGRADA: steps.bias_gradient_a = true; return steps;
    case SIMTBLASLT_EPILOGUE_BGRADB: steps.bias_gradient_b = true; return steps;
    case SIMTBLASLT_EPILOGUE_RELU:
    case SIMTBLASLT_EPILOGUE_RELU_AUX:
    case SIMTBLASLT_EPILOGUE_BIAS:
    case SIMTBLASLT_EPILOGUE_RELU_BIAS:
    case SIMTBLASLT_EPILOGUE_RELU_AUX_BIAS:
    case SIMTBLASLT_EPILOGUE_DRELU:
    case SIMTBLASLT_EPILOGUE_DRELU_BGRAD:
    case SIMTBLASLT_EPILOGUE_GELU:
    case SIMTBLASLT_EPILOGUE_GELU_AUX:
    case SIMTBLASLT_EPILOGUE_GELU_BIAS:
    case SIMTBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case SIMTBLASLT_EPILOGUE_DGELU:
    case SIMTBLASLT_EPILOGUE_DGELU_BGRAD:
      // In these numbers, each bit denotes a step.
      steps.relu = (number & 2U) != 0;
      steps.bias = (number & 4U) != 0;
      steps.relu_gradient = (number & 8U) != 0;
      steps.bias_gradient = (number & 16U) != 0;
      steps.gelu = (number & 32U) != 0;
      steps.gelu_gradient = (number & 64U) != 0;
      steps.aux = (number & 128U) != 0;
      return steps;
    default: return std::nullopt;
  }
}

LtOperand operand_of(const LtMatrixLayout& layout, simtblasOperation_t op) {
  if (layout.order == SIMTBLASLT_ORDER_ROW) {
    op = op == SIMTBLAS_OP_N ? SIMTBLAS_OP_T : SIMTBLAS_OP_N;
  }
  return {layout.data_type(), op, static_cast<std::ptrdiff_t>(layout.ld), layout.batch_offset};
}

LtResult result_of(const LtMatrixLayout& layout) {
  const auto ld = static_cast<std::ptrdiff_t>(layout.ld);
  const bool by_rows = layout.order == SIMTBLASLT_ORDER_ROW;
  return {layout.data_type(), by_rows ? ld : 1, by_rows ? 1 : ld, layout.batch_offset};
}

/// True if an attribute requests a feature that this library lacks.
bool asks_for_more(const LtMatmul& matmul) {
  return matmul.transc != SIMTBLAS_OP_N || matmul.fill_mode != SIMTBLAS_FILL_MODE_FULL ||
         matmul.aux_scale != nullptr || matmul.aux_amax != nullptr ||
         matmul.counters_in != nullptr || matmul.counters_out != nullptr ||
         matmul.chunks_rows != 0 || matmul.chunks_columns != 0;
}

/// Determines the types of computation, scalars and bias. Returns false for an invalid combination.
bool choose_types(const LtMatmul& matmul, LtPlan* plan) {
  const simtDataType d = plan->d.type;
  const auto types = lt_types(static_cast<simtblasComputeType_t>(matmul.compute_type),
                              static_cast<simtDataType>(matmul.scale_type), plan->a.type, plan->b.type, plan->c.type, d);
  // As on a GPU, both operands of type fp8 must be contiguous along k.
  if (!types || (is_fp8(plan->a.type) && (plan->a.op == SIMTBLAS_OP_N || plan->b.op != SIMTBLAS_OP_N))) {
    return false;
  }
  plan->types = types->gemm;
  plan->bias_type = types->bias;
  if (matmul.bias_type != -1) {
    const auto chosen = static_cast<simtDataType>(matmul.bias_type);
    if (chosen != plan->bias_type && chosen != d) {
      return false;
    }
    plan->bias_type = chosen;
  }
  plan->aux_type = d;
  return matmul.aux_type == -1 || matmul.aux_type == d;
}

/// True if an order is supported for these types: tiled ones for products of 8-bit integers, as on a GPU.
bool orders_go_with(const LtPlan& plan) {
  return !plan.is_reordered || plan.types.value == GemmValue::kInt32;
}

/// True if the epilogue is valid for these types: a bias requires a floating-point type, every
/// other step a real type.
bool epilogue_goes_with(const LtEpilogue& epilogue, std::uint32_t number, const GemmTypes& types) {
  if (number == SIMTBLASLT_EPILOGUE_DEFAULT) {
    return true;
  }
  if (types.value == GemmValue::kInt32) {
    return false;
  }
  return !is_complex(types) || (epilogue.bias && number == SIMTBLASLT_EPILOGUE_BIAS);
}

/// True if all pointers and strides of the epilogue are set.
bool epilogue_complete(const LtEpilogue& epilogue, const LtMatmul& matmul, int m) {
  const bool uses_bias = epilogue.bias || epilogue.bias_gradient || epilogue.bias_gradient_a ||
                         epilogue.bias_gradient_b;
  if (uses_bias && matmul.bias == nullptr) {
    return false;
  }
  if (!epilogue.aux) {
    return true;
  }
  const bool mask = epilogue.relu || epilogue.relu_gradient;
  const std::int64_t step = mask ? 128 : 8;
  return matmul.aux != nullptr && matmul.aux_ld >= m && matmul.aux_ld % step == 0 &&
         matmul.aux_batch_stride % step == 0;
}

/// Layout of the operand that the computation uses.
LtMatrixLayout computed_layout(const LtMatrixLayout& layout) {
  return is_tiled(layout) ? column_major(layout) : layout;
}

}  // namespace

std::optional<LtTypes> lt_types(simtblasComputeType_t compute, simtDataType scale, simtDataType a, simtDataType b,
                                simtDataType c, simtDataType d) {
  if (is_fp8(a) && is_fp8(b)) {
    const auto bias = fp8_bias_type(a, b, c, d);
    if (!bias || compute != SIMTBLAS_COMPUTE_32F || scale != SIMT_R_32F) return std::nullopt;
    return LtTypes{{GemmValue::kFloat, SIMT_R_32F}, *bias};
  }
  const auto types = gemm_types(compute, a, b, d);
  if (!types || c != d || scale != types->scale) return std::nullopt;
  return LtTypes{*types, d};
}

simtblasStatus_t lt_plan(simtblasLtMatmulDesc_t matmul_desc, simtblasLtMatrixLayout_t a_desc,
                         simtblasLtMatrixLayout_t b_desc, simtblasLtMatrixLayout_t c_desc,
                         simtblasLtMatrixLayout_t d_desc, LtPlan* plan) {
  if (matmul_desc == nullptr || any_null(a_desc, b_desc, c_desc, d_desc)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const auto matmul = read_descriptor<LtMatmul>(*matmul_desc);
  const auto a = read_descriptor<LtMatrixLayout>(*a_desc);
  const auto b = read_descriptor<LtMatrixLayout>(*b_desc);
  const auto c = read_descriptor<LtMatrixLayout>(*c_desc);
  const auto d = read_descriptor<LtMatrixLayout>(*d_desc);
  for (const LtMatrixLayout& layout : {a, b, c, d}) {
    if (layout.plane_offset != 0) return SIMTBLAS_STATUS_NOT_SUPPORTED;
    if (!valid_layout(layout)) return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const auto transa = static_cast<simtblasOperation_t>(matmul.transa);
  const auto transb = static_cast<simtblasOperation_t>(matmul.transb);
  const auto epilogue = epilogue_steps(matmul.epilogue);
  if (!valid(transa) || !valid(transb) || !epilogue ||
      matmul.pointer_mode < SIMTBLASLT_POINTER_MODE_HOST ||
      matmul.pointer_mode > SIMTBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const bool a_plain = transa == SIMTBLAS_OP_N;
  const bool b_plain = transb == SIMTBLAS_OP_N;
  const std::uint64_t m = d.rows;
  const std::uint64_t n = d.columns;
  const std::uint64_t k = a_plain ? a.columns : a.rows;
  plan->m = static_cast<int>(m);
  plan->n = static_cast<int>(n);
  plan->k = static_cast<int>(k);
  plan->batch_count = d.batch_count;
  plan->a = operand_of(computed_layout(a), transa);
  plan->b = operand_of(computed_layout(b), transb);
  plan->c = result_of(computed_layout(c));
  plan->d = result_of(computed_layout(d));
  plan->layouts = {a, b, c, d};
  plan->is_reordered = is_tiled(a) || is_tiled(b) || is_tiled(c) || is_tiled(d);
  plan->matmul = matmul;
  plan->epilogue = *epilogue;
  // cuBLASLt checks types before sizes.
  if (!choose_types(matmul, plan) || !orders_go_with(*plan)) return SIMTBLAS_STATUS_NOT_SUPPORTED;
  if ((a_plain ? a.rows : a.columns) != m || (b_plain ? b.columns : b.rows) != n ||
      (b_plain ? b.rows : b.columns) != k || c.rows != m || c.columns != n ||
      a.batch_count != d.batch_count || b.batch_count != d.batch_count ||
      c.batch_count != d.batch_count) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (asks_for_more(matmul) ||
      !epilogue_goes_with(*epilogue, matmul.epilogue, plan->types)) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  // The conjugate transpose of a row-major matrix is, for the same memory in column-major order, a
  // conjugation without transposition. BLAS lacks this operation.
  if (is_complex(plan->types) && ((a.order == SIMTBLASLT_ORDER_ROW && transa == SIMTBLAS_OP_C) ||
                                  (b.order == SIMTBLASLT_ORDER_ROW && transb == SIMTBLAS_OP_C))) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  // Scales require a computation in float. The largest |D| also requires a real result.
  const bool scaled = matmul.scale_a != nullptr || matmul.scale_b != nullptr ||
                      matmul.scale_c != nullptr || matmul.scale_d != nullptr ||
                      matmul.amax_d != nullptr;
  if ((scaled && plan->types.value != GemmValue::kFloat) ||
      !epilogue_complete(*epilogue, matmul, plan->m)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return SIMTBLAS_STATUS_SUCCESS;
}

}  // namespace simtrt

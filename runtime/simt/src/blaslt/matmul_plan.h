// Checked plan of a simtblasLt multiplication: computation, types, and layout of the operands.
#pragma once

#include "blas/gemm_types.h"
#include "blaslt/descriptors.h"

#include <optional>

namespace simtrt {

/// Steps of the epilogue.
struct LtEpilogue {
  bool bias = false;
  bool relu = false;
  bool gelu = false;
  bool relu_gradient = false;
  bool gelu_gradient = false;
  bool bias_gradient = false;    // sums of D's rows
  bool bias_gradient_a = false;  // sums of op(A)'s rows
  bool bias_gradient_b = false;  // sums of op(B)'s columns
  bool aux = false;
};

/// An operand of the multiplication, described as a column-major matrix. The memory of a row-major
/// matrix is that of its transpose in column-major order; `op` is then exchanged between N and T.
struct LtOperand {
  simtDataType type;
  simtblasOperation_t op;
  std::ptrdiff_t ld;
  std::int64_t batch_offset;
};

/// C or D; the offset of element (i, j) is i * row_step + j * column_step.
struct LtResult {
  simtDataType type;
  std::ptrdiff_t row_step;
  std::ptrdiff_t column_step;
  std::int64_t batch_offset;
};

/// Layouts of the caller's matrices.
struct LtLayouts {
  LtMatrixLayout a;
  LtMatrixLayout b;
  LtMatrixLayout c;
  LtMatrixLayout d;
};

/// Operands in tiled orders are described as column-major copies (reordered.h).
struct LtPlan {
  int m;
  int n;
  int k;
  int batch_count;
  GemmTypes types;
  LtOperand a;
  LtOperand b;
  LtResult c;
  LtResult d;
  LtMatmul matmul;
  LtEpilogue epilogue;
  simtDataType bias_type;
  simtDataType aux_type;
  LtLayouts layouts;
  bool is_reordered;
};

/// Types of the computation and of the bias.
struct LtTypes {
  GemmTypes gemm;
  simtDataType bias;
};

/// Types for operands of these types; empty for an invalid combination.
std::optional<LtTypes> lt_types(simtblasComputeType_t compute, simtDataType scale, simtDataType a, simtDataType b,
                                simtDataType c, simtDataType d);

/// Checks descriptors in the same way as simtblasLtMatmul and its heuristic, and fills *plan.
/// Errors: INVALID_VALUE for null descriptors and for inconsistent sizes, operations and epilogues;
/// NOT_SUPPORTED for invalid combinations of types and for features that this library lacks.
simtblasStatus_t lt_plan(simtblasLtMatmulDesc_t matmul, simtblasLtMatrixLayout_t a,
                         simtblasLtMatrixLayout_t b, simtblasLtMatrixLayout_t c,
                         simtblasLtMatrixLayout_t d, LtPlan* plan);

}  // namespace simtrt

// A multiplication of simtblasLt, checked: what to compute, in which types, and where the operands
// lie.
#pragma once

#include "blas/gemm_types.h"
#include "blaslt/descriptors.h"

namespace simtrt {

/// Which of the epilogue's steps to take.
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

/// An operand of the multiplication, as a column-major matrix: order ROW is its transposition.
struct LtOperand {
  simtDataType type;
  simtblasOperation_t op;
  std::ptrdiff_t ld;
  std::int64_t batch_offset;
};

/// C or D: element (i, j) lies at i * row_step + j * column_step.
struct LtResult {
  simtDataType type;
  std::ptrdiff_t row_step;
  std::ptrdiff_t column_step;
  std::int64_t batch_offset;
};

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
};

/// Checks descriptors as simtblasLtMatmul and its heuristic do, and fills *plan. Errors:
/// INVALID_VALUE for null descriptors, and sizes, operations and epilogues that do not fit
/// together; NOT_SUPPORTED for types that do not go together, and for what this library lacks.
simtblasStatus_t lt_plan(simtblasLtMatmulDesc_t matmul, simtblasLtMatrixLayout_t a,
                         simtblasLtMatrixLayout_t b, simtblasLtMatrixLayout_t c,
                         simtblasLtMatrixLayout_t d, LtPlan* plan);

}  // namespace simtrt

// Products of matrices in tiled orders: copies of the operands in column-major order.
#pragma once

#include "blaslt/matmul_plan.h"

#include <vector>

namespace simtrt {

/// Pointer arguments of one call of simtblasLtMatmul.
struct LtPointers {
  const void* a;
  const void* b;
  const void* c;
  void* d;
};

/// Column-major copies of the operands in tiled orders. Made, and stored, in stream order.
class LtColumnMajorCopies {
 public:
  LtColumnMajorCopies(const LtPlan& plan, const LtPointers& pointers);

  /// Operands for the plan: the copies, and the caller's other matrices.
  LtPointers pointers() const { return used_; }

  /// Writes the result to the caller's matrix.
  void store() const;

 private:
  const void* copy(const LtMatrixLayout& layout, const void* data, std::vector<char>* memory);

  LtMatrixLayout d_layout_;
  void* d_;
  std::vector<char> copy_a_;
  std::vector<char> copy_b_;
  std::vector<char> copy_c_;
  std::vector<char> copy_d_;
  LtPointers used_;
};

}  // namespace simtrt

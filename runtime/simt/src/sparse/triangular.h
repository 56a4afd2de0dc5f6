// Solves triangular systems. The matrix of the system is one triangle of a sparse matrix, which is
// read row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sparse/matrices.h"

namespace simtrt {

struct Triangle {
  simtsparseFillMode_t fill;
  simtsparseDiagType_t diagonal;

  bool upper() const { return fill == SIMTSPARSE_FILL_MODE_UPPER; }
  bool unit() const { return diagonal == SIMTSPARSE_DIAG_TYPE_UNIT; }
  /// True if (row, column) is in the triangle and not on the diagonal.
  bool inside(std::int64_t row, std::int64_t column) const {
    return upper() ? column > row : column < row;
  }
};

/// Solves op(A) y = x and replaces x by the solution y. A has m rows; only one triangle of A is
/// read.
template <class Value, class Rows>
void solve_triangle(const Rows& a, std::int64_t m, const Triangle& triangle,
                    simtsparseOperation_t op, Value* x) {
  const bool conjugated = conjugates(op);
  // A system with a lower triangle is solved from the first row on. The transpose of an upper
  // triangle is a lower triangle.
  const bool forward = triangle.upper() == transposes(op);
  for (std::int64_t step = 0; step < m; ++step) {
    const std::int64_t i = forward ? step : m - 1 - step;
    Value diagonal{};
    Value known{};  // contribution of earlier unknowns
    a.row(i, [&](std::int64_t j, Value value) {
      if (j == i) {
        diagonal += conjugate_if(conjugated, value);
      } else if (!transposes(op) && triangle.inside(i, j)) {
        known += value * x[j];
      }
    });
    x[i] = triangle.unit() ? x[i] - known : (x[i] - known) / diagonal;
    if (transposes(op)) {
      a.row(i, [&](std::int64_t j, Value value) {
        if (triangle.inside(i, j)) {
          x[j] -= conjugate_if(conjugated, value) * x[i];
        }
      });
    }
  }
}

/// Solves op(A) Y = alpha B for the columns from `begin` to `end`. Y may be the same matrix as B.
template <class Value, class Rows, class Input, class Result>
void solve_columns(const Rows& a, std::int64_t m, const Triangle& triangle,
                   simtsparseOperation_t op, Value alpha, const Input& b, const Result& y,
                   std::int64_t begin, std::int64_t end) {
  std::vector<Value> x(static_cast<std::size_t>(m));
  for (std::int64_t j = begin; j < end; ++j) {
    for (std::int64_t i = 0; i < m; ++i) {
      x[static_cast<std::size_t>(i)] = alpha * b.at(i, j);
    }
    solve_triangle(a, m, triangle, op, x.data());
    for (std::int64_t i = 0; i < m; ++i) {
      y.set(i, j, x[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace simtrt

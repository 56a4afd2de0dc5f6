// Sparse LU factorisation with threshold partial pivoting: P A Q' = L U.
//
// Ownership: factors own their arrays.
// Threads: functions use only their arguments.
// Memory ordering: there are no atomics.
#pragma once

#include <cstddef>

#include "solver_sparse/csr.h"

namespace simtrt::direct {

/// Columns of a triangular factor without its diagonal.
template <class T>
struct TriangularColumns {
  std::vector<std::size_t> offsets = {0};
  std::vector<int> rows;
  std::vector<T> values;

  void append(int row, T value) {
    rows.push_back(row);
    values.push_back(value);
  }
  void end_column() { offsets.push_back(rows.size()); }
};

/// Factors of the matrix with the rows `row_order` and the columns `column_order` of A. L has a unit diagonal. Both
/// factors have all entries that the structure of A allows, zeros included.
template <class T>
struct LuFactor {
  TriangularColumns<T> lower;
  TriangularColumns<T> upper;
  std::vector<T> pivots;  // diagonal of U; 0 for a column without a nonzero candidate
  Permutation row_order;
  Permutation column_order;
};

/// Factorises a square matrix. The pivot of a column is the entry on the diagonal of A if its absolute value is at least
/// `threshold` times the largest of the column, otherwise the largest. The factorisation continues after a zero pivot.
/// Left-looking algorithm (Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9, 1988).
template <class T>
LuFactor<T> factor_lu(const Matrix<T>& a, Permutation column_order, Real<T> threshold);

/// Replaces x by the solution of A y = x. No pivot is zero.
template <class T>
void solve(const LuFactor<T>& factor, T* x);

}  // namespace simtrt::direct

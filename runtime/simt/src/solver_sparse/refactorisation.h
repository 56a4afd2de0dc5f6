// LU factorisation without pivoting, with a given structure of the factors.
//
// Ownership: an object owns its arrays.
// Threads: functions use only their arguments.
// Memory ordering: there are no atomics.
#pragma once

#include "solver_sparse/csr.h"

namespace simtrt::direct {

/// Pivots whose absolute value is below `zero` are replaced by `boost`, if boost is positive.
struct PivotRule {
  double zero = 0;
  double boost = 0;
};

enum class PivotResult { kRegular, kBoosted, kZero };

/// Factors L and U of P A Q' in one matrix, without the diagonal of ones of L. Columns ascend in each row.
class Refactorisation {
 public:
  /// The structure is the union of both patterns and the diagonal.
  Refactorisation(const Pattern& lower, const Pattern& upper);

  /// Stores A(p, q). Returns false if it has an entry outside the structure; the earlier matrix then stays.
  bool set_matrix(const Matrix<double>& a, const int* p, const int* q);

  /// Row by row; ends at the first zero pivot.
  PivotResult factor(const PivotRule& rule);

  /// Replaces x by the solution of A y = x.
  void solve(const int* p, const int* q, double* x) const;

  const Matrix<double>& factors() const { return factors_; }
  double pivot(int row) const { return factors_.values[static_cast<std::size_t>(diagonal(row))]; }

 private:
  int diagonal(int row) const { return diagonal_[static_cast<std::size_t>(row)]; }

  Matrix<double> matrix_;   // P A Q'
  Matrix<double> factors_;
  std::vector<int> diagonal_;  // entry of each row's diagonal
};

}  // namespace simtrt::direct

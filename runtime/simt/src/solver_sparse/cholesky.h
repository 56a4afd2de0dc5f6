// Sparse Cholesky factorisation A = L L^H.
//
// Ownership: factors own their arrays and share the analysis.
// Threads: functions use only their arguments.
// Memory ordering: there are no atomics.
#pragma once

#include <cstddef>
#include <memory>

#include "solver_sparse/csr.h"

namespace simtrt::direct {

/// Structure of L, from the elimination tree of A.
struct CholeskyAnalysis {
  int n = 0;
  std::vector<int> parent;           // parent of each column in the elimination tree, or -1
  std::vector<std::size_t> offsets;  // of the columns of L without the diagonal; n + 1
};

/// Analyses the lower triangle of a square matrix.
CholeskyAnalysis analyse_cholesky(const Pattern& a);

template <class T>
struct CholeskyFactor {
  std::shared_ptr<const CholeskyAnalysis> analysis;
  std::vector<int> rows;  // of the entries of L, column by column
  std::vector<T> values;
  std::vector<Real<T>> diagonal;  // of L; 0 from the first column whose pivot is not positive
};

/// Factorises a Hermitian positive definite matrix, whose lower triangle is read. If a pivot is not positive, the
/// factorisation ends, and the diagonal of L is 0 from this column on. Up-looking algorithm (Davis, Direct Methods for
/// Sparse Linear Systems, 2006, chapter 4).
template <class T>
CholeskyFactor<T> factor_cholesky(std::shared_ptr<const CholeskyAnalysis> analysis,
                                  const Matrix<T>& a);

/// Replaces x by the solution of A y = x. The diagonal of L has no zero.
template <class T>
void solve(const CholeskyFactor<T>& factor, T* x);

}  // namespace simtrt::direct

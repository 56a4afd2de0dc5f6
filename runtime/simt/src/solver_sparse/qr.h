// Sparse QR factorisation A(:, order) = Q R by Givens rotations.
//
// Each row of A is rotated into the rows of R until it ends in an empty row of R or vanishes. The structure of R is that of
// the Cholesky factor of A^H A, known before the factorisation (George and Heath, Linear Algebra Appl. 34, 1980).
//
// Ownership: factors own their arrays and share the analysis.
// Threads: functions use only their arguments.
// Memory ordering: there are no atomics.
#pragma once

#include <cstddef>
#include <memory>

#include "solver_sparse/csr.h"

namespace simtrt::direct {

/// Structure of R, from the elimination tree of A^H A.
struct QrAnalysis {
  int rows = 0;
  int columns = 0;
  Permutation column_order;
  std::vector<int> parent;
  std::vector<std::size_t> offsets;  // of the rows of R; each row starts with its diagonal
  std::vector<int> indices;
};

QrAnalysis analyse_qr(const Pattern& a, Permutation column_order);

/// Keeps the order of the columns, unless R would have many more entries than with a minimum degree ordering.
QrAnalysis analyse_qr(const Pattern& a);

/// Rotation of row `row` of R and another row by a unitary matrix: [conj(c) conj(s); -s c].
template <class T>
struct Rotation {
  int row;
  T c, s;
};

/// Elimination of one row: its rotations, and the row of R that it becomes (-1 if it vanishes).
struct EliminatedRow {
  int source;
  bool is_row_of_r;  // true if `source` is a row of R with a small diagonal, false if it is a row of A
  std::size_t first_rotation;
  std::size_t last_rotation;
  int place;
};

template <class T>
struct QrFactor {
  std::shared_ptr<const QrAnalysis> analysis;
  std::vector<T> r;            // entries of R
  std::vector<char> is_empty;  // rows of R without entries; their diagonal is zero
  std::vector<Rotation<T>> rotations;
  std::vector<EliminatedRow> eliminated;

  /// Diagonal of R.
  std::vector<T> diagonal() const;
};

template <class T>
QrFactor<T> factor_qr(std::shared_ptr<const QrAnalysis> analysis, const Matrix<T>& a);

/// Sets diagonals of R with absolute values up to `tolerance` to zero, and rotates the rest of their rows into later rows.
/// The columns of the empty rows of R then depend on earlier columns. Returns the rank.
template <class T>
int reveal_rank(QrFactor<T>& factor, Real<T> tolerance);

/// Writes to x the vector with the smallest |A x - b|. Unknowns of empty rows of R are 0. Returns |A x - b|.
template <class T>
Real<T> solve(const QrFactor<T>& factor, const T* b, T* x);

}  // namespace simtrt::direct

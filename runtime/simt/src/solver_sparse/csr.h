// Sparse matrices of the direct solvers: CSR with indices from 0, owned by vectors.
//
// The same arrays read as CSC are the transpose.
//
// Ownership: a matrix owns its arrays.
// Threads: functions use only their arguments.
// Memory ordering: there are no atomics.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace simtrt::direct {

/// Permutation of indices from 0: the element at position i is the element `order[i]` of the original.
using Permutation = std::vector<int>;

inline Permutation identity(int n) {
  Permutation order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Positions of the entries of a matrix. An entry may occur several times.
struct Pattern {
  int rows = 0;
  int columns = 0;
  std::vector<int> offsets;  // rows + 1
  std::vector<int> indices;  // columns of the entries

  int begin(int row) const { return offsets[static_cast<std::size_t>(row)]; }
  int end(int row) const { return offsets[static_cast<std::size_t>(row) + 1]; }
  int index(int entry) const { return indices[static_cast<std::size_t>(entry)]; }
  int nnz() const { return static_cast<int>(indices.size()); }
  bool operator==(const Pattern& other) const {
    return rows == other.rows && columns == other.columns && offsets == other.offsets &&
           indices == other.indices;
  }
};

/// A pattern, and for each of its entries the number of the entry in the matrix from which it was made.
struct MovedPattern {
  Pattern pattern;
  std::vector<int> source;
};

template <class T>
struct Matrix {
  Pattern pattern;
  std::vector<T> values;
};

template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using Type = T;
};
template <class T>
using Real = typename RealOf<T>::Type;

template <class T>
T conjugate(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    return std::conj(value);
  }
}

/// Position of the first pivot whose absolute value is at most `tolerance` or is NaN; -1 if there is none.
template <class T>
int first_small(const std::vector<T>& pivots, Real<T> tolerance) {
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    if (!(std::abs(pivots[i]) > tolerance)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

/// Copies a pattern whose indices start at `base`. Row i has the entries from starts[i] to ends[i]; for CSR without
/// gaps, `ends` is `starts + 1`.
Pattern copy_pattern(int rows, int columns, const int* starts, const int* ends, const int* indices,
                     int base);

/// Copies a CSR matrix whose indices start at `base`.
template <class T>
Matrix<T> copy_matrix(int rows, int columns, const T* values, const int* offsets,
                      const int* indices, int base) {
  Pattern pattern = copy_pattern(rows, columns, offsets, offsets + 1, indices, base);
  std::vector<T> copy(values, values + pattern.nnz());
  return {std::move(pattern), std::move(copy)};
}

MovedPattern transpose(const Pattern& a);

/// A(rows, columns): row i of the result is row rows[i] of A, column j is column columns[j]. Columns ascend in each row.
MovedPattern permute(const Pattern& a, const int* rows, const int* columns);

/// Graph of A + A' for a square matrix A, without the diagonal. Neighbours ascend and are unique.
Pattern symmetric_graph(const Pattern& a);

/// Graph of A'A without the diagonal.
Pattern normal_graph(const Pattern& a);

template <class T>
std::vector<T> gather(const std::vector<T>& values, const std::vector<int>& source) {
  std::vector<T> result(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    result[i] = values[static_cast<std::size_t>(source[i])];
  }
  return result;
}

template <class T>
Matrix<T> moved(const Matrix<T>& a, MovedPattern to) {
  return {std::move(to.pattern), gather(a.values, to.source)};
}

/// y = A x.
template <class T>
std::vector<T> multiply(const Matrix<T>& a, const std::vector<T>& x) {
  std::vector<T> y(static_cast<std::size_t>(a.pattern.rows));
  for (int i = 0; i < a.pattern.rows; ++i) {
    T sum{};
    for (int entry = a.pattern.begin(i); entry < a.pattern.end(i); ++entry) {
      sum += a.values[static_cast<std::size_t>(entry)] *
             x[static_cast<std::size_t>(a.pattern.index(entry))];
    }
    y[static_cast<std::size_t>(i)] = sum;
  }
  return y;
}

/// A - shift * I. Entries of the diagonal that the pattern lacks are added.
template <class T>
Matrix<T> shifted(const Matrix<T>& a, T shift) {
  Matrix<T> result;
  result.pattern.rows = a.pattern.rows;
  result.pattern.columns = a.pattern.columns;
  result.pattern.offsets.push_back(0);
  for (int i = 0; i < a.pattern.rows; ++i) {
    bool has_diagonal = i >= a.pattern.columns;
    for (int entry = a.pattern.begin(i); entry < a.pattern.end(i); ++entry) {
      T value = a.values[static_cast<std::size_t>(entry)];
      if (a.pattern.index(entry) == i && !has_diagonal) {
        value -= shift;
        has_diagonal = true;
      }
      result.pattern.indices.push_back(a.pattern.index(entry));
      result.values.push_back(value);
    }
    if (!has_diagonal) {
      result.pattern.indices.push_back(i);
      result.values.push_back(-shift);
    }
    result.pattern.offsets.push_back(result.pattern.nnz());
  }
  return result;
}

}  // namespace simtrt::direct

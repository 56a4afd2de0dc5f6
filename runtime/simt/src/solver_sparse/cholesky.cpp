// Sparse Cholesky factorisation.
#include "solver_sparse/cholesky.h"

#include <algorithm>

namespace simtrt::direct {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Elimination tree of a matrix, from its lower triangle (Liu, ACM Trans. Math. Softw. 12, 1986).
std::vector<int> elimination_tree(const Pattern& a) {
  std::vector<int> parent(at(a.rows), -1);
  std::vector<int> ancestor(at(a.rows), -1);  // shortcut to the root of the subtree so far
  for (int k = 0; k < a.rows; ++k) {
    for (int entry = a.begin(k); entry < a.end(k); ++entry) {
      int i = a.index(entry);
      while (i >= 0 && i < k) {
        const int next = ancestor[at(i)];
        ancestor[at(i)] = k;
        if (next < 0) {
          parent[at(i)] = k;
        }
        i = next;
      }
    }
  }
  return parent;
}

/// Finds the columns of L with an entry in a given row: the paths in the elimination tree from the entries of A.
class RowStructure {
 public:
  explicit RowStructure(const std::vector<int>& parent)
      : parent_(parent), mark_(parent.size(), -1) {}

  /// Ascending columns, without the diagonal. The result is valid until the next call.
  const std::vector<int>& of(const Pattern& a, int row) {
    columns_.clear();
    mark_[at(row)] = row;
    for (int entry = a.begin(row); entry < a.end(row); ++entry) {
      for (int i = a.index(entry); i >= 0 && i < row && mark_[at(i)] != row; i = parent_[at(i)]) {
        mark_[at(i)] = row;
        columns_.push_back(i);
      }
    }
    std::sort(columns_.begin(), columns_.end());
    return columns_;
  }

 private:
  const std::vector<int>& parent_;
  std::vector<int> mark_;
  std::vector<int> columns_;
};

}  // namespace

CholeskyAnalysis analyse_cholesky(const Pattern& a) {
  CholeskyAnalysis result;
  result.n = a.rows;
  result.parent = elimination_tree(a);
  result.offsets.assign(at(a.rows) + 1, 0);
  RowStructure structure(result.parent);
  for (int k = 0; k < a.rows; ++k) {
    for (const int column : structure.of(a, k)) {
      ++result.offsets[at(column) + 1];
    }
  }
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  return result;
}

template <class T>
CholeskyFactor<T> factor_cholesky(std::shared_ptr<const CholeskyAnalysis> analysis,
                                  const Matrix<T>& a) {
  const std::vector<std::size_t>& offsets = analysis->offsets;
  CholeskyFactor<T> factor;
  factor.rows.resize(offsets.back());
  factor.values.resize(offsets.back());
  factor.diagonal.assign(at(analysis->n), 0);
  std::vector<std::size_t> end(offsets.begin(), offsets.end() - 1);  // of the filled part of each column
  std::vector<T> x(at(analysis->n));
  RowStructure structure(analysis->parent);
  for (int k = 0; k < analysis->n; ++k) {
    // Row k of L solves the system of the first k rows of L with column k of A.
    T pivot{};
    for (int entry = a.pattern.begin(k); entry < a.pattern.end(k); ++entry) {
      const int column = a.pattern.index(entry);
      const T value = conjugate(a.values[at(entry)]);
      if (column < k) {
        x[at(column)] += value;
      } else if (column == k) {
        pivot += value;
      }
    }
    Real<T> square = std::real(pivot);
    for (const int column : structure.of(a.pattern, k)) {
      const T value = x[at(column)] / factor.diagonal[at(column)];
      x[at(column)] = T{};
      for (std::size_t entry = offsets[at(column)]; entry < end[at(column)]; ++entry) {
        x[at(factor.rows[entry])] -= factor.values[entry] * value;
      }
      square -= std::norm(value);
      factor.rows[end[at(column)]] = k;
      factor.values[end[at(column)]++] = conjugate(value);
    }
    if (!(square > 0)) {
      break;
    }
    factor.diagonal[at(k)] = std::sqrt(square);
  }
  factor.analysis = std::move(analysis);
  return factor;
}

template <class T>
void solve(const CholeskyFactor<T>& factor, T* x) {
  const std::vector<std::size_t>& offsets = factor.analysis->offsets;
  const int n = factor.analysis->n;
  for (int j = 0; j < n; ++j) {
    x[j] /= factor.diagonal[at(j)];
    for (std::size_t entry = offsets[at(j)]; entry < offsets[at(j) + 1]; ++entry) {
      x[factor.rows[entry]] -= factor.values[entry] * x[j];
    }
  }
  for (int j = n - 1; j >= 0; --j) {
    for (std::size_t entry = offsets[at(j)]; entry < offsets[at(j) + 1]; ++entry) {
      x[j] -= conjugate(factor.values[entry]) * x[factor.rows[entry]];
    }
    x[j] /= factor.diagonal[at(j)];
  }
}

#define INSTANTIATE(T)                                                                          \
  template CholeskyFactor<T> factor_cholesky(std::shared_ptr<const CholeskyAnalysis>,           \
                                             const Matrix<T>&);                                 \
  template void solve(const CholeskyFactor<T>&, T*);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(std::complex<float>)
INSTANTIATE(std::complex<double>)

}  // namespace simtrt::direct

// Sparse LU factorisation.
#include "solver_sparse/lu.h"

namespace simtrt::direct {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// State of a factorisation. Until finish(), the rows of L are rows of A; the rows of U are numbers of pivots.
template <class T>
class Factorisation {
 public:
  Factorisation(const Matrix<T>& a, Permutation column_order)
      : columns_(moved(a, transpose(a.pattern))),
        n_(a.pattern.rows),
        pivot_of_row_(at(n_), -1),
        mark_(at(n_), -1),
        x_(at(n_)) {
    factor_.column_order = std::move(column_order);
    factor_.row_order.assign(at(n_), -1);
    factor_.pivots.assign(at(n_), T{});
  }

  LuFactor<T> run(Real<T> threshold) {
    for (int k = 0; k < n_; ++k) {
      const int column = factor_.column_order[at(k)];
      find_reach(column, k);
      for (int entry = columns_.pattern.begin(column); entry < columns_.pattern.end(column); ++entry) {
        x_[at(columns_.pattern.index(entry))] += columns_.values[at(entry)];
      }
      eliminate();
      choose_pivot(column, k, threshold);
    }
    for (int& row : factor_.lower.rows) {
      row = pivot_of_row_[at(row)];
    }
    return std::move(factor_);
  }

 private:
  /// Rows in which column k of the factors has entries, in reach_: rows with a pivot follow the rows that need them.
  void find_reach(int column, int k) {
    reach_.clear();
    for (int entry = columns_.pattern.begin(column); entry < columns_.pattern.end(column); ++entry) {
      const int row = columns_.pattern.index(entry);
      if (mark_[at(row)] != k) {
        search_from(row, k);
      }
    }
  }

  /// Depth-first search in the graph of L. A row is appended after all rows that depend on it.
  void search_from(int start, int k) {
    mark_[at(start)] = k;
    stack_.assign(1, {start, first_entry(start)});
    while (!stack_.empty()) {
      auto& [row, entry] = stack_.back();
      const std::size_t end = last_entry(row);
      while (entry < end && mark_[at(factor_.lower.rows[entry])] == k) {
        ++entry;
      }
      if (entry == end) {
        reach_.push_back(row);
        stack_.pop_back();
        continue;
      }
      const int next = factor_.lower.rows[entry];
      mark_[at(next)] = k;
      stack_.emplace_back(next, first_entry(next));
    }
  }

  std::size_t first_entry(int row) const {
    const int pivot = pivot_of_row_[at(row)];
    return pivot < 0 ? 0 : factor_.lower.offsets[at(pivot)];
  }
  std::size_t last_entry(int row) const {
    const int pivot = pivot_of_row_[at(row)];
    return pivot < 0 ? 0 : factor_.lower.offsets[at(pivot) + 1];
  }

  /// Solves with the columns of L so far, and appends the results to U.
  void eliminate() {
    for (auto row = reach_.rbegin(); row != reach_.rend(); ++row) {
      const int pivot = pivot_of_row_[at(*row)];
      if (pivot < 0) {
        continue;
      }
      const T value = x_[at(*row)];
      x_[at(*row)] = T{};
      factor_.upper.append(pivot, value);
      for (std::size_t entry = first_entry(*row); entry < last_entry(*row); ++entry) {
        x_[at(factor_.lower.rows[entry])] -= factor_.lower.values[entry] * value;
      }
    }
    factor_.upper.end_column();
  }

  void choose_pivot(int column, int k, Real<T> threshold) {
    int largest = -1;
    Real<T> size = -1;
    for (const int row : reach_) {
      if (pivot_of_row_[at(row)] < 0 && std::abs(x_[at(row)]) > size) {
        largest = row;
        size = std::abs(x_[at(row)]);
      }
    }
    const bool is_diagonal_free = mark_[at(column)] == k && pivot_of_row_[at(column)] < 0;
    int row = is_diagonal_free && std::abs(x_[at(column)]) >= threshold * size ? column : largest;
    if (row < 0) {  // no candidate, or only NaN
      row = free_row(column);
    }
    const T pivot = x_[at(row)];
    factor_.pivots[at(k)] = pivot;
    factor_.row_order[at(k)] = row;
    pivot_of_row_[at(row)] = k;
    for (const int other : reach_) {
      if (pivot_of_row_[at(other)] < 0) {
        factor_.lower.append(other, pivot == T{} ? T{} : x_[at(other)] / pivot);
      }
      x_[at(other)] = T{};
    }
    factor_.lower.end_column();
  }

  /// Row without a pivot: `row` itself if possible.
  int free_row(int row) {
    if (pivot_of_row_[at(row)] < 0) {
      return row;
    }
    while (pivot_of_row_[at(first_free_)] >= 0) {
      ++first_free_;
    }
    return first_free_;
  }

  Matrix<T> columns_;  // A by columns
  int n_;
  LuFactor<T> factor_;
  std::vector<int> pivot_of_row_;  // number of the pivot in a row of A, or -1
  std::vector<int> mark_;          // last column whose reach contains the row
  std::vector<T> x_;
  std::vector<int> reach_;
  std::vector<std::pair<int, std::size_t>> stack_;  // row, and next entry of its column of L
  int first_free_ = 0;
};

}  // namespace

template <class T>
LuFactor<T> factor_lu(const Matrix<T>& a, Permutation column_order, Real<T> threshold) {
  return Factorisation<T>(a, std::move(column_order)).run(threshold);
}

template <class T>
void solve(const LuFactor<T>& factor, T* x) {
  const auto n = static_cast<int>(factor.pivots.size());
  std::vector<T> y(at(n));
  for (int i = 0; i < n; ++i) {
    y[at(i)] = x[factor.row_order[at(i)]];
  }
  for (int j = 0; j < n; ++j) {
    for (std::size_t entry = factor.lower.offsets[at(j)]; entry < factor.lower.offsets[at(j) + 1]; ++entry) {
      y[at(factor.lower.rows[entry])] -= factor.lower.values[entry] * y[at(j)];
    }
  }
  for (int j = n - 1; j >= 0; --j) {
    y[at(j)] /= factor.pivots[at(j)];
    for (std::size_t entry = factor.upper.offsets[at(j)]; entry < factor.upper.offsets[at(j) + 1]; ++entry) {
      y[at(factor.upper.rows[entry])] -= factor.upper.values[entry] * y[at(j)];
    }
  }
  for (int j = 0; j < n; ++j) {
    x[factor.column_order[at(j)]] = y[at(j)];
  }
}

#define INSTANTIATE(T)                                                        \
  template LuFactor<T> factor_lu(const Matrix<T>&, Permutation, Real<T>);     \
  template void solve(const LuFactor<T>&, T*);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(std::complex<float>)
INSTANTIATE(std::complex<double>)

}  // namespace simtrt::direct

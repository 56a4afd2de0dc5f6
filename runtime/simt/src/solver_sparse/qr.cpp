// Sparse QR factorisation.
#include "solver_sparse/qr.h"

#include <algorithm>

#include "solver_sparse/ordering.h"

namespace simtrt::direct {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Rotates one row of numbers after another into R.
template <class T>
class RowElimination {
 public:
  explicit RowElimination(QrFactor<T>& factor)
      : factor_(factor), analysis_(*factor.analysis), row_(at(analysis_.columns)) {}

  void add(int column, T value) { row_[at(column)] += value; }

  /// Eliminates the row that add() has given. `first` is at most its first column. Later nonzero columns of the row are
  /// ancestors of this column in the elimination tree.
  void run(int first, EliminatedRow eliminated) {
    eliminated.first_rotation = factor_.rotations.size();
    eliminated.place = -1;
    for (int k = first; k >= 0; k = analysis_.parent[at(k)]) {
      if (row_[at(k)] == T{}) {
        continue;
      }
      if (factor_.is_empty[at(k)] != 0) {
        move_to(k);
        eliminated.place = k;
        break;
      }
      rotate(k);
    }
    eliminated.last_rotation = factor_.rotations.size();
    factor_.eliminated.push_back(eliminated);
  }

 private:
  void move_to(int k) {
    for (std::size_t entry = analysis_.offsets[at(k)]; entry < analysis_.offsets[at(k) + 1]; ++entry) {
      T& value = row_[at(analysis_.indices[entry])];
      factor_.r[entry] = value;
      value = T{};
    }
    factor_.is_empty[at(k)] = 0;
  }

  void rotate(int k) {
    const std::size_t begin = analysis_.offsets[at(k)];
    const T diagonal = factor_.r[begin];
    const T value = row_[at(k)];
    const Real<T> norm = std::hypot(std::abs(diagonal), std::abs(value));
    const T c = diagonal / norm;
    const T s = value / norm;
    factor_.rotations.push_back({k, c, s});
    factor_.r[begin] = T(norm);
    row_[at(k)] = T{};
    for (std::size_t entry = begin + 1; entry < analysis_.offsets[at(k) + 1]; ++entry) {
      T& below = row_[at(analysis_.indices[entry])];
      const T upper = factor_.r[entry];
      factor_.r[entry] = conjugate(c) * upper + conjugate(s) * below;
      below = c * below - s * upper;
    }
  }

  QrFactor<T>& factor_;
  const QrAnalysis& analysis_;
  std::vector<T> row_;
};

int first_column(const Pattern& a, int row) {
  const auto first = a.indices.begin() + a.begin(row);
  const auto last = a.indices.begin() + a.end(row);
  return first == last ? -1 : *std::min_element(first, last);
}

MovedPattern ordered(const Pattern& a, const Permutation& columns) {
  return permute(a, identity(a.rows).data(), columns.data());
}

}  // namespace

QrAnalysis analyse_qr(const Pattern& original, Permutation column_order) {
  const Pattern a = ordered(original, column_order).pattern;
  QrAnalysis result;
  result.rows = a.rows;
  result.columns = a.columns;
  result.column_order = std::move(column_order);
  result.parent.assign(at(a.columns), -1);
  result.offsets.push_back(0);
  std::vector<std::vector<int>> rows_from(at(a.columns));  // rows of A by their first column
  for (int i = 0; i < a.rows; ++i) {
    if (const int first = first_column(a, i); first >= 0) {
      rows_from[at(first)].push_back(i);
    }
  }
  std::vector<std::vector<int>> children(at(a.columns));
  std::vector<int> mark(at(a.columns), -1);
  for (int k = 0; k < a.columns; ++k) {
    // Row k of R has the columns of the rows of A that start here and of the rows of R of the children.
    const auto begin = static_cast<std::ptrdiff_t>(result.indices.size());
    const auto add = [&](int column) {
      if (column > k && mark[at(column)] != k) {
        mark[at(column)] = k;
        result.indices.push_back(column);
      }
    };
    result.indices.push_back(k);
    for (const int row : rows_from[at(k)]) {
      std::for_each(a.indices.begin() + a.begin(row), a.indices.begin() + a.end(row), add);
    }
    for (const int child : children[at(k)]) {
      for (std::size_t entry = result.offsets[at(child)]; entry < result.offsets[at(child) + 1]; ++entry) {
        add(result.indices[entry]);
      }
    }
    std::sort(result.indices.begin() + begin, result.indices.end());
    result.offsets.push_back(result.indices.size());
    if (result.offsets[at(k) + 1] - result.offsets[at(k)] > 1) {
      result.parent[at(k)] = result.indices[result.offsets[at(k)] + 1];
      children[at(result.parent[at(k)])].push_back(k);
    }
  }
  return result;
}

QrAnalysis analyse_qr(const Pattern& a) {
  constexpr std::size_t kMany = 16;  // entries of R for each entry of A; a band of this width needs no other order
  QrAnalysis result = analyse_qr(a, identity(a.columns));
  if (result.indices.size() > kMany * a.indices.size()) {
    QrAnalysis other = analyse_qr(a, minimum_degree(normal_graph(a)));
    if (other.indices.size() < result.indices.size() / 2) {
      return other;
    }
  }
  return result;
}

template <class T>
std::vector<T> QrFactor<T>::diagonal() const {
  std::vector<T> result(at(analysis->columns));
  for (int k = 0; k < analysis->columns; ++k) {
    result[at(k)] = is_empty[at(k)] != 0 ? T{} : r[analysis->offsets[at(k)]];
  }
  return result;
}

template <class T>
QrFactor<T> factor_qr(std::shared_ptr<const QrAnalysis> analysis, const Matrix<T>& original) {
  const Matrix<T> a = moved(original, ordered(original.pattern, analysis->column_order));
  QrFactor<T> factor;
  factor.analysis = std::move(analysis);
  factor.r.resize(factor.analysis->indices.size());
  factor.is_empty.assign(at(a.pattern.columns), 1);
  RowElimination<T> elimination(factor);
  for (int i = 0; i < a.pattern.rows; ++i) {
    for (int entry = a.pattern.begin(i); entry < a.pattern.end(i); ++entry) {
      elimination.add(a.pattern.index(entry), a.values[at(entry)]);
    }
    elimination.run(first_column(a.pattern, i), {i, false, 0, 0, -1});
  }
  return factor;
}

template <class T>
int reveal_rank(QrFactor<T>& factor, Real<T> tolerance) {
  const QrAnalysis& analysis = *factor.analysis;
  RowElimination<T> elimination(factor);
  int rank = 0;
  for (int k = 0; k < analysis.columns; ++k) {
    if (factor.is_empty[at(k)] != 0) {
      continue;
    }
    const std::size_t begin = analysis.offsets[at(k)];
    if (std::abs(factor.r[begin]) > tolerance) {
      ++rank;
      continue;
    }
    for (std::size_t entry = begin + 1; entry < analysis.offsets[at(k) + 1]; ++entry) {
      elimination.add(analysis.indices[entry], factor.r[entry]);
    }
    factor.is_empty[at(k)] = 1;
    elimination.run(analysis.parent[at(k)], {k, true, 0, 0, -1});
  }
  return rank;
}

template <class T>
Real<T> solve(const QrFactor<T>& factor, const T* b, T* x) {
  const QrAnalysis& analysis = *factor.analysis;
  std::vector<T> c(at(analysis.columns));
  Real<T> rest{};  // square of |A x - b|
  for (const EliminatedRow& row : factor.eliminated) {
    T value = b[row.is_row_of_r ? 0 : row.source];
    if (row.is_row_of_r) {
      value = std::exchange(c[at(row.source)], T{});
    }
    for (std::size_t i = row.first_rotation; i < row.last_rotation; ++i) {
      const Rotation<T>& rotation = factor.rotations[i];
      const T upper = c[at(rotation.row)];
      c[at(rotation.row)] = conjugate(rotation.c) * upper + conjugate(rotation.s) * value;
      value = rotation.c * value - rotation.s * upper;
    }
    if (row.place >= 0) {
      c[at(row.place)] = value;
    } else {
      rest += std::norm(value);
    }
  }
  for (int k = analysis.columns - 1; k >= 0; --k) {
    T& value = c[at(k)];
    for (std::size_t entry = analysis.offsets[at(k)] + 1; entry < analysis.offsets[at(k) + 1]; ++entry) {
      value -= factor.r[entry] * c[at(analysis.indices[entry])];
    }
    value = factor.is_empty[at(k)] != 0 ? T{} : value / factor.r[analysis.offsets[at(k)]];
    x[analysis.column_order[at(k)]] = value;
  }
  return std::sqrt(rest);
}

#define INSTANTIATE(T)                                                                        \
  template struct QrFactor<T>;                                                                \
  template QrFactor<T> factor_qr(std::shared_ptr<const QrAnalysis>, const Matrix<T>&);        \
  template int reveal_rank(QrFactor<T>&, Real<T>);                                            \
  template Real<T> solve(const QrFactor<T>&, const T*, T*);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(std::complex<float>)
INSTANTIATE(std::complex<double>)

}  // namespace simtrt::direct

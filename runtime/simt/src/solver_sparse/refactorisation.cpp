// LU factorisation without pivoting, with a given structure of the factors.
#include "solver_sparse/refactorisation.h"

#include <algorithm>

namespace simtrt::direct {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Refactorisation::Refactorisation(const Pattern& lower, const Pattern& upper) {
  Pattern& pattern = factors_.pattern;
  pattern.rows = pattern.columns = lower.rows;
  pattern.offsets.push_back(0);
  for (int i = 0; i < lower.rows; ++i) {
    std::vector<int> row = {i};
    for (const Pattern* part : {&lower, &upper}) {
      row.insert(row.end(), part->indices.begin() + part->begin(i), part->indices.begin() + part->end(i));
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    diagonal_.push_back(pattern.nnz() +
                        static_cast<int>(std::lower_bound(row.begin(), row.end(), i) - row.begin()));
    pattern.indices.insert(pattern.indices.end(), row.begin(), row.end());
    pattern.offsets.push_back(pattern.nnz());
  }
  factors_.values.resize(pattern.indices.size());
}

bool Refactorisation::set_matrix(const Matrix<double>& a, const int* p, const int* q) {
  Matrix<double> permuted = moved(a, permute(a.pattern, p, q));
  const Pattern& structure = factors_.pattern;
  for (int i = 0; i < structure.rows; ++i) {
    const auto row = [i](const Pattern& from) {
      return std::pair(from.indices.begin() + from.begin(i), from.indices.begin() + from.end(i));
    };
    auto [first, last] = row(permuted.pattern);
    const auto [begin, end] = row(structure);
    if (!std::all_of(first, last, [begin = begin, end = end](int column) {
          return std::binary_search(begin, end, column);
        })) {
      return false;
    }
  }
  matrix_ = std::move(permuted);
  return true;
}

PivotResult Refactorisation::factor(const PivotRule& rule) {
  const Pattern& structure = factors_.pattern;
  std::vector<double>& values = factors_.values;
  std::vector<double> row(at(structure.rows));
  std::vector<int> mark(at(structure.rows), -1);  // last row whose structure contains the column
  PivotResult result = PivotResult::kRegular;
  for (int i = 0; i < structure.rows; ++i) {
    for (int entry = structure.begin(i); entry < structure.end(i); ++entry) {
      mark[at(structure.index(entry))] = i;
      row[at(structure.index(entry))] = 0;
    }
    for (int entry = matrix_.pattern.begin(i); entry < matrix_.pattern.end(i); ++entry) {
      row[at(matrix_.pattern.index(entry))] += matrix_.values[at(entry)];
    }
    for (int entry = structure.begin(i); entry < diagonal(i); ++entry) {
      const int k = structure.index(entry);
      const double factor = row[at(k)] /= pivot(k);
      for (int upper = diagonal(k) + 1; upper < structure.end(k); ++upper) {
        if (mark[at(structure.index(upper))] == i) {
          row[at(structure.index(upper))] -= factor * values[at(upper)];
        }
      }
    }
    double& own = row[at(i)];
    if (own == 0 || std::abs(own) < rule.zero) {
      if (!(rule.boost > 0)) {
        return PivotResult::kZero;
      }
      own = rule.boost;
      result = PivotResult::kBoosted;
    }
    for (int entry = structure.begin(i); entry < structure.end(i); ++entry) {
      values[at(entry)] = row[at(structure.index(entry))];
    }
  }
  return result;
}

void Refactorisation::solve(const int* p, const int* q, double* x) const {
  const Pattern& structure = factors_.pattern;
  const int n = structure.rows;
  std::vector<double> y(at(n));
  for (int i = 0; i < n; ++i) {
    y[at(i)] = x[p[i]];
    for (int entry = structure.begin(i); entry < diagonal(i); ++entry) {
      y[at(i)] -= factors_.values[at(entry)] * y[at(structure.index(entry))];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int entry = diagonal(i) + 1; entry < structure.end(i); ++entry) {
      y[at(i)] -= factors_.values[at(entry)] * y[at(structure.index(entry))];
    }
    y[at(i)] /= pivot(i);
  }
  for (int j = 0; j < n; ++j) {
    x[q[j]] = y[at(j)];
  }
}

}  // namespace simtrt::direct

// Maximum matching of the rows and columns of a square sparse matrix.
#include "solver_sparse/ordering.h"

namespace simtrt::direct {
namespace {

class Matching {
 public:
  explicit Matching(const Pattern& a)
      : a_(a),
        row_of_(static_cast<std::size_t>(a.columns), -1),
        next_(a.offsets.begin(), a.offsets.end() - 1),
        visited_(static_cast<std::size_t>(a.rows), -1) {}

  /// Matches a row with its own column. Returns false if the row has no entry there.
  bool take_diagonal(int row) {
    for (int entry = a_.begin(row); entry < a_.end(row); ++entry) {
      if (a_.index(entry) == row) {
        row_of_[at(row)] = row;
        return true;
      }
    }
    return false;
  }

  /// Extends the matching by `start`, along an augmenting path. The search keeps its own stack, because paths can have
  /// as many rows as the matrix.
  void add(int start) {
    std::vector<int> rows = {start};
    std::vector<int> columns;  // column that leads from rows[i] to rows[i + 1]
    visited_[at(start)] = start;
    next_[at(start)] = a_.begin(start);
    while (!rows.empty()) {
      const int row = rows.back();
      if (const int free = free_column(row); free >= 0) {
        columns.push_back(free);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          row_of_[at(columns[i])] = rows[i];
        }
        return;
      }
      int& entry = next_[at(row)];
      while (entry < a_.end(row) && visited_[at(row_of_[at(a_.index(entry))])] == start) {
        ++entry;
      }
      if (entry == a_.end(row)) {
        rows.pop_back();
        if (!columns.empty()) {
          columns.pop_back();
        }
        continue;
      }
      columns.push_back(a_.index(entry));
      const int owner = row_of_[at(columns.back())];
      visited_[at(owner)] = start;
      next_[at(owner)] = a_.begin(owner);
      rows.push_back(owner);
    }
  }

  std::vector<int> row_of_column() && { return std::move(row_of_); }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  int free_column(int row) const {
    for (int entry = a_.begin(row); entry < a_.end(row); ++entry) {
      if (row_of_[at(a_.index(entry))] < 0) {
        return a_.index(entry);
      }
    }
    return -1;
  }

  const Pattern& a_;
  std::vector<int> row_of_;   // row of each column
  std::vector<int> next_;     // next entry of a row that the search tries
  std::vector<int> visited_;  // start of the last search that reached the row
};

}  // namespace

std::vector<int> maximum_matching(const Pattern& a) {
  Matching matching(a);
  // A matrix with a full diagonal is not permuted.
  std::vector<int> others;
  for (int row = 0; row < a.rows; ++row) {
    if (!matching.take_diagonal(row)) {
      others.push_back(row);
    }
  }
  for (const int row : others) {
    matching.add(row);
  }
  return std::move(matching).row_of_column();
}

}  // namespace simtrt::direct

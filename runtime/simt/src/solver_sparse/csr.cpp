// Copies, permutations and graphs of sparse matrices.
#include "solver_sparse/csr.h"

#include <algorithm>

namespace simtrt::direct {
namespace {

/// Sums the numbers of entries of the rows: offsets[i + 1] is the number of entries of row i at first.
void accumulate(std::vector<int>& offsets) {
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
}

/// Sorts the entries of each row by column and removes duplicates and the diagonal.
Pattern simple_graph(int n, std::vector<std::vector<int>> neighbours) {
  Pattern graph;
  graph.rows = graph.columns = n;
  graph.offsets.push_back(0);
  for (int i = 0; i < n; ++i) {
    std::vector<int>& row = neighbours[static_cast<std::size_t>(i)];
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (const int j : row) {
      if (j != i) {
        graph.indices.push_back(j);
      }
    }
    graph.offsets.push_back(graph.nnz());
    std::vector<int>().swap(row);
  }
  return graph;
}

}  // namespace

Pattern copy_pattern(int rows, int columns, const int* starts, const int* ends, const int* indices,
                     int base) {
  Pattern pattern;
  pattern.rows = rows;
  pattern.columns = columns;
  pattern.offsets.reserve(static_cast<std::size_t>(rows) + 1);
  pattern.offsets.push_back(0);
  for (int i = 0; i < rows; ++i) {
    for (int entry = starts[i] - base; entry < ends[i] - base; ++entry) {
      pattern.indices.push_back(indices[entry] - base);
    }
    pattern.offsets.push_back(pattern.nnz());
  }
  return pattern;
}

MovedPattern transpose(const Pattern& a) {
  MovedPattern result;
  result.pattern.rows = a.columns;
  result.pattern.columns = a.rows;
  result.pattern.offsets.assign(static_cast<std::size_t>(a.columns) + 1, 0);
  result.pattern.indices.resize(a.indices.size());
  result.source.resize(a.indices.size());
  for (const int j : a.indices) {
    ++result.pattern.offsets[static_cast<std::size_t>(j) + 1];
  }
  accumulate(result.pattern.offsets);
  std::vector<int> next(result.pattern.offsets.begin(), result.pattern.offsets.end() - 1);
  for (int i = 0; i < a.rows; ++i) {
    for (int entry = a.begin(i); entry < a.end(i); ++entry) {
      const auto place =
          static_cast<std::size_t>(next[static_cast<std::size_t>(a.index(entry))]++);
      result.pattern.indices[place] = i;
      result.source[place] = entry;
    }
  }
  return result;
}

MovedPattern permute(const Pattern& a, const int* rows, const int* columns) {
  std::vector<int> new_column(static_cast<std::size_t>(a.columns));
  for (int j = 0; j < a.columns; ++j) {
    new_column[static_cast<std::size_t>(columns[j])] = j;
  }
  MovedPattern result;
  result.pattern.rows = a.rows;
  result.pattern.columns = a.columns;
  result.pattern.offsets.push_back(0);
  std::vector<std::pair<int, int>> entries;  // column and number of the entry
  for (int i = 0; i < a.rows; ++i) {
    entries.clear();
    for (int entry = a.begin(rows[i]); entry < a.end(rows[i]); ++entry) {
      entries.emplace_back(new_column[static_cast<std::size_t>(a.index(entry))], entry);
    }
    std::sort(entries.begin(), entries.end());
    for (const auto& [column, entry] : entries) {
      result.pattern.indices.push_back(column);
      result.source.push_back(entry);
    }
    result.pattern.offsets.push_back(result.pattern.nnz());
  }
  return result;
}

Pattern symmetric_graph(const Pattern& a) {
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(a.rows));
  for (int i = 0; i < a.rows; ++i) {
    for (int entry = a.begin(i); entry < a.end(i); ++entry) {
      neighbours[static_cast<std::size_t>(i)].push_back(a.index(entry));
      neighbours[static_cast<std::size_t>(a.index(entry))].push_back(i);
    }
  }
  return simple_graph(a.rows, std::move(neighbours));
}

Pattern normal_graph(const Pattern& a) {
  const Pattern columns = transpose(a).pattern;
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(a.columns));
  std::vector<int> seen_by(static_cast<std::size_t>(a.columns), -1);
  for (int j = 0; j < a.columns; ++j) {
    for (int entry = columns.begin(j); entry < columns.end(j); ++entry) {
      const int row = columns.index(entry);
      for (int other = a.begin(row); other < a.end(row); ++other) {
        int& seen = seen_by[static_cast<std::size_t>(a.index(other))];
        if (seen != j) {
          seen = j;
          neighbours[static_cast<std::size_t>(j)].push_back(a.index(other));
        }
      }
    }
  }
  return simple_graph(a.columns, std::move(neighbours));
}

}  // namespace simtrt::direct

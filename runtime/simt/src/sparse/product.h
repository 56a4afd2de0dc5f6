// Product of a sparse and a dense matrix, C = alpha op(A) B + beta C, distributed over the workers.
#pragma once

#include <simtrt/enqueue.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sparse/matrices.h"

namespace simtrt {

/// Calls `part(begin, end)` for parts of [0, count) on the workers; `work` is the total number of
/// multiplications.
template <class Part>
void spread(std::int64_t count, double work, const Part& part) {
  constexpr double kWorthHandingOver = 1 << 16;
  const double each = work / static_cast<double>(std::max<std::int64_t>(count, 1));
  const double grain = std::max(1.0, kWorthHandingOver / std::max(each, 1.0));
  parallel_for(static_cast<std::size_t>(count), static_cast<std::size_t>(grain),
               [&](std::size_t begin, std::size_t end) {
                 part(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
               });
}

template <class Value>
struct ProductScalars {
  Value alpha;
  Value beta;
};

/// Product for op(A) = A, if A can be read row by row: each row of C is a sum of rows of B.
template <class Rows, class Dense, class Result, class Value>
void multiply_by_rows(const Rows& a, std::int64_t m, double work, const Dense& b, std::int64_t n,
                      const ProductScalars<Value>& scalars, const Result& c) {
  spread(m, work, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Value> sums(static_cast<std::size_t>(n));
    for (std::int64_t i = begin; i < end; ++i) {
      std::fill(sums.begin(), sums.end(), Value());
      a.row(i, [&](std::int64_t k, Value value) {
        for (std::int64_t j = 0; j < n; ++j) {
          sums[static_cast<std::size_t>(j)] += value * b.at(k, j);
        }
      });
      for (std::int64_t j = 0; j < n; ++j) {
        c.update(i, j, scalars.alpha, sums[static_cast<std::size_t>(j)], scalars.beta);
      }
    }
  });
}

/// Product for any op(A). A is read entry by entry, and the columns of C are computed
/// independently.
template <class Sparse, class Dense, class Value>
void multiply_by_columns(const Sparse& a, simtsparseOperation_t op_a, std::int64_t m, double work,
                         const Dense& b, std::int64_t n, const ProductScalars<Value>& scalars,
                         const Dense& c) {
  spread(n, work, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Value> sums(static_cast<std::size_t>(m));
    for (std::int64_t j = begin; j < end; ++j) {
      std::fill(sums.begin(), sums.end(), Value());
      a.entries([&](std::int64_t row, std::int64_t column, Value value) {
        const std::int64_t i = transposes(op_a) ? column : row;
        const std::int64_t k = transposes(op_a) ? row : column;
        sums[static_cast<std::size_t>(i)] += conjugate_if(conjugates(op_a), value) * b.at(k, j);
      });
      for (std::int64_t i = 0; i < m; ++i) {
        c.update(i, j, scalars.alpha, sums[static_cast<std::size_t>(i)], scalars.beta);
      }
    }
  });
}

}  // namespace simtrt

// Reductions and scans over partial results, as on a GPU. Sums of many floating-point numbers in
// sequence lose precision: a sum of ones in 16 bits stops at 2048.
//
// Partial results combine neighbours from left to right: the operator must be associative, as
// CUDA's libraries require, but not commutative. Their sizes depend on the range only, so that
// results do not depend on the machine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace simtrt {

/// Number of items that are combined in sequence, and of partial results that are.
inline constexpr std::int64_t kPartial = 16;

/// Reduction of item(begin) to item(end - 1); the range must not be empty.
template <class Acc, class Item, class Op>
Acc reduce_partially(const Item& item, std::int64_t begin, std::int64_t end, Op& op) {
  if (std::is_integral_v<Acc> || end - begin <= kPartial) {
    Acc total = static_cast<Acc>(item(begin));
    for (std::int64_t i = begin + 1; i < end; ++i) total = static_cast<Acc>(op(total, item(i)));
    return total;
  }
  const std::int64_t half = (end - begin + 2 * kPartial - 1) / (2 * kPartial) * kPartial;
  const Acc left = reduce_partially<Acc>(item, begin, begin + half, op);
  return static_cast<Acc>(op(left, reduce_partially<Acc>(item, begin + half, end, op)));
}

/// Combination of two partial results, either of which may be absent.
template <class Acc, class Op>
std::optional<Acc> combine(const std::optional<Acc>& left, const std::optional<Acc>& right,
                           Op& op) {
  if (!left || !right) return left ? left : right;
  return static_cast<Acc>(op(*left, *right));
}

/// Scan in sequence. `running` is the result before the range. The last item is read only by an
/// inclusive scan.
template <bool INCLUSIVE, class Acc, class Item, class Put, class Op>
void scan_in_sequence(const Item& item, const Put& put, std::int64_t begin, std::int64_t end,
                      Op& op, std::optional<Acc> running) {
  for (std::int64_t i = begin; i < end; ++i) {
    if (!INCLUSIVE && i + 1 == end) {
      put(i, *running);
      return;
    }
    const auto value = item(i);  // the output may be the input
    if (!INCLUSIVE) put(i, *running);
    running = running ? static_cast<Acc>(op(*running, value)) : static_cast<Acc>(value);
    if (INCLUSIVE) put(i, *running);
  }
}

/// Scan of item(begin) to item(end - 1): calls put(i, result). `before` is the result before the
/// range; an exclusive scan needs one. The output may be the input. An exclusive scan does not
/// read the last item.
template <bool INCLUSIVE, class Acc, class Item, class Put, class Op>
void scan_partially(const Item& item, const Put& put, std::int64_t begin, std::int64_t end, Op& op,
                    std::optional<Acc> before) {
  if constexpr (std::is_integral_v<Acc>) {
    return scan_in_sequence<INCLUSIVE>(item, put, begin, end, op, before);
  }
  constexpr std::int64_t kRows = kPartial * kPartial;
  std::array<std::optional<Acc>, kRows> totals;
  for (std::int64_t block = begin; block < end; block += kRows * kPartial) {
    const auto row_begin = [&](std::int64_t row) { return block + row * kPartial; };
    const auto row_end = [&](std::int64_t row) {
      return row_begin(row + 1) < end ? row_begin(row + 1) : end;
    };
    // Nothing reads the total of the last row.
    for (std::int64_t row = 0; row < kRows && row_end(row) < end; ++row) {
      totals[row] = reduce_partially<Acc>(item, row_begin(row), row_end(row), op);
    }
    std::optional<Acc> groups, rows;  // of this block, and of this group of rows
    for (std::int64_t row = 0; row < kRows && row_begin(row) < end; ++row) {
      if (row % kPartial == 0) {
        groups = combine(groups, rows, op);
        rows.reset();
      }
      scan_in_sequence<INCLUSIVE>(item, put, row_begin(row), row_end(row), op,
                                  combine(combine(before, groups, op), rows, op));
      if (row_end(row) < end) rows = combine(rows, totals[row], op);
    }
    before = combine(before, combine(groups, rows, op), op);
  }
}

}  // namespace simtrt

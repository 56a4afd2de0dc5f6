// Matrix product with conversion. Panels of A and B are converted to the type of the computation,
// and the host's BLAS multiplies them. The result is computed tile by tile; the caller processes
// each tile (scaling, epilogues, rounding).
#pragma once

#include <simtrt/enqueue.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "blas/elements.h"
#include "blas/gemm.h"

namespace simtrt {

/// op(X) of a column-major matrix X.
struct PanelOperand {
  const void* data;
  simtDataType type;
  simtblasOperation_t op;
  std::ptrdiff_t ld;
};

/// Tile of op(A) op(B): `rows` by `columns` elements, beginning at (row, column); element (i, j) is
/// data[i + j * ld].
template <class Value>
struct GemmTile {
  int row;
  int column;
  int rows;
  int columns;
  const Value* data;
  int ld;

  const Value* column_data(int j) const { return data + static_cast<std::ptrdiff_t>(j) * ld; }
};

/// Rows, columns and depth of a panel. Three panels of float take 12 MB. Each converted element is
/// used in about two thousand multiplications. A sum of 1024 products of int8 is at most 2^24, so
/// float represents it exactly.
constexpr int kPanel = 1024;

/// One panel of an operand. Elements of another type are converted to Value. The next panel reuses
/// the memory.
template <class Value>
class Panel {
 public:
  /// Loads op(X)[row .. row + rows, column .. column + columns].
  void load(const PanelOperand& x, int row, int rows, int column, int columns) {
    const bool transposed = x.op != SIMTBLAS_OP_N;
    const std::ptrdiff_t first = transposed ? column + row * x.ld : row + column * x.ld;
    if (holds_values(x.type)) {
      data_ = static_cast<const Value*>(x.data) + first;
      ld_ = static_cast<int>(x.ld);
      return;
    }
    const int stored_rows = transposed ? columns : rows;
    const int stored_columns = transposed ? rows : columns;
    const std::size_t size =
        static_cast<std::size_t>(stored_rows) * static_cast<std::size_t>(stored_columns);
    if (size > capacity_) {
      converted_.reset(new Value[size]);
      capacity_ = size;
    }
    with_input_element<Value>(x.type, [&](auto element) {
      using Element = decltype(element);
      const auto* source = static_cast<const typename Element::Storage*>(x.data) + first;
      const std::size_t grain = std::max<std::size_t>(1, 32768 / stored_rows);
      parallel_for(static_cast<std::size_t>(stored_columns), grain,
                   [&](std::size_t begin, std::size_t end) {
                     for (std::size_t j = begin; j < end; ++j) {
                       const auto* from = source + static_cast<std::ptrdiff_t>(j) * x.ld;
                       Value* to = converted_.get() + j * stored_rows;
                       for (int i = 0; i < stored_rows; ++i) {
                         to[i] = Element::load(from[i]);
                       }
                     }
                   });
    });
    data_ = converted_.get();
    ld_ = std::max(1, stored_rows);
  }

  const Value* data() const { return data_; }
  int ld() const { return ld_; }

 private:
  static bool holds_values(simtDataType type) {
    return type == (std::is_same_v<Value, float>                 ? SIMT_R_32F
                    : std::is_same_v<Value, double>              ? SIMT_R_64F
                    : std::is_same_v<Value, std::complex<float>> ? SIMT_C_32F
                                                                 : SIMT_C_64F);
  }

  std::unique_ptr<Value[]> converted_;
  std::size_t capacity_ = 0;
  const Value* data_ = nullptr;
  int ld_ = 1;
};

/// Computes op(A) op(B), m by n, in Value, and passes each tile to `store`. Sum is the element type
/// of a tile: Value, or int32_t for int8 operands, whose sums are exact and wrap around.
template <class Value, class Sum, class Store>
void panel_gemm(int m, int n, int k, const PanelOperand& a, const PanelOperand& b,
                const Store& store) {
  const int tile_rows = std::min(m, kPanel);
  const int tile_columns = std::min(n, kPanel);
  const std::size_t tile_size =
      static_cast<std::size_t>(tile_rows) * static_cast<std::size_t>(tile_columns);
  constexpr bool sums_apart = !std::is_same_v<Value, Sum>;
  std::unique_ptr<Sum[]> tile(new Sum[tile_size]);
  std::unique_ptr<Value[]> product(sums_apart ? new Value[tile_size] : nullptr);
  Panel<Value> panel_a;
  Panel<Value> panel_b;
  for (int column = 0; column < n; column += tile_columns) {
    const int columns = std::min(tile_columns, n - column);
    for (int row = 0; row < m; row += tile_rows) {
      const int rows = std::min(tile_rows, m - row);
      std::fill_n(tile.get(), static_cast<std::size_t>(rows) * columns, Sum());
      for (int depth = 0; depth < k; depth += kPanel) {
        const int depths = std::min(kPanel, k - depth);
        panel_a.load(a, row, rows, depth, depths);
        panel_b.load(b, depth, depths, column, columns);
        const auto multiply = [&](Value* into) {
          gemm_on_workers(a.op, b.op, rows, columns, depths, Value(1), panel_a.data(), panel_a.ld(),
                          panel_b.data(), panel_b.ld(), Value(sums_apart ? 0 : 1), into, rows);
        };
        if constexpr (sums_apart) {
          std::fill_n(product.get(), static_cast<std::size_t>(rows) * columns, Value());
          multiply(product.get());
          for (std::size_t i = 0; i < static_cast<std::size_t>(rows) * columns; ++i) {
            tile[i] = static_cast<Sum>(static_cast<std::uint32_t>(tile[i]) +
                                       static_cast<std::uint32_t>(static_cast<Sum>(product[i])));
          }
        } else {
          multiply(tile.get());
        }
      }
      store(GemmTile<Sum>{row, column, rows, columns, tile.get(), rows});
    }
  }
}

}  // namespace simtrt

// Orders of a matrix in memory (simtblasLtOrder_t).
#pragma once

#include "blaslt/descriptors.h"

#include <climits>
#include <cstdint>

namespace simtrt {

inline bool is_tiled(const LtMatrixLayout& layout) { return layout.order >= SIMTBLASLT_ORDER_COL32; }

/// Columns of a group and of a tile in a tiled order.
constexpr std::int64_t kTileColumns = 32;

/// Rows of a tile in a tiled order.
inline std::int64_t tile_rows(std::int32_t order) {
  switch (order) {
    case SIMTBLASLT_ORDER_COL4_4R2_8C: return 8;
    case SIMTBLASLT_ORDER_COL32_2R_4R4: return 32;
    default: return 1;
  }
}

/// Offset of an element in its tile. Sources: cublasLt.h (12.4.5) for COL32_2R_4R4; the header describes COL4_4R2_8C in
/// words: even and odd rows alternate in inner tiles of 4 rows and 4 columns, two of which lie side by side.
inline std::int64_t offset_in_tile(std::int32_t order, std::int64_t row, std::int64_t column) {
  switch (order) {
    case SIMTBLASLT_ORDER_COL4_4R2_8C: {
      const std::int64_t pair = row % 2 * 4 + column / 8;  // of inner tiles: 8 columns of the even or the odd rows
      return pair * 32 + column % 8 / 4 * 16 + row / 2 * 4 + column % 4;
    }
    case SIMTBLASLT_ORDER_COL32_2R_4R4: return ((row % 8 / 2 * 4 + row / 8) * 2 + row % 2) * 32 + column;
    default: return column;
  }
}

/// Offset, in elements, of element (row, column).
inline std::int64_t element_offset(const LtMatrixLayout& layout, std::int64_t row, std::int64_t column) {
  switch (layout.order) {
    case SIMTBLASLT_ORDER_COL: return row + column * layout.ld;
    case SIMTBLASLT_ORDER_ROW: return row * layout.ld + column;
    default: {
      const std::int64_t rows = tile_rows(layout.order);
      return column / kTileColumns * layout.ld + row / rows * rows * kTileColumns +
             offset_in_tile(layout.order, row % rows, column % kTileColumns);
    }
  }
}

/// Smallest valid leading dimension.
inline std::int64_t smallest_ld(const LtMatrixLayout& layout) {
  const auto rows = static_cast<std::int64_t>(layout.rows);
  switch (layout.order) {
    case SIMTBLASLT_ORDER_COL: return rows;
    case SIMTBLASLT_ORDER_ROW: return static_cast<std::int64_t>(layout.columns);
    default: {
      const std::int64_t tile = tile_rows(layout.order);
      return (rows + tile - 1) / tile * tile * kTileColumns;
    }
  }
}

inline bool valid_layout(const LtMatrixLayout& layout) {
  return layout.order >= SIMTBLASLT_ORDER_COL && layout.order <= SIMTBLASLT_ORDER_COL32_2R_4R4 &&
         layout.rows <= INT_MAX && layout.columns <= INT_MAX && layout.ld >= 1 && layout.ld <= INT_MAX &&
         layout.ld >= smallest_ld(layout) && layout.batch_count >= 1;
}

/// Layout of a contiguous copy in column-major order.
inline LtMatrixLayout column_major(LtMatrixLayout layout) {
  layout.order = SIMTBLASLT_ORDER_COL;
  layout.ld = static_cast<std::int64_t>(layout.rows);
  layout.batch_offset = static_cast<std::int64_t>(layout.rows * layout.columns);
  return layout;
}

}  // namespace simtrt

// Conversions between CSR matrices and matrices of blocks: square blocks (BSR), and blocks of any shape (GEBSR).
#include <algorithm>
#include <cstddef>
#include <vector>

#include "sparse/context.h"
#include "sparse/descriptors.h"

namespace simtrt {
namespace {

/// Rows and columns of a block, and the place of its numbers.
struct BlockShape {
  simtsparseDirection_t direction;
  int rows;
  int columns;

  bool is_valid() const { return valid(direction) && rows > 0 && columns > 0; }
  std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(rows) * columns; }
  std::ptrdiff_t place(int row, int column) const {
    return direction == SIMTSPARSE_DIRECTION_ROW
               ? static_cast<std::ptrdiff_t>(row) * columns + column
               : static_cast<std::ptrdiff_t>(column) * rows + row;
  }
};

/// Arrays of indices of a CSR matrix, or of a matrix of blocks.
struct Structure {
  int rows;
  int columns;
  const simtsparseMatDescr* matrix;
  const int* row_offsets;
  const int* column_indices;

  int begin(int row) const { return row_offsets[row] - matrix->base; }
  int column(int entry) const { return column_indices[entry] - matrix->base; }
};

simtsparseStatus_t check(simtsparseHandle_t handle, const Structure& from, const BlockShape& shape,
                         const simtsparseMatDescr* to, const int* offsets_to) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (from.rows < 0 || from.columns < 0 || !shape.is_valid() || any_null(from.matrix, to) ||
      any_null(from.row_offsets, offsets_to)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return from.matrix->type == SIMTSPARSE_MATRIX_TYPE_GENERAL &&
                 to->type == SIMTSPARSE_MATRIX_TYPE_GENERAL
             ? SIMTSPARSE_STATUS_SUCCESS
             : SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

/// Columns of the blocks in a row of blocks that contain an entry, in ascending order.
std::vector<int> block_columns(const Structure& csr, const BlockShape& shape, int block_row) {
  std::vector<int> blocks;
  const int first = block_row * shape.rows;
  for (int e = csr.begin(first); e < csr.begin(std::min(first + shape.rows, csr.rows)); ++e) {
    blocks.push_back(csr.column(e) / shape.columns);
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

int block_rows(const Structure& csr, const BlockShape& shape) {
  return (csr.rows + shape.rows - 1) / shape.rows;
}

/// Writes the offsets of the rows of blocks, and the number of blocks to `total`.
simtsparseStatus_t count_blocks(simtsparseHandle_t handle, const char* name, const Structure& csr,
                                const BlockShape& shape, const simtsparseMatDescr* to, int* offsets,
                                int* total) {
  simtsparseStatus_t status = check(handle, csr, shape, to, offsets);
  if (status == SIMTSPARSE_STATUS_SUCCESS && total == nullptr) {
    status = SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  status = sparse_submit(*handle, name, [=, base = static_cast<int>(to->base),
                                         from_matrix = *csr.matrix]() mutable {
    const Structure from{csr.rows, csr.columns, &from_matrix, csr.row_offsets, csr.column_indices};
    int count = 0;
    offsets[0] = base;
    for (int row = 0; row < block_rows(from, shape); ++row) {
      count += static_cast<int>(block_columns(from, shape, row).size());
      offsets[row + 1] = count + base;
    }
    *total = count;
  });
  return status == SIMTSPARSE_STATUS_SUCCESS && !handle->scalars_on_device() ? sparse_wait(*handle)
                                                                             : status;
}

/// Writes the columns and the numbers of the blocks; places without an entry become 0.
template <class T>
simtsparseStatus_t to_blocks(simtsparseHandle_t handle, const char* name, const Structure& csr,
                             const T* values, const BlockShape& shape, const simtsparseMatDescr* to,
                             T* block_values, const int* offsets, int* columns) {
  const simtsparseStatus_t status = check(handle, csr, shape, to, offsets);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  return sparse_submit(*handle, name, [=, base = static_cast<int>(to->base),
                                       from_matrix = *csr.matrix] {
    const Structure from{csr.rows, csr.columns, &from_matrix, csr.row_offsets, csr.column_indices};
    for (int block_row = 0; block_row < block_rows(from, shape); ++block_row) {
      const std::vector<int> blocks = block_columns(from, shape, block_row);
      const std::ptrdiff_t first = offsets[block_row] - base;
      std::transform(blocks.begin(), blocks.end(), columns + first,
                     [=](int column) { return column + base; });
      T* const numbers = block_values + first * shape.size();
      std::fill(numbers, numbers + static_cast<std::ptrdiff_t>(blocks.size()) * shape.size(), T{});
      const int end = std::min((block_row + 1) * shape.rows, from.rows);
      for (int row = block_row * shape.rows; row < end; ++row) {
        for (int e = from.begin(row); e < from.begin(row + 1); ++e) {
          const int column = from.column(e);
          const auto block =
              std::lower_bound(blocks.begin(), blocks.end(), column / shape.columns);
          numbers[(block - blocks.begin()) * shape.size() +
                  shape.place(row % shape.rows, column % shape.columns)] = values[e];
        }
      }
    }
  });
}

/// Writes all numbers of the blocks, also zeros, as entries of a CSR matrix. Null values are not copied.
template <class T>
simtsparseStatus_t to_csr(simtsparseHandle_t handle, const char* name, const Structure& blocks,
                          const T* block_values, const BlockShape& shape,
                          const simtsparseMatDescr* to, T* values, int* offsets, int* columns) {
  const simtsparseStatus_t status = check(handle, blocks, shape, to, offsets);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  return sparse_submit(*handle, name, [=, base = static_cast<int>(to->base),
                                       from_matrix = *blocks.matrix] {
    const Structure from{blocks.rows, blocks.columns, &from_matrix, blocks.row_offsets,
                         blocks.column_indices};
    int place = 0;
    offsets[0] = base;
    for (int row = 0; row < from.rows * shape.rows; ++row) {
      const int block_row = row / shape.rows;
      for (int e = from.begin(block_row); e < from.begin(block_row + 1); ++e) {
        for (int j = 0; j < shape.columns; ++j, ++place) {
          columns[place] = from.column(e) * shape.columns + j + base;
          if (values != nullptr) {
            values[place] = block_values[e * shape.size() + shape.place(row % shape.rows, j)];
          }
        }
      }
      offsets[row + 1] = place + base;
    }
  });
}

template <class Size>
simtsparseStatus_t query(simtsparseHandle_t handle, const Structure& csr, const BlockShape& shape,
                         Size* size) {
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return check(handle, csr, shape, csr.matrix, csr.row_offsets);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseXcsr2bsrNnz(simtsparseHandle_t handle, simtsparseDirection_t direction,
                                         int m, int n, simtsparseMatDescr_t from,
                                         const int* row_offsets, const int* column_indices,
                                         int block_size, simtsparseMatDescr_t to, int* offsets,
                                         int* total) {
  return count_blocks(handle, "simtsparseXcsr2bsrNnz", {m, n, from, row_offsets, column_indices},
                      {direction, block_size, block_size}, to, offsets, total);
}

simtsparseStatus_t simtsparseXcsr2gebsrNnz(simtsparseHandle_t handle,
                                           simtsparseDirection_t direction, int m, int n,
                                           simtsparseMatDescr_t from, const int* row_offsets,
                                           const int* column_indices, simtsparseMatDescr_t to,
                                           int* offsets, int rows_of_block, int columns_of_block,
                                           int* total, void*) {
  return count_blocks(handle, "simtsparseXcsr2gebsrNnz", {m, n, from, row_offsets, column_indices},
                      {direction, rows_of_block, columns_of_block}, to, offsets, total);
}

simtsparseStatus_t simtsparseXgebsr2csr(simtsparseHandle_t handle, simtsparseDirection_t direction,
                                        int mb, int nb, simtsparseMatDescr_t from,
                                        const int* row_offsets, const int* column_indices,
                                        int rows_of_block, int columns_of_block,
                                        simtsparseMatDescr_t to, int* offsets, int* columns) {
  return to_csr<float>(handle, "simtsparseXgebsr2csr", {mb, nb, from, row_offsets, column_indices},
                       nullptr, {direction, rows_of_block, columns_of_block}, to, nullptr, offsets,
                       columns);
}

#define SPARSE_BLOCK_CONVERSIONS(letter, T)                                                        \
  simtsparseStatus_t simtsparse##letter##csr2bsr(                                                  \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                    \
      simtsparseMatDescr_t from, const T* values, const int* row_offsets,                          \
      const int* column_indices, int block_size, simtsparseMatDescr_t to, T* block_values,         \
      int* offsets, int* columns) {                                                                \
    return to_blocks(handle, "simtsparse" #letter "csr2bsr",                                       \
                     {m, n, from, row_offsets, column_indices}, values,                            \
                     {direction, block_size, block_size}, to, block_values, offsets, columns);     \
  }                                                                                                \
  simtsparseStatus_t simtsparse##letter##bsr2csr(                                                  \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int mb, int nb,                  \
      simtsparseMatDescr_t from, const T* block_values, const int* row_offsets,                    \
      const int* column_indices, int block_size, simtsparseMatDescr_t to, T* values, int* offsets, \
      int* columns) {                                                                              \
    return to_csr(handle, "simtsparse" #letter "bsr2csr",                                          \
                  {mb, nb, from, row_offsets, column_indices}, block_values,                       \
                  {direction, block_size, block_size}, to, values, offsets, columns);              \
  }                                                                                                \
  simtsparseStatus_t simtsparse##letter##csr2gebsr_bufferSize(                                     \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                    \
      simtsparseMatDescr_t from, const T*, const int* row_offsets, const int* column_indices,      \
      int rows_of_block, int columns_of_block, int* size) {                                        \
    return query(handle, {m, n, from, row_offsets, column_indices},                                \
                 {direction, rows_of_block, columns_of_block}, size);                              \
  }                                                                                                \
  simtsparseStatus_t simtsparse##letter##csr2gebsr_bufferSizeExt(                                  \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                    \
      simtsparseMatDescr_t from, const T*, const int* row_offsets, const int* column_indices,      \
      int rows_of_block, int columns_of_block, size_t* size) {                                     \
    return query(handle, {m, n, from, row_offsets, column_indices},                                \
                 {direction, rows_of_block, columns_of_block}, size);                              \
  }                                                                                                \
  simtsparseStatus_t simtsparse##letter##csr2gebsr(                                                \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                    \
      simtsparseMatDescr_t from, const T* values, const int* row_offsets,                          \
      const int* column_indices, simtsparseMatDescr_t to, T* block_values, int* offsets,           \
      int* columns, int rows_of_block, int columns_of_block, void*) {                              \
    return to_blocks(handle, "simtsparse" #letter "csr2gebsr",                                     \
                     {m, n, from, row_offsets, column_indices}, values,                            \
                     {direction, rows_of_block, columns_of_block}, to, block_values, offsets,      \
                     columns);                                                                     \
  }                                                                                                \
  simtsparseStatus_t simtsparse##letter##gebsr2csr(                                                \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int mb, int nb,                  \
      simtsparseMatDescr_t from, const T* block_values, const int* row_offsets,                    \
      const int* column_indices, int rows_of_block, int columns_of_block,                          \
      simtsparseMatDescr_t to, T* values, int* offsets, int* columns) {                            \
    return to_csr(handle, "simtsparse" #letter "gebsr2csr",                                        \
                  {mb, nb, from, row_offsets, column_indices}, block_values,                       \
                  {direction, rows_of_block, columns_of_block}, to, values, offsets, columns);     \
  }
SPARSE_BLOCK_CONVERSIONS(S, float)
SPARSE_BLOCK_CONVERSIONS(D, double)
SPARSE_BLOCK_CONVERSIONS(C, simtComplex)
SPARSE_BLOCK_CONVERSIONS(Z, simtDoubleComplex)
#undef SPARSE_BLOCK_CONVERSIONS

}  // extern "C"

// Conversion of matrices of blocks from rows of blocks (GEBSR) to columns of blocks (GEBSC).
#include "sparse/context.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace simtrt {
namespace {

template <class T>
struct RowsOfBlocks {
  int mb, nb, nnzb;
  const T* values;
  const int* row_offsets;
  const int* column_indices;
  int rows_of_block, columns_of_block;

  simtsparseStatus_t check(simtsparseHandle_t handle) const {
    if (handle == nullptr) return SIMTSPARSE_STATUS_NOT_INITIALIZED;
    return mb < 0 || nb < 0 || nnzb < 0 || rows_of_block < 1 || columns_of_block < 1 || row_offsets == nullptr ||
                   (nnzb > 0 && column_indices == nullptr)
               ? SIMTSPARSE_STATUS_INVALID_VALUE
               : SIMTSPARSE_STATUS_SUCCESS;
  }
  std::ptrdiff_t block_size() const { return static_cast<std::ptrdiff_t>(rows_of_block) * columns_of_block; }
};

template <class T>
struct ColumnsOfBlocks {
  T* values;
  int* row_indices;
  int* column_offsets;
};

/// Size is int or size_t.
template <class T, class Size>
simtsparseStatus_t query(simtsparseHandle_t handle, const RowsOfBlocks<T>& from, Size* size) {
  const simtsparseStatus_t status = from.check(handle);
  if (status == SIMTSPARSE_STATUS_SUCCESS && size == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status == SIMTSPARSE_STATUS_SUCCESS) *size = kSomeBuffer;
  return status;
}

template <class T>
void run(const RowsOfBlocks<T>& from, const ColumnsOfBlocks<T>& to, bool copies, int base) {
  std::vector<int> next(static_cast<std::size_t>(from.nb) + 1, 0);
  for (int e = 0; e < from.nnzb; ++e) ++next[static_cast<std::size_t>(from.column_indices[e] - base) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::transform(next.begin(), next.end(), to.column_offsets, [=](int offset) { return offset + base; });
  for (int row = 0; row < from.mb; ++row) {
    for (int e = from.row_offsets[row] - base; e < from.row_offsets[row + 1] - base; ++e) {
      const int place = next[static_cast<std::size_t>(from.column_indices[e] - base)]++;
      to.row_indices[place] = row + base;
      if (copies) std::copy_n(from.values + e * from.block_size(), from.block_size(), to.values + place * from.block_size());
    }
  }
}

template <class T>
simtsparseStatus_t convert(simtsparseHandle_t handle, const char* name, const RowsOfBlocks<T>& from,
                           const ColumnsOfBlocks<T>& to, simtsparseAction_t action, simtsparseIndexBase_t base) {
  const simtsparseStatus_t status = from.check(handle);
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  const bool copies = action == SIMTSPARSE_ACTION_NUMERIC;
  if ((!copies && action != SIMTSPARSE_ACTION_SYMBOLIC) || !valid(base) || to.column_offsets == nullptr ||
      (from.nnzb > 0 && to.row_indices == nullptr) ||
      (from.nnzb > 0 && copies && (from.values == nullptr || to.values == nullptr)))
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  return sparse_submit(*handle, name, [=] { run(from, to, copies, base); });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define SPARSE_ROWS_OF_BLOCKS(T) \
  RowsOfBlocks<T> { mb, nb, nnzb, values, row_offsets, column_indices, rows_of_block, columns_of_block }
#define SPARSE_GEBSC(S, T)                                                                                            \
  simtsparseStatus_t simtsparse##S##gebsr2gebsc_bufferSize(                                                           \
      simtsparseHandle_t handle, int mb, int nb, int nnzb, const T* values, const int* row_offsets,                   \
      const int* column_indices, int rows_of_block, int columns_of_block, int* size) {                                \
    return query(handle, SPARSE_ROWS_OF_BLOCKS(T), size);                                                             \
  }                                                                                                                   \
  simtsparseStatus_t simtsparse##S##gebsr2gebsc_bufferSizeExt(                                                        \
      simtsparseHandle_t handle, int mb, int nb, int nnzb, const T* values, const int* row_offsets,                   \
      const int* column_indices, int rows_of_block, int columns_of_block, size_t* size) {                             \
    return query(handle, SPARSE_ROWS_OF_BLOCKS(T), size);                                                             \
  }                                                                                                                   \
  simtsparseStatus_t simtsparse##S##gebsr2gebsc(                                                                      \
      simtsparseHandle_t handle, int mb, int nb, int nnzb, const T* values, const int* row_offsets,                   \
      const int* column_indices, int rows_of_block, int columns_of_block, T* bsc_values, int* row_indices,            \
      int* column_offsets, simtsparseAction_t action, simtsparseIndexBase_t base, void*) {                            \
    return convert(handle, "simtsparse" #S "gebsr2gebsc", SPARSE_ROWS_OF_BLOCKS(T),                                   \
                   ColumnsOfBlocks<T>{bsc_values, row_indices, column_offsets}, action, base);                        \
  }
SPARSE_GEBSC(S, float)
SPARSE_GEBSC(D, double)
SPARSE_GEBSC(C, simtComplex)
SPARSE_GEBSC(Z, simtDoubleComplex)

}  // extern "C"

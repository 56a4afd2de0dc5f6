// Checks of calls with BSR matrices, and views of their arguments.
#pragma once

#include "sparse/matrices.h"
#include "sparse/numbers.h"

namespace simtrt {

/// Arguments of a call that describe a BSR matrix.
template <class T>
struct BsrArguments {
  simtsparseDirection_t direction;
  const simtsparseMatDescr* matrix;
  int nnzb;
  const T* values;
  const int* row_offsets;
  const int* column_indices;
  int block_size;

  simtsparseStatus_t check() const {
    if (!valid(direction) || nnzb < 0 || block_size < 1 || any_null(matrix) ||
        any_null(row_offsets) || (nnzb > 0 && (any_null(values) || any_null(column_indices)))) {
      return SIMTSPARSE_STATUS_INVALID_VALUE;
    }
    return matrix->type == SIMTSPARSE_MATRIX_TYPE_GENERAL
               ? SIMTSPARSE_STATUS_SUCCESS
               : SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  }

  BlockView<SparseValue<T>> view() const {
    return {direction, *matrix, values_of(values), row_offsets, column_indices, block_size};
  }
};

/// A column-major matrix with 32-bit sizes.
template <class T>
simtsparseDnMatDescr column_major(int rows, int columns, int ld, const T* values) {
  return {
      rows, columns, ld, const_cast<T*>(values), kSparseType<SparseValue<T>>, SIMTSPARSE_ORDER_COL};
}

template <class T>
using BsrElement = PlainElement<SparseValue<T>>;

}  // namespace simtrt

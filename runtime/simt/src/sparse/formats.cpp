// Descriptors of matrices that consist of blocks or slices, and properties of matrices in any format.
#include <new>

#include "sparse/context.h"
#include "sparse/descriptors.h"
#include "sparse/elements.h"

namespace simtrt {
namespace {

bool valid(simtsparseIndexType_t type) {
  return type == SIMTSPARSE_INDEX_32I || type == SIMTSPARSE_INDEX_64I;
}
bool valid(simtsparseOrder_t order) {
  return order == SIMTSPARSE_ORDER_COL || order == SIMTSPARSE_ORDER_ROW;
}

/// Checks the properties that all formats have in common, and creates the descriptor if `consistent`.
simtsparseStatus_t create(simtsparseSpMatDescr** matrix, bool consistent,
                          const simtsparseSpMatDescr& made) {
  if (matrix == nullptr || !consistent || made.rows < 0 || made.columns < 0 || made.nnz < 0 ||
      !simtrt::valid(made.base)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (!valid(made.row_index_type) || !valid(made.column_index_type) ||
      !is_element_type(made.type)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  *matrix = new (std::nothrow) simtsparseSpMatDescr(made);
  return *matrix == nullptr ? SIMTSPARSE_STATUS_ALLOC_FAILED : SIMTSPARSE_STATUS_SUCCESS;
}

/// Stores a property of a matrix.
template <class Value>
simtsparseStatus_t get(const simtsparseSpMatDescr* matrix, Value* value,
                       Value simtsparseSpMatDescr::* field) {
  if (any_null(matrix) || value == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *value = matrix->*field;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseFormat_t format_of(SparseFormat format) {
  switch (format) {
    case SparseFormat::kCoo: return SIMTSPARSE_FORMAT_COO;
    case SparseFormat::kCsr: return SIMTSPARSE_FORMAT_CSR;
    case SparseFormat::kCsc: return SIMTSPARSE_FORMAT_CSC;
    case SparseFormat::kBsr: return SIMTSPARSE_FORMAT_BSR;
    case SparseFormat::kBlockedEll: return SIMTSPARSE_FORMAT_BLOCKED_ELL;
    case SparseFormat::kSlicedEll: break;
  }
  return SIMTSPARSE_FORMAT_SLICED_ELLPACK;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseCreateBsr(simtsparseSpMatDescr_t* matrix, int64_t rows,
                                       int64_t columns, int64_t nnz, int64_t block_rows,
                                       int64_t block_columns, void* row_offsets,
                                       void* column_indices, void* values,
                                       simtsparseIndexType_t row_offsets_type,
                                       simtsparseIndexType_t column_indices_type,
                                       simtsparseIndexBase_t base, simtDataType value_type,
                                       simtsparseOrder_t order) {
  const bool has_sizes = rows >= 0 && columns >= 0 && nnz >= 0 && block_rows > 0 &&
                         block_columns > 0 &&
                         static_cast<__int128>(nnz) <= static_cast<__int128>(rows) * columns;
  const bool has_arrays =
      row_offsets != nullptr && (nnz == 0 || !any_null(column_indices, values));
  simtsparseSpMatDescr made{SparseFormat::kBsr, rows * block_rows,
                            columns * block_columns, nnz * block_rows * block_columns,
                            row_offsets, column_indices, values, row_offsets_type,
                            column_indices_type, base, value_type};
  made.block_rows = block_rows;
  made.block_columns = block_columns;
  made.block_order = order;
  return create(matrix, has_sizes && has_arrays && valid(order), made);
}

simtsparseStatus_t simtsparseCreateConstBsr(
    simtsparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
    int64_t block_rows, int64_t block_columns, const void* row_offsets, const void* column_indices,
    const void* values, simtsparseIndexType_t row_offsets_type,
    simtsparseIndexType_t column_indices_type, simtsparseIndexBase_t base, simtDataType value_type,
    simtsparseOrder_t order) {
  return simtsparseCreateBsr(const_cast<simtsparseSpMatDescr_t*>(matrix), rows, columns, nnz,
                             block_rows, block_columns, const_cast<void*>(row_offsets),
                             const_cast<void*>(column_indices), const_cast<void*>(values),
                             row_offsets_type, column_indices_type, base, value_type, order);
}

simtsparseStatus_t simtsparseBsrSetStridedBatch(simtsparseSpMatDescr_t matrix, int count,
                                                int64_t offsets_stride, int64_t columns_stride,
                                                int64_t values_stride) {
  if (matrix == nullptr || matrix->format != SparseFormat::kBsr || count < 1) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const std::int64_t blocks = matrix->nnz / (matrix->block_rows * matrix->block_columns);
  if ((offsets_stride != 0 && offsets_stride < matrix->rows / matrix->block_rows + 1) ||
      (columns_stride != 0 && columns_stride < blocks) ||
      (values_stride != 0 && values_stride < matrix->nnz)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  matrix->batch = count;
  matrix->offsets_stride = offsets_stride;
  matrix->entries_stride = columns_stride;
  matrix->values_stride = values_stride;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseCreateBlockedEll(simtsparseSpMatDescr_t* matrix, int64_t rows,
                                              int64_t columns, int64_t block_size,
                                              int64_t ell_columns, void* column_indices,
                                              void* values, simtsparseIndexType_t index_type,
                                              simtsparseIndexBase_t base,
                                              simtDataType value_type) {
  const bool has_sizes = rows >= 0 && columns >= 0 && block_size > 0 && ell_columns >= 0 &&
                         ell_columns <= columns && rows % block_size == 0 &&
                         columns % block_size == 0 && ell_columns % block_size == 0;
  const bool has_arrays =
      rows == 0 || ell_columns == 0 || !any_null(column_indices, values);
  simtsparseSpMatDescr made{SparseFormat::kBlockedEll, rows, columns, rows * ell_columns, nullptr,
                            column_indices, values, index_type, index_type, base, value_type};
  made.block_rows = block_size;
  made.block_columns = block_size;
  made.width = ell_columns;
  return create(matrix, has_sizes && has_arrays, made);
}

simtsparseStatus_t simtsparseCreateConstBlockedEll(
    simtsparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t block_size,
    int64_t ell_columns, const void* column_indices, const void* values,
    simtsparseIndexType_t index_type, simtsparseIndexBase_t base, simtDataType value_type) {
  return simtsparseCreateBlockedEll(const_cast<simtsparseSpMatDescr_t*>(matrix), rows, columns,
                                    block_size, ell_columns, const_cast<void*>(column_indices),
                                    const_cast<void*>(values), index_type, base, value_type);
}

simtsparseStatus_t simtsparseConstBlockedEllGet(simtsparseConstSpMatDescr_t matrix, int64_t* rows,
                                                int64_t* columns, int64_t* block_size,
                                                int64_t* ell_columns, const void** column_indices,
                                                const void** values,
                                                simtsparseIndexType_t* index_type,
                                                simtsparseIndexBase_t* base,
                                                simtDataType* value_type) {
  if (any_null(matrix) || matrix->format != SparseFormat::kBlockedEll ||
      any_null(rows, columns, block_size, ell_columns) || any_null(column_indices, values) ||
      any_null(index_type) || any_null(base) || any_null(value_type)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *rows = matrix->rows;
  *columns = matrix->columns;
  *block_size = matrix->block_rows;
  *ell_columns = matrix->width;
  *column_indices = matrix->column_indices;
  *values = matrix->values;
  *index_type = matrix->column_index_type;
  *base = matrix->base;
  *value_type = matrix->type;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseBlockedEllGet(simtsparseSpMatDescr_t matrix, int64_t* rows,
                                           int64_t* columns, int64_t* block_size,
                                           int64_t* ell_columns, void** column_indices,
                                           void** values, simtsparseIndexType_t* index_type,
                                           simtsparseIndexBase_t* base, simtDataType* value_type) {
  return simtsparseConstBlockedEllGet(matrix, rows, columns, block_size, ell_columns,
                                      const_cast<const void**>(column_indices),
                                      const_cast<const void**>(values), index_type, base,
                                      value_type);
}

simtsparseStatus_t simtsparseCreateSlicedEll(
    simtsparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
    int64_t values_size, int64_t slice_size, void* slice_offsets, void* column_indices,
    void* values, simtsparseIndexType_t slice_offsets_type,
    simtsparseIndexType_t column_indices_type, simtsparseIndexBase_t base,
    simtDataType value_type) {
  const bool has_sizes = slice_size > 0 && values_size >= nnz;
  const bool has_arrays =
      slice_offsets != nullptr && (values_size <= 0 || !any_null(column_indices, values));
  simtsparseSpMatDescr made{SparseFormat::kSlicedEll, rows, columns, nnz, slice_offsets,
                            column_indices, values, slice_offsets_type, column_indices_type,
                            base, value_type};
  made.block_rows = slice_size;
  return create(matrix, has_sizes && has_arrays, made);
}

simtsparseStatus_t simtsparseCreateConstSlicedEll(
    simtsparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
    int64_t values_size, int64_t slice_size, const void* slice_offsets, const void* column_indices,
    const void* values, simtsparseIndexType_t slice_offsets_type,
    simtsparseIndexType_t column_indices_type, simtsparseIndexBase_t base,
    simtDataType value_type) {
  return simtsparseCreateSlicedEll(const_cast<simtsparseSpMatDescr_t*>(matrix), rows, columns, nnz,
                                   values_size, slice_size, const_cast<void*>(slice_offsets),
                                   const_cast<void*>(column_indices), const_cast<void*>(values),
                                   slice_offsets_type, column_indices_type, base, value_type);
}

simtsparseStatus_t simtsparseSpMatGetFormat(simtsparseConstSpMatDescr_t matrix,
                                            simtsparseFormat_t* format) {
  if (any_null(matrix) || format == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *format = format_of(matrix->format);
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseSpMatGetIndexBase(simtsparseConstSpMatDescr_t matrix,
                                               simtsparseIndexBase_t* base) {
  return get(matrix, base, &simtsparseSpMatDescr::base);
}

simtsparseStatus_t simtsparseSpMatGetValues(simtsparseSpMatDescr_t matrix, void** values) {
  return get(matrix, values, &simtsparseSpMatDescr::values);
}

simtsparseStatus_t simtsparseConstSpMatGetValues(simtsparseConstSpMatDescr_t matrix,
                                                 const void** values) {
  return get(matrix, const_cast<void**>(values), &simtsparseSpMatDescr::values);
}

simtsparseStatus_t simtsparseSpMatSetValues(simtsparseSpMatDescr_t matrix, void* values) {
  if (matrix == nullptr || values == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  matrix->values = values;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseSpMatGetStridedBatch(simtsparseConstSpMatDescr_t matrix, int* count) {
  return get(matrix, count, &simtsparseSpMatDescr::batch);
}

}  // extern "C"

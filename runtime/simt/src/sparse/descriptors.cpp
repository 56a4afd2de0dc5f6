// Creation, modification and destruction of simtsparse's descriptors.
#include "sparse/descriptors.h"

#include <cstring>
#include <new>

#include "sparse/context.h"
#include "sparse/elements.h"

namespace simtrt {
namespace {

template <class Descriptor, class... Fields>
simtsparseStatus_t create(Descriptor** descriptor, const Fields&... fields) {
  if (descriptor == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *descriptor = new (std::nothrow) Descriptor{fields...};
  return *descriptor == nullptr ? SIMTSPARSE_STATUS_ALLOC_FAILED : SIMTSPARSE_STATUS_SUCCESS;
}

template <class Descriptor>
simtsparseStatus_t destroy(const Descriptor* descriptor) {
  if (descriptor == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  delete descriptor;
  return SIMTSPARSE_STATUS_SUCCESS;
}

bool valid(simtsparseIndexType_t type) {
  return type == SIMTSPARSE_INDEX_32I || type == SIMTSPARSE_INDEX_64I;
}

/// Checks the properties that COO, CSR and CSC matrices have in common.
simtsparseStatus_t check_sparse(const simtsparseSpMatDescr& m) {
  if (m.rows < 0 || m.columns < 0 || m.nnz < 0 || !simtrt::valid(m.base) ||
      (m.nnz > 0 && any_null(m.row_indices, m.column_indices, m.values))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  // COO may have entries for one place.
  if (m.format != SparseFormat::kCoo &&
      static_cast<__int128>(m.nnz) > static_cast<__int128>(m.rows) * m.columns) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (!valid(m.row_index_type) || !valid(m.column_index_type) || !is_element_type(m.type)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t create_sparse(simtsparseSpMatDescr** matrix, const simtsparseSpMatDescr& made) {
  const simtsparseStatus_t status = check_sparse(made);
  return status == SIMTSPARSE_STATUS_SUCCESS ? create(matrix, made) : status;
}

/// Sets the arrays of a matrix whose lines have offsets.
simtsparseStatus_t set_arrays(simtsparseSpMatDescr* matrix, SparseFormat format, void* offsets,
                              void* indices, void* values) {
  if (matrix == nullptr || matrix->format != format || offsets == nullptr ||
      (matrix->nnz > 0 && any_null(indices, values))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  matrix->row_indices = offsets;
  matrix->column_indices = indices;
  matrix->values = values;
  return SIMTSPARSE_STATUS_SUCCESS;
}

/// Sets a field of a descriptor. Returns an error if the value is invalid.
template <class Descriptor, class Value>
simtsparseStatus_t set(Descriptor* descriptor, Value Descriptor::* field, Value value) {
  if (descriptor == nullptr || !simtrt::valid(value)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  descriptor->*field = value;
  return SIMTSPARSE_STATUS_SUCCESS;
}

template <class Value>
simtsparseStatus_t set_attribute(simtsparseSpMatDescr* matrix, Value simtsparseSpMatDescr::* field,
                                 const void* data, std::size_t size) {
  Value value;
  if (data == nullptr || size != sizeof value) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  std::memcpy(&value, data, sizeof value);
  return set(matrix, field, value);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseCreateMatDescr(simtsparseMatDescr_t* matrix) { return create(matrix); }
simtsparseStatus_t simtsparseDestroyMatDescr(simtsparseMatDescr_t matrix) {
  return destroy(matrix);
}

simtsparseStatus_t simtsparseSetMatType(simtsparseMatDescr_t matrix, simtsparseMatrixType_t type) {
  if (matrix == nullptr || type < SIMTSPARSE_MATRIX_TYPE_GENERAL ||
      type > SIMTSPARSE_MATRIX_TYPE_TRIANGULAR) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  matrix->type = type;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseSetMatFillMode(simtsparseMatDescr_t matrix,
                                            simtsparseFillMode_t mode) {
  return set(matrix, &simtsparseMatDescr::fill, mode);
}

simtsparseStatus_t simtsparseSetMatDiagType(simtsparseMatDescr_t matrix,
                                            simtsparseDiagType_t type) {
  return set(matrix, &simtsparseMatDescr::diagonal, type);
}

simtsparseStatus_t simtsparseSetMatIndexBase(simtsparseMatDescr_t matrix,
                                             simtsparseIndexBase_t base) {
  return set(matrix, &simtsparseMatDescr::base, base);
}

simtsparseMatrixType_t simtsparseGetMatType(simtsparseMatDescr_t matrix) { return matrix->type; }
simtsparseFillMode_t simtsparseGetMatFillMode(simtsparseMatDescr_t matrix) { return matrix->fill; }
simtsparseDiagType_t simtsparseGetMatDiagType(simtsparseMatDescr_t matrix) {
  return matrix->diagonal;
}
simtsparseIndexBase_t simtsparseGetMatIndexBase(simtsparseMatDescr_t matrix) {
  return matrix->base;
}

simtsparseStatus_t simtsparseCreateCoo(simtsparseSpMatDescr_t* matrix, int64_t rows,
                                       int64_t columns, int64_t nnz, void* row_indices,
                                       void* column_indices, void* values,
                                       simtsparseIndexType_t index_type, simtsparseIndexBase_t base,
                                       simtDataType value_type) {
  return create_sparse(matrix, {SparseFormat::kCoo, rows, columns, nnz, row_indices, column_indices,
                                values, index_type, index_type, base, value_type});
}

simtsparseStatus_t simtsparseCreateCsr(simtsparseSpMatDescr_t* matrix, int64_t rows,
                                       int64_t columns, int64_t nnz, void* row_offsets,
                                       void* column_indices, void* values,
                                       simtsparseIndexType_t row_offsets_type,
                                       simtsparseIndexType_t column_indices_type,
                                       simtsparseIndexBase_t base, simtDataType value_type) {
  return create_sparse(matrix, {SparseFormat::kCsr, rows, columns, nnz, row_offsets, column_indices,
                                values, row_offsets_type, column_indices_type, base, value_type});
}

simtsparseStatus_t simtsparseCreateCsc(simtsparseSpMatDescr_t* matrix, int64_t rows,
                                       int64_t columns, int64_t nnz, void* column_offsets,
                                       void* row_indices, void* values,
                                       simtsparseIndexType_t column_offsets_type,
                                       simtsparseIndexType_t row_indices_type,
                                       simtsparseIndexBase_t base, simtDataType value_type) {
  return create_sparse(matrix, {SparseFormat::kCsc, rows, columns, nnz, column_offsets, row_indices,
                                values, column_offsets_type, row_indices_type, base, value_type});
}

simtsparseStatus_t simtsparseDestroySpMat(simtsparseConstSpMatDescr_t matrix) {
  return destroy(matrix);
}

simtsparseStatus_t simtsparseCsrSetPointers(simtsparseSpMatDescr_t matrix, void* row_offsets,
                                            void* column_indices, void* values) {
  return set_arrays(matrix, SparseFormat::kCsr, row_offsets, column_indices, values);
}

simtsparseStatus_t simtsparseCscSetPointers(simtsparseSpMatDescr_t matrix, void* column_offsets,
                                            void* row_indices, void* values) {
  return set_arrays(matrix, SparseFormat::kCsc, column_offsets, row_indices, values);
}

simtsparseStatus_t simtsparseCsrSetStridedBatch(simtsparseSpMatDescr_t matrix, int count,
                                                int64_t offsets_stride,
                                                int64_t columns_values_stride) {
  if (matrix == nullptr || matrix->format != SparseFormat::kCsr || count < 1 ||
      (offsets_stride != 0 && offsets_stride < matrix->rows + 1) ||
      (columns_values_stride != 0 && columns_values_stride < matrix->nnz)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  matrix->batch = count;
  matrix->offsets_stride = offsets_stride;
  matrix->entries_stride = columns_values_stride;
  matrix->values_stride = columns_values_stride;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseCooSetStridedBatch(simtsparseSpMatDescr_t matrix, int count,
                                                int64_t stride) {
  if (matrix == nullptr || matrix->format != SparseFormat::kCoo || count < 1 ||
      (stride != 0 && stride < matrix->nnz)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  matrix->batch = count;
  matrix->offsets_stride = stride;
  matrix->entries_stride = stride;
  matrix->values_stride = stride;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseSpMatGetSize(simtsparseConstSpMatDescr_t matrix, int64_t* rows,
                                          int64_t* columns, int64_t* nnz) {
  if (any_null(matrix) || any_null(rows, columns, nnz)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *rows = matrix->rows;
  *columns = matrix->columns;
  *nnz = matrix->nnz;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseSpMatSetAttribute(simtsparseSpMatDescr_t matrix,
                                               simtsparseSpMatAttribute_t attribute, void* data,
                                               size_t data_size) {
  switch (attribute) {
    case SIMTSPARSE_SPMAT_FILL_MODE:
      return set_attribute(matrix, &simtsparseSpMatDescr::fill, data, data_size);
    case SIMTSPARSE_SPMAT_DIAG_TYPE:
      return set_attribute(matrix, &simtsparseSpMatDescr::diagonal, data, data_size);
  }
  return SIMTSPARSE_STATUS_INVALID_VALUE;
}

simtsparseStatus_t simtsparseCreateDnMat(simtsparseDnMatDescr_t* matrix, int64_t rows,
                                         int64_t columns, int64_t ld, void* values,
                                         simtDataType value_type, simtsparseOrder_t order) {
  if ((order != SIMTSPARSE_ORDER_COL && order != SIMTSPARSE_ORDER_ROW) || rows < 0 || columns < 0 ||
      ld < (order == SIMTSPARSE_ORDER_COL ? rows : columns) ||
      (rows > 0 && columns > 0 && values == nullptr)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (!is_element_type(value_type)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  return create(matrix, simtsparseDnMatDescr{rows, columns, ld, values, value_type, order});
}

simtsparseStatus_t simtsparseDestroyDnMat(simtsparseConstDnMatDescr_t matrix) {
  return destroy(matrix);
}

simtsparseStatus_t simtsparseDnMatSetStridedBatch(simtsparseDnMatDescr_t matrix, int count,
                                                  int64_t stride) {
  if (matrix == nullptr || count < 1 || stride < 0) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  matrix->batch = count;
  matrix->stride = stride;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseCreateDnVec(simtsparseDnVecDescr_t* vector, int64_t size, void* values,
                                         simtDataType value_type) {
  // The values may follow by simtsparseDnVecSetValues.
  if (size < 0) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (!is_element_type(value_type)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  return create(vector, simtsparseDnVecDescr{size, values, value_type});
}

simtsparseStatus_t simtsparseDnVecSetValues(simtsparseDnVecDescr_t vector, void* values) {
  if (vector == nullptr || values == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  vector->values = values;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseDestroyDnVec(simtsparseConstDnVecDescr_t vector) {
  return destroy(vector);
}

simtsparseStatus_t simtsparseCreateSpVec(simtsparseSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                         void* indices, void* values,
                                         simtsparseIndexType_t index_type,
                                         simtsparseIndexBase_t base, simtDataType value_type) {
  if (nnz < 0 || size < nnz || !simtrt::valid(base) || (nnz > 0 && any_null(indices, values))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (!valid(index_type) || !is_element_type(value_type)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  return create(vector, simtsparseSpVecDescr{size, nnz, indices, values, index_type, base, value_type});
}

simtsparseStatus_t simtsparseDestroySpVec(simtsparseConstSpVecDescr_t vector) {
  return destroy(vector);
}

simtsparseStatus_t simtsparseSpVecSetValues(simtsparseSpVecDescr_t vector, void* values) {
  if (any_null(vector) || values == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  vector->values = values;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseCooSetPointers(simtsparseSpMatDescr_t matrix, void* row_indices,
                                            void* column_indices, void* values) {
  if (any_null(matrix) || matrix->format != SparseFormat::kCoo ||
      any_null(row_indices, column_indices, values)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  matrix->row_indices = row_indices;
  matrix->column_indices = column_indices;
  matrix->values = values;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseSpGEMM_createDescr(simtsparseSpGEMMDescr_t* descriptor) {
  return create(descriptor);
}
simtsparseStatus_t simtsparseSpGEMM_destroyDescr(simtsparseSpGEMMDescr_t descriptor) {
  return destroy(descriptor);
}
simtsparseStatus_t simtsparseSpSV_createDescr(simtsparseSpSVDescr_t* descriptor) {
  return create(descriptor);
}
simtsparseStatus_t simtsparseSpSV_destroyDescr(simtsparseSpSVDescr_t descriptor) {
  return destroy(descriptor);
}
simtsparseStatus_t simtsparseSpSM_createDescr(simtsparseSpSMDescr_t* descriptor) {
  return create(descriptor);
}
simtsparseStatus_t simtsparseSpSM_destroyDescr(simtsparseSpSMDescr_t descriptor) {
  return destroy(descriptor);
}
simtsparseStatus_t simtsparseCreateBsrsv2Info(bsrsv2Info_t* info) { return create(info); }
simtsparseStatus_t simtsparseDestroyBsrsv2Info(bsrsv2Info_t info) { return destroy(info); }
simtsparseStatus_t simtsparseCreateBsrsm2Info(bsrsm2Info_t* info) { return create(info); }
simtsparseStatus_t simtsparseDestroyBsrsm2Info(bsrsm2Info_t info) { return destroy(info); }
simtsparseStatus_t simtsparseCreateCsrilu02Info(csrilu02Info_t* info) { return create(info); }
simtsparseStatus_t simtsparseDestroyCsrilu02Info(csrilu02Info_t info) { return destroy(info); }
simtsparseStatus_t simtsparseCreatePruneInfo(pruneInfo_t* info) { return create(info); }
simtsparseStatus_t simtsparseDestroyPruneInfo(pruneInfo_t info) { return destroy(info); }
simtsparseStatus_t simtsparseCreateCsru2csrInfo(csru2csrInfo_t* info) { return create(info); }
simtsparseStatus_t simtsparseDestroyCsru2csrInfo(csru2csrInfo_t info) { return destroy(info); }
simtsparseStatus_t simtsparseCreateCsric02Info(csric02Info_t* info) { return create(info); }
simtsparseStatus_t simtsparseDestroyCsric02Info(csric02Info_t info) { return destroy(info); }

}  // extern "C"

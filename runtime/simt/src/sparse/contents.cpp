// Contents of descriptors, and descriptors of constant arrays.
#include <cstring>

#include "sparse/context.h"
#include "sparse/descriptors.h"

namespace simtrt {
namespace {

/// Addresses that receive the contents of a COO, CSR or CSC matrix.
struct Contents {
  std::int64_t* rows;
  std::int64_t* columns;
  std::int64_t* nnz;
  const void** first;
  const void** second;
  const void** values;
  simtsparseIndexType_t* first_type;
  simtsparseIndexType_t* second_type;
  simtsparseIndexBase_t* base;
  simtDataType* type;
};

simtsparseStatus_t get(const simtsparseSpMatDescr* matrix, SparseFormat format,
                       const Contents& to) {
  if (any_null(matrix) || matrix->format != format || any_null(to.rows, to.columns, to.nnz) ||
      any_null(to.first, to.second, to.values) || any_null(to.first_type, to.second_type) ||
      any_null(to.base) || any_null(to.type)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *to.rows = matrix->rows;
  *to.columns = matrix->columns;
  *to.nnz = matrix->nnz;
  *to.first = matrix->row_indices;
  *to.second = matrix->column_indices;
  *to.values = matrix->values;
  *to.first_type = matrix->row_index_type;
  *to.second_type = matrix->column_index_type;
  *to.base = matrix->base;
  *to.type = matrix->type;
  return SIMTSPARSE_STATUS_SUCCESS;
}

template <class Descriptor>
simtsparseStatus_t get_values(const Descriptor* descriptor, const void** values) {
  if (any_null(descriptor) || values == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *values = descriptor->values;
  return SIMTSPARSE_STATUS_SUCCESS;
}

template <class Value>
simtsparseStatus_t copy(Value value, void* data, std::size_t size) {
  if (data == nullptr || size != sizeof value) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  std::memcpy(data, &value, sizeof value);
  return SIMTSPARSE_STATUS_SUCCESS;
}

const void** constant(void** arrays) { return const_cast<const void**>(arrays); }
void* mutable_array(const void* array) { return const_cast<void*>(array); }
simtsparseSpMatDescr_t* mutable_descriptor(simtsparseConstSpMatDescr_t* matrix) {
  return const_cast<simtsparseSpMatDescr_t*>(matrix);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseConstCooGet(simtsparseConstSpMatDescr_t matrix, int64_t* rows,
                                         int64_t* columns, int64_t* nnz, const void** row_indices,
                                         const void** column_indices, const void** values,
                                         simtsparseIndexType_t* index_type,
                                         simtsparseIndexBase_t* base, simtDataType* value_type) {
  return get(matrix, SparseFormat::kCoo,
             {rows, columns, nnz, row_indices, column_indices, values, index_type, index_type, base,
              value_type});
}
simtsparseStatus_t simtsparseCooGet(simtsparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                    int64_t* nnz, void** row_indices, void** column_indices,
                                    void** values, simtsparseIndexType_t* index_type,
                                    simtsparseIndexBase_t* base, simtDataType* value_type) {
  return simtsparseConstCooGet(matrix, rows, columns, nnz, constant(row_indices),
                               constant(column_indices), constant(values), index_type, base,
                               value_type);
}

#define LINES_GET(Get, ConstGet, format)                                                          \
  simtsparseStatus_t ConstGet(simtsparseConstSpMatDescr_t matrix, int64_t* rows,                  \
                              int64_t* columns, int64_t* nnz, const void** offsets,               \
                              const void** indices, const void** values,                          \
                              simtsparseIndexType_t* offsets_type,                                \
                              simtsparseIndexType_t* indices_type, simtsparseIndexBase_t* base,   \
                              simtDataType* value_type) {                                         \
    return get(matrix, format,                                                                    \
               {rows, columns, nnz, offsets, indices, values, offsets_type, indices_type, base,   \
                value_type});                                                                     \
  }                                                                                               \
  simtsparseStatus_t Get(simtsparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,          \
                         int64_t* nnz, void** offsets, void** indices, void** values,             \
                         simtsparseIndexType_t* offsets_type, simtsparseIndexType_t* indices_type, \
                         simtsparseIndexBase_t* base, simtDataType* value_type) {                 \
    return ConstGet(matrix, rows, columns, nnz, constant(offsets), constant(indices),             \
                    constant(values), offsets_type, indices_type, base, value_type);              \
  }
LINES_GET(simtsparseCsrGet, simtsparseConstCsrGet, SparseFormat::kCsr)
LINES_GET(simtsparseCscGet, simtsparseConstCscGet, SparseFormat::kCsc)
#undef LINES_GET

simtsparseStatus_t simtsparseSpMatGetAttribute(simtsparseConstSpMatDescr_t matrix,
                                               simtsparseSpMatAttribute_t attribute, void* data,
                                               size_t data_size) {
  if (matrix == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  switch (attribute) {
    case SIMTSPARSE_SPMAT_FILL_MODE: return copy(matrix->fill, data, data_size);
    case SIMTSPARSE_SPMAT_DIAG_TYPE: return copy(matrix->diagonal, data, data_size);
  }
  return SIMTSPARSE_STATUS_INVALID_VALUE;
}

simtsparseStatus_t simtsparseConstDnMatGet(simtsparseConstDnMatDescr_t matrix, int64_t* rows,
                                           int64_t* columns, int64_t* ld, const void** values,
                                           simtDataType* value_type, simtsparseOrder_t* order) {
  if (any_null(matrix) || any_null(rows, columns, ld) || any_null(values) ||
      any_null(value_type) || any_null(order)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *rows = matrix->rows;
  *columns = matrix->columns;
  *ld = matrix->ld;
  *values = matrix->values;
  *value_type = matrix->type;
  *order = matrix->order;
  return SIMTSPARSE_STATUS_SUCCESS;
}
simtsparseStatus_t simtsparseDnMatGet(simtsparseDnMatDescr_t matrix, int64_t* rows,
                                      int64_t* columns, int64_t* ld, void** values,
                                      simtDataType* value_type, simtsparseOrder_t* order) {
  return simtsparseConstDnMatGet(matrix, rows, columns, ld, constant(values), value_type, order);
}

simtsparseStatus_t simtsparseConstDnMatGetValues(simtsparseConstDnMatDescr_t matrix,
                                                 const void** values) {
  return get_values(matrix, values);
}
simtsparseStatus_t simtsparseDnMatGetValues(simtsparseDnMatDescr_t matrix, void** values) {
  return get_values(matrix, constant(values));
}
simtsparseStatus_t simtsparseDnMatSetValues(simtsparseDnMatDescr_t matrix, void* values) {
  if (matrix == nullptr || values == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  matrix->values = values;
  return SIMTSPARSE_STATUS_SUCCESS;
}
simtsparseStatus_t simtsparseDnMatGetStridedBatch(simtsparseConstDnMatDescr_t matrix, int* count,
                                                  int64_t* stride) {
  if (any_null(matrix) || any_null(count) || any_null(stride)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *count = matrix->batch;
  *stride = matrix->stride;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseConstDnVecGet(simtsparseConstDnVecDescr_t vector, int64_t* size,
                                           const void** values, simtDataType* value_type) {
  if (any_null(vector) || any_null(size) || any_null(values) || any_null(value_type)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = vector->size;
  *values = vector->values;
  *value_type = vector->type;
  return SIMTSPARSE_STATUS_SUCCESS;
}
simtsparseStatus_t simtsparseDnVecGet(simtsparseDnVecDescr_t vector, int64_t* size, void** values,
                                      simtDataType* value_type) {
  return simtsparseConstDnVecGet(vector, size, constant(values), value_type);
}
simtsparseStatus_t simtsparseConstDnVecGetValues(simtsparseConstDnVecDescr_t vector,
                                                 const void** values) {
  return get_values(vector, values);
}
simtsparseStatus_t simtsparseDnVecGetValues(simtsparseDnVecDescr_t vector, void** values) {
  return get_values(vector, constant(values));
}

simtsparseStatus_t simtsparseConstSpVecGet(simtsparseConstSpVecDescr_t vector, int64_t* size,
                                           int64_t* nnz, const void** indices, const void** values,
                                           simtsparseIndexType_t* index_type,
                                           simtsparseIndexBase_t* base, simtDataType* value_type) {
  if (any_null(vector) || any_null(size, nnz) || any_null(indices, values) ||
      any_null(index_type) || any_null(base) || any_null(value_type)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = vector->size;
  *nnz = vector->nnz;
  *indices = vector->indices;
  *values = vector->values;
  *index_type = vector->index_type;
  *base = vector->base;
  *value_type = vector->type;
  return SIMTSPARSE_STATUS_SUCCESS;
}
simtsparseStatus_t simtsparseSpVecGet(simtsparseSpVecDescr_t vector, int64_t* size, int64_t* nnz,
                                      void** indices, void** values,
                                      simtsparseIndexType_t* index_type,
                                      simtsparseIndexBase_t* base, simtDataType* value_type) {
  return simtsparseConstSpVecGet(vector, size, nnz, constant(indices), constant(values), index_type,
                                 base, value_type);
}
simtsparseStatus_t simtsparseConstSpVecGetValues(simtsparseConstSpVecDescr_t vector,
                                                 const void** values) {
  return get_values(vector, values);
}
simtsparseStatus_t simtsparseSpVecGetValues(simtsparseSpVecDescr_t vector, void** values) {
  return get_values(vector, constant(values));
}
simtsparseStatus_t simtsparseSpVecGetIndexBase(simtsparseConstSpVecDescr_t vector,
                                               simtsparseIndexBase_t* base) {
  if (any_null(vector) || base == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *base = vector->base;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseCreateConstCoo(simtsparseConstSpMatDescr_t* matrix, int64_t rows,
                                            int64_t columns, int64_t nnz, const void* row_indices,
                                            const void* column_indices, const void* values,
                                            simtsparseIndexType_t index_type,
                                            simtsparseIndexBase_t base, simtDataType value_type) {
  return simtsparseCreateCoo(mutable_descriptor(matrix), rows, columns, nnz,
                             mutable_array(row_indices), mutable_array(column_indices),
                             mutable_array(values), index_type, base, value_type);
}
simtsparseStatus_t simtsparseCreateConstCsr(simtsparseConstSpMatDescr_t* matrix, int64_t rows,
                                            int64_t columns, int64_t nnz, const void* row_offsets,
                                            const void* column_indices, const void* values,
                                            simtsparseIndexType_t row_offsets_type,
                                            simtsparseIndexType_t column_indices_type,
                                            simtsparseIndexBase_t base, simtDataType value_type) {
  return simtsparseCreateCsr(mutable_descriptor(matrix), rows, columns, nnz,
                             mutable_array(row_offsets), mutable_array(column_indices),
                             mutable_array(values), row_offsets_type, column_indices_type, base,
                             value_type);
}
simtsparseStatus_t simtsparseCreateConstCsc(simtsparseConstSpMatDescr_t* matrix, int64_t rows,
                                            int64_t columns, int64_t nnz,
                                            const void* column_offsets, const void* row_indices,
                                            const void* values,
                                            simtsparseIndexType_t column_offsets_type,
                                            simtsparseIndexType_t row_indices_type,
                                            simtsparseIndexBase_t base, simtDataType value_type) {
  return simtsparseCreateCsc(mutable_descriptor(matrix), rows, columns, nnz,
                             mutable_array(column_offsets), mutable_array(row_indices),
                             mutable_array(values), column_offsets_type, row_indices_type, base,
                             value_type);
}
simtsparseStatus_t simtsparseCreateConstDnMat(simtsparseConstDnMatDescr_t* matrix, int64_t rows,
                                              int64_t columns, int64_t ld, const void* values,
                                              simtDataType value_type, simtsparseOrder_t order) {
  return simtsparseCreateDnMat(const_cast<simtsparseDnMatDescr_t*>(matrix), rows, columns, ld,
                               mutable_array(values), value_type, order);
}
simtsparseStatus_t simtsparseCreateConstDnVec(simtsparseConstDnVecDescr_t* vector, int64_t size,
                                              const void* values, simtDataType value_type) {
  return simtsparseCreateDnVec(const_cast<simtsparseDnVecDescr_t*>(vector), size,
                               mutable_array(values), value_type);
}

simtsparseStatus_t simtsparseCreateConstSpVec(simtsparseConstSpVecDescr_t* vector, int64_t size,
                                              int64_t nnz, const void* indices, const void* values,
                                              simtsparseIndexType_t index_type,
                                              simtsparseIndexBase_t base, simtDataType value_type) {
  return simtsparseCreateSpVec(const_cast<simtsparseSpVecDescr_t*>(vector), size, nnz,
                               mutable_array(indices), mutable_array(values), index_type, base,
                               value_type);
}

}  // extern "C"

// Compression of CSR matrices: entries with an absolute value of at most a tolerance are dropped.
#include "sparse/context.h"
#include "sparse/descriptors.h"
#include "sparse/numbers.h"

#include <cmath>
#include <complex>

namespace simtrt {
namespace {

template <class Value>
bool is_kept(Value value, Value tolerance) {
  return std::abs(value) > std::real(tolerance);
}

template <class Value>
simtsparseStatus_t check(simtsparseHandle_t handle, int m, const simtsparseMatDescr* matrix, const int* row_offsets,
                         const int* nnz_per_row, Value tolerance) {
  if (handle == nullptr) return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  if (m < 0 || matrix == nullptr || any_null(row_offsets, nnz_per_row) || !(std::real(tolerance) >= 0))
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  return matrix->type == SIMTSPARSE_MATRIX_TYPE_GENERAL ? SIMTSPARSE_STATUS_SUCCESS
                                                        : SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

/// Counts the entries that are kept, in each row and in total.
template <class Value>
simtsparseStatus_t count(simtsparseHandle_t handle, const char* name, int m, const simtsparseMatDescr* matrix,
                         const Value* values, const int* row_offsets, int* nnz_per_row, int* total, Value tolerance) {
  simtsparseStatus_t status = check(handle, m, matrix, row_offsets, nnz_per_row, tolerance);
  if (status == SIMTSPARSE_STATUS_SUCCESS && total == nullptr) status = SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  status = sparse_submit(*handle, name, [=, base = static_cast<int>(matrix->base)] {
    int found = 0;
    for (int i = 0; i < m; ++i) {
      nnz_per_row[i] = 0;
      for (int e = row_offsets[i] - base; e < row_offsets[i + 1] - base; ++e)
        nnz_per_row[i] += is_kept(values[e], tolerance) ? 1 : 0;
      found += nnz_per_row[i];
    }
    *total = found;
  });
  return status == SIMTSPARSE_STATUS_SUCCESS && !handle->scalars_on_device() ? sparse_wait(*handle) : status;
}

template <class Value>
struct CsrArrays {
  Value* values;
  int* column_indices;
  int* row_offsets;
};

/// Writes the entries that are kept, and the offsets of their rows.
template <class Value>
simtsparseStatus_t compress(simtsparseHandle_t handle, const char* name, int m, int n, int nnz,
                            const simtsparseMatDescr* matrix, const Value* values, const int* column_indices,
                            const int* row_offsets, const int* nnz_per_row, const CsrArrays<Value>& c, Value tolerance) {
  simtsparseStatus_t status = check(handle, m, matrix, row_offsets, nnz_per_row, tolerance);
  if (status == SIMTSPARSE_STATUS_SUCCESS &&
      (n < 0 || nnz < 0 || c.row_offsets == nullptr ||
       (nnz > 0 && (any_null(values, c.values) || any_null(column_indices, c.column_indices)))))
    status = SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  return sparse_submit(*handle, name, [=, base = static_cast<int>(matrix->base)] {
    int place = 0;
    c.row_offsets[0] = base;
    for (int i = 0; i < m; ++i) {
      c.row_offsets[i + 1] = c.row_offsets[i] + nnz_per_row[i];
      for (int e = row_offsets[i] - base; e < row_offsets[i + 1] - base; ++e) {
        if (!is_kept(values[e], tolerance)) continue;
        c.values[place] = values[e];
        c.column_indices[place] = column_indices[e];
        ++place;
      }
    }
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define SPARSE_COMPRESS(S, T)                                                                                         \
  simtsparseStatus_t simtsparse##S##nnz_compress(simtsparseHandle_t handle, int m, simtsparseMatDescr_t descriptor,   \
                                                 const T* values, const int* row_offsets, int* nnz_per_row,           \
                                                 int* total, T tolerance) {                                           \
    return count(handle, "simtsparse" #S "nnz_compress", m, descriptor, values_of(values), row_offsets, nnz_per_row,  \
                 total, *values_of(&tolerance));                                                                      \
  }                                                                                                                   \
  simtsparseStatus_t simtsparse##S##csr2csr_compress(                                                                 \
      simtsparseHandle_t handle, int m, int n, simtsparseMatDescr_t descriptor, const T* a,                           \
      const int* column_indices_a, const int* row_offsets_a, int nnz_a, const int* nnz_per_row, T* c,                 \
      int* column_indices_c, int* row_offsets_c, T tolerance) {                                                       \
    return compress(handle, "simtsparse" #S "csr2csr_compress", m, n, nnz_a, descriptor, values_of(a),                \
                    column_indices_a, row_offsets_a, nnz_per_row,                                                     \
                    CsrArrays<SparseValue<T>>{values_of(c), column_indices_c, row_offsets_c},                         \
                    *values_of(&tolerance));                                                                          \
  }
SPARSE_COMPRESS(S, float)
SPARSE_COMPRESS(D, double)
SPARSE_COMPRESS(C, simtComplex)
SPARSE_COMPRESS(Z, simtDoubleComplex)

}  // extern "C"

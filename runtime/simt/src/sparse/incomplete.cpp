// Incomplete factorisations without fill-in of matrices in CSR form: LU, and Cholesky.
#include "sparse/context.h"
#include "sparse/descriptors.h"
#include "sparse/numbers.h"

#include <cmath>
#include <complex>
#include <type_traits>

namespace simtrt {

simtsparseStatus_t report_pivot(simtsparseHandle_t handle, const PivotState* state, int* place) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (state == nullptr || place == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const simtsparseStatus_t status = sparse_wait(*handle);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  // For both pointer modes, the pointer can be dereferenced: device memory is host memory.
  *place = *state->zero_pivot;
  return *place < 0 ? SIMTSPARSE_STATUS_SUCCESS : SIMTSPARSE_STATUS_ZERO_PIVOT;
}

namespace {

/// Square matrix in CSR form, with sorted columns.
template <class Value>
struct Csr {
  int m;
  Value* values;
  const int* row_offsets;
  const int* column_indices;
  int base;

  int begin(int row) const { return row_offsets[row] - base; }
  int end(int row) const { return row_offsets[row + 1] - base; }
  int column(int place) const { return column_indices[place] - base; }
  /// Place of the element on the diagonal, or -1.
  int diagonal(int row) const {
    for (int place = begin(row); place < end(row); ++place) {
      if (column(place) == row) return place;
    }
    return -1;
  }
  /// First row without an element on the diagonal, from the index base, or -1.
  int missing_pivot() const {
    for (int row = 0; row < m; ++row) {
      if (diagonal(row) < 0) return row + base;
    }
    return -1;
  }
};

/// Row by row: subtracts multiples of earlier rows, only where the row has elements. Returns the first row with a zero
/// pivot, from the index base, or -1.
template <class Value>
int factor_lu(const Csr<Value>& a, const csrilu02Info& settings) {
  int found = -1;
  for (int i = 0; i < a.m; ++i) {
    for (int place = a.begin(i); place < a.end(i) && a.column(place) < i; ++place) {
      const int k = a.column(place);
      const int pivot = a.diagonal(k);
      if (pivot < 0) continue;
      a.values[place] /= a.values[pivot];
      int mine = place + 1;
      for (int other = pivot + 1; other < a.end(k); ++other) {
        while (mine < a.end(i) && a.column(mine) < a.column(other)) ++mine;
        if (mine < a.end(i) && a.column(mine) == a.column(other))
          a.values[mine] -= a.values[place] * a.values[other];
      }
    }
    const int pivot = a.diagonal(i);
    if (pivot >= 0 && settings.is_boosted &&
        static_cast<double>(std::abs(a.values[pivot])) <= settings.tolerance) {
      if constexpr (std::is_floating_point_v<Value>) {
        a.values[pivot] = static_cast<Value>(settings.boost.real());
      } else {
        a.values[pivot] = Value(settings.boost);
      }
    }
    if (found < 0 && (pivot < 0 || a.values[pivot] == Value())) found = i + a.base;
  }
  return found;
}

/// The lower triangle becomes L of L L'; the upper triangle is not read. Returns the first row whose pivot is not
/// positive, from the index base, or -1.
template <class Value>
int factor_cholesky(const Csr<Value>& a) {
  int found = -1;
  for (int i = 0; i < a.m; ++i) {
    for (int place = a.begin(i); place < a.end(i) && a.column(place) <= i; ++place) {
      const int k = a.column(place);
      Value sum = a.values[place];
      int mine = a.begin(i);
      for (int other = a.begin(k); other < a.end(k) && a.column(other) < k; ++other) {
        while (a.column(mine) < a.column(other)) ++mine;
        if (a.column(mine) == a.column(other))
          sum -= a.values[mine] * conjugate_if(true, a.values[other]);
      }
      if (k < i) {
        const int pivot = a.diagonal(k);
        if (pivot >= 0) a.values[place] = sum / a.values[pivot];
      } else {
        if (found < 0 && !(std::real(sum) > 0)) found = i + a.base;
        a.values[place] = Value(std::sqrt(std::real(sum)));
      }
    }
    if (found < 0 && a.diagonal(i) < 0) found = i + a.base;
  }
  return found;
}

/// Arguments that the functions share.
template <class T>
struct CsrArguments {
  int m;
  int nnz;
  simtsparseMatDescr_t matrix;
  T* values;
  const int* row_offsets;
  const int* column_indices;

  simtsparseStatus_t check(simtsparseHandle_t handle, const PivotState* state) const {
    if (handle == nullptr) return SIMTSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || nnz < 0 || state == nullptr || any_null(matrix) ||
        (m > 0 && any_null(row_offsets)) || (nnz > 0 && any_null(values, column_indices))) {
      return SIMTSPARSE_STATUS_INVALID_VALUE;
    }
    return matrix->type == SIMTSPARSE_MATRIX_TYPE_GENERAL
               ? SIMTSPARSE_STATUS_SUCCESS
               : SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  }
  auto view() const {
    auto* const elements = values_of(values);
    return Csr<std::remove_pointer_t<decltype(elements)>>{m, elements, row_offsets, column_indices,
                                                          matrix->base};
  }
};

/// Size is int or size_t.
template <class T, class Size>
simtsparseStatus_t query(simtsparseHandle_t handle, const CsrArguments<T>& a,
                         const PivotState* state, Size* size) {
  const simtsparseStatus_t status = a.check(handle, state);
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  if (size == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;
  *size = kSomeBuffer;
  return SIMTSPARSE_STATUS_SUCCESS;
}

template <class T>
simtsparseStatus_t analyse(simtsparseHandle_t handle, const char* name, const CsrArguments<T>& a,
                           PivotState* state) {
  simtsparseStatus_t status = a.check(handle, state);
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  status = sparse_submit(*handle, name, [view = a.view(), found = state->zero_pivot] {
    *found = view.missing_pivot();
  });
  state->analysed = state->analysed || status == SIMTSPARSE_STATUS_SUCCESS;
  return status;
}

template <class T, class Factor>
simtsparseStatus_t factor(simtsparseHandle_t handle, const char* name, const CsrArguments<T>& a,
                          const PivotState* state, Factor work) {
  const simtsparseStatus_t status = a.check(handle, state);
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  if (!state->analysed) return SIMTSPARSE_STATUS_INVALID_VALUE;
  return sparse_submit(*handle, name, [view = a.view(), found = state->zero_pivot, work] {
    *found = work(view);
  });
}

template <class T>
simtsparseStatus_t boost(simtsparseHandle_t handle, csrilu02Info_t info, int is_boosted,
                         const double* tolerance, const T* value) {
  if (handle == nullptr) return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  if (info == nullptr || (is_boosted != 0 && any_null(tolerance, value)))
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  info->is_boosted = is_boosted != 0;
  if (is_boosted == 0) return SIMTSPARSE_STATUS_SUCCESS;
  // For both pointer modes, the pointers can be dereferenced: device memory is host memory.
  info->tolerance = *tolerance;
  info->boost = std::complex<double>(*values_of(value));
  return SIMTSPARSE_STATUS_SUCCESS;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseXcsrilu02_zeroPivot(simtsparseHandle_t handle, csrilu02Info_t info,
                                                 int* place) {
  return report_pivot(handle, info, place);
}
simtsparseStatus_t simtsparseXcsric02_zeroPivot(simtsparseHandle_t handle, csric02Info_t info,
                                                int* place) {
  return report_pivot(handle, info, place);
}

#define SPARSE_FACTOR(prefix, T, Info, ...)                                                       \
  simtsparseStatus_t prefix##_bufferSize(simtsparseHandle_t handle, int m, int nnz,               \
                                         simtsparseMatDescr_t descriptor, T* values,              \
                                         const int* row_offsets, const int* column_indices,       \
                                         Info info, int* size) {                                  \
    return query<T>(handle, {m, nnz, descriptor, values, row_offsets, column_indices}, info,      \
                    size);                                                                        \
  }                                                                                               \
  simtsparseStatus_t prefix##_bufferSizeExt(                                                      \
      simtsparseHandle_t handle, int m, int nnz, simtsparseMatDescr_t descriptor, T* values,      \
      const int* row_offsets, const int* column_indices, Info info, size_t* size) {               \
    return query<T>(handle, {m, nnz, descriptor, values, row_offsets, column_indices}, info,      \
                    size);                                                                        \
  }                                                                                               \
  simtsparseStatus_t prefix##_analysis(simtsparseHandle_t handle, int m, int nnz,                 \
                                       simtsparseMatDescr_t descriptor, const T* values,          \
                                       const int* row_offsets, const int* column_indices,         \
                                       Info info, simtsparseSolvePolicy_t, void*) {               \
    return analyse<const T>(handle, #prefix "_analysis",                                          \
                            {m, nnz, descriptor, values, row_offsets, column_indices}, info);     \
  }                                                                                               \
  simtsparseStatus_t prefix(simtsparseHandle_t handle, int m, int nnz,                            \
                            simtsparseMatDescr_t descriptor, T* values, const int* row_offsets,   \
                            const int* column_indices, Info info, simtsparseSolvePolicy_t,        \
                            void*) {                                                              \
    if (info == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;                                  \
    return factor<T>(handle, #prefix,                                                             \
                     {m, nnz, descriptor, values, row_offsets, column_indices}, info,             \
                     __VA_ARGS__);                                                                \
  }
#define SPARSE_ILU(prefix, T)                                                                     \
  SPARSE_FACTOR(prefix, T, csrilu02Info_t,                                                        \
                [settings = *info](const auto& view) { return factor_lu(view, settings); })       \
  simtsparseStatus_t prefix##_numericBoost(simtsparseHandle_t handle, csrilu02Info_t info,        \
                                           int enable_boost, double* tolerance, T* value) {       \
    return boost<T>(handle, info, enable_boost, tolerance, value);                                \
  }
SPARSE_ILU(simtsparseScsrilu02, float)
SPARSE_ILU(simtsparseDcsrilu02, double)
SPARSE_ILU(simtsparseCcsrilu02, simtComplex)
SPARSE_ILU(simtsparseZcsrilu02, simtDoubleComplex)
#define SPARSE_IC(prefix, T)             \
  SPARSE_FACTOR(prefix, T, csric02Info_t, \
                [](const auto& view) { return factor_cholesky(view); })
SPARSE_IC(simtsparseScsric02, float)
SPARSE_IC(simtsparseDcsric02, double)
SPARSE_IC(simtsparseCcsric02, simtComplex)
SPARSE_IC(simtsparseZcsric02, simtDoubleComplex)

}  // extern "C"

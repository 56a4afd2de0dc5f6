// Sums of two CSR matrices.
#include "sparse/descriptors.h"
#include "sparse/numbers.h"

namespace simtrt {
namespace {

/// Positions of the entries of a matrix.
struct Pattern {
  int base;
  int nnz;
  const int* row_offsets;
  const int* column_indices;

  int begin(int row) const { return nnz == 0 ? 0 : row_offsets[row] - base; }
  int end(int row) const { return nnz == 0 ? 0 : row_offsets[row + 1] - base; }
  int column(int entry) const { return column_indices[entry] - base; }
};

/// Calls `use(column, entry of a, entry of b)` for each column in which a row of either matrix has
/// an entry, in order; -1 denotes a missing entry.
template <class Use>
void merge_row(const Pattern& a, const Pattern& b, int row, const Use& use) {
  int i = a.begin(row);
  int j = b.begin(row);
  const int end_a = a.end(row);
  const int end_b = b.end(row);
  while (i < end_a || j < end_b) {
    if (j == end_b || (i < end_a && a.column(i) < b.column(j))) {
      use(a.column(i), i, -1);
      ++i;
    } else if (i == end_a || b.column(j) < a.column(i)) {
      use(b.column(j), -1, j);
      ++j;
    } else {
      use(a.column(i), i, j);
      ++i;
      ++j;
    }
  }
}

bool bad_pattern(const simtsparseMatDescr* matrix, int nnz, const int* row_offsets,
                 const int* column_indices) {
  return matrix == nullptr || nnz < 0 || (nnz > 0 && any_null(row_offsets, column_indices));
}

/// Common checks of the three functions of this file.
simtsparseStatus_t check(simtsparseHandle_t handle, int m, int n, const simtsparseMatDescr* a,
                         const simtsparseMatDescr* b, const simtsparseMatDescr* c, bool is_bad) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (m < 0 || n < 0 || c == nullptr || is_bad) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  for (const simtsparseMatDescr* matrix : {a, b, c}) {
    if (matrix->type != SIMTSPARSE_MATRIX_TYPE_GENERAL) {
      return SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    }
  }
  return SIMTSPARSE_STATUS_SUCCESS;
}

/// Operand of the sum: a matrix and the factor by which it is multiplied.
template <class T>
struct Term {
  const T* scalar;
  const simtsparseMatDescr* matrix;
  int nnz;
  const T* values;
  const int* row_offsets;
  const int* column_indices;

  bool is_bad() const {
    return bad_pattern(matrix, nnz, row_offsets, column_indices) || scalar == nullptr ||
           (nnz > 0 && values == nullptr);
  }
  Pattern pattern() const { return {matrix->base, nnz, row_offsets, column_indices}; }
};

template <class T>
simtsparseStatus_t geam(simtsparseHandle_t handle, const char* name, int m, int n, const Term<T>& a,
                        const Term<T>& b, const simtsparseMatDescr* c, T* values_c,
                        const int* row_offsets_c, int* column_indices_c) {
  using Value = SparseValue<T>;
  const bool is_bad = a.is_bad() || b.is_bad() || row_offsets_c == nullptr ||
                      (a.nnz + b.nnz > 0 && any_null(values_c, column_indices_c));
  const simtsparseStatus_t status = check(handle, m, n, a.matrix, b.matrix, c, is_bad);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  const SparseScalar alpha(*handle, a.scalar, kSparseType<Value>);
  const SparseScalar beta(*handle, b.scalar, kSparseType<Value>);
  const auto* const values_a = values_of(a.values);
  const auto* const values_b = values_of(b.values);
  auto* const values = values_of(values_c);
  return sparse_submit(
      *handle, name,
      [=, pattern_a = a.pattern(), pattern_b = b.pattern(), base = static_cast<int>(c->base)] {
        const auto factor_a = alpha.template read<Value>();
        const auto factor_b = beta.template read<Value>();
        for (int row = 0; row < m; ++row) {
          int e = row_offsets_c[row] - base;
          merge_row(pattern_a, pattern_b, row, [&](int column, int i, int j) {
            Value sum{};
            if (i >= 0) sum += factor_a * values_a[i];
            if (j >= 0) sum += factor_b * values_b[j];
            column_indices_c[e] = column + base;
            values[e] = sum;
            ++e;
          });
        }
      });
}

template <class T>
simtsparseStatus_t geam_size(simtsparseHandle_t handle, int m, int n, const Term<T>& a,
                             const Term<T>& b, const simtsparseMatDescr* c, size_t* size) {
  const bool is_bad = a.is_bad() || b.is_bad() || size == nullptr;
  const simtsparseStatus_t status = check(handle, m, n, a.matrix, b.matrix, c, is_bad);
  if (status == SIMTSPARSE_STATUS_SUCCESS) {
    *size = kSomeBuffer;
  }
  return status;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define SPARSE_GEAM_INPUT(T, name)                                                \
  const T *scalar_##name, simtsparseMatDescr_t descriptor_##name, int nnz_##name, \
      const T *values_##name, const int *row_offsets_##name, const int *column_indices_##name
#define SPARSE_GEAM_TERM(T, name)                                                    \
  Term<T> {                                                                          \
    scalar_##name, descriptor_##name, nnz_##name, values_##name, row_offsets_##name, \
        column_indices_##name                                                        \
  }
#define SPARSE_GEAM(buffer_size, geam_name, T)                                                     \
  simtsparseStatus_t buffer_size(simtsparseHandle_t handle, int m, int n, SPARSE_GEAM_INPUT(T, a), \
                                 SPARSE_GEAM_INPUT(T, b), simtsparseMatDescr_t descriptor_c,       \
                                 const T*, const int*, const int*, size_t* size) {                 \
    return geam_size<T>(handle, m, n, SPARSE_GEAM_TERM(T, a), SPARSE_GEAM_TERM(T, b),              \
                        descriptor_c, size);                                                       \
  }                                                                                                \
  simtsparseStatus_t geam_name(simtsparseHandle_t handle, int m, int n, SPARSE_GEAM_INPUT(T, a),   \
                               SPARSE_GEAM_INPUT(T, b), simtsparseMatDescr_t descriptor_c,         \
                               T* values_c, int* row_offsets_c, int* column_indices_c, void*) {    \
    return geam<T>(handle, #geam_name, m, n, SPARSE_GEAM_TERM(T, a), SPARSE_GEAM_TERM(T, b),       \
                   descriptor_c, values_c, row_offsets_c, column_indices_c);                       \
  }
SPARSE_GEAM(simtsparseScsrgeam2_bufferSizeExt, simtsparseScsrgeam2, float)
SPARSE_GEAM(simtsparseDcsrgeam2_bufferSizeExt, simtsparseDcsrgeam2, double)
SPARSE_GEAM(simtsparseCcsrgeam2_bufferSizeExt, simtsparseCcsrgeam2, simtComplex)
SPARSE_GEAM(simtsparseZcsrgeam2_bufferSizeExt, simtsparseZcsrgeam2, simtDoubleComplex)

simtsparseStatus_t simtsparseXcsrgeam2Nnz(simtsparseHandle_t handle, int m, int n,
                                          simtsparseMatDescr_t descriptor_a, int nnz_a,
                                          const int* row_offsets_a, const int* column_indices_a,
                                          simtsparseMatDescr_t descriptor_b, int nnz_b,
                                          const int* row_offsets_b, const int* column_indices_b,
                                          simtsparseMatDescr_t descriptor_c, int* row_offsets_c,
                                          int* nnz, void*) {
  const bool is_bad = bad_pattern(descriptor_a, nnz_a, row_offsets_a, column_indices_a) ||
                      bad_pattern(descriptor_b, nnz_b, row_offsets_b, column_indices_b) ||
                      any_null(row_offsets_c, nnz);
  simtsparseStatus_t status = check(handle, m, n, descriptor_a, descriptor_b, descriptor_c, is_bad);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  const Pattern a{descriptor_a->base, nnz_a, row_offsets_a, column_indices_a};
  const Pattern b{descriptor_b->base, nnz_b, row_offsets_b, column_indices_b};
  status = sparse_submit(*handle, "simtsparseXcsrgeam2Nnz",
                         [=, base = static_cast<int>(descriptor_c->base)] {
                           row_offsets_c[0] = base;
                           for (int row = 0; row < m; ++row) {
                             int count = 0;
                             merge_row(a, b, row, [&](int, int, int) { ++count; });
                             row_offsets_c[row + 1] = row_offsets_c[row] + count;
                           }
                           *nnz = row_offsets_c[m] - base;
                         });
  if (status != SIMTSPARSE_STATUS_SUCCESS || handle->scalars_on_device()) {
    return status;
  }
  return sparse_wait(*handle);
}

}  // extern "C"

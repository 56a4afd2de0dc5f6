// Pruning: CSR matrices of the numbers of a matrix with an absolute value above a threshold.
#include "sparse/context.h"
#include "sparse/descriptors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace simtrt {
namespace {

/// Absolute value; exact for all types.
double magnitude(double x) { return std::abs(x); }
double magnitude(__half x) { return std::abs(static_cast<double>(__half2float(x))); }

simtsparseStatus_t check_descriptor(const simtsparseMatDescr* matrix) {
  if (matrix == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;
  return matrix->type == SIMTSPARSE_MATRIX_TYPE_GENERAL ? SIMTSPARSE_STATUS_SUCCESS
                                                        : SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

/// Column-major matrix.
template <class T>
struct DenseInput {
  int m, n;
  const T* a;
  int lda;

  simtsparseStatus_t check() const {
    return m < 0 || n < 0 || lda < std::max(m, 1) || (m > 0 && n > 0 && a == nullptr) ? SIMTSPARSE_STATUS_INVALID_VALUE
                                                                                      : SIMTSPARSE_STATUS_SUCCESS;
  }
  /// Calls `use(column, value)`, in the order of the columns.
  template <class Use>
  void row(int i, const Use& use) const {
    for (int j = 0; j < n; ++j) use(j, a[static_cast<std::ptrdiff_t>(j) * lda + i]);
  }
};

template <class T>
struct CsrInput {
  int m, n, nnz;
  const simtsparseMatDescr* matrix;
  const T* a;
  const int* row_offsets;
  const int* column_indices;
  int base;

  CsrInput(int m, int n, int nnz, const simtsparseMatDescr* matrix, const T* a, const int* row_offsets,
           const int* column_indices)
      : m(m), n(n), nnz(nnz), matrix(matrix), a(a), row_offsets(row_offsets), column_indices(column_indices),
        base(matrix == nullptr ? 0 : matrix->base) {}

  simtsparseStatus_t check() const {
    if (m < 0 || n < 0 || nnz < 0 || row_offsets == nullptr || (nnz > 0 && (a == nullptr || column_indices == nullptr)))
      return SIMTSPARSE_STATUS_INVALID_VALUE;
    return check_descriptor(matrix);
  }
  template <class Use>
  void row(int i, const Use& use) const {
    for (int e = row_offsets[i] - base; e < row_offsets[i + 1] - base; ++e) use(column_indices[e] - base, a[e]);
  }
};

/// Limit that the program states.
template <class T>
struct Threshold {
  const T* pointer;          // null unless the threshold is on the device
  double value;

  template <class Input>
  double of(const Input&) const { return pointer != nullptr ? magnitude(*pointer) : value; }
};

/// Limit that a part of the absolute values of the input do not exceed.
struct Percentage {
  float percentage;

  template <class Input>
  double of(const Input& input) const {
    std::vector<double> sorted;
    for (int i = 0; i < input.m; ++i) input.row(i, [&](int, auto value) { sorted.push_back(magnitude(value)); });
    if (sorted.empty()) return 0;
    const auto last = static_cast<double>(sorted.size() - 1);
    const double place = std::ceil(static_cast<double>(sorted.size()) * static_cast<double>(percentage) / 100) - 1;
    const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(std::clamp(place, 0.0, last));
    std::nth_element(sorted.begin(), nth, sorted.end());
    return *nth;
  }
};

template <class T>
std::optional<Threshold<T>> limit(simtsparseHandle_t handle, const T* threshold) {
  if (handle == nullptr || threshold == nullptr) return std::nullopt;
  if (handle->scalars_on_device()) return Threshold<T>{threshold, 0};
  return Threshold<T>{nullptr, magnitude(*threshold)};
}
std::optional<Percentage> limit(float percentage, const pruneInfo* info) {
  if (info == nullptr || !(percentage >= 0 && percentage <= 100)) return std::nullopt;
  return Percentage{percentage};
}

template <class Input, class Limit>
simtsparseStatus_t check(simtsparseHandle_t handle, const Input& input, const std::optional<Limit>& limit,
                         const simtsparseMatDescr* c) {
  if (handle == nullptr) return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  if (!limit) return SIMTSPARSE_STATUS_INVALID_VALUE;
  const simtsparseStatus_t status = input.check();
  return status == SIMTSPARSE_STATUS_SUCCESS ? check_descriptor(c) : status;
}

template <class Input, class Limit>
simtsparseStatus_t query(simtsparseHandle_t handle, const Input& input, const std::optional<Limit>& limit,
                         const simtsparseMatDescr* c, std::size_t* size) {
  const simtsparseStatus_t status = check(handle, input, limit, c);
  if (status == SIMTSPARSE_STATUS_SUCCESS && size == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status == SIMTSPARSE_STATUS_SUCCESS) *size = kSomeBuffer;
  return status;
}

/// Writes the offsets of the rows and the number of entries.
template <class Input, class Limit>
simtsparseStatus_t count(simtsparseHandle_t handle, const char* name, const Input& input,
                         const std::optional<Limit>& limit, const simtsparseMatDescr* c, int* row_offsets, int* total) {
  simtsparseStatus_t status = check(handle, input, limit, c);
  if (status == SIMTSPARSE_STATUS_SUCCESS && any_null(row_offsets, total)) status = SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  status = sparse_submit(*handle, name, [=, limit = *limit, base = static_cast<int>(c->base)] {
    const double threshold = limit.of(input);
    int found = 0;
    row_offsets[0] = base;
    for (int i = 0; i < input.m; ++i) {
      input.row(i, [&](int, auto value) { found += magnitude(value) > threshold ? 1 : 0; });
      row_offsets[i + 1] = found + base;
    }
    *total = found;
  });
  return status == SIMTSPARSE_STATUS_SUCCESS && !handle->scalars_on_device() ? sparse_wait(*handle) : status;
}

/// Writes the columns and values.
template <class Input, class Limit, class T>
simtsparseStatus_t write(simtsparseHandle_t handle, const char* name, const Input& input, const std::optional<Limit>& limit,
                         const simtsparseMatDescr* c, T* values, const int* row_offsets, int* column_indices) {
  simtsparseStatus_t status = check(handle, input, limit, c);
  // The arrays of a matrix without entries may be null.
  if (status == SIMTSPARSE_STATUS_SUCCESS && (row_offsets == nullptr || any_null(values) != any_null(column_indices)))
    status = SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status != SIMTSPARSE_STATUS_SUCCESS || values == nullptr) return status;
  return sparse_submit(*handle, name, [=, limit = *limit, base = static_cast<int>(c->base)] {
    const double threshold = limit.of(input);
    for (int i = 0; i < input.m; ++i) {
      int place = row_offsets[i] - base;
      input.row(i, [&](int column, T value) {
        if (!(magnitude(value) > threshold)) return;
        column_indices[place] = column + base;
        values[place] = value;
        ++place;
      });
    }
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define SPARSE_DENSE_PARAMETERS(T) int m, int n, const T *a, int lda
#define SPARSE_DENSE_INPUT(T) \
  DenseInput<T> { m, n, a, lda }
#define SPARSE_CSR_PARAMETERS(T)                                          \
  int m, int n, int nnz_a, simtsparseMatDescr_t descriptor_a, const T *a, \
      const int *row_offsets_a, const int *column_indices_a
#define SPARSE_CSR_INPUT(T) CsrInput<T>(m, n, nnz_a, descriptor_a, a, row_offsets_a, column_indices_a)

#define SPARSE_PRUNE(T, size_query, nnz, prune, PARAMETERS, INPUT)                                                 \
  simtsparseStatus_t size_query(simtsparseHandle_t handle, PARAMETERS(T), const T* threshold,                      \
                                simtsparseMatDescr_t c, const T*, const int*, const int*, size_t* size) {          \
    return query(handle, INPUT(T), limit(handle, threshold), c, size);                                             \
  }                                                                                                                \
  simtsparseStatus_t nnz(simtsparseHandle_t handle, PARAMETERS(T), const T* threshold, simtsparseMatDescr_t c,     \
                         int* row_offsets, int* total, void*) {                                                    \
    return count(handle, #nnz, INPUT(T), limit(handle, threshold), c, row_offsets, total);                         \
  }                                                                                                                \
  simtsparseStatus_t prune(simtsparseHandle_t handle, PARAMETERS(T), const T* threshold, simtsparseMatDescr_t c,   \
                           T* values, const int* row_offsets, int* column_indices, void*) {                        \
    return write(handle, #prune, INPUT(T), limit(handle, threshold), c, values, row_offsets, column_indices);      \
  }
#define SPARSE_PRUNE_PART(T, size_query, nnz, prune, PARAMETERS, INPUT)                                            \
  simtsparseStatus_t size_query(simtsparseHandle_t handle, PARAMETERS(T), float percentage,                        \
                                simtsparseMatDescr_t c, const T*, const int*, const int*, pruneInfo_t info,        \
                                size_t* size) {                                                                    \
    return query(handle, INPUT(T), limit(percentage, info), c, size);                                              \
  }                                                                                                                \
  simtsparseStatus_t nnz(simtsparseHandle_t handle, PARAMETERS(T), float percentage, simtsparseMatDescr_t c,       \
                         int* row_offsets, int* total, pruneInfo_t info, void*) {                                  \
    return count(handle, #nnz, INPUT(T), limit(percentage, info), c, row_offsets, total);                          \
  }                                                                                                                \
  simtsparseStatus_t prune(simtsparseHandle_t handle, PARAMETERS(T), float percentage, simtsparseMatDescr_t c,     \
                           T* values, const int* row_offsets, int* column_indices, pruneInfo_t info, void*) {      \
    return write(handle, #prune, INPUT(T), limit(percentage, info), c, values, row_offsets, column_indices);       \
  }
#define SPARSE_PRUNES(S, T)                                                                                        \
  SPARSE_PRUNE(T, simtsparse##S##pruneDense2csr_bufferSizeExt, simtsparse##S##pruneDense2csrNnz,                   \
               simtsparse##S##pruneDense2csr, SPARSE_DENSE_PARAMETERS, SPARSE_DENSE_INPUT)                         \
  SPARSE_PRUNE(T, simtsparse##S##pruneCsr2csr_bufferSizeExt, simtsparse##S##pruneCsr2csrNnz,                       \
               simtsparse##S##pruneCsr2csr, SPARSE_CSR_PARAMETERS, SPARSE_CSR_INPUT)                               \
  SPARSE_PRUNE_PART(T, simtsparse##S##pruneDense2csrByPercentage_bufferSizeExt,                                    \
                    simtsparse##S##pruneDense2csrNnzByPercentage,                                                  \
                    simtsparse##S##pruneDense2csrByPercentage, SPARSE_DENSE_PARAMETERS, SPARSE_DENSE_INPUT)        \
  SPARSE_PRUNE_PART(T, simtsparse##S##pruneCsr2csrByPercentage_bufferSizeExt,                                      \
                    simtsparse##S##pruneCsr2csrNnzByPercentage, simtsparse##S##pruneCsr2csrByPercentage,           \
                    SPARSE_CSR_PARAMETERS, SPARSE_CSR_INPUT)
SPARSE_PRUNES(H, __half)
SPARSE_PRUNES(S, float)
SPARSE_PRUNES(D, double)

}  // extern "C"

// Sorts of the entries of CSR matrices that can be reverted.
#include "sparse/context.h"
#include "sparse/descriptors.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace simtrt {
namespace {

template <class T>
struct Csr {
  int m, n, nnz;
  T* values;
  const int* row_offsets;
  int* column_indices;

  simtsparseStatus_t check(simtsparseHandle_t handle, const csru2csrInfo* info) const {
    if (handle == nullptr) return SIMTSPARSE_STATUS_NOT_INITIALIZED;
    return m < 0 || n < 0 || nnz < 0 || info == nullptr || row_offsets == nullptr ||
                   (nnz > 0 && (values == nullptr || column_indices == nullptr))
               ? SIMTSPARSE_STATUS_INVALID_VALUE
               : SIMTSPARSE_STATUS_SUCCESS;
  }
  simtsparseStatus_t check(simtsparseHandle_t handle, const csru2csrInfo* info, const simtsparseMatDescr* matrix) const {
    const simtsparseStatus_t status = check(handle, info);
    if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
    if (matrix == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;
    return matrix->type == SIMTSPARSE_MATRIX_TYPE_GENERAL ? SIMTSPARSE_STATUS_SUCCESS
                                                          : SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  }
};

/// Entry i of the result is entry places[i] of `numbers`.
template <class Number>
void take(const std::vector<int>& places, Number* numbers) {
  const std::vector<Number> old(numbers, numbers + places.size());
  for (std::size_t i = 0; i < places.size(); ++i) numbers[i] = old[static_cast<std::size_t>(places[i])];
}
/// The inverse of take().
template <class Number>
void put_back(const std::vector<int>& places, Number* numbers) {
  const std::vector<Number> old(numbers, numbers + places.size());
  for (std::size_t i = 0; i < places.size(); ++i) numbers[places[i]] = old[i];
}

template <class T>
simtsparseStatus_t query(simtsparseHandle_t handle, const Csr<T>& a, const csru2csrInfo* info, std::size_t* size) {
  const simtsparseStatus_t status = a.check(handle, info);
  if (status == SIMTSPARSE_STATUS_SUCCESS && size == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status == SIMTSPARSE_STATUS_SUCCESS) *size = kSomeBuffer;
  return status;
}

template <class T>
simtsparseStatus_t sort(simtsparseHandle_t handle, const char* name, const Csr<T>& a, const simtsparseMatDescr* matrix,
                        csru2csrInfo* info) {
  const simtsparseStatus_t status = a.check(handle, info, matrix);
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  info->places = std::make_shared<std::vector<int>>(static_cast<std::size_t>(a.nnz));
  return sparse_submit(*handle, name, [a, base = static_cast<int>(matrix->base), places = info->places] {
    std::iota(places->begin(), places->end(), 0);
    for (int row = 0; row < a.m; ++row) {
      std::stable_sort(places->begin() + (a.row_offsets[row] - base), places->begin() + (a.row_offsets[row + 1] - base),
                       [&](int i, int j) { return a.column_indices[i] < a.column_indices[j]; });
    }
    take(*places, a.column_indices);
    take(*places, a.values);
  });
}

template <class T>
simtsparseStatus_t restore(simtsparseHandle_t handle, const char* name, const Csr<T>& a,
                           const simtsparseMatDescr* matrix, const csru2csrInfo* info) {
  const simtsparseStatus_t status = a.check(handle, info, matrix);
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  if (info->places == nullptr || info->places->size() != static_cast<std::size_t>(a.nnz))
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  return sparse_submit(*handle, name, [a, places = info->places] {
    put_back(*places, a.column_indices);
    put_back(*places, a.values);
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define SPARSE_UNSORTED(S, T)                                                                                         \
  simtsparseStatus_t simtsparse##S##csru2csr_bufferSizeExt(simtsparseHandle_t handle, int m, int n, int nnz,          \
                                                           T* values, const int* row_offsets, int* column_indices,    \
                                                           csru2csrInfo_t info, size_t* size) {                       \
    return query(handle, Csr<T>{m, n, nnz, values, row_offsets, column_indices}, info, size);                         \
  }                                                                                                                   \
  simtsparseStatus_t simtsparse##S##csru2csr(simtsparseHandle_t handle, int m, int n, int nnz,                        \
                                             simtsparseMatDescr_t matrix, T* values, const int* row_offsets,          \
                                             int* column_indices, csru2csrInfo_t info, void*) {                       \
    return sort(handle, "simtsparse" #S "csru2csr", Csr<T>{m, n, nnz, values, row_offsets, column_indices}, matrix,   \
                info);                                                                                                \
  }                                                                                                                   \
  simtsparseStatus_t simtsparse##S##csr2csru(simtsparseHandle_t handle, int m, int n, int nnz,                        \
                                             simtsparseMatDescr_t matrix, T* values, const int* row_offsets,          \
                                             int* column_indices, csru2csrInfo_t info, void*) {                       \
    return restore(handle, "simtsparse" #S "csr2csru", Csr<T>{m, n, nnz, values, row_offsets, column_indices},        \
                   matrix, info);                                                                                     \
  }
SPARSE_UNSORTED(S, float)
SPARSE_UNSORTED(D, double)
SPARSE_UNSORTED(C, simtComplex)
SPARSE_UNSORTED(Z, simtDoubleComplex)

}  // extern "C"

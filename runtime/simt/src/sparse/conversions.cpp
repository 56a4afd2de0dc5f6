// Conversions of the entries of sparse matrices: row offsets of CSR from COO, sorting, and the
// identity permutation.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "sparse/context.h"
#include "sparse/descriptors.h"

namespace simtrt {
namespace {

bool bad_sizes(int m, int n, int nnz) { return m < 0 || n < 0 || nnz < 0; }

/// Permutation that sorts the entries [begin, end) by `before(i, j)`.
template <class Before>
std::vector<int> order_of(int begin, int end, const Before& before) {
  std::vector<int> order(static_cast<std::size_t>(end - begin));
  std::iota(order.begin(), order.end(), begin);
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

/// Writes values[order[0]], values[order[1]], ... to the positions from `begin` on. No effect for
/// null `values`.
void apply(const std::vector<int>& order, int begin, int* values) {
  if (values == nullptr) {
    return;
  }
  std::vector<int> moved;
  moved.reserve(order.size());
  for (const int from : order) {
    moved.push_back(values[from]);
  }
  std::copy(moved.begin(), moved.end(), values + begin);
}

simtsparseStatus_t query(simtsparseHandle_t handle, int m, int n, int nnz, size_t* size) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (bad_sizes(m, n, nnz) || size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return SIMTSPARSE_STATUS_SUCCESS;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseXcoo2csr(simtsparseHandle_t handle, const int* row_indices, int nnz,
                                      int m, int* row_offsets, simtsparseIndexBase_t base) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (nnz < 0 || m < 0 || !valid(base) || row_offsets == nullptr ||
      (nnz > 0 && row_indices == nullptr)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return sparse_submit(*handle, "simtsparseXcoo2csr", [=] {
    for (int row = 0; row <= m; ++row) {
      const int* const first = std::lower_bound(row_indices, row_indices + nnz, row + base);
      row_offsets[row] = static_cast<int>(first - row_indices) + base;
    }
  });
}

simtsparseStatus_t simtsparseXcsr2coo(simtsparseHandle_t handle, const int* row_offsets, int nnz,
                                      int m, int* row_indices, simtsparseIndexBase_t base) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (nnz < 0 || m < 0 || !valid(base) || row_offsets == nullptr ||
      (nnz > 0 && row_indices == nullptr)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return sparse_submit(*handle, "simtsparseXcsr2coo", [=] {
    for (int row = 0; row < m; ++row) {
      std::fill(row_indices + (row_offsets[row] - base), row_indices + (row_offsets[row + 1] - base),
                row + base);
    }
  });
}

simtsparseStatus_t simtsparseCreateIdentityPermutation(simtsparseHandle_t handle, int n,
                                                       int* permutation) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (n < 0 || (n > 0 && permutation == nullptr)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return sparse_submit(*handle, "simtsparseCreateIdentityPermutation",
                       [=] { std::iota(permutation, permutation + n, 0); });
}

simtsparseStatus_t simtsparseXcoosort_bufferSizeExt(simtsparseHandle_t handle, int m, int n,
                                                    int nnz, const int*, const int*, size_t* size) {
  return query(handle, m, n, nnz, size);
}

simtsparseStatus_t simtsparseXcoosortByRow(simtsparseHandle_t handle, int m, int n, int nnz,
                                           int* row_indices, int* column_indices, int* permutation,
                                           void*) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (bad_sizes(m, n, nnz) || (nnz > 0 && any_null(row_indices, column_indices))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return sparse_submit(*handle, "simtsparseXcoosortByRow", [=] {
    const std::vector<int> order = order_of(0, nnz, [&](int i, int j) {
      return row_indices[i] != row_indices[j] ? row_indices[i] < row_indices[j]
                                              : column_indices[i] < column_indices[j];
    });
    for (int* const values : {row_indices, column_indices, permutation}) {
      apply(order, 0, values);
    }
  });
}

simtsparseStatus_t simtsparseXcsrsort_bufferSizeExt(simtsparseHandle_t handle, int m, int n,
                                                    int nnz, const int*, const int*, size_t* size) {
  return query(handle, m, n, nnz, size);
}

simtsparseStatus_t simtsparseXcsrsort(simtsparseHandle_t handle, int m, int n, int nnz,
                                      simtsparseMatDescr_t matrix, const int* row_offsets,
                                      int* column_indices, int* permutation, void*) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (bad_sizes(m, n, nnz) || matrix == nullptr ||
      (nnz > 0 && any_null(row_offsets, column_indices))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (matrix->type != SIMTSPARSE_MATRIX_TYPE_GENERAL) {
    return SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  }
  if (nnz == 0) {
    return SIMTSPARSE_STATUS_SUCCESS;
  }
  return sparse_submit(*handle, "simtsparseXcsrsort", [=, base = static_cast<int>(matrix->base)] {
    for (int row = 0; row < m; ++row) {
      const int begin = row_offsets[row] - base;
      const std::vector<int> order =
          order_of(begin, row_offsets[row + 1] - base,
                   [&](int i, int j) { return column_indices[i] < column_indices[j]; });
      apply(order, begin, column_indices);
      apply(order, begin, permutation);
    }
  });
}

}  // extern "C"

// Conversions of the entries of sparse matrices: row offsets of CSR from COO, CSC from CSR, sorting,
// and the identity permutation.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include "sparse/context.h"
#include "sparse/descriptors.h"
#include "sparse/elements.h"

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

/// Arguments of a conversion from CSR to CSC.
struct CsrToCsc {
  int m, n, nnz;
  const void* values;
  const int* row_offsets;
  const int* column_indices;
  void* csc_values;
  int* column_offsets;
  int* row_indices;
  simtDataType type;
  simtsparseAction_t action;
  simtsparseIndexBase_t base;
  simtsparseCsr2CscAlg_t algorithm;

  bool copies() const { return action == SIMTSPARSE_ACTION_NUMERIC; }

  simtsparseStatus_t check(simtsparseHandle_t handle) const {
    if (handle == nullptr) {
      return SIMTSPARSE_STATUS_NOT_INITIALIZED;
    }
    if (bad_sizes(m, n, nnz) || !valid(base) || algorithm != SIMTSPARSE_CSR2CSC_ALG_DEFAULT ||
        (action != SIMTSPARSE_ACTION_SYMBOLIC && action != SIMTSPARSE_ACTION_NUMERIC) ||
        any_null(row_offsets, column_offsets) ||
        (nnz > 0 && any_null(column_indices, row_indices)) ||
        (nnz > 0 && copies() && any_null(values, csc_values))) {
      return SIMTSPARSE_STATUS_INVALID_VALUE;
    }
    return is_element_type(type) || type == SIMT_R_8I ? SIMTSPARSE_STATUS_SUCCESS
                                                      : SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }

  void run() const {
    std::vector<int> next(static_cast<std::size_t>(n) + 1, 0);
    for (int k = 0; k < nnz; ++k) {
      ++next[static_cast<std::size_t>(column_indices[k] - base) + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::transform(next.begin(), next.end(), column_offsets,
                   [this](int offset) { return offset + base; });
    for (int row = 0; row < m; ++row) {
      for (int k = row_offsets[row] - base; k < row_offsets[row + 1] - base; ++k) {
        const int place = next[static_cast<std::size_t>(column_indices[k] - base)]++;
        row_indices[place] = row + base;
        if (copies()) {
          std::memcpy(element_at(csc_values, type, place), element_at(values, type, k),
                      element_size(type));
        }
      }
    }
  }
};

/// Sorts the entries of a COO matrix by `major`, and those with the same `major` by `minor`.
simtsparseStatus_t sort_coo(simtsparseHandle_t handle, const char* name, int m, int n, int nnz,
                            int* major, int* minor, int* permutation) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (bad_sizes(m, n, nnz) || (nnz > 0 && any_null(major, minor))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return sparse_submit(*handle, name, [=] {
    const std::vector<int> order = order_of(0, nnz, [&](int i, int j) {
      return major[i] != major[j] ? major[i] < major[j] : minor[i] < minor[j];
    });
    for (int* const values : {major, minor, permutation}) {
      apply(order, 0, values);
    }
  });
}

/// Sorts the indices of each of `lines` rows (CSR) or columns (CSC).
simtsparseStatus_t sort_lines(simtsparseHandle_t handle, const char* name, int lines, int length,
                              int nnz, const simtsparseMatDescr* matrix, const int* offsets,
                              int* indices, int* permutation) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (bad_sizes(lines, length, nnz) || matrix == nullptr || (nnz > 0 && any_null(offsets, indices))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (matrix->type != SIMTSPARSE_MATRIX_TYPE_GENERAL) {
    return SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  }
  if (nnz == 0) {
    return SIMTSPARSE_STATUS_SUCCESS;
  }
  return sparse_submit(*handle, name, [=, base = static_cast<int>(matrix->base)] {
    for (int line = 0; line < lines; ++line) {
      const int begin = offsets[line] - base;
      const std::vector<int> order =
          order_of(begin, offsets[line + 1] - base,
                   [&](int i, int j) { return indices[i] < indices[j]; });
      apply(order, begin, indices);
      apply(order, begin, permutation);
    }
  });
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
  return sort_coo(handle, "simtsparseXcoosortByRow", m, n, nnz, row_indices, column_indices,
                  permutation);
}

simtsparseStatus_t simtsparseXcoosortByColumn(simtsparseHandle_t handle, int m, int n, int nnz,
                                              int* row_indices, int* column_indices,
                                              int* permutation, void*) {
  return sort_coo(handle, "simtsparseXcoosortByColumn", m, n, nnz, column_indices, row_indices,
                  permutation);
}

simtsparseStatus_t simtsparseXcsrsort_bufferSizeExt(simtsparseHandle_t handle, int m, int n,
                                                    int nnz, const int*, const int*, size_t* size) {
  return query(handle, m, n, nnz, size);
}

simtsparseStatus_t simtsparseXcsrsort(simtsparseHandle_t handle, int m, int n, int nnz,
                                      simtsparseMatDescr_t matrix, const int* row_offsets,
                                      int* column_indices, int* permutation, void*) {
  return sort_lines(handle, "simtsparseXcsrsort", m, n, nnz, matrix, row_offsets, column_indices,
                    permutation);
}

simtsparseStatus_t simtsparseXcscsort_bufferSizeExt(simtsparseHandle_t handle, int m, int n,
                                                    int nnz, const int*, const int*, size_t* size) {
  return query(handle, m, n, nnz, size);
}

simtsparseStatus_t simtsparseXcscsort(simtsparseHandle_t handle, int m, int n, int nnz,
                                      simtsparseMatDescr_t matrix, const int* column_offsets,
                                      int* row_indices, int* permutation, void*) {
  return sort_lines(handle, "simtsparseXcscsort", n, m, nnz, matrix, column_offsets, row_indices,
                    permutation);
}

simtsparseStatus_t simtsparseCsr2cscEx2_bufferSize(
    simtsparseHandle_t handle, int m, int n, int nnz, const void* values, const int* row_offsets,
    const int* column_indices, void* csc_values, int* column_offsets, int* row_indices,
    simtDataType type, simtsparseAction_t action, simtsparseIndexBase_t base,
    simtsparseCsr2CscAlg_t algorithm, size_t* size) {
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return CsrToCsc{m,          n,              nnz,         values, row_offsets, column_indices,
                  csc_values, column_offsets, row_indices, type,   action,      base,
                  algorithm}
      .check(handle);
}

simtsparseStatus_t simtsparseCsr2cscEx2(simtsparseHandle_t handle, int m, int n, int nnz,
                                        const void* values, const int* row_offsets,
                                        const int* column_indices, void* csc_values,
                                        int* column_offsets, int* row_indices, simtDataType type,
                                        simtsparseAction_t action, simtsparseIndexBase_t base,
                                        simtsparseCsr2CscAlg_t algorithm, void*) {
  const CsrToCsc conversion{m,          n,              nnz,         values, row_offsets,
                            column_indices, csc_values, column_offsets, row_indices, type,
                            action,     base,           algorithm};
  const simtsparseStatus_t status = conversion.check(handle);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  return sparse_submit(*handle, "simtsparseCsr2cscEx2", [=] { conversion.run(); });
}

}  // extern "C"

// Orderings and permutations of patterns, on the host: csrissym, csrsym*, csrmetisnd, csrperm, csrzfd.
#include <algorithm>

#include "solver_sparse/context.h"
#include "solver_sparse/ordering.h"
#include "sparse/numbers.h"

namespace simtrt::direct {
namespace {

simtsolverStatus_t order(simtsolverSpHandle_t handle, int n, int nnz,
                         simtsparseMatDescr_t descriptor, const int* offsets, const int* indices,
                         int* p, Permutation (*method)(const Pattern&)) {
  const simtsolverStatus_t status =
      check_pattern(handle, n, n, nnz, descriptor, offsets, indices);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (p == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return run_on_host([&] {
    const Pattern a =
        copy_pattern(n, n, offsets, offsets + 1, indices, index_base(descriptor));
    const Permutation result = method(symmetric_graph(a));
    std::copy(result.begin(), result.end(), p);
  });
}

/// Entries of each row, sorted, each once.
Pattern entry_set(const Pattern& a) {
  Pattern result = a;
  result.indices.clear();
  for (int i = 0; i < a.rows; ++i) {
    std::vector<int> row(a.indices.begin() + a.begin(i), a.indices.begin() + a.end(i));
    std::sort(row.begin(), row.end());
    result.indices.insert(result.indices.end(), row.begin(), std::unique(row.begin(), row.end()));
    result.offsets[static_cast<std::size_t>(i) + 1] = result.nnz();
  }
  return result;
}

simtsolverStatus_t check_permutation(simtsolverSpHandle_t handle, int m, int n, int nnz,
                                     simtsparseMatDescr_t descriptor, const int* offsets,
                                     const int* indices, const int* p, const int* q) {
  const simtsolverStatus_t status =
      check_pattern(handle, m, n, nnz, descriptor, offsets, indices);
  const bool is_invalid = p == nullptr || q == nullptr;
  return status == SIMTSOLVER_STATUS_SUCCESS && is_invalid ? SIMTSOLVER_STATUS_INVALID_VALUE
                                                           : status;
}

/// Nonzero entries of a matrix.
template <class T>
Pattern nonzeros(const Matrix<T>& a) {
  Pattern result = a.pattern;
  result.indices.clear();
  for (int i = 0; i < a.pattern.rows; ++i) {
    for (int entry = a.pattern.begin(i); entry < a.pattern.end(i); ++entry) {
      if (a.values[static_cast<std::size_t>(entry)] != T{}) {
        result.indices.push_back(a.pattern.index(entry));
      }
    }
    result.offsets[static_cast<std::size_t>(i) + 1] = result.nnz();
  }
  return result;
}

template <class T>
simtsolverStatus_t zero_free_diagonal(simtsolverSpHandle_t handle, const CsrArgument<T>& a, int* p,
                                      int* count) {
  const simtsolverStatus_t status = check(handle, a, {p != nullptr, count != nullptr});
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  return run_on_host([&] {
    const std::vector<int> row_of = maximum_matching(nonzeros(reader(a)()));
    std::vector<char> is_used(row_of.size(), 0);
    for (const int row : row_of) {
      if (row >= 0) {
        is_used[static_cast<std::size_t>(row)] = 1;
      }
    }
    *count = static_cast<int>(std::count(is_used.begin(), is_used.end(), 1));
    auto free = is_used.begin();  // columns without a row get the rows that are left
    for (std::size_t j = 0; j < row_of.size(); ++j) {
      p[j] = row_of[j];
      if (p[j] < 0) {
        free = std::find(free, is_used.end(), 0);
        p[j] = static_cast<int>(free++ - is_used.begin());
      }
    }
  });
}

}  // namespace
}  // namespace simtrt::direct

using namespace simtrt;
using namespace simtrt::direct;

extern "C" {

simtsolverStatus_t simtsolverSpXcsrissymHost(simtsolverSpHandle_t handle, int m, int nnz,
                                             simtsparseMatDescr_t descriptor, const int* starts,
                                             const int* ends, const int* indices,
                                             int* is_symmetric) {
  const simtsolverStatus_t status =
      check_pattern(handle, m, m, nnz, descriptor, starts, indices);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (ends == nullptr || is_symmetric == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return run_on_host([&] {
    const Pattern a =
        entry_set(copy_pattern(m, m, starts, ends, indices, index_base(descriptor)));
    *is_symmetric = a == transpose(a).pattern ? 1 : 0;
  });
}

simtsolverStatus_t simtsolverSpXcsrsymrcmHost(simtsolverSpHandle_t handle, int n, int nnz,
                                              simtsparseMatDescr_t descriptor, const int* offsets,
                                              const int* indices, int* p) {
  return order(handle, n, nnz, descriptor, offsets, indices, p, reverse_cuthill_mckee);
}

simtsolverStatus_t simtsolverSpXcsrsymmdqHost(simtsolverSpHandle_t handle, int n, int nnz,
                                              simtsparseMatDescr_t descriptor, const int* offsets,
                                              const int* indices, int* p) {
  return order(handle, n, nnz, descriptor, offsets, indices, p, minimum_degree);
}

simtsolverStatus_t simtsolverSpXcsrsymamdHost(simtsolverSpHandle_t handle, int n, int nnz,
                                              simtsparseMatDescr_t descriptor, const int* offsets,
                                              const int* indices, int* p) {
  return order(handle, n, nnz, descriptor, offsets, indices, p, minimum_degree);
}

simtsolverStatus_t simtsolverSpXcsrmetisndHost(simtsolverSpHandle_t handle, int n, int nnz,
                                               simtsparseMatDescr_t descriptor, const int* offsets,
                                               const int* indices, const std::int64_t*, int* p) {
  return order(handle, n, nnz, descriptor, offsets, indices, p, nested_dissection);
}

simtsolverStatus_t simtsolverSpXcsrperm_bufferSizeHost(simtsolverSpHandle_t handle, int m, int n,
                                                       int nnz, simtsparseMatDescr_t descriptor,
                                                       const int* offsets, const int* indices,
                                                       const int* p, const int* q,
                                                       std::size_t* size) {
  const simtsolverStatus_t status =
      check_permutation(handle, m, n, nnz, descriptor, offsets, indices, p, q);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (size == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *size = kWorkspaceBytes;
  return SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t simtsolverSpXcsrpermHost(simtsolverSpHandle_t handle, int m, int n, int nnz,
                                            simtsparseMatDescr_t descriptor, int* offsets,
                                            int* indices, const int* p, const int* q, int* map,
                                            void*) {
  const simtsolverStatus_t status =
      check_permutation(handle, m, n, nnz, descriptor, offsets, indices, p, q);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (map == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return run_on_host([&] {
    const int base = index_base(descriptor);
    const Pattern a = copy_pattern(m, n, offsets, offsets + 1, indices, base);
    const MovedPattern b = permute(a, p, q);
    const std::vector<int> moved_map = gather(std::vector<int>(map, map + a.nnz()), b.source);
    std::copy(moved_map.begin(), moved_map.end(), map);
    const auto from_base = [base](int index) { return index + base; };
    std::transform(b.pattern.offsets.begin(), b.pattern.offsets.end(), offsets, from_base);
    std::transform(b.pattern.indices.begin(), b.pattern.indices.end(), indices, from_base);
  });
}

#define DEFINE_ZFD(S, T)                                                                         \
  simtsolverStatus_t simtsolverSp##S##csrzfdHost(simtsolverSpHandle_t handle, int n, int nnz,    \
                                                 simtsparseMatDescr_t descriptor,                \
                                                 const T* values, const int* offsets,            \
                                                 const int* indices, int* p, int* count) {       \
    return zero_free_diagonal(handle,                                                            \
                              CsrArgument<SparseValue<T>>{n, n, nnz, descriptor, values_of(values), \
                                                          offsets, indices},                     \
                              p, count);                                                         \
  }
DEFINE_ZFD(S, float)
DEFINE_ZFD(D, double)
DEFINE_ZFD(C, simtComplex)
DEFINE_ZFD(Z, simtDoubleComplex)

}  // extern "C"

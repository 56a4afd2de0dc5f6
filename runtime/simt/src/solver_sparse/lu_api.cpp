// Low-level LU factorisation on the host: csrlu.
#include <algorithm>

#include "solver_sparse/infos.h"
#include "solver_sparse/lu.h"
#include "sparse/descriptors.h"

namespace simtrt::direct {
namespace {

/// The structure of the factors depends on the pivots: an analysis only keeps the size.
struct LuAnalysis {
  int n = 0;
};
LuAnalysis analyse_lu(const Pattern& a) { return {a.rows}; }

using LuInfo = Info<LuAnalysis>;

/// Sizes of the factors, for all element types.
struct LuSizes {
  int n;
  int lower;
  int upper;
};

}  // namespace
}  // namespace simtrt::direct

struct csrluInfoHost : simtrt::direct::LuInfo {
  simtrt::direct::LuSizes sizes{};
};

namespace simtrt::direct {
namespace {

template <class T>
simtsolverStatus_t query(simtsolverSpHandle_t handle, const CsrArgument<T>& a, csrluInfoHost_t info,
                         std::size_t* internal_size, std::size_t* workspace_size) {
  // The size of the factors is unknown before the pivots are; this is the size of A.
  const std::size_t size = static_cast<std::size_t>(std::max(a.nnz, 0)) * (sizeof(T) + sizeof(int));
  return answer_sizes(check_analysed(handle, a, info), size, internal_size, workspace_size);
}

template <class T>
simtsolverStatus_t factor(simtsolverSpHandle_t handle, const CsrArgument<T>& a, csrluInfoHost_t info,
                          Real<T> threshold) {
  const simtsolverStatus_t status = check_analysed(handle, a, info);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (info->analysis->n != a.rows || !(threshold >= 0 && threshold <= 1)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return run_on_host([&] {
    const auto factors = info->new_factors<LuFactor<T>>();
    *factors = factor_lu(reader(a)(), identity(a.rows), threshold);
    info->sizes = {a.rows, static_cast<int>(factors->lower.rows.size()),
                   static_cast<int>(factors->upper.rows.size()) + a.rows};
  });
}

template <class T>
simtsolverStatus_t find_zero_pivot(simtsolverSpHandle_t handle, csrluInfoHost_t info,
                                   Real<T> tolerance, int* position) {
  return inspect<LuFactor<T>>(Place::kHost, handle, "", info, position,
                              [tolerance](const LuFactor<T>& factors, int* result) {
                                *result = first_small(factors.pivots, tolerance);
                              });
}

template <class T>
simtsolverStatus_t solve_system(simtsolverSpHandle_t handle, int n, const T* b, T* x,
                                csrluInfoHost_t info) {
  const bool valid = b != nullptr && x != nullptr && info != nullptr && info->sizes.n == n;
  return solve_with<LuFactor<T>>(Place::kHost, handle, "", valid, info,
                                 [n, b, x](const LuFactor<T>& factors) {
                                   std::copy(b, b + n, x);
                                   solve(factors, x);
                                 });
}

/// CSR arrays that receive a triangular factor.
template <class T>
struct CsrResult {
  simtsparseMatDescr_t descriptor;
  T* values;
  int* offsets;
  int* indices;

  /// A factor without entries needs no arrays for them.
  bool valid(int nnz) const {
    return descriptor != nullptr && offsets != nullptr &&
           (nnz == 0 || (values != nullptr && indices != nullptr));
  }
};

/// Writes a factor as CSR. `diagonal` is null for a factor whose diagonal is not stored.
template <class T>
void write_factor(const TriangularColumns<T>& columns, const std::vector<T>* diagonal,
                  const CsrResult<T>& to) {
  const auto n = static_cast<int>(columns.offsets.size()) - 1;
  Matrix<T> transposed;  // row j is column j of the factor
  transposed.pattern.rows = transposed.pattern.columns = n;
  transposed.pattern.offsets.push_back(0);
  for (int j = 0; j < n; ++j) {
    const auto column = static_cast<std::size_t>(j);
    for (std::size_t entry = columns.offsets[column]; entry < columns.offsets[column + 1]; ++entry) {
      transposed.pattern.indices.push_back(columns.rows[entry]);
      transposed.values.push_back(columns.values[entry]);
    }
    if (diagonal != nullptr) {
      transposed.pattern.indices.push_back(j);
      transposed.values.push_back((*diagonal)[column]);
    }
    transposed.pattern.offsets.push_back(transposed.pattern.nnz());
  }
  const Matrix<T> factor = moved(transposed, transpose(transposed.pattern));
  const int base = index_base(to.descriptor);
  const auto from_base = [base](int index) { return index + base; };
  std::copy(factor.values.begin(), factor.values.end(), to.values);
  std::transform(factor.pattern.offsets.begin(), factor.pattern.offsets.end(), to.offsets, from_base);
  std::transform(factor.pattern.indices.begin(), factor.pattern.indices.end(), to.indices, from_base);
}

template <class T>
simtsolverStatus_t extract(simtsolverSpHandle_t handle, int* p, int* q, const CsrResult<T>& lower,
                           const CsrResult<T>& upper, csrluInfoHost_t info) {
  const bool valid = info != nullptr && p != nullptr && q != nullptr &&
                     lower.valid(info->sizes.lower) && upper.valid(info->sizes.upper);
  return solve_with<LuFactor<T>>(Place::kHost, handle, "", valid, info,
                                 [&](const LuFactor<T>& factors) {
                                   std::copy(factors.row_order.begin(), factors.row_order.end(), p);
                                   std::copy(factors.column_order.begin(),
                                             factors.column_order.end(), q);
                                   write_factor<T>(factors.lower, nullptr, lower);
                                   write_factor<T>(factors.upper, &factors.pivots, upper);
                                 });
}

}  // namespace
}  // namespace simtrt::direct

using namespace simtrt;
using namespace simtrt::direct;

extern "C" {

simtsolverStatus_t simtsolverSpCreateCsrluInfoHost(csrluInfoHost_t* info) {
  return create_info(info);
}
simtsolverStatus_t simtsolverSpDestroyCsrluInfoHost(csrluInfoHost_t info) {
  return destroy_info(info);
}

simtsolverStatus_t simtsolverSpXcsrluAnalysisHost(simtsolverSpHandle_t handle, int n, int nnz,
                                                  simtsparseMatDescr_t descriptor,
                                                  const int* offsets, const int* indices,
                                                  csrluInfoHost_t info) {
  return analyse_pattern<LuAnalysis>(Place::kHost, handle, "",
                                     {n, n, nnz, descriptor, offsets, indices}, info, analyse_lu);
}

simtsolverStatus_t simtsolverSpXcsrluNnzHost(simtsolverSpHandle_t handle, int* lower, int* upper,
                                             csrluInfoHost_t info) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  if (lower == nullptr || upper == nullptr || info == nullptr || !info->factors.has_value()) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *lower = info->sizes.lower;
  *upper = info->sizes.upper;
  return SIMTSOLVER_STATUS_SUCCESS;
}

#define DEFINE_LU(S, T, Real)                                                                      \
  simtsolverStatus_t simtsolverSp##S##csrluBufferInfoHost(                                         \
      simtsolverSpHandle_t handle, int n, int nnz, simtsparseMatDescr_t descriptor,                \
      const T* values, const int* offsets, const int* indices, csrluInfoHost_t info,               \
      std::size_t* internal_size, std::size_t* workspace_size) {                                   \
    return query(                                                                                  \
        handle,                                                                                    \
        CsrArgument<SparseValue<T>>{n, n, nnz, descriptor, values_of(values), offsets, indices},   \
        info, internal_size, workspace_size);                                                      \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrluFactorHost(                                             \
      simtsolverSpHandle_t handle, int n, int nnz, simtsparseMatDescr_t descriptor,                \
      const T* values, const int* offsets, const int* indices, csrluInfoHost_t info,               \
      Real threshold, void*) {                                                                     \
    return factor(                                                                                 \
        handle,                                                                                    \
        CsrArgument<SparseValue<T>>{n, n, nnz, descriptor, values_of(values), offsets, indices},   \
        info, threshold);                                                                          \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrluZeroPivotHost(                                          \
      simtsolverSpHandle_t handle, csrluInfoHost_t info, Real tolerance, int* position) {          \
    return find_zero_pivot<SparseValue<T>>(handle, info, tolerance, position);                     \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrluSolveHost(simtsolverSpHandle_t handle, int n,           \
                                                     const T* b, T* x, csrluInfoHost_t info,       \
                                                     void*) {                                      \
    return solve_system(handle, n, values_of(b), values_of(x), info);                              \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrluExtractHost(                                            \
      simtsolverSpHandle_t handle, int* p, int* q, simtsparseMatDescr_t lower_descriptor,          \
      T* lower_values, int* lower_offsets, int* lower_indices,                                     \
      simtsparseMatDescr_t upper_descriptor, T* upper_values, int* upper_offsets,                  \
      int* upper_indices, csrluInfoHost_t info, void*) {                                           \
    return extract(handle, p, q,                                                                   \
                   CsrResult<SparseValue<T>>{lower_descriptor, values_of(lower_values),            \
                                             lower_offsets, lower_indices},                        \
                   CsrResult<SparseValue<T>>{upper_descriptor, values_of(upper_values),            \
                                             upper_offsets, upper_indices},                        \
                   info);                                                                          \
  }
DEFINE_LU(S, float, float)
DEFINE_LU(D, double, double)
DEFINE_LU(C, simtComplex, float)
DEFINE_LU(Z, simtDoubleComplex, double)

}  // extern "C"

// Low-level Cholesky factorisation: csrchol.
#include <algorithm>

#include "solver_sparse/cholesky.h"
#include "solver_sparse/infos.h"

struct csrcholInfo : simtrt::direct::Info<simtrt::direct::CholeskyAnalysis> {};
struct csrcholInfoHost : simtrt::direct::Info<simtrt::direct::CholeskyAnalysis> {};

namespace simtrt::direct {
namespace {

using CholeskyInfo = Info<CholeskyAnalysis>;

template <class T>
simtsolverStatus_t query(simtsolverSpHandle_t handle, const CsrArgument<T>& a,
                         const CholeskyInfo* info, std::size_t* internal_size,
                         std::size_t* workspace_size) {
  const simtsolverStatus_t status = check_analysed(handle, a, info);
  const std::size_t entries =
      status == SIMTSOLVER_STATUS_SUCCESS ? info->analysis->offsets.back() : 0;
  return answer_sizes(status, entries * (sizeof(T) + sizeof(int)), internal_size, workspace_size);
}

template <class T>
simtsolverStatus_t factor(Place place, simtsolverSpHandle_t handle, const char* name,
                          const CsrArgument<T>& a, CholeskyInfo* info) {
  const simtsolverStatus_t status = check_analysed(handle, a, info);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (info->analysis->n != a.rows) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return start(place, handle, name,
               [read = reader(a), analysis = info->analysis,
                result = info->new_factors<CholeskyFactor<T>>()] {
                 *result = factor_cholesky(analysis, read());
               });
}

template <class T>
simtsolverStatus_t find_zero_pivot(Place place, simtsolverSpHandle_t handle, const char* name,
                                   const CholeskyInfo* info, Real<T> tolerance, int* position) {
  return inspect<CholeskyFactor<T>>(
      place, handle, name, info, position,
      [tolerance](const CholeskyFactor<T>& factors, int* result) {
        *result = first_small(factors.diagonal, tolerance);
      });
}

template <class T>
simtsolverStatus_t solve_system(Place place, simtsolverSpHandle_t handle, const char* name, int n,
                                const T* b, T* x, const CholeskyInfo* info) {
  const bool valid = b != nullptr && x != nullptr && info != nullptr && info->analysis != nullptr &&
                     info->analysis->n == n;
  return solve_with<CholeskyFactor<T>>(place, handle, name, valid, info,
                                       [n, b, x](const CholeskyFactor<T>& factors) {
                                         std::copy(b, b + n, x);
                                         solve(factors, x);
                                       });
}

template <class T>
simtsolverStatus_t copy_diagonal(simtsolverSpHandle_t handle, const char* name,
                                 const CholeskyInfo* info, Real<T>* diagonal) {
  return inspect<CholeskyFactor<T>>(
      Place::kDevice, handle, name, info, diagonal,
      [](const CholeskyFactor<T>& factors, Real<T>* result) {
        std::copy(factors.diagonal.begin(), factors.diagonal.end(), result);
      });
}

}  // namespace
}  // namespace simtrt::direct

using namespace simtrt;
using namespace simtrt::direct;

extern "C" {

#define DEFINE_CHOLESKY_INFO(Host, place)                                                         \
  simtsolverStatus_t simtsolverSpCreateCsrcholInfo##Host(csrcholInfo##Host##_t* info) {           \
    return create_info(info);                                                                     \
  }                                                                                               \
  simtsolverStatus_t simtsolverSpDestroyCsrcholInfo##Host(csrcholInfo##Host##_t info) {           \
    return destroy_info(info);                                                                    \
  }                                                                                               \
  simtsolverStatus_t simtsolverSpXcsrcholAnalysis##Host(                                          \
      simtsolverSpHandle_t handle, int n, int nnz, simtsparseMatDescr_t descriptor,               \
      const int* offsets, const int* indices, csrcholInfo##Host##_t info) {                       \
    return analyse_pattern<CholeskyAnalysis>(place, handle,                                       \
                                             "simtsolverSpXcsrcholAnalysis" #Host,                \
                                             {n, n, nnz, descriptor, offsets, indices}, info,     \
                                             analyse_cholesky);                                   \
  }
DEFINE_CHOLESKY_INFO(Host, Place::kHost)
DEFINE_CHOLESKY_INFO(, Place::kDevice)

#define DEFINE_CHOLESKY_AT(S, T, Real, Host, place)                                                \
  simtsolverStatus_t simtsolverSp##S##csrcholBufferInfo##Host(                                     \
      simtsolverSpHandle_t handle, int n, int nnz, simtsparseMatDescr_t descriptor,                \
      const T* values, const int* offsets, const int* indices, csrcholInfo##Host##_t info,         \
      std::size_t* internal_size, std::size_t* workspace_size) {                                   \
    return query(                                                                                  \
        handle,                                                                                    \
        CsrArgument<SparseValue<T>>{n, n, nnz, descriptor, values_of(values), offsets, indices},   \
        info, internal_size, workspace_size);                                                      \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrcholFactor##Host(                                         \
      simtsolverSpHandle_t handle, int n, int nnz, simtsparseMatDescr_t descriptor,                \
      const T* values, const int* offsets, const int* indices, csrcholInfo##Host##_t info,         \
      void*) {                                                                                     \
    return factor(                                                                                 \
        place, handle, "simtsolverSp" #S "csrcholFactor" #Host,                                    \
        CsrArgument<SparseValue<T>>{n, n, nnz, descriptor, values_of(values), offsets, indices},   \
        info);                                                                                     \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrcholZeroPivot##Host(                                      \
      simtsolverSpHandle_t handle, csrcholInfo##Host##_t info, Real tolerance, int* position) {    \
    return find_zero_pivot<SparseValue<T>>(place, handle,                                          \
                                           "simtsolverSp" #S "csrcholZeroPivot" #Host, info,       \
                                           tolerance, position);                                   \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrcholSolve##Host(simtsolverSpHandle_t handle, int n,       \
                                                         const T* b, T* x,                         \
                                                         csrcholInfo##Host##_t info, void*) {      \
    return solve_system(place, handle, "simtsolverSp" #S "csrcholSolve" #Host, n, values_of(b),    \
                        values_of(x), info);                                                       \
  }
#define DEFINE_CHOLESKY(S, T, Real)                                                                \
  DEFINE_CHOLESKY_AT(S, T, Real, Host, Place::kHost)                                               \
  DEFINE_CHOLESKY_AT(S, T, Real, , Place::kDevice)                                                 \
  simtsolverStatus_t simtsolverSp##S##csrcholDiag(simtsolverSpHandle_t handle, csrcholInfo_t info, \
                                                  Real* diagonal) {                                \
    return copy_diagonal<SparseValue<T>>(handle, "simtsolverSp" #S "csrcholDiag", info, diagonal); \
  }
DEFINE_CHOLESKY(S, float, float)
DEFINE_CHOLESKY(D, double, double)
DEFINE_CHOLESKY(C, simtComplex, float)
DEFINE_CHOLESKY(Z, simtDoubleComplex, double)

}  // extern "C"

// LU factorisation with and without pivoting, and solutions of linear systems with its factors.
#include "blas/lu.h"

#include <vector>

#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {
namespace {

simtsolverStatus_t check_matrix(simtsolverDnHandle_t handle, std::int64_t m, std::int64_t n,
                                std::int64_t lda) {
  return checked(handle, {m >= 0, n >= 0, holds(lda, m)}, {m, n, lda});
}

/// LU factorisation with pivoting, or without if `pivots` is null. LAPACK's 32-bit pivots are
/// converted to the type Pivot.
template <class T, class Pivot>
int factor(int m, int n, T* a, int lda, Pivot* pivots) {
  if (m == 0 || n == 0) {
    return 0;
  }
  if (pivots == nullptr) {
    return lu_without_pivoting(m, n, a, lda);
  }
  if constexpr (std::is_same_v<Pivot, int>) {
    return host_blas::getrf(m, n, a, lda, pivots);
  } else {
    std::vector<int> narrow(static_cast<std::size_t>(std::min(m, n)));
    const int info = host_blas::getrf(m, n, a, lda, narrow.data());
    std::copy(narrow.begin(), narrow.end(), pivots);
    return info;
  }
}

template <class T, class Pivot>
void solve(simtblasOperation_t trans, int n, int nrhs, const T* a, int lda, const Pivot* pivots,
           T* b, int ldb) {
  if (n == 0 || nrhs == 0) {
    return;
  }
  if (pivots == nullptr) {
    solve_without_pivoting(trans, n, nrhs, a, lda, b, ldb);
  } else if constexpr (std::is_same_v<Pivot, int>) {
    host_blas::getrs("NTC"[trans], n, nrhs, a, lda, pivots, b, ldb);
  } else {
    const std::vector<int> narrow(pivots, pivots + n);
    host_blas::getrs("NTC"[trans], n, nrhs, a, lda, narrow.data(), b, ldb);
  }
}

template <class T, class Pivot>
simtsolverStatus_t getrf(simtsolverDnHandle_t handle, const char* name, std::int64_t m,
                         std::int64_t n, T* a, std::int64_t lda, const void* work, Pivot* pivots,
                         int* info) {
  const simtsolverStatus_t status = check_matrix(handle, m, n, lda);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, m * n) || work == nullptr || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    *info = factor(static_cast<int>(m), static_cast<int>(n), a, static_cast<int>(lda), pivots);
  });
}

template <class T, class Pivot>
simtsolverStatus_t getrs(simtsolverDnHandle_t handle, const char* name, simtblasOperation_t trans,
                         std::int64_t n, std::int64_t nrhs, const T* a, std::int64_t lda,
                         const Pivot* pivots, T* b, std::int64_t ldb, int* info) {
  const simtsolverStatus_t status = checked(
      handle, {valid(trans), n >= 0, nrhs >= 0, holds(lda, n), holds(ldb, n)}, {n, nrhs, lda, ldb});
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, n) || !there(b, n * nrhs) || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    solve(trans, static_cast<int>(n), static_cast<int>(nrhs), a, static_cast<int>(lda), pivots, b,
          static_cast<int>(ldb));
    *info = 0;
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_GETRF(getrf_name, getrs_name, T)                                                    \
  simtsolverStatus_t getrf_name##_bufferSize(simtsolverDnHandle_t handle, int m, int n, T*,        \
                                             int lda, int* Lwork) {                                \
    return answer(check_matrix(handle, m, n, lda), Lwork);                                         \
  }                                                                                                \
  simtsolverStatus_t getrf_name(simtsolverDnHandle_t handle, int m, int n, T* A, int lda, T* work, \
                                int* devIpiv, int* devInfo) {                                      \
    return getrf(handle, #getrf_name, m, n, native(A), lda, work, devIpiv, devInfo);               \
  }                                                                                                \
  simtsolverStatus_t getrs_name(simtsolverDnHandle_t handle, simtblasOperation_t trans, int n,     \
                                int nrhs, const T* A, int lda, const int* devIpiv, T* B, int ldb,  \
                                int* devInfo) {                                                    \
    return getrs(handle, #getrs_name, trans, n, nrhs, native(A), lda, devIpiv, native(B), ldb,     \
                 devInfo);                                                                         \
  }
DEFINE_GETRF(simtsolverDnSgetrf, simtsolverDnSgetrs, float)
DEFINE_GETRF(simtsolverDnDgetrf, simtsolverDnDgetrs, double)
DEFINE_GETRF(simtsolverDnCgetrf, simtsolverDnCgetrs, simtComplex)
DEFINE_GETRF(simtsolverDnZgetrf, simtsolverDnZgetrs, simtDoubleComplex)

simtsolverStatus_t simtsolverDnXgetrf_bufferSize(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                                 std::int64_t m, std::int64_t n, simtDataType type,
                                                 const void*, std::int64_t lda,
                                                 simtDataType compute, std::size_t* on_device,
                                                 std::size_t* on_host) {
  return with_element(type, [&](auto) {
    return type == compute ? answer(check_matrix(handle, m, n, lda), on_device, on_host)
                           : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

simtsolverStatus_t simtsolverDnXgetrf(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                      std::int64_t m, std::int64_t n, simtDataType type, void* a,
                                      std::int64_t lda, std::int64_t* pivots, simtDataType compute,
                                      void* work, std::size_t work_size, void*, std::size_t,
                                      int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    return type == compute && work_size >= kWorkspaceBytes
               ? getrf(handle, "simtsolverDnXgetrf", m, n, static_cast<T*>(a), lda, work, pivots,
                       info)
               : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

simtsolverStatus_t simtsolverDnXgetrs(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                      simtblasOperation_t trans, std::int64_t n, std::int64_t nrhs,
                                      simtDataType type, const void* a, std::int64_t lda,
                                      const std::int64_t* pivots, simtDataType type_b, void* b,
                                      std::int64_t ldb, int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    return type == type_b
               ? getrs(handle, "simtsolverDnXgetrs", trans, n, nrhs, static_cast<const T*>(a), lda,
                       pivots, static_cast<T*>(b), ldb, info)
               : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

}  // extern "C"

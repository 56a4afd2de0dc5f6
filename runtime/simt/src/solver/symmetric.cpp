// Factorisation L D L' of symmetric matrices with Bunch-Kaufman pivoting, and solutions.
#include <vector>

#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {
namespace {

template <class T>
simtsolverStatus_t sytrf(simtsolverDnHandle_t handle, const char* name, simtblasFillMode_t uplo,
                         int n, T* a, int lda, int* pivots, Workspace workspace, int* info) {
  const simtsolverStatus_t status = checked(
      handle, {valid(uplo), n >= 0, holds(lda, n), there(a, n), workspace.valid(), info != nullptr},
      {});
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(pivots, n)) {
    return SIMTSOLVER_STATUS_NOT_SUPPORTED;
  }
  return solver_submit(handle, name,
                       [=] { *info = lapack::sytrf(letter(uplo), n, a, lda, pivots); });
}

simtsolverStatus_t check_system(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                                std::int64_t n, std::int64_t nrhs, std::int64_t lda,
                                std::int64_t ldb) {
  return checked(handle, {valid(uplo), n >= 0, nrhs >= 0, holds(lda, n), holds(ldb, n)},
                 {n, nrhs, lda, ldb});
}

template <class T>
simtsolverStatus_t sytrs(simtsolverDnHandle_t handle, const char* name, simtblasFillMode_t uplo,
                         std::int64_t n, std::int64_t nrhs, const T* a, std::int64_t lda,
                         const std::int64_t* pivots, T* b, std::int64_t ldb, Workspace workspace,
                         int* info) {
  const simtsolverStatus_t status = check_system(handle, uplo, n, nrhs, lda, ldb);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, n) || !there(b, n * nrhs) || !workspace.valid() || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  if (!there(pivots, n)) {
    return SIMTSOLVER_STATUS_NOT_SUPPORTED;
  }
  return solver_submit(handle, name, [=] {
    const std::vector<int> narrow(pivots, pivots + n);
    *info = lapack::sytrs(letter(uplo), static_cast<int>(n), static_cast<int>(nrhs), a,
                          static_cast<int>(lda), narrow.data(), b, static_cast<int>(ldb));
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_SYTRF(name, T)                                                                    \
  simtsolverStatus_t name##_bufferSize(simtsolverDnHandle_t handle, int n, T*, int lda,          \
                                       int* lwork) {                                             \
    return answer(checked(handle, {n >= 0, holds(lda, n)}, {}), lwork);                          \
  }                                                                                              \
  simtsolverStatus_t name(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A,     \
                          int lda, int* ipiv, T* work, int lwork, int* info) {                   \
    return sytrf(handle, #name, uplo, n, native(A), lda, ipiv, Workspace::elements(work, lwork), \
                 info);                                                                          \
  }
DEFINE_SYTRF(simtsolverDnSsytrf, float)
DEFINE_SYTRF(simtsolverDnDsytrf, double)
DEFINE_SYTRF(simtsolverDnCsytrf, simtComplex)
DEFINE_SYTRF(simtsolverDnZsytrf, simtDoubleComplex)

simtsolverStatus_t simtsolverDnXsytrs_bufferSize(simtsolverDnHandle_t handle,
                                                 simtblasFillMode_t uplo, std::int64_t n,
                                                 std::int64_t nrhs, simtDataType type, const void*,
                                                 std::int64_t lda, const std::int64_t*,
                                                 simtDataType type_b, void*, std::int64_t ldb,
                                                 std::size_t* on_device, std::size_t* on_host) {
  return with_element(type, [&](auto) {
    return type == type_b
               ? answer(check_system(handle, uplo, n, nrhs, lda, ldb), on_device, on_host)
               : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

simtsolverStatus_t simtsolverDnXsytrs(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                                      std::int64_t n, std::int64_t nrhs, simtDataType type,
                                      const void* a, std::int64_t lda, const std::int64_t* pivots,
                                      simtDataType type_b, void* b, std::int64_t ldb, void* work,
                                      std::size_t work_size, void*, std::size_t, int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    return type == type_b
               ? sytrs(handle, "simtsolverDnXsytrs", uplo, n, nrhs, static_cast<const T*>(a), lda,
                       pivots, static_cast<T*>(b), ldb, Workspace::bytes(work, work_size), info)
               : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

}  // extern "C"

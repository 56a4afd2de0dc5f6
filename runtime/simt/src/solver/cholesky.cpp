// Cholesky factorisation, and solutions of linear systems with its factors, for one matrix or a
// batch.
#include "blas/batch.h"
#include "blas/gemm.h"
#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {
namespace {

simtsolverStatus_t check_matrix(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                                std::int64_t n, std::int64_t lda) {
  return checked(handle, {valid(uplo), n >= 0, holds(lda, n)}, {n, lda});
}

simtsolverStatus_t check_system(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                                std::int64_t n, std::int64_t nrhs, std::int64_t lda,
                                std::int64_t ldb) {
  return checked(handle, {valid(uplo), n >= 0, nrhs >= 0, holds(lda, n), holds(ldb, n)},
                 {n, nrhs, lda, ldb});
}

template <class T>
simtsolverStatus_t potrf(simtsolverDnHandle_t handle, const char* name, simtblasFillMode_t uplo,
                         std::int64_t n, T* a, std::int64_t lda, Workspace workspace, int* info) {
  const simtsolverStatus_t status = check_matrix(handle, uplo, n, lda);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, n) || !workspace.valid() || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    *info = lapack::potrf(letter(uplo), static_cast<int>(n), a, static_cast<int>(lda));
  });
}

template <class T>
simtsolverStatus_t potrs(simtsolverDnHandle_t handle, const char* name, simtblasFillMode_t uplo,
                         std::int64_t n, std::int64_t nrhs, const T* a, std::int64_t lda, T* b,
                         std::int64_t ldb, int* info) {
  const simtsolverStatus_t status = check_system(handle, uplo, n, nrhs, lda, ldb);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, n) || !there(b, n * nrhs) || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    *info = lapack::potrs(letter(uplo), static_cast<int>(n), static_cast<int>(nrhs), a,
                          static_cast<int>(lda), b, static_cast<int>(ldb));
  });
}

template <class T>
simtsolverStatus_t potrf_batched(simtsolverDnHandle_t handle, const char* name,
                                 simtblasFillMode_t uplo, int n, T* const* a, int lda, int* info,
                                 int count) {
  const simtsolverStatus_t status = check_matrix(handle, uplo, n, lda);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (count < 0 || !there(a, count) || !there(info, count)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    for_each_of_batch(count, gemm_work(n, n, n) / 6,
                      [&](int i) { info[i] = lapack::potrf(letter(uplo), n, a[i], lda); });
  });
}

template <class T>
simtsolverStatus_t potrs_batched(simtsolverDnHandle_t handle, const char* name,
                                 simtblasFillMode_t uplo, int n, int nrhs, T* const* a, int lda,
                                 T* const* b, int ldb, int* info, int count) {
  const simtsolverStatus_t status = check_system(handle, uplo, n, nrhs, lda, ldb);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (nrhs != 1 || count < 0 || !there(a, count) || !there(b, count) || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    for_each_of_batch(count, gemm_work(n, n, nrhs),
                      [&](int i) { lapack::potrs(letter(uplo), n, nrhs, a[i], lda, b[i], ldb); });
    *info = 0;
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_POTRF(potrf_name, potrs_name, T)                                                    \
  simtsolverStatus_t potrf_name##_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, \
                                             int n, T*, int lda, int* Lwork) {                     \
    return answer(check_matrix(handle, uplo, n, lda), Lwork);                                      \
  }                                                                                                \
  simtsolverStatus_t potrf_name(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A, \
                                int lda, T* work, int Lwork, int* devInfo) {                       \
    return potrf(handle, #potrf_name, uplo, n, native(A), lda, Workspace::elements(work, Lwork),   \
                 devInfo);                                                                         \
  }                                                                                                \
  simtsolverStatus_t potrs_name(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n,       \
                                int nrhs, const T* A, int lda, T* B, int ldb, int* devInfo) {      \
    return potrs(handle, #potrs_name, uplo, n, nrhs, native(A), lda, native(B), ldb, devInfo);     \
  }                                                                                                \
  simtsolverStatus_t potrf_name##Batched(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,     \
                                         int n, T* Aarray[], int lda, int* infoArray,              \
                                         int batchSize) {                                          \
    return potrf_batched(handle, #potrf_name "Batched", uplo, n, native(Aarray), lda, infoArray,   \
                         batchSize);                                                               \
  }                                                                                                \
  simtsolverStatus_t potrs_name##Batched(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,     \
                                         int n, int nrhs, T* A[], int lda, T* B[], int ldb,        \
                                         int* d_info, int batchSize) {                             \
    return potrs_batched(handle, #potrs_name "Batched", uplo, n, nrhs, native(A), lda, native(B),  \
                         ldb, d_info, batchSize);                                                  \
  }
DEFINE_POTRF(simtsolverDnSpotrf, simtsolverDnSpotrs, float)
DEFINE_POTRF(simtsolverDnDpotrf, simtsolverDnDpotrs, double)
DEFINE_POTRF(simtsolverDnCpotrf, simtsolverDnCpotrs, simtComplex)
DEFINE_POTRF(simtsolverDnZpotrf, simtsolverDnZpotrs, simtDoubleComplex)

simtsolverStatus_t simtsolverDnXpotrf_bufferSize(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                                 simtblasFillMode_t uplo, std::int64_t n,
                                                 simtDataType type, const void*, std::int64_t lda,
                                                 simtDataType compute, std::size_t* on_device,
                                                 std::size_t* on_host) {
  return with_element(type, [&](auto) {
    return type == compute ? answer(check_matrix(handle, uplo, n, lda), on_device, on_host)
                           : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

simtsolverStatus_t simtsolverDnXpotrf(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                      simtblasFillMode_t uplo, std::int64_t n, simtDataType type,
                                      void* a, std::int64_t lda, simtDataType compute, void* work,
                                      std::size_t work_size, void*, std::size_t, int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    return type == compute ? potrf(handle, "simtsolverDnXpotrf", uplo, n, static_cast<T*>(a), lda,
                                   Workspace::bytes(work, work_size), info)
                           : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

simtsolverStatus_t simtsolverDnXpotrs(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                      simtblasFillMode_t uplo, std::int64_t n, std::int64_t nrhs,
                                      simtDataType type, const void* a, std::int64_t lda,
                                      simtDataType type_b, void* b, std::int64_t ldb, int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    return type == type_b ? potrs(handle, "simtsolverDnXpotrs", uplo, n, nrhs,
                                  static_cast<const T*>(a), lda, static_cast<T*>(b), ldb, info)
                          : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

}  // extern "C"

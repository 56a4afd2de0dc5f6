// Eigenvalues and eigenvectors of symmetric and Hermitian matrices, for one matrix or a batch.
#include "blas/batch.h"
#include "blas/gemm.h"
#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {
namespace {

simtsolverStatus_t check_matrix(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,
                                simtblasFillMode_t uplo, std::int64_t n, std::int64_t lda) {
  return checked(handle, {valid(jobz), valid(uplo), n >= 0, holds(lda, n)}, {n, lda});
}

simtsolverStatus_t check_batch(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,
                               simtblasFillMode_t uplo, int n, int lda, syevjInfo_t params,
                               int count) {
  return checked(
      handle, {valid(jobz), valid(uplo), n >= 0, holds(lda, n), params != nullptr, count >= 0}, {});
}

/// True if no element of the triangle `uplo` of A is infinite or NaN; the other triangle is not
/// read.
template <class T>
bool triangle_is_finite(simtblasFillMode_t uplo, int n, const T* a, std::ptrdiff_t lda) {
  for (int j = 0; j < n; ++j) {
    const int first = uplo == SIMTBLAS_FILL_MODE_UPPER ? 0 : j;
    const int last = uplo == SIMTBLAS_FILL_MODE_UPPER ? j : n - 1;
    if (!all_finite(last - first + 1, 1, a + first + j * lda, lda)) {
      return false;
    }
  }
  return true;
}

/// Returns 0, or the number of off-diagonal elements that did not converge.
template <class T, class Real>
int eigenvalues(simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n, T* a, int lda, Real* w) {
  return triangle_is_finite(uplo, n, a, lda)
             ? lapack::heevd(letter(jobz), letter(uplo), n, a, lda, w)
             : std::max(1, n - 1);
}

template <class T, class Real>
simtsolverStatus_t syevd(simtsolverDnHandle_t handle, const char* name, simtsolverEigMode_t jobz,
                         simtblasFillMode_t uplo, std::int64_t n, T* a, std::int64_t lda, Real* w,
                         Workspace workspace, int* info) {
  const simtsolverStatus_t status = check_matrix(handle, jobz, uplo, n, lda);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, n) || !there(w, n) || !workspace.valid() || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    *info = eigenvalues(jobz, uplo, static_cast<int>(n), a, static_cast<int>(lda), w);
  });
}

template <class T, class Real>
simtsolverStatus_t syevj(simtsolverDnHandle_t handle, const char* name, simtsolverEigMode_t jobz,
                         simtblasFillMode_t uplo, int n, T* a, int lda, Real* w,
                         Workspace workspace, int* info, syevjInfo_t params, int count) {
  const simtsolverStatus_t status = check_batch(handle, jobz, uplo, n, lda, params, count);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  const int elements = std::min(n, count);
  if (!there(a, elements) || !there(w, elements) || !workspace.valid() || !there(info, count)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    for_each_of_batch(count, 4 * gemm_work(n, n, n), [&](int i) {
      const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(lda) * n;
      const int unconverged =
          eigenvalues(jobz, uplo, n, a + i * step, lda, w + static_cast<std::ptrdiff_t>(i) * n);
      info[i] = unconverged == 0 ? 0 : n + 1;
    });
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_SYEVD(syevd_name, syevj_name, T, Real)                                              \
  simtsolverStatus_t syevd_name##_bufferSize(simtsolverDnHandle_t handle,                          \
                                             simtsolverEigMode_t jobz, simtblasFillMode_t uplo,    \
                                             int n, const T*, int lda, const Real*, int* lwork) {  \
    return answer(check_matrix(handle, jobz, uplo, n, lda), lwork);                                \
  }                                                                                                \
  simtsolverStatus_t syevd_name(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,             \
                                simtblasFillMode_t uplo, int n, T* A, int lda, Real* W, T* work,   \
                                int lwork, int* info) {                                            \
    return syevd(handle, #syevd_name, jobz, uplo, n, native(A), lda, W,                            \
                 Workspace::elements(work, lwork), info);                                          \
  }                                                                                                \
  simtsolverStatus_t syevj_name##_bufferSize(                                                      \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n,       \
      const T*, int lda, const Real*, int* lwork, syevjInfo_t params) {                            \
    return answer(check_batch(handle, jobz, uplo, n, lda, params, 1), lwork);                      \
  }                                                                                                \
  simtsolverStatus_t syevj_name(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,             \
                                simtblasFillMode_t uplo, int n, T* A, int lda, Real* W, T* work,   \
                                int lwork, int* info, syevjInfo_t params) {                        \
    return syevj(handle, #syevj_name, jobz, uplo, n, native(A), lda, W,                            \
                 Workspace::elements(work, lwork), info, params, 1);                               \
  }                                                                                                \
  simtsolverStatus_t syevj_name##Batched_bufferSize(                                               \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n,       \
      const T*, int lda, const Real*, int* lwork, syevjInfo_t params, int batchSize) {             \
    return answer(check_batch(handle, jobz, uplo, n, lda, params, batchSize), lwork);              \
  }                                                                                                \
  simtsolverStatus_t syevj_name##Batched(                                                          \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n, T* A, \
      int lda, Real* W, T* work, int lwork, int* info, syevjInfo_t params, int batchSize) {        \
    return syevj(handle, #syevj_name "Batched", jobz, uplo, n, native(A), lda, W,                  \
                 Workspace::elements(work, lwork), info, params, batchSize);                       \
  }
DEFINE_SYEVD(simtsolverDnSsyevd, simtsolverDnSsyevj, float, float)
DEFINE_SYEVD(simtsolverDnDsyevd, simtsolverDnDsyevj, double, double)
DEFINE_SYEVD(simtsolverDnCheevd, simtsolverDnCheevj, simtComplex, float)
DEFINE_SYEVD(simtsolverDnZheevd, simtsolverDnZheevj, simtDoubleComplex, double)

simtsolverStatus_t simtsolverDnXsyevd_bufferSize(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                                 simtsolverEigMode_t jobz, simtblasFillMode_t uplo,
                                                 std::int64_t n, simtDataType type, const void*,
                                                 std::int64_t lda, simtDataType type_w, const void*,
                                                 simtDataType compute, std::size_t* on_device,
                                                 std::size_t* on_host) {
  return with_element(type, [&](auto) {
    return type_w == real_type(type) && type == compute
               ? answer(check_matrix(handle, jobz, uplo, n, lda), on_device, on_host)
               : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

simtsolverStatus_t simtsolverDnXsyevd(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                      simtsolverEigMode_t jobz, simtblasFillMode_t uplo,
                                      std::int64_t n, simtDataType type, void* a, std::int64_t lda,
                                      simtDataType type_w, void* w, simtDataType compute,
                                      void* work, std::size_t work_size, void*, std::size_t,
                                      int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    using Real = typename RealOf<T>::type;
    return type_w == real_type(type) && type == compute
               ? syevd(handle, "simtsolverDnXsyevd", jobz, uplo, n, static_cast<T*>(a), lda,
                       static_cast<Real*>(w), Workspace::bytes(work, work_size), info)
               : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

}  // extern "C"

// Singular value decompositions by cuSOLVER's functions for the Jacobi method, for one matrix or a
// batch.
#include "blas/batch.h"
#include "blas/gemm.h"
#include "solver/svd.h"

namespace simtrt {
namespace {

/// Largest size of a matrix in gesvdjBatched.
constexpr int kLargestOfBatch = 32;

simtsolverStatus_t check_gesvdj(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int m, int n,
                                int lda, int ldu, int ldv, gesvdjInfo_t params) {
  return checked(
      handle,
      {valid(jobz), m >= 0, n >= 0, holds(lda, m), holds(ldu, m), holds(ldv, n), params != nullptr},
      {});
}

simtsolverStatus_t check_batch(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int m, int n,
                               int lda, int ldu, int ldv, gesvdjInfo_t params, int count) {
  const simtsolverStatus_t status = check_gesvdj(handle, jobz, m, n, lda, ldu, ldv, params);
  return status == SIMTSOLVER_STATUS_SUCCESS
             ? checked(handle, {m <= kLargestOfBatch, n <= kLargestOfBatch, count >= 0}, {})
             : status;
}

/// Decomposes one matrix of a batch. Returns 0, or min(m, n) + 1 if the computation does not
/// converge.
template <class T, class Real>
int singular_values(bool vectors, bool econ, int m, int n, T* a, int lda, Real* sigma, T* u,
                    int ldu, T* v, int ldv) {
  const Svd<T> svd = decompose(vectors ? (econ ? 'S' : 'A') : 'N', m, n, a, lda);
  const int least = std::min(m, n);
  if (!svd.converged) {
    return least + 1;
  }
  std::copy(svd.sigma.begin(), svd.sigma.end(), sigma);
  if (vectors) {
    write_vectors(svd, m, econ ? least : m, u, ldu, n, econ ? least : n, v, ldv);
  }
  return 0;
}

template <class T, class Real>
simtsolverStatus_t gesvdj(simtsolverDnHandle_t handle, const char* name, simtsolverEigMode_t jobz,
                          bool econ, int m, int n, T* a, int lda, Real* sigma, T* u, int ldu, T* v,
                          int ldv, Workspace workspace, int* info, int count) {
  const bool vectors = jobz == SIMTSOLVER_EIG_MODE_VECTOR;
  const int least = std::min(m, n);
  // All columns of square U and V are written, also for an empty matrix.
  const int rows_of_vectors = vectors ? (econ ? least : std::max(m, n)) : 0;
  if (!there(a, std::min(least, count)) || !there(sigma, std::min(least, count)) ||
      !there(u, std::min(rows_of_vectors, count)) || !there(v, std::min(rows_of_vectors, count)) ||
      !workspace.valid() || !there(info, count)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    for_each_of_batch(count, 8 * gemm_work(m, n, least), [&](int i) {
      const std::ptrdiff_t at = i;
      info[i] = singular_values(vectors, econ, m, n, a + at * lda * n, lda, sigma + at * least,
                                vectors ? u + at * ldu * m : nullptr, ldu,
                                vectors ? v + at * ldv * n : nullptr, ldv);
    });
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_GESVDJ(name, T, Real)                                                               \
  simtsolverStatus_t name##_bufferSize(                                                            \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int, int m, int n, const T*, int lda, \
      const Real*, const T*, int ldu, const T*, int ldv, int* lwork, gesvdjInfo_t params) {        \
    return answer(check_gesvdj(handle, jobz, m, n, lda, ldu, ldv, params), lwork);                 \
  }                                                                                                \
  simtsolverStatus_t name(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int econ, int m,  \
                          int n, T* A, int lda, Real* S, T* U, int ldu, T* V, int ldv, T* work,    \
                          int lwork, int* info, gesvdjInfo_t params) {                             \
    const simtsolverStatus_t status = check_gesvdj(handle, jobz, m, n, lda, ldu, ldv, params);     \
    return status == SIMTSOLVER_STATUS_SUCCESS                                                     \
               ? gesvdj(handle, #name, jobz, econ != 0, m, n, native(A), lda, S, native(U), ldu,   \
                        native(V), ldv, Workspace::elements(work, lwork), info, 1)                 \
               : status;                                                                           \
  }                                                                                                \
  simtsolverStatus_t name##Batched_bufferSize(                                                     \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int m, int n, const T*, int lda,      \
      const Real*, const T*, int ldu, const T*, int ldv, int* lwork, gesvdjInfo_t params,          \
      int batchSize) {                                                                             \
    return answer(check_batch(handle, jobz, m, n, lda, ldu, ldv, params, batchSize), lwork);       \
  }                                                                                                \
  simtsolverStatus_t name##Batched(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int m,   \
                                   int n, T* A, int lda, Real* S, T* U, int ldu, T* V, int ldv,    \
                                   T* work, int lwork, int* info, gesvdjInfo_t params,             \
                                   int batchSize) {                                                \
    const simtsolverStatus_t status =                                                              \
        check_batch(handle, jobz, m, n, lda, ldu, ldv, params, batchSize);                         \
    return status == SIMTSOLVER_STATUS_SUCCESS                                                     \
               ? gesvdj(handle, #name "Batched", jobz, false, m, n, native(A), lda, S, native(U),  \
                        ldu, native(V), ldv, Workspace::elements(work, lwork), info, batchSize)    \
               : status;                                                                           \
  }
DEFINE_GESVDJ(simtsolverDnSgesvdj, float, float)
DEFINE_GESVDJ(simtsolverDnDgesvdj, double, double)
DEFINE_GESVDJ(simtsolverDnCgesvdj, simtComplex, float)
DEFINE_GESVDJ(simtsolverDnZgesvdj, simtDoubleComplex, double)

}  // extern "C"

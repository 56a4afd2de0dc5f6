// Largest singular values of a batch of tall matrices.
#include "blas/batch.h"
#include "blas/gemm.h"
#include "solver/svd.h"

namespace simtrt {
namespace {

/// Sizes of a batch, and the distances between its matrices.
struct TallBatch {
  int rank, m, n, lda;
  std::int64_t step_a, step_sigma;
  int ldu;
  std::int64_t step_u;
  int ldv;
  std::int64_t step_v;
  int count;
};

simtsolverStatus_t check_batch(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,
                               const TallBatch& b) {
  const std::int64_t rank = b.rank;
  return checked(
      handle,
      {valid(jobz), rank >= 0, rank <= b.n, b.n <= b.m, holds(b.lda, b.m), holds(b.ldu, b.m),
       holds(b.ldv, b.n), b.count >= 0, b.step_a >= static_cast<std::int64_t>(b.lda) * b.n,
       b.step_sigma >= rank, b.step_u >= b.ldu * rank, b.step_v >= b.ldv * rank},
      {});
}

/// Norm of the difference between a matrix and its approximation by the `rank` largest singular
/// values. It equals the norm of the omitted singular values (Eckart and Young).
template <class Real>
double residual(const std::vector<Real>& sigma, int rank) {
  double sum = 0;
  for (std::size_t i = static_cast<std::size_t>(rank); i < sigma.size(); ++i) {
    sum += static_cast<double>(sigma[i]) * static_cast<double>(sigma[i]);
  }
  return std::sqrt(sum);
}

/// Decomposes one matrix of a batch. Returns 0, or n + 1 if the computation does not converge.
template <class T, class Real>
int singular_values(bool vectors, const TallBatch& b, const T* a, Real* sigma, T* u, T* v,
                    double* norm) {
  std::vector<T> copy(static_cast<std::size_t>(b.m) * b.n);
  for (std::ptrdiff_t j = 0; j < b.n; ++j) {
    std::copy_n(a + j * b.lda, b.m, copy.data() + j * b.m);
  }
  const Svd<T> svd = decompose(vectors ? 'S' : 'N', b.m, b.n, copy.data(), std::max(1, b.m));
  if (!svd.converged) {
    return b.n + 1;
  }
  std::copy_n(svd.sigma.data(), b.rank, sigma);
  if (vectors) {
    write_vectors(svd, b.m, b.rank, u, b.ldu, b.n, b.rank, v, b.ldv);
  }
  if (norm != nullptr) {
    *norm = residual(svd.sigma, b.rank);
  }
  return 0;
}

template <class T, class Real>
simtsolverStatus_t gesvda(simtsolverDnHandle_t handle, const char* name, simtsolverEigMode_t jobz,
                          const TallBatch& b, const T* a, Real* sigma, T* u, T* v,
                          Workspace workspace, int* info, double* norms) {
  const simtsolverStatus_t status = check_batch(handle, jobz, b);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  const bool vectors = jobz == SIMTSOLVER_EIG_MODE_VECTOR;
  const int written = std::min(b.rank, b.count);
  if (!there(a, std::min(b.n, b.count)) || !there(sigma, written) ||
      !there(u, vectors ? written : 0) || !there(v, vectors ? written : 0) || !workspace.valid() ||
      !there(info, b.count)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  const simtsolverStatus_t submitted = solver_submit(handle, name, [=] {
    for_each_of_batch(b.count, 8 * gemm_work(b.m, b.n, b.n), [&](int i) {
      const std::int64_t at = i;
      info[i] = singular_values(vectors, b, a + at * b.step_a, sigma + at * b.step_sigma,
                                vectors ? u + at * b.step_u : nullptr,
                                vectors ? v + at * b.step_v : nullptr,
                                norms == nullptr ? nullptr : norms + i);
    });
  });
  if (submitted != SIMTSOLVER_STATUS_SUCCESS || norms == nullptr) {
    return submitted;
  }
  return simtStreamSynchronize(handle->stream) == simtSuccess ? SIMTSOLVER_STATUS_SUCCESS
                                                              : SIMTSOLVER_STATUS_EXECUTION_FAILED;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_GESVDA(name, T, Real)                                                              \
  simtsolverStatus_t name##_bufferSize(                                                           \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int rank, int m, int n, const T*,    \
      int lda, long long int strideA, const Real*, long long int strideS, const T*, int ldu,      \
      long long int strideU, const T*, int ldv, long long int strideV, int* lwork,                \
      int batchSize) {                                                                            \
    const TallBatch batch{                                                                        \
        rank, m, n, lda, strideA, strideS, ldu, strideU, ldv, strideV, batchSize};                \
    return answer(check_batch(handle, jobz, batch), lwork);                                       \
  }                                                                                               \
  simtsolverStatus_t name(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int rank, int m, \
                          int n, const T* A, int lda, long long int strideA, Real* S,             \
                          long long int strideS, T* U, int ldu, long long int strideU, T* V,      \
                          int ldv, long long int strideV, T* work, int lwork, int* info,          \
                          double* h_R_nrmF, int batchSize) {                                      \
    const TallBatch batch{                                                                        \
        rank, m, n, lda, strideA, strideS, ldu, strideU, ldv, strideV, batchSize};                \
    return gesvda(handle, #name, jobz, batch, native(A), S, native(U), native(V),                 \
                  Workspace::elements(work, lwork), info, h_R_nrmF);                              \
  }
DEFINE_GESVDA(simtsolverDnSgesvdaStridedBatched, float, float)
DEFINE_GESVDA(simtsolverDnDgesvdaStridedBatched, double, double)
DEFINE_GESVDA(simtsolverDnCgesvdaStridedBatched, simtComplex, float)
DEFINE_GESVDA(simtsolverDnZgesvdaStridedBatched, simtDoubleComplex, double)

}  // extern "C"

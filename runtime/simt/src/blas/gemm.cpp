// Matrix products (gemm) of float, double and their complex types, single or in batches.
#include "blas/gemm.h"

#include "blas/batch.h"

namespace simtrt {
namespace {

/// Arguments shared by gemm and its batched variants, after their checks.
template <class T>
struct Gemm {
  simtblasOperation_t transa;
  simtblasOperation_t transb;
  int m;
  int n;
  int k;
  const T* alpha;
  int lda;
  int ldb;
  const T* beta;
  int ldc;

  bool valid() const {
    return valid_gemm(transa, transb, m, n, k, lda, ldb, ldc) && !any_null(alpha, beta);
  }
  bool empty() const { return m == 0 || n == 0; }

  void run(T alpha_value, const T* a, const T* b, T beta_value, T* c) const {
    gemm_on_host(transa, transb, m, n, k, alpha_value, a, lda, b, ldb, beta_value, c, ldc);
  }
};

template <class T>
bool reads_inputs(const BlasScalar<T>& alpha, int k) {
  return k > 0 && !alpha.known_zero();
}

template <class T>
simtblasStatus_t gemm(simtblasHandle_t handle, const char* name, const Gemm<T>& gemm, const T* a,
                      const T* b, T* c) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!gemm.valid()) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (gemm.empty()) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha(*handle, gemm.alpha);
  const BlasScalar<T> beta(*handle, gemm.beta);
  if (c == nullptr || (any_null(a, b) && reads_inputs(alpha, gemm.k))) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] { gemm.run(alpha(), a, b, beta(), c); });
}

template <class T>
simtblasStatus_t gemm_batched(simtblasHandle_t handle, const char* name, const Gemm<T>& gemm,
                              const T* const* a, const T* const* b, T* const* c, int count) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!gemm.valid() || count < 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (gemm.empty() || count == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha(*handle, gemm.alpha);
  const BlasScalar<T> beta(*handle, gemm.beta);
  const bool reads = reads_inputs(alpha, gemm.k);
  if (c == nullptr || (any_null(a, b) && reads)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    const T alpha_value = alpha();
    const T beta_value = beta();
    for_each_of_batch(count, gemm_work(gemm.m, gemm.n, gemm.k), [&](int i) {
      gemm.run(alpha_value, reads ? a[i] : nullptr, reads ? b[i] : nullptr, beta_value, c[i]);
    });
  });
}

template <class T>
simtblasStatus_t gemm_strided(simtblasHandle_t handle, const char* name, const Gemm<T>& gemm,
                              const T* a, long long stride_a, const T* b, long long stride_b, T* c,
                              long long stride_c, int count) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!gemm.valid() || count < 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (gemm.empty() || count == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha(*handle, gemm.alpha);
  const BlasScalar<T> beta(*handle, gemm.beta);
  if (c == nullptr || (any_null(a, b) && reads_inputs(alpha, gemm.k))) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    const T alpha_value = alpha();
    const T beta_value = beta();
    for_each_of_batch(count, gemm_work(gemm.m, gemm.n, gemm.k), [&](int i) {
      gemm.run(alpha_value, a + i * stride_a, b + i * stride_b, beta_value, c + i * stride_c);
    });
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_GEMM(gemm_name, batched_name, strided_name, T, Native)                             \
  simtblasStatus_t gemm_name(simtblasHandle_t handle, simtblasOperation_t transa,                 \
                             simtblasOperation_t transb, int m, int n, int k, const T* alpha,     \
                             const T* A, int lda, const T* B, int ldb, const T* beta, T* C,       \
                             int ldc) {                                                           \
    const Gemm<Native> arguments{transa, transb,       m,  n, k, native(alpha), lda,              \
                                 ldb,    native(beta), ldc};                                      \
    return gemm(handle, #gemm_name, arguments, native(A), native(B), native(C));                  \
  }                                                                                               \
  simtblasStatus_t batched_name(                                                                  \
      simtblasHandle_t handle, simtblasOperation_t transa, simtblasOperation_t transb, int m,     \
      int n, int k, const T* alpha, const T* const Aarray[], int lda, const T* const Barray[],    \
      int ldb, const T* beta, T* const Carray[], int ldc, int batchCount) {                       \
    const Gemm<Native> arguments{transa, transb,       m,  n, k, native(alpha), lda,              \
                                 ldb,    native(beta), ldc};                                      \
    return gemm_batched(handle, #batched_name, arguments, native(Aarray), native(Barray),         \
                        native(Carray), batchCount);                                              \
  }                                                                                               \
  simtblasStatus_t strided_name(                                                                  \
      simtblasHandle_t handle, simtblasOperation_t transa, simtblasOperation_t transb, int m,     \
      int n, int k, const T* alpha, const T* A, int lda, long long strideA, const T* B, int ldb,  \
      long long strideB, const T* beta, T* C, int ldc, long long strideC, int batchCount) {       \
    const Gemm<Native> arguments{transa, transb,       m,  n, k, native(alpha), lda,              \
                                 ldb,    native(beta), ldc};                                      \
    return gemm_strided(handle, #strided_name, arguments, native(A), strideA, native(B), strideB, \
                        native(C), strideC, batchCount);                                          \
  }
DEFINE_GEMM(simtblasSgemm, simtblasSgemmBatched, simtblasSgemmStridedBatched, float, float)
DEFINE_GEMM(simtblasDgemm, simtblasDgemmBatched, simtblasDgemmStridedBatched, double, double)
DEFINE_GEMM(simtblasCgemm, simtblasCgemmBatched, simtblasCgemmStridedBatched, simtComplex,
            host_blas::Complex)
DEFINE_GEMM(simtblasZgemm, simtblasZgemmBatched, simtblasZgemmStridedBatched, simtDoubleComplex,
            host_blas::DoubleComplex)

simtblasStatus_t simtblasCgemm3m(simtblasHandle_t handle, simtblasOperation_t transa,
                                 simtblasOperation_t transb, int m, int n, int k,
                                 const simtComplex* alpha, const simtComplex* A, int lda,
                                 const simtComplex* B, int ldb, const simtComplex* beta,
                                 simtComplex* C, int ldc) {
  return simtblasCgemm(handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}
simtblasStatus_t simtblasZgemm3m(simtblasHandle_t handle, simtblasOperation_t transa,
                                 simtblasOperation_t transb, int m, int n, int k,
                                 const simtDoubleComplex* alpha, const simtDoubleComplex* A, int lda,
                                 const simtDoubleComplex* B, int ldb, const simtDoubleComplex* beta,
                                 simtDoubleComplex* C, int ldc) {
  return simtblasZgemm(handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

}  // extern "C"

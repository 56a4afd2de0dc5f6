// Batches of factorisations: LU, QR, and least squares by QR.
#include <algorithm>
#include <vector>

#include "blas/batch.h"
#include "blas/gemm.h"
#include "blas/lu.h"

namespace simtrt {
namespace {

/// Sets the caller's *info to 0, or to -i if argument i is the first invalid one, and returns the
/// status.
simtblasStatus_t checked(int* info, std::initializer_list<std::pair<int, bool>> arguments) {
  if (info == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *info = 0;
  for (const auto& [number, valid] : arguments) {
    if (!valid) {
      *info = -number;
      return SIMTBLAS_STATUS_INVALID_VALUE;
    }
  }
  return SIMTBLAS_STATUS_SUCCESS;
}

template <class T>
simtblasStatus_t getrf(simtblasHandle_t handle, const char* name, int n, T* const* a, int lda,
                       int* pivots, int* info, int count) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (n < 0 || !valid_ld(lda, n) || count < 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (count == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (a == nullptr || info == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    for_each_of_batch(count, gemm_work(n, n, n), [&](int i) {
      info[i] = n == 0              ? 0
                : pivots == nullptr ? lu_without_pivoting(n, n, a[i], lda)
                                    : host_blas::getrf(n, n, a[i], lda,
                                                       pivots + static_cast<std::ptrdiff_t>(i) * n);
    });
  });
}

template <class T>
simtblasStatus_t getrs(simtblasHandle_t handle, const char* name, simtblasOperation_t trans, int n,
                       int nrhs, const T* const* a, int lda, const int* pivots, T* const* b,
                       int ldb, int* info, int count) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  const bool empty = n == 0 || nrhs == 0 || count == 0;
  const simtblasStatus_t status = checked(info, {{1, valid(trans)},
                                                 {2, n >= 0},
                                                 {3, nrhs >= 0},
                                                 {5, valid_ld(lda, n)},
                                                 {8, valid_ld(ldb, n)},
                                                 {10, count >= 0},
                                                 {4, empty || a != nullptr},
                                                 {7, empty || b != nullptr}});
  if (status != SIMTBLAS_STATUS_SUCCESS || empty) {
    return status;
  }
  return blas_submit(*handle, name, [=] {
    for_each_of_batch(count, gemm_work(n, n, nrhs), [&](int i) {
      if (pivots == nullptr) {
        solve_without_pivoting(trans, n, nrhs, a[i], lda, b[i], ldb);
      } else {
        host_blas::getrs("NTC"[trans], n, nrhs, a[i], lda,
                         pivots + static_cast<std::ptrdiff_t>(i) * n, b[i], ldb);
      }
    });
  });
}

/// QR factorisation of A in LAPACK's storage, in blocks of 32 columns (LAPACK's usual size).
template <class T>
void qr(int m, int n, T* a, int lda, T* tau) {
  std::vector<T> work(static_cast<std::size_t>(n) * 32);
  host_blas::geqrf(m, n, a, lda, tau, work.data(), static_cast<int>(work.size()));
}

template <class T>
simtblasStatus_t geqrf(simtblasHandle_t handle, const char* name, int m, int n, T* const* a,
                       int lda, T* const* tau, int* info, int count) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  const bool empty = m == 0 || n == 0 || count == 0;
  const simtblasStatus_t status = checked(info, {{1, m >= 0},
                                                 {2, n >= 0},
                                                 {4, valid_ld(lda, m)},
                                                 {7, count >= 0},
                                                 {3, empty || a != nullptr},
                                                 {5, empty || tau != nullptr}});
  if (status != SIMTBLAS_STATUS_SUCCESS || empty) {
    return status;
  }
  return blas_submit(*handle, name, [=] {
    for_each_of_batch(count, gemm_work(m, n, n), [&](int i) { qr(m, n, a[i], lda, tau[i]); });
  });
}

/// C = Q^H C, where Q is the product of the n reflectors I - tau v v^H below A's diagonal.
template <class T>
void apply_reflectors(int m, int n, int nrhs, const T* a, std::ptrdiff_t lda, const T* tau, T* c,
                      std::ptrdiff_t ldc) {
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    const T* const v = a + k * lda;
    for (std::ptrdiff_t j = 0; j < nrhs; ++j) {
      T* const column = c + j * ldc;
      T sum = column[k];
      for (std::ptrdiff_t i = k + 1; i < m; ++i) {
        sum += conjugate(v[i]) * column[i];
      }
      sum *= conjugate(tau[k]);
      column[k] -= sum;
      for (std::ptrdiff_t i = k + 1; i < m; ++i) {
        column[i] -= v[i] * sum;
      }
    }
  }
}

/// Least squares for one matrix. Returns 0, or, if there is no solution, the first i, counted from
/// 1, with R(i, i) = 0.
template <class T>
int least_squares(int m, int n, int nrhs, T* a, int lda, T* c, int ldc) {
  std::vector<T> tau(static_cast<std::size_t>(n));
  qr(m, n, a, lda, tau.data());
  apply_reflectors(m, n, nrhs, a, lda, tau.data(), c, ldc);
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    if (a[k + k * lda] == T()) {
      return static_cast<int>(k + 1);
    }
  }
  using namespace host_blas;
  trsm(kLeft, kUpper, kNoTrans, kNonUnit, n, nrhs, T(1), a, lda, c, ldc);
  return 0;
}

template <class T>
simtblasStatus_t gels(simtblasHandle_t handle, const char* name, simtblasOperation_t trans, int m,
                      int n, int nrhs, T* const* a, int lda, T* const* c, int ldc, int* info,
                      int* device_info, int count) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  const bool empty = n == 0 || nrhs == 0 || count == 0;
  const simtblasStatus_t status = checked(info, {{1, valid(trans)},
                                                 {2, m >= 0},
                                                 {3, n >= 0},
                                                 {4, nrhs >= 0},
                                                 {6, valid_ld(lda, m)},
                                                 {8, valid_ld(ldc, m)},
                                                 {11, count >= 0},
                                                 {5, empty || a != nullptr},
                                                 {7, empty || c != nullptr}});
  if (status != SIMTBLAS_STATUS_SUCCESS) {
    return status;
  }
  if (trans != SIMTBLAS_OP_N || m < n) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  if (empty) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  return blas_submit(*handle, name, [=] {
    for_each_of_batch(count, gemm_work(m, n, n + nrhs), [&](int i) {
      const int singular = least_squares(m, n, nrhs, a[i], lda, c[i], ldc);
      if (device_info != nullptr) {
        device_info[i] = singular;
      }
    });
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_FACTOR(getrf_name, getrs_name, geqrf_name, gels_name, T)                            \
  simtblasStatus_t getrf_name(simtblasHandle_t handle, int n, T* const A[], int lda,               \
                              int* PivotArray, int* infoArray, int batchSize) {                    \
    return getrf(handle, #getrf_name, n, native(A), lda, PivotArray, infoArray, batchSize);        \
  }                                                                                                \
  simtblasStatus_t getrs_name(simtblasHandle_t handle, simtblasOperation_t trans, int n, int nrhs, \
                              const T* const Aarray[], int lda, const int* devIpiv,                \
                              T* const Barray[], int ldb, int* info, int batchSize) {              \
    return getrs(handle, #getrs_name, trans, n, nrhs, native(Aarray), lda, devIpiv,                \
                 native(Barray), ldb, info, batchSize);                                            \
  }                                                                                                \
  simtblasStatus_t geqrf_name(simtblasHandle_t handle, int m, int n, T* const Aarray[], int lda,   \
                              T* const TauArray[], int* info, int batchSize) {                     \
    return geqrf(handle, #geqrf_name, m, n, native(Aarray), lda, native(TauArray), info,           \
                 batchSize);                                                                       \
  }                                                                                                \
  simtblasStatus_t gels_name(simtblasHandle_t handle, simtblasOperation_t trans, int m, int n,     \
                             int nrhs, T* const Aarray[], int lda, T* const Carray[], int ldc,     \
                             int* info, int* devInfoArray, int batchSize) {                        \
    return gels(handle, #gels_name, trans, m, n, nrhs, native(Aarray), lda, native(Carray), ldc,   \
                info, devInfoArray, batchSize);                                                    \
  }
DEFINE_FACTOR(simtblasSgetrfBatched, simtblasSgetrsBatched, simtblasSgeqrfBatched,
              simtblasSgelsBatched, float)
DEFINE_FACTOR(simtblasDgetrfBatched, simtblasDgetrsBatched, simtblasDgeqrfBatched,
              simtblasDgelsBatched, double)
DEFINE_FACTOR(simtblasCgetrfBatched, simtblasCgetrsBatched, simtblasCgeqrfBatched,
              simtblasCgelsBatched, simtComplex)
DEFINE_FACTOR(simtblasZgetrfBatched, simtblasZgetrsBatched, simtblasZgeqrfBatched,
              simtblasZgelsBatched, simtDoubleComplex)

}  // extern "C"

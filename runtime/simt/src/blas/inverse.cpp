// Batches of inverses, from LU factors (getri) or from matrices (matinv).
#include <algorithm>
#include <vector>

#include "blas/batch.h"
#include "blas/gemm.h"
#include "blas/lu.h"

namespace simtrt {
namespace {

/// Largest size of matinv. cuBLAS documentation, "cublas<t>matinvBatched()".
constexpr int kMaxInverted = 32;

/// First i (counted from 1) with U(i, i) = 0, or 0.
template <class T>
int first_zero_pivot(int n, const T* a, std::ptrdiff_t lda) {
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    if (a[i + i * lda] == T()) {
      return static_cast<int>(i + 1);
    }
  }
  return 0;
}

/// Computes the inverse from LU factors; `pivots` may be null.
template <class T>
int invert_factors(int n, const T* a, int lda, const int* pivots, T* inverse, int ld) {
  const int info = first_zero_pivot(n, a, lda);
  if (info != 0) {
    return info;
  }
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    std::fill_n(inverse + j * ld, n, T());
    inverse[j + j * ld] = T(1);
  }
  if (pivots == nullptr) {
    solve_without_pivoting(SIMTBLAS_OP_N, n, n, a, lda, inverse, ld);
  } else {
    host_blas::getrs('N', n, n, a, lda, pivots, inverse, ld);
  }
  return 0;
}

/// Computes the inverse of a matrix, which remains unchanged.
template <class T>
int invert(int n, const T* a, int lda, T* inverse, int ld) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<T> factors(size * size);
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    std::copy_n(a + j * lda, n, factors.data() + j * n);
  }
  std::vector<int> pivots(size);
  host_blas::getrf(n, n, factors.data(), n, pivots.data());
  return invert_factors(n, factors.data(), n, pivots.data(), inverse, ld);
}

template <class T, class Invert>
simtblasStatus_t batch(simtblasHandle_t handle, const char* name, bool is_valid, int n,
                       const T* const* a, T* const* inverses, int* info, int count,
                       Invert invert_one) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!is_valid || count < 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0 || count == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(a, inverses, info)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    for_each_of_batch(count, gemm_work(n, n, n),
                      [&](int i) { info[i] = invert_one(i, a[i], inverses[i]); });
  });
}

template <class T>
simtblasStatus_t getri(simtblasHandle_t handle, const char* name, int n, const T* const* a, int lda,
                       const int* pivots, T* const* inverses, int ldc, int* info, int count) {
  const bool is_valid = n >= 0 && valid_ld(lda, n) && valid_ld(ldc, n);
  return batch(handle, name, is_valid, n, a, inverses, info, count,
               [=](int i, const T* factors, T* inverse) {
                 const int* of_matrix =
                     pivots == nullptr ? nullptr : pivots + static_cast<std::ptrdiff_t>(i) * n;
                 return invert_factors(n, factors, lda, of_matrix, inverse, ldc);
               });
}

template <class T>
simtblasStatus_t matinv(simtblasHandle_t handle, const char* name, int n, const T* const* a,
                        int lda, T* const* inverses, int ld, int* info, int count) {
  const bool is_valid = n >= 0 && n <= kMaxInverted && valid_ld(lda, n) && valid_ld(ld, n);
  return batch(handle, name, is_valid, n, a, inverses, info, count,
               [=](int, const T* matrix, T* inverse) {
                 return invert(n, matrix, lda, inverse, ld);
               });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_INVERSE(getri_name, matinv_name, T)                                                \
  simtblasStatus_t getri_name(simtblasHandle_t handle, int n, const T* const A[], int lda,        \
                              const int* P, T* const C[], int ldc, int* info, int batchSize) {    \
    return getri(handle, #getri_name, n, native(A), lda, P, native(C), ldc, info, batchSize);     \
  }                                                                                               \
  simtblasStatus_t matinv_name(simtblasHandle_t handle, int n, const T* const A[], int lda,       \
                               T* const Ainv[], int lda_inv, int* info, int batchSize) {          \
    return matinv(handle, #matinv_name, n, native(A), lda, native(Ainv), lda_inv, info,           \
                  batchSize);                                                                     \
  }
DEFINE_INVERSE(simtblasSgetriBatched, simtblasSmatinvBatched, float)
DEFINE_INVERSE(simtblasDgetriBatched, simtblasDmatinvBatched, double)
DEFINE_INVERSE(simtblasCgetriBatched, simtblasCmatinvBatched, simtComplex)
DEFINE_INVERSE(simtblasZgetriBatched, simtblasZmatinvBatched, simtDoubleComplex)

}  // extern "C"

// Products and updates with symmetric complex matrices, which the reference BLAS lacks.
#include "blas/batch.h"
#include "blas/context.h"
#include "blas/matrix_vector.h"

namespace simtrt {
namespace {

/// Rows of column `j` in the triangle: [first, last).
struct TrianglePart {
  std::ptrdiff_t first, last;
};
TrianglePart part_of(simtblasFillMode_t uplo, int n, std::ptrdiff_t j) {
  return uplo == SIMTBLAS_FILL_MODE_UPPER ? TrianglePart{0, j + 1} : TrianglePart{j, n};
}

template <class T>
simtblasStatus_t symv(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                      const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta,
                      T* y, int incy) {
  const bool is_valid = n >= 0 && valid_ld(lda, n) && valid(uplo);
  return submit_matrix_vector(handle, name, is_valid, n == 0, n, alpha, a, x, incx, beta, y, incy,
                              [=](T alpha_value, T beta_value) {
    const T* const x0 = first_element(x, n, incx);
    T* const y0 = first_element(y, n, incy);
    for_each_slice(n, 64, 4.0 * n * n, [&](int begin, int count) {
      for (std::ptrdiff_t i = begin; i < begin + count; ++i) {
        T sum = T();
        for (std::ptrdiff_t j = 0; alpha_value != T() && j < n; ++j) {
          const bool stored = uplo == SIMTBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
          sum += (stored ? a[i + j * lda] : a[j + i * lda]) * x0[j * incx];
        }
        T& result = y0[i * incy];
        result = alpha_value * sum + beta_value * result;
      }
    });
  });
}

/// Adds update(i, j) to each element of the triangle.
template <class T, class Update>
void add_to_triangle(simtblasFillMode_t uplo, int n, T* a, int lda, const Update& update) {
  for_each_slice(n, 64, 4.0 * n * n, [&](int begin, int count) {
    for (std::ptrdiff_t j = begin; j < begin + count; ++j) {
      const TrianglePart part = part_of(uplo, n, j);
      for (std::ptrdiff_t i = part.first; i < part.last; ++i) {
        a[i + j * lda] += update(i, j);
      }
    }
  });
}

template <class T>
simtblasStatus_t syr(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                     const T* alpha, const T* x, int incx, T* a, int lda) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (n < 0 || !valid_ld(lda, n) || incx == 0 || !valid(uplo) || alpha == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(x, a)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  return blas_submit(*handle, name, [=] {
    const T scale = alpha_argument();
    const T* const x0 = first_element(x, n, incx);
    add_to_triangle(uplo, n, a, lda, [=](std::ptrdiff_t i, std::ptrdiff_t j) {
      return scale * x0[i * incx] * x0[j * incx];
    });
  });
}

template <class T>
simtblasStatus_t syr2(simtblasHandle_t handle, const char* name, simtblasFillMode_t uplo, int n,
                      const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (n < 0 || !valid_ld(lda, n) || incx == 0 || incy == 0 || !valid(uplo) || alpha == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(x, y, a)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  return blas_submit(*handle, name, [=] {
    const T scale = alpha_argument();
    const T *const x0 = first_element(x, n, incx), *const y0 = first_element(y, n, incy);
    add_to_triangle(uplo, n, a, lda, [=](std::ptrdiff_t i, std::ptrdiff_t j) {
      return scale * (x0[i * incx] * y0[j * incy] + y0[i * incy] * x0[j * incx]);
    });
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_COMPLEX_SYMMETRIC(symv_name, syr_name, syr2_name, T)                              \
  simtblasStatus_t symv_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n,            \
                             const T* alpha, const T* A, int lda, const T* x, int incx,          \
                             const T* beta, T* y, int incy) {                                    \
    return symv(handle, #symv_name, uplo, n, native(alpha), native(A), lda, native(x), incx,     \
                native(beta), native(y), incy);                                                  \
  }                                                                                              \
  simtblasStatus_t syr_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n,             \
                            const T* alpha, const T* x, int incx, T* A, int lda) {               \
    return syr(handle, #syr_name, uplo, n, native(alpha), native(x), incx, native(A), lda);      \
  }                                                                                              \
  simtblasStatus_t syr2_name(simtblasHandle_t handle, simtblasFillMode_t uplo, int n,            \
                             const T* alpha, const T* x, int incx, const T* y, int incy, T* A,   \
                             int lda) {                                                          \
    return syr2(handle, #syr2_name, uplo, n, native(alpha), native(x), incx, native(y), incy,    \
                native(A), lda);                                                                 \
  }
DEFINE_COMPLEX_SYMMETRIC(simtblasCsymv, simtblasCsyr, simtblasCsyr2, simtComplex)
DEFINE_COMPLEX_SYMMETRIC(simtblasZsymv, simtblasZsyr, simtblasZsyr2, simtDoubleComplex)

}  // extern "C"

// Products of a matrix and a vector: what all kinds of matrices share.
//
// Ownership, threads, memory ordering: as in context.h.
#pragma once

#include "blas/context.h"

namespace simtrt {

/// Checks the arguments and submits a product y = alpha A x + beta y. `is_valid` is the result of the checks of the sizes
/// and options; `size` is the length of y; `product(alpha, beta)` computes. If beta is 0, y is cleared before.
template <class T, class Product>
simtblasStatus_t submit_matrix_vector(simtblasHandle_t handle, const char* name, bool is_valid, bool is_empty,
                          int size, const T* alpha, const T* a, const T* x, int incx, const T* beta,
                          T* y, int incy, Product product) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!is_valid || incx == 0 || incy == 0 || any_null(alpha, beta)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (is_empty) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<T> alpha_argument(*handle, alpha);
  const BlasScalar<T> beta_argument(*handle, beta);
  if (y == nullptr || (any_null(a, x) && !alpha_argument.known_zero())) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] {
    const T b = beta_argument();
    if (b == T()) {
      clear(size, y, incy);
    }
    product(alpha_argument(), b);
  });
}

}  // namespace simtrt

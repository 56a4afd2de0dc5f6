// Updates of one triangle of a matrix by op(A) times the transpose of itself, or of op(B): their arguments.
//
// Ownership: none. Threads: any. Memory ordering: there are no atomics.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <type_traits>

#include "blas/context.h"
#include "blas/elements.h"

namespace simtrt {

/// Matrix that an update reads, with its leading dimension.
template <class T>
struct RankFactor {
  const T* matrix;
  int ld;
};

/// The update of a triangle of C (n x n); op(A) and op(B) are n x k.
struct RankUpdate {
  bool is_hermitian;  ///< the transpose is the conjugate one
  simtblasFillMode_t uplo;
  simtblasOperation_t trans;
  int n;
  int k;

  /// Rows of A and B as they are stored.
  int stored_rows() const { return trans == SIMTBLAS_OP_N ? n : k; }
  int stored_columns() const { return trans == SIMTBLAS_OP_N ? k : n; }

  /// True for A and B in `factors`, and for the leading dimension of C.
  template <class T>
  bool is_valid(std::initializer_list<RankFactor<T>> factors, int ldc) const {
    return n >= 0 && k >= 0 && valid(uplo) && has_valid_operation<T>() && valid_ld(ldc, n) &&
           std::all_of(factors.begin(), factors.end(),
                       [this](const RankFactor<T>& factor) { return valid_ld(factor.ld, stored_rows()); });
  }

 private:
  /// For real matrices, OP_T and OP_C are equivalent and valid. A symmetric update of complex matrices permits OP_T, a
  /// Hermitian one OP_C.
  template <class T>
  bool has_valid_operation() const {
    constexpr bool is_complex = !std::is_same_v<T, typename RealOf<T>::type>;
    if (trans == SIMTBLAS_OP_N) {
      return true;
    }
    if (!is_complex) {
      return valid(trans);
    }
    return trans == (is_hermitian ? SIMTBLAS_OP_C : SIMTBLAS_OP_T);
  }
};

/// Checks the arguments of an update, and submits `work(alpha, beta)`.
template <class T, class Alpha, class Beta, class Work>
simtblasStatus_t submit_rank_update(simtblasHandle_t handle, const char* name, const RankUpdate& update,
                                    std::initializer_list<RankFactor<T>> factors, const Alpha* alpha, const Beta* beta,
                                    T* c, int ldc, const Work& work) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!update.is_valid<T>(factors, ldc) || alpha == nullptr || beta == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (update.n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const BlasScalar<Alpha> alpha_argument(*handle, alpha);
  const BlasScalar<Beta> beta_argument(*handle, beta);
  const bool reads = update.k > 0 && !alpha_argument.known_zero();
  const bool lacks = std::any_of(factors.begin(), factors.end(),
                                 [](const RankFactor<T>& factor) { return factor.matrix == nullptr; });
  if (c == nullptr || (lacks && reads)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] { work(alpha_argument(), beta_argument()); });
}

}  // namespace simtrt

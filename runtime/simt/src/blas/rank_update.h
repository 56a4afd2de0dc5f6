// Updates of one triangle of a matrix by op(A) times the transpose of itself, or of op(B): their arguments.
//
// Ownership: none. Threads: any. Memory ordering: there are no atomics.
#pragma once

#include <initializer_list>
#include <type_traits>

#include "blas/context.h"
#include "blas/elements.h"

namespace simtrt {

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

  /// True for matrices of elements T with these leading dimensions of A and B, and of C.
  template <class T>
  bool is_valid(std::initializer_list<int> leading_dimensions, int ldc) const {
    if (n < 0 || k < 0 || !valid(uplo) || !has_valid_operation<T>() || !valid_ld(ldc, n)) {
      return false;
    }
    for (const int ld : leading_dimensions) {
      if (!valid_ld(ld, stored_rows())) {
        return false;
      }
    }
    return true;
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

}  // namespace simtrt

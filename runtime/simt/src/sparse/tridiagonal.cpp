// Solutions of systems with a tridiagonal matrix.
#include "sparse/context.h"
#include "sparse/numbers.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace simtrt {
namespace {

/// Diagonals of an m x m matrix. lower[0] and upper[m - 1] are outside the matrix.
template <class T>
struct Diagonals {
  const T* lower;
  const T* main;
  const T* upper;

  bool is_bad() const { return any_null(lower, main, upper); }
};

/// Gaussian elimination of the matrix, whose copy is changed, together with `count` right sides.
template <class Value>
class Elimination {
 public:
  Elimination(const Value* lower, const Value* main, const Value* upper, int m, bool pivots)
      : m_(m), pivots_(pivots), lower_(lower, lower + m), main_(main, main + m), upper_(upper, upper + m),
        second_(static_cast<std::size_t>(m)) {
    upper_[static_cast<std::size_t>(m - 1)] = Value();
  }

  /// Replaces the right sides, the columns of `b`, by the solutions.
  void solve(Value* b, int count, std::ptrdiff_t stride) {
    for (int row = 0; row + 1 < m_; ++row) eliminate(static_cast<std::size_t>(row), b, count, stride);
    for (int column = 0; column < count; ++column) substitute(b + column * stride);
  }

 private:
  // Subtracts row `i`, or after an exchange the row below it, from the row below.
  void eliminate(std::size_t i, Value* b, int count, std::ptrdiff_t stride) {
    const Value below = lower_[i + 1];
    const bool exchanges = pivots_ && std::abs(main_[i]) < std::abs(below);
    const Value factor = exchanges ? main_[i] / below : below / main_[i];
    if (exchanges) {
      main_[i] = below;
      const Value next = main_[i + 1];
      main_[i + 1] = upper_[i] - factor * next;
      upper_[i] = next;
      second_[i] = upper_[i + 1];
      upper_[i + 1] = -factor * second_[i];
    } else {
      main_[i + 1] -= factor * upper_[i];
    }
    for (int column = 0; column < count; ++column) {
      Value* const right = b + column * stride + static_cast<std::ptrdiff_t>(i);
      if (exchanges) std::swap(right[0], right[1]);
      right[1] -= factor * right[0];
    }
  }

  void substitute(Value* x) const {
    for (int row = m_ - 1; row >= 0; --row) {
      const auto i = static_cast<std::size_t>(row);
      Value rest = x[row];
      if (row + 1 < m_) rest -= upper_[i] * x[row + 1];
      if (row + 2 < m_) rest -= second_[i] * x[row + 2];
      x[row] = rest / main_[i];
    }
  }

  const int m_;
  const bool pivots_;
  std::vector<Value> lower_, main_, upper_;
  std::vector<Value> second_;  ///< second diagonal above the main one, which exchanges of rows fill
};

template <class T>
simtsparseStatus_t check(simtsparseHandle_t handle, int m, int count, std::ptrdiff_t stride, const Diagonals<T>& a,
                         const void* b) {
  if (handle == nullptr) return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  const bool is_bad = m < 3 || count < 0 || (count > 0 && stride < m) || a.is_bad() || b == nullptr;
  return is_bad ? SIMTSPARSE_STATUS_INVALID_VALUE : SIMTSPARSE_STATUS_SUCCESS;
}

template <class T>
simtsparseStatus_t size(simtsparseHandle_t handle, int m, int count, std::ptrdiff_t stride, const Diagonals<T>& a,
                        const T* b, size_t* bytes) {
  const simtsparseStatus_t status = check(handle, m, count, stride, a, b);
  if (status == SIMTSPARSE_STATUS_SUCCESS && bytes == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status == SIMTSPARSE_STATUS_SUCCESS) *bytes = kSomeBuffer;
  return status;
}

/// Solves for the columns of `b`, which begin `stride` numbers apart.
template <class T>
simtsparseStatus_t solve(simtsparseHandle_t handle, const char* name, int m, int n, const Diagonals<T>& a, T* b, int stride,
                         bool pivots) {
  const simtsparseStatus_t status = check(handle, m, n, stride, a, b);
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  return sparse_submit(*handle, name, [=] {
    Elimination<SparseValue<T>>(values_of(a.lower), values_of(a.main), values_of(a.upper), m, pivots)
        .solve(values_of(b), n, stride);
  });
}

/// Solves `count` systems; diagonals and right sides of a system begin `stride` numbers after those of the system before.
template <class T>
simtsparseStatus_t solve_batch(simtsparseHandle_t handle, const char* name, int m, const Diagonals<T>& a, T* x, int count,
                               int stride) {
  const simtsparseStatus_t status = check(handle, m, count, stride, a, x);
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  return sparse_submit(*handle, name, [=] {
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(i) * stride;
      Elimination<SparseValue<T>>(values_of(a.lower + at), values_of(a.main + at), values_of(a.upper + at), m, true)
          .solve(values_of(x + at), 1, stride);
    }
  });
}

}  // namespace
}  // namespace simtrt

using simtrt::Diagonals;

extern "C" {

#define SPARSE_TRIDIAGONAL(S, T)                                                                                    \
  simtsparseStatus_t simtsparse##S##gtsv2_bufferSizeExt(simtsparseHandle_t handle, int m, int n, const T* lower,     \
                                                        const T* main, const T* upper, const T* b, int ldb,          \
                                                        size_t* size) {                                              \
    return simtrt::size(handle, m, n, ldb, Diagonals<T>{lower, main, upper}, b, size);                               \
  }                                                                                                                  \
  simtsparseStatus_t simtsparse##S##gtsv2(simtsparseHandle_t handle, int m, int n, const T* lower, const T* main,    \
                                          const T* upper, T* b, int ldb, void*) {                                    \
    return simtrt::solve(handle, "simtsparse" #S "gtsv2", m, n, Diagonals<T>{lower, main, upper}, b, ldb, true);     \
  }                                                                                                                  \
  simtsparseStatus_t simtsparse##S##gtsv2_nopivot_bufferSizeExt(simtsparseHandle_t handle, int m, int n,             \
                                                                const T* lower, const T* main, const T* upper,       \
                                                                const T* b, int ldb, size_t* size) {                 \
    return simtrt::size(handle, m, n, ldb, Diagonals<T>{lower, main, upper}, b, size);                               \
  }                                                                                                                  \
  simtsparseStatus_t simtsparse##S##gtsv2_nopivot(simtsparseHandle_t handle, int m, int n, const T* lower,           \
                                                  const T* main, const T* upper, T* b, int ldb, void*) {             \
    return simtrt::solve(handle, "simtsparse" #S "gtsv2_nopivot", m, n, Diagonals<T>{lower, main, upper}, b, ldb,    \
                         false);                                                                                     \
  }                                                                                                                  \
  simtsparseStatus_t simtsparse##S##gtsv2StridedBatch_bufferSizeExt(simtsparseHandle_t handle, int m,                \
                                                                    const T* lower, const T* main, const T* upper,   \
                                                                    const T* x, int count, int stride,               \
                                                                    size_t* size) {                                  \
    return simtrt::size(handle, m, count, stride, Diagonals<T>{lower, main, upper}, x, size);                        \
  }                                                                                                                  \
  simtsparseStatus_t simtsparse##S##gtsv2StridedBatch(simtsparseHandle_t handle, int m, const T* lower,              \
                                                      const T* main, const T* upper, T* x, int count, int stride,    \
                                                      void*) {                                                       \
    return simtrt::solve_batch(handle, "simtsparse" #S "gtsv2StridedBatch", m, Diagonals<T>{lower, main, upper}, x,  \
                               count, stride);                                                                       \
  }
SPARSE_TRIDIAGONAL(S, float)
SPARSE_TRIDIAGONAL(D, double)
SPARSE_TRIDIAGONAL(C, simtComplex)
SPARSE_TRIDIAGONAL(Z, simtDoubleComplex)

}  // extern "C"

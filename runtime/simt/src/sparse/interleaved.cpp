// Solutions of batches of systems with tridiagonal and pentadiagonal matrices whose numbers are interleaved.
#include "sparse/context.h"
#include "sparse/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace simtrt {
namespace {

/// m x m matrix with `reach` diagonals below and above the main one, and room for those that exchanges of rows fill.
template <class Value, int reach>
class Band {
 public:
  explicit Band(int m) : m_(m), numbers_(static_cast<std::size_t>(m) * kWidth) {}

  Value& at(int row, int column) {
    return numbers_[static_cast<std::size_t>(row) * kWidth + static_cast<std::size_t>(column - row + reach)];
  }

  /// Replaces the right side by the solution: Gaussian elimination with exchanges of rows. Changes the matrix.
  void solve(std::vector<Value>* right) {
    for (int k = 0; k < m_; ++k) {
      exchange(k, pivot_row(k), right);
      for (int row = k + 1; row <= last(k + reach); ++row) eliminate(k, row, right);
    }
    for (int row = m_ - 1; row >= 0; --row) {
      Value rest = (*right)[static_cast<std::size_t>(row)];
      for (int column = row + 1; column <= last(row + 2 * reach); ++column)
        rest -= at(row, column) * (*right)[static_cast<std::size_t>(column)];
      (*right)[static_cast<std::size_t>(row)] = rest / at(row, row);
    }
  }

 private:
  static constexpr std::size_t kWidth = 3 * reach + 1;

  int last(int index) const { return std::min(index, m_ - 1); }

  int pivot_row(int k) {
    int best = k;
    for (int row = k + 1; row <= last(k + reach); ++row) {
      if (std::abs(at(row, k)) > std::abs(at(best, k))) best = row;
    }
    return best;
  }

  void exchange(int k, int row, std::vector<Value>* right) {
    if (row == k) return;
    for (int column = k; column <= last(k + 2 * reach); ++column) std::swap(at(k, column), at(row, column));
    std::swap((*right)[static_cast<std::size_t>(k)], (*right)[static_cast<std::size_t>(row)]);
  }

  void eliminate(int k, int row, std::vector<Value>* right) {
    const Value factor = at(row, k) / at(k, k);
    for (int column = k + 1; column <= last(k + 2 * reach); ++column) at(row, column) -= factor * at(k, column);
    (*right)[static_cast<std::size_t>(row)] -= factor * (*right)[static_cast<std::size_t>(k)];
  }

  const int m_;
  std::vector<Value> numbers_;
};

/// Diagonals of the matrices, from the lowest to the highest.
template <class T, int reach>
using Diagonals = std::array<const T*, 2 * reach + 1>;

template <class T, std::size_t diagonals>
simtsparseStatus_t check(simtsparseHandle_t handle, int algorithm, int m, const std::array<const T*, diagonals>& a,
                         const T* x, int count) {
  if (handle == nullptr) return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  const int last_algorithm = diagonals == 3 ? 2 : 0;
  const bool is_null = x == nullptr || std::find(a.begin(), a.end(), nullptr) != a.end();
  return is_null || algorithm < 0 || algorithm > last_algorithm || m < 1 || count < 0 ? SIMTSPARSE_STATUS_INVALID_VALUE
                                                                                      : SIMTSPARSE_STATUS_SUCCESS;
}

template <class T, std::size_t diagonals>
simtsparseStatus_t size(simtsparseHandle_t handle, int algorithm, int m, const std::array<const T*, diagonals>& a,
                        const T* x, int count, std::size_t* bytes) {
  const simtsparseStatus_t status = check(handle, algorithm, m, a, x, count);
  if (status == SIMTSPARSE_STATUS_SUCCESS && bytes == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status == SIMTSPARSE_STATUS_SUCCESS) *bytes = kSomeBuffer;
  return status;
}

/// Solves system `index` of a batch of `count` systems.
template <int reach, class T>
void solve_system(int m, const Diagonals<T, reach>& a, T* x, int index, int count) {
  using Value = SparseValue<T>;
  const auto place = [=](int row) { return static_cast<std::ptrdiff_t>(row) * count + index; };
  Band<Value, reach> matrix(m);
  std::vector<Value> right;
  for (int row = 0; row < m; ++row) {
    right.push_back(values_of(x)[place(row)]);
    for (int column = std::max(row - reach, 0); column <= std::min(row + reach, m - 1); ++column)
      matrix.at(row, column) = values_of(a[static_cast<std::size_t>(column - row + reach)])[place(row)];
  }
  matrix.solve(&right);
  for (int row = 0; row < m; ++row) values_of(x)[place(row)] = right[static_cast<std::size_t>(row)];
}

template <int reach, class T>
simtsparseStatus_t solve(simtsparseHandle_t handle, const char* name, int algorithm, int m,
                         const Diagonals<T, reach>& a, T* x, int count) {
  const simtsparseStatus_t status = check<T>(handle, algorithm, m, a, x, count);
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  return sparse_submit(*handle, name, [=] {
    for (int i = 0; i < count; ++i) solve_system<reach>(m, a, x, i, count);
  });
}

}  // namespace
}  // namespace simtrt

extern "C" {

#define SPARSE_INTERLEAVED(gtsv, gpsv, T)                                                                            \
  simtsparseStatus_t gtsv##_bufferSizeExt(simtsparseHandle_t handle, int algorithm, int m, const T* lower,           \
                                          const T* main, const T* upper, const T* x, int count, size_t* bytes) {     \
    return simtrt::size(handle, algorithm, m, simtrt::Diagonals<T, 1>{lower, main, upper}, x, count, bytes);         \
  }                                                                                                                  \
  simtsparseStatus_t gtsv(simtsparseHandle_t handle, int algorithm, int m, T* lower, T* main, T* upper, T* x,        \
                          int count, void*) {                                                                        \
    return simtrt::solve<1, T>(handle, #gtsv, algorithm, m, {lower, main, upper}, x, count);                         \
  }                                                                                                                  \
  simtsparseStatus_t gpsv##_bufferSizeExt(simtsparseHandle_t handle, int algorithm, int m, const T* second_lower,    \
                                          const T* lower, const T* main, const T* upper, const T* second_upper,      \
                                          const T* x, int count, size_t* bytes) {                                    \
    return simtrt::size(handle, algorithm, m,                                                                        \
                        simtrt::Diagonals<T, 2>{second_lower, lower, main, upper, second_upper}, x, count, bytes);   \
  }                                                                                                                  \
  simtsparseStatus_t gpsv(simtsparseHandle_t handle, int algorithm, int m, T* second_lower, T* lower, T* main,       \
                          T* upper, T* second_upper, T* x, int count, void*) {                                       \
    return simtrt::solve<2, T>(handle, #gpsv, algorithm, m, {second_lower, lower, main, upper, second_upper}, x,     \
                               count);                                                                               \
  }
SPARSE_INTERLEAVED(simtsparseSgtsvInterleavedBatch, simtsparseSgpsvInterleavedBatch, float)
SPARSE_INTERLEAVED(simtsparseDgtsvInterleavedBatch, simtsparseDgpsvInterleavedBatch, double)
SPARSE_INTERLEAVED(simtsparseCgtsvInterleavedBatch, simtsparseCgpsvInterleavedBatch, simtComplex)
SPARSE_INTERLEAVED(simtsparseZgtsvInterleavedBatch, simtsparseZgpsvInterleavedBatch, simtDoubleComplex)

}  // extern "C"

// Code shared by the tests of simtsolverSp: handles, CSR matrices, and functions by element type.
#pragma once

#include "sparse_test.h"

#include <simtsolverSp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

// A namespace of its own, because other test files define functions with the same names.
namespace solver_sparse_test {

using sparse_test::LegacyMatrix;

#define CHECK_SOLVER(...) CHECK_EQ((__VA_ARGS__), SIMTSOLVER_STATUS_SUCCESS)
#define REQUIRE_SOLVER(...) REQUIRE_EQ((__VA_ARGS__), SIMTSOLVER_STATUS_SUCCESS)

/// Pointer to the function of simtsolverSp for elements of type T.
#define SP(T, name)                                                             \
  solver_sparse_test::by_type<T>(&simtsolverSpS##name, &simtsolverSpD##name,    \
                                 &simtsolverSpC##name, &simtsolverSpZ##name)

template <class T, class S, class D, class C, class Z>
auto by_type(S s, D d, C c, Z z) {
  if constexpr (std::is_same_v<T, float>) {
    return s;
  } else if constexpr (std::is_same_v<T, double>) {
    return d;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return c;
  } else {
    return z;
  }
}

template <class T>
using Real = decltype(std::abs(T()));

/// Bound of errors, for matrices whose elements are near 1.
template <class T>
constexpr double kTolerance = sizeof(Real<T>) == 4 ? 2e-4 : 1e-11;

class SpHandle {
 public:
  SpHandle() { REQUIRE_SOLVER(simtsolverSpCreate(&handle_)); }
  SpHandle(const SpHandle&) = delete;
  SpHandle& operator=(const SpHandle&) = delete;
  ~SpHandle() { simtsolverSpDestroy(handle_); }
  operator simtsolverSpHandle_t() const { return handle_; }

 private:
  simtsolverSpHandle_t handle_ = nullptr;
};

/// Host matrix in CSR with indices from `base`.
template <class T>
struct Csr {
  int rows = 0;
  int columns = 0;
  int base = 0;
  std::vector<int> offsets;
  std::vector<int> indices;
  std::vector<T> values;

  Csr(int rows_, int columns_, int base_, const std::map<std::pair<int, int>, T>& entries)
      : rows(rows_), columns(columns_), base(base_) {
    std::vector<int> counts(rows + 1);
    for (const auto& [place, value] : entries) {
      ++counts[place.first + 1];
      indices.push_back(place.second + base);
      values.push_back(value);
    }
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    for (const int count : counts) {
      offsets.push_back(count + base);
    }
  }

  int nnz() const { return static_cast<int>(values.size()); }
  void describe(simtsparseMatDescr_t descriptor) const {
    REQUIRE_SPARSE(simtsparseSetMatIndexBase(descriptor, static_cast<simtsparseIndexBase_t>(base)));
  }

  /// Calls `use(row, column, value)` for each entry, with indices from 0.
  template <class Use>
  void each(const Use& use) const {
    for (int i = 0; i < rows; ++i) {
      for (int entry = offsets[i] - base; entry < offsets[i + 1] - base; ++entry) {
        use(i, indices[entry] - base, values[entry]);
      }
    }
  }

  std::vector<T> operator*(const std::vector<T>& x) const {
    std::vector<T> y(rows);
    each([&](int i, int j, T value) { y[i] += value * x[j]; });
    return y;
  }

  /// A^H x.
  std::vector<T> adjoint(const std::vector<T>& x) const {
    std::vector<T> y(columns);
    each([&](int i, int j, T value) {
      if constexpr (kIsComplex<T>) {
        y[j] += std::conj(value) * x[i];
      } else {
        y[j] += value * x[i];
      }
    });
    return y;
  }
};

template <class T>
double distance(const std::vector<T>& x, const std::vector<T>& y) {
  REQUIRE_EQ(x.size(), y.size());
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, static_cast<double>(std::abs(x[i] - y[i])));
    if (std::isnan(std::abs(x[i]))) return INFINITY;
  }
  return worst;
}

/// Matrix of the five-point stencil on a square grid: Hermitian and positive definite.
template <class T>
Csr<T> grid_laplacian(int side, int base) {
  std::map<std::pair<int, int>, T> entries;
  const T east = number<T>(-1, 0.5);
  const T west = number<T>(-1, -0.5);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int i = y * side + x;
      entries[{i, i}] = number<T>(kIsComplex<T> ? 4.5 : 4);
      if (x > 0) entries[{i, i - 1}] = west;
      if (x + 1 < side) entries[{i, i + 1}] = east;
      if (y > 0) entries[{i, i - side}] = number<T>(-1);
      if (y + 1 < side) entries[{i, i + side}] = number<T>(-1);
    }
  }
  return Csr<T>(side * side, side * side, base, entries);
}

/// Matrix without structure. Column j has a large entry in row (7 j + 3) mod rows, and the diagonal is often missing, so
/// that a factorisation needs pivots.
template <class T>
Csr<T> unstructured(int rows, int columns, int base, std::uint32_t seed) {
  Numbers numbers(seed);
  std::map<std::pair<int, int>, T> entries;
  for (int j = 0; j < columns; ++j) {
    entries[{(7 * j + 3) % rows, j}] = number<T>(6, 1);
    for (int k = 0; k < 3; ++k) {
      const int row = static_cast<int>(numbers.next() * 8 + 64 + 97 * j + 41 * k) % rows;
      entries.insert({{row, j}, numbers.next_as<T>() * number<T>(0.5)});
    }
  }
  return Csr<T>(rows, columns, base, entries);
}

/// Device copy of a matrix.
template <class T>
struct DeviceCsr {
  explicit DeviceCsr(const Csr<T>& a) : offsets(a.offsets), indices(a.indices), values(a.values) {}
  DeviceArray<int> offsets, indices;
  DeviceArray<T> values;
};

}  // namespace solver_sparse_test

// Interleaved batches of tridiagonal and pentadiagonal systems: the tests insert each solution into its system. cuSPARSE
// 12.4 documentation, "cusparse<t>gtsvInterleavedBatch" and "cusparse<t>gpsvInterleavedBatch".
#include "sparse_test.h"

#include <algorithm>

namespace {

/// Functions and type of the API for numbers of type T.
template <class T>
struct Batch;
#define BATCH(S, T, Number)                                                            \
  template <>                                                                          \
  struct Batch<T> {                                                                    \
    using type = Number;                                                               \
    static constexpr auto three = simtsparse##S##gtsvInterleavedBatch;                 \
    static constexpr auto three_size = simtsparse##S##gtsvInterleavedBatch_bufferSizeExt; \
    static constexpr auto five = simtsparse##S##gpsvInterleavedBatch;                  \
    static constexpr auto five_size = simtsparse##S##gpsvInterleavedBatch_bufferSizeExt; \
  };
BATCH(S, float, float)
BATCH(D, double, double)
BATCH(C, std::complex<float>, simtComplex)
BATCH(Z, std::complex<double>, simtDoubleComplex)
#undef BATCH

template <class T>
typename Batch<T>::type* of(const DeviceArray<T>& array) {
  return reinterpret_cast<typename Batch<T>::type*>(array.data());
}

/// `count` systems of m equations with 2 reach + 1 diagonals. The numbers outside the matrices are 99, which would spoil
/// a solution. The main diagonal is small, so that exchanges of rows are necessary.
template <class T>
struct Systems {
  Systems(int reach, int m, int count, std::uint32_t seed) : reach(reach), m(m), count(count) {
    for (int d = -reach; d <= reach; ++d) {
      Dense numbers = random_dense<T>(m, count, seed + static_cast<std::uint32_t>(d + reach));
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < count; ++j) {
          if (d == 0) numbers.at(i, j) = numbers.at(i, j) / 64.0 + 1.0 / 1024;  // not 0
          if (d == -reach) numbers.at(i, j) += 16.0;
          if (i + d < 0 || i + d >= m) numbers.at(i, j) = 99;
        }
      }
      diagonals.push_back(numbers);
      arrays.push_back(std::make_unique<DeviceArray<T>>(values(numbers)));
    }
  }
  static std::vector<T> values(const Dense& x) {
    std::vector<T> result;
    for (const Wide value : x.values) result.push_back(from_wide<T>(value));
    return result;
  }
  /// Products of the matrices and the columns of x.
  Dense product(const Dense& x) const {
    Dense result{m, count, std::vector<Wide>(x.values.size())};
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < count; ++j) {
        for (int column = std::max(i - reach, 0); column <= std::min(i + reach, m - 1); ++column)
          result.at(i, j) += diagonals[static_cast<std::size_t>(column - i + reach)].at(i, j) * x.at(column, j);
      }
    }
    return result;
  }
  typename Batch<T>::type* operator[](std::size_t i) const { return of(*arrays[i]); }

  int reach, m, count;
  std::vector<Dense> diagonals;
  std::vector<std::unique_ptr<DeviceArray<T>>> arrays;
};

/// Largest residual relative to the largest number of the solution.
template <class T>
double residual(const Systems<T>& systems, const DeviceArray<T>& x, const Dense& b) {
  Dense found{systems.m, systems.count, {}};
  double largest = 1;
  for (const T value : x.values()) {
    found.values.push_back(to_wide(value));
    largest = std::max(largest, std::abs(found.values.back()));
  }
  return distance(systems.product(found), b) / largest;
}

TEST_CASE_TEMPLATE("interleaved batches of tridiagonal systems", T, BLAS_TYPES) {
  const SparseHandle handle;
  for (const int m : {1, 2, 3, 9}) {
    for (const int algorithm : {0, 1, 2}) {
      const Systems<T> a(1, m, 3, 5);
      const Dense b = random_dense<T>(m, 3, 9);
      const DeviceArray<T> x(Systems<T>::values(b));
      std::size_t size = 0;
      CHECK_SPARSE(Batch<T>::three_size(handle, algorithm, m, a[0], a[1], a[2], of(x), 3, &size));
      CHECK_GT(size, 0);
      CHECK_SPARSE(Batch<T>::three(handle, algorithm, m, a[0], a[1], a[2], of(x), 3, nullptr));
      CHECK_LT(residual(a, x, b), 100 * tolerance<T>());
    }
  }
}

TEST_CASE_TEMPLATE("interleaved batches of pentadiagonal systems", T, BLAS_TYPES) {
  const SparseHandle handle;
  for (const int m : {1, 2, 3, 4, 11}) {
    const Systems<T> a(2, m, 4, 5);
    const Dense b = random_dense<T>(m, 4, 9);
    const DeviceArray<T> x(Systems<T>::values(b));
    std::size_t size = 0;
    CHECK_SPARSE(Batch<T>::five_size(handle, 0, m, a[0], a[1], a[2], a[3], a[4], of(x), 4, &size));
    CHECK_GT(size, 0);
    CHECK_SPARSE(Batch<T>::five(handle, 0, m, a[0], a[1], a[2], a[3], a[4], of(x), 4, nullptr));
    CHECK_LT(residual(a, x, b), 100 * tolerance<T>());
  }
}

TEST_CASE("an interleaved batch with known solutions") {
  const SparseHandle handle;
  // 2 1 0 / 1 2 1 / 0 1 2 times (1, 2, 3) is (4, 8, 8); 1 3 0 / 0 1 3 / 0 0 1 times (1, 1, 1) is (4, 4, 1).
  const DeviceArray<double> lower(std::vector<double>{9, 9, 1, 0, 1, 0}), main(std::vector<double>{2, 1, 2, 1, 2, 1}),
      upper(std::vector<double>{1, 3, 1, 3, 9, 9}), x(std::vector<double>{4, 4, 8, 4, 8, 1});
  REQUIRE_SPARSE(simtsparseDgtsvInterleavedBatch(handle, 0, 3, lower.data(), main.data(), upper.data(), x.data(), 2,
                                                 nullptr));
  const std::vector<double> expected{1, 1, 2, 1, 3, 1}, found = x.values();
  for (std::size_t i = 0; i < found.size(); ++i) CHECK_LT(std::abs(found[i] - expected[i]), 1e-14);
}

TEST_CASE("rejected arguments of interleaved batches") {
  const SparseHandle handle;
  const DeviceArray<float> a(8);
  float* const p = a.data();
  std::size_t size = 0;
  const auto invalid = SIMTSPARSE_STATUS_INVALID_VALUE;
  CHECK_EQ(simtsparseSgtsvInterleavedBatch(nullptr, 0, 3, p, p, p, p, 2, p), SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsparseSgtsvInterleavedBatch(handle, 3, 3, p, p, p, p, 2, p), invalid);
  CHECK_EQ(simtsparseSgtsvInterleavedBatch(handle, 0, 0, p, p, p, p, 2, p), invalid);
  CHECK_EQ(simtsparseSgtsvInterleavedBatch(handle, 0, 3, p, nullptr, p, p, 2, p), invalid);
  CHECK_EQ(simtsparseSgtsvInterleavedBatch_bufferSizeExt(handle, 0, 3, p, p, p, p, -2, &size), invalid);
  CHECK_EQ(simtsparseSgtsvInterleavedBatch_bufferSizeExt(handle, 0, 3, p, p, p, p, 2, nullptr), invalid);
  CHECK_EQ(simtsparseSgpsvInterleavedBatch(nullptr, 0, 3, p, p, p, p, p, p, 2, p), SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsparseSgpsvInterleavedBatch(handle, 1, 3, p, p, p, p, p, p, 2, p), invalid);
  CHECK_EQ(simtsparseSgpsvInterleavedBatch(handle, 0, 3, p, p, p, p, p, nullptr, 2, p), invalid);
  CHECK_EQ(simtsparseSgpsvInterleavedBatch_bufferSizeExt(handle, 0, 3, p, p, p, p, p, p, 2, nullptr), invalid);
}

}  // namespace

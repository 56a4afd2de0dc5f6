// Systems with tridiagonal matrices. cuSPARSE 12.4 documentation, "cuSPARSE Preconditioners Reference": gtsv2.
#include "sparse_test.h"

#include <complex>
#include <cstddef>
#include <random>
#include <vector>

namespace {

using sparse_test::SparseHandle;

/// Functions and type of the API for numbers of type T.
template <class T>
struct Gtsv;
#define GTSV(S, T, Number)                                                                   \
  template <>                                                                                \
  struct Gtsv<T> {                                                                           \
    using type = Number;                                                                     \
    static constexpr auto plain = simtsparse##S##gtsv2;                                      \
    static constexpr auto size = simtsparse##S##gtsv2_bufferSizeExt;                         \
    static constexpr auto no_pivot = simtsparse##S##gtsv2_nopivot;                           \
    static constexpr auto no_pivot_size = simtsparse##S##gtsv2_nopivot_bufferSizeExt;        \
    static constexpr auto batch = simtsparse##S##gtsv2StridedBatch;                          \
    static constexpr auto batch_size = simtsparse##S##gtsv2StridedBatch_bufferSizeExt;       \
  }
GTSV(S, float, float);
GTSV(D, double, double);
GTSV(C, std::complex<float>, simtComplex);
GTSV(Z, std::complex<double>, simtDoubleComplex);

template <class T>
using Number = typename Gtsv<T>::type;

template <class T>
Number<T>* of(const DeviceArray<T>& array) {
  return reinterpret_cast<Number<T>*>(array.data());
}

template <class T>
std::vector<T> random_values(std::size_t count, std::mt19937* random) {
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<T> result(count);
  for (T& value : result) {
    if constexpr (std::is_floating_point_v<T>) value = static_cast<T>(values(*random));
    else
      value = T(static_cast<typename T::value_type>(values(*random)), static_cast<typename T::value_type>(values(*random)));
  }
  return result;
}

/// Diagonals of `count` matrices with m rows, one after another.
template <class T>
struct Systems {
  std::vector<T> lower, main, upper;

  Systems(int m, int count, double diagonal, std::mt19937* random) {
    const auto all = static_cast<std::size_t>(m) * static_cast<std::size_t>(count);
    lower = random_values<T>(all, random);
    main = random_values<T>(all, random);
    upper = random_values<T>(all, random);
    for (T& value : main) value += static_cast<T>(diagonal);
    for (int i = 0; i < count; ++i) {
      lower[static_cast<std::size_t>(i * m)] = T();
      upper[static_cast<std::size_t>(i * m + m - 1)] = T();
    }
  }

  /// Product of the system at `first` and x.
  T product(const std::vector<T>& x, std::size_t first, std::size_t x_first, int m, int row) const {
    const auto i = static_cast<std::size_t>(row);
    T sum = main[first + i] * x[x_first + i];
    if (row > 0) sum += lower[first + i] * x[x_first + i - 1];
    if (row + 1 < m) sum += upper[first + i] * x[x_first + i + 1];
    return sum;
  }
};

template <class T>
double tolerance() {
  return sizeof(Number<T>) / (std::is_floating_point_v<T> ? 1 : 2) == 4 ? 1e-3 : 1e-10;
}

TEST_CASE_TEMPLATE("tridiagonal systems with several right sides, with and without exchanges of rows", T, float, double,
                   std::complex<float>, std::complex<double>) {
  const SparseHandle handle;
  std::mt19937 random(7);
  const int m = 37, n = 3, ldb = 40;
  // Without a dominant main diagonal, exchanges of rows are necessary.
  for (const double diagonal : {0.0, 4.0}) {
    const Systems<T> a(m, 1, diagonal, &random);
    const std::vector<T> b = random_values<T>(static_cast<std::size_t>(ldb * n), &random);
    const DeviceArray<T> lower(a.lower), main(a.main), upper(a.upper), x(b);
    std::size_t bytes = 0;
    CHECK_SPARSE(Gtsv<T>::size(handle, m, n, of(lower), of(main), of(upper), of(x), ldb, &bytes));
    CHECK_SPARSE(Gtsv<T>::no_pivot_size(handle, m, n, of(lower), of(main), of(upper), of(x), ldb, &bytes));
    const DeviceArray<char> buffer(bytes);
    const auto solve = diagonal == 0 ? Gtsv<T>::plain : Gtsv<T>::no_pivot;
    REQUIRE_SPARSE(solve(handle, m, n, of(lower), of(main), of(upper), of(x), ldb, buffer.data()));
    const std::vector<T> found = x.values();
    for (int column = 0; column < n; ++column) {
      const auto first = static_cast<std::size_t>(column * ldb);
      for (int row = 0; row < m; ++row) {
        const T product = a.product(found, 0, first, m, row);
        CHECK_LT(std::abs(product - b[first + static_cast<std::size_t>(row)]), tolerance<T>());
      }
      for (int row = m; row < ldb; ++row)
        CHECK_EQ(found[first + static_cast<std::size_t>(row)], b[first + static_cast<std::size_t>(row)]);
    }
    CHECK_EQ(main.values(), a.main);
  }
}

TEST_CASE_TEMPLATE("a batch of tridiagonal systems", T, float, double, std::complex<float>, std::complex<double>) {
  const SparseHandle handle;
  std::mt19937 random(11);
  const int m = 5, count = 4;
  const Systems<T> a(m, count, 0, &random);
  const std::vector<T> b = random_values<T>(static_cast<std::size_t>(m * count), &random);
  const DeviceArray<T> lower(a.lower), main(a.main), upper(a.upper), x(b);
  std::size_t bytes = 0;
  CHECK_SPARSE(Gtsv<T>::batch_size(handle, m, of(lower), of(main), of(upper), of(x), count, m, &bytes));
  const DeviceArray<char> buffer(bytes);
  REQUIRE_SPARSE(Gtsv<T>::batch(handle, m, of(lower), of(main), of(upper), of(x), count, m, buffer.data()));
  const std::vector<T> found = x.values();
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<std::size_t>(i * m);
    for (int row = 0; row < m; ++row)
      CHECK_LT(std::abs(a.product(found, first, first, m, row) - b[first + static_cast<std::size_t>(row)]), tolerance<T>());
  }
}

TEST_CASE("a tridiagonal system with a known solution") {
  const SparseHandle handle;
  // 2 1 0 / 1 2 1 / 0 1 2 times (1, 2, 3) is (4, 8, 8).
  const DeviceArray<double> lower(std::vector<double>{0, 1, 1}), main(std::vector<double>{2, 2, 2}),
      upper(std::vector<double>{1, 1, 0}), x(std::vector<double>{4, 8, 8});
  REQUIRE_SPARSE(simtsparseDgtsv2(handle, 3, 1, lower.data(), main.data(), upper.data(), x.data(), 3, nullptr));
  const std::vector<double> found = x.values();
  for (int i = 0; i < 3; ++i) CHECK_LT(std::abs(found[static_cast<std::size_t>(i)] - (i + 1)), 1e-14);
}

TEST_CASE("tridiagonal systems with wrong arguments") {
  const SparseHandle handle;
  const DeviceArray<float> a(8);
  float* const p = a.data();
  std::size_t bytes = 0;
  CHECK_EQ(simtsparseSgtsv2(nullptr, 3, 1, p, p, p, p, 3, p), SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsparseSgtsv2(handle, 2, 1, p, p, p, p, 3, p), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSgtsv2(handle, 3, 1, p, p, p, p, 2, p), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSgtsv2(handle, 3, -1, p, p, p, p, 3, p), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSgtsv2_nopivot(handle, 3, 1, p, nullptr, p, p, 3, p), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSgtsv2StridedBatch(handle, 3, p, p, p, p, 2, 2, p), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSgtsv2_bufferSizeExt(handle, 3, 1, p, p, p, p, 3, nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_SPARSE(simtsparseSgtsv2_bufferSizeExt(handle, 3, 1, p, p, p, p, 3, &bytes));
}

}  // namespace

// Less common functions of simtblas: symmetric complex matrices, batches of gemv, updates by products of two matrices,
// and inverses.
#include "blas_test.h"

namespace {

constexpr simtblasFillMode_t kTriangles[] = {SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_FILL_MODE_UPPER};

bool is_stored(simtblasFillMode_t uplo, int i, int j) {
  return uplo == SIMTBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
}

template <class T>
struct Variants;

#define VARIANTS_TEST(T, S)                                       \
  template <>                                                     \
  struct Variants<T> {                                            \
    static constexpr auto gemv = simtblas##S##gemvBatched;        \
    static constexpr auto strided = simtblas##S##gemvStridedBatched; \
    static constexpr auto getri = simtblas##S##getriBatched;      \
    static constexpr auto matinv = simtblas##S##matinvBatched;    \
  };
VARIANTS_TEST(float, S)
VARIANTS_TEST(double, D)
VARIANTS_TEST(std::complex<float>, C)
VARIANTS_TEST(std::complex<double>, Z)
#undef VARIANTS_TEST

template <class T>
struct Symmetric;
template <>
struct Symmetric<std::complex<float>> {
  static constexpr auto symv = simtblasCsymv;
  static constexpr auto syr = simtblasCsyr;
  static constexpr auto syr2 = simtblasCsyr2;
};
template <>
struct Symmetric<std::complex<double>> {
  static constexpr auto symv = simtblasZsymv;
  static constexpr auto syr = simtblasZsyr;
  static constexpr auto syr2 = simtblasZsyr2;
};

TEST_CASE_TEMPLATE("symmetric complex matrices", T, std::complex<float>, std::complex<double>) {
  const BlasHandle handle;
  const int n = 70;
  const T alpha = number<T>(0.5, 2), beta = number<T>(2, 1);
  for (const auto uplo : kTriangles) {
    const Matrix<T> a(n, n, n + 1, 1), x(n, 1, n, 2), y(n, 1, n, 3), updated(n, n, n, 4);
    const auto element = [&](int i, int j) { return is_stored(uplo, i, j) ? a.at(i, j) : a.at(j, i); };
    CHECK_BLAS(Symmetric<T>::symv(handle, uplo, n, api(&alpha), a.pointer(), a.ld(), x.pointer(), -1, api(&beta),
                                  y.pointer(), 1));
    REQUIRE_FINISHED();
    CHECK_EQ(y.distance([&](int i, int) {
      Wide sum = 0;
      for (int k = 0; k < n; ++k) sum += element(i, k) * x.at(n - 1 - k, 0);
      return Wide(alpha) * sum + Wide(beta) * y.at(i, 0);
    }), 0);
    const Matrix<T> z(n, 1, n, 5);
    CHECK_BLAS(Symmetric<T>::syr(handle, uplo, n, api(&alpha), x.pointer(), 1, updated.pointer(), n));
    CHECK_BLAS(Symmetric<T>::syr2(handle, uplo, n, api(&alpha), x.pointer(), 1, z.pointer(), -1, updated.pointer(), n));
    REQUIRE_FINISHED();
    CHECK_EQ(updated.distance([&](int i, int j) {
      if (!is_stored(uplo, i, j)) return updated.at(i, j);
      const Wide xi = x.at(i, 0), xj = x.at(j, 0), zi = z.at(n - 1 - i, 0), zj = z.at(n - 1 - j, 0);
      return updated.at(i, j) + Wide(alpha) * (xi * xj + xi * zj + zi * xj);
    }), 0);
  }
}

TEST_CASE_TEMPLATE("gemv for a batch of matrices", T, BLAS_TYPES) {
  const BlasHandle handle;
  const int m = 5, n = 4, count = 6, big = 5;
  const T alpha = number<T>(0.5, 2), beta = number<T>(2, 1);
  const DeviceArray<T> a(Numbers(1).list<T>(m * n * count)), x(Numbers(2).list<T>(big * count));
  for (const auto trans : kOperations) {
    const DeviceArray<T> expected(Numbers(3).list<T>(big * count)), strided(expected.values()), batched(expected.values());
    std::vector<const T*> a_list, x_list;
    std::vector<T*> y_list;
    for (int i = 0; i < count; ++i) {
      a_list.push_back(a.data() + i * m * n);
      x_list.push_back(x.data() + i * big);
      y_list.push_back(batched.data() + i * big);
      CHECK_BLAS(Calls<T>::gemv(handle, trans, m, n, api(&alpha), api(a_list.back()), m, api(x_list.back()), 1, api(&beta),
                                api(expected.data() + i * big), 1));
    }
    const DeviceArray<const T*> as(a_list), xs(x_list);
    const DeviceArray<T*> ys(y_list);
    CHECK_BLAS(Variants<T>::gemv(handle, trans, m, n, api(&alpha), api(as.data()), m, api(xs.data()), 1, api(&beta),
                                 api(ys.data()), 1, count));
    CHECK_BLAS(Variants<T>::strided(handle, trans, m, n, api(&alpha), api(a.data()), m, m * n, api(x.data()), 1, big,
                                    api(&beta), api(strided.data()), 1, big, count));
    REQUIRE_FINISHED();
    CHECK(batched.values() == expected.values());
    CHECK(strided.values() == expected.values());
  }
  CHECK_EQ(Variants<T>::strided(handle, SIMTBLAS_OP_N, m, n, api(&alpha), api(a.data()), m - 1, 1, api(x.data()), 1, 1,
                                api(&beta), api(x.data()), 1, 1, 1),
           SIMTBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE_TEMPLATE("updates of a triangle by a product of two matrices", T, BLAS_TYPES) {
  using Real = typename Calls<T>::Real;
  const BlasHandle handle;
  const int n = 70, k = 6;
  const T alpha = number<T>(0.5, 2), beta = number<T>(2, 1);
  const Real real_beta = 2;
  for (const auto uplo : kTriangles) {
    for (const bool is_plain : {true, false}) {
      const Matrix<T> a(is_plain ? n : k, is_plain ? k : n, n + 1, 1), b(a.rows(), a.columns(), n + 1, 2);
      const Matrix<T> c(n, n, n + 1, 3), h(n, n, n + 1, 4);
      const auto transpose = is_plain ? SIMTBLAS_OP_N : SIMTBLAS_OP_T;
      const auto adjoint = is_plain ? SIMTBLAS_OP_N : SIMTBLAS_OP_C;
      CHECK_BLAS(Calls<T>::syrkx(handle, uplo, transpose, n, k, api(&alpha), a.pointer(), a.ld(), b.pointer(), b.ld(),
                                    api(&beta), c.pointer(), c.ld()));
      CHECK_BLAS(Calls<T>::herkx(handle, uplo, adjoint, n, k, api(&alpha), a.pointer(), a.ld(), b.pointer(), b.ld(),
                                    &real_beta, h.pointer(), h.ld()));
      REQUIRE_FINISHED();
      CHECK_EQ(c.distance([&](int i, int j) {
        if (!is_stored(uplo, i, j)) return c.at(i, j);
        const auto second = is_plain ? SIMTBLAS_OP_T : SIMTBLAS_OP_N;
        return Wide(alpha) * product_at(transpose, a, second, b, k, i, j) + Wide(beta) * c.at(i, j);
      }), 0);
      CHECK_EQ(h.distance([&](int i, int j) {
        if (!is_stored(uplo, i, j)) return h.at(i, j);
        const auto second = is_plain ? SIMTBLAS_OP_C : SIMTBLAS_OP_N;
        const Wide value = Wide(alpha) * product_at(adjoint, a, second, b, k, i, j) + 2.0 * h.at(i, j);
        return i == j ? Wide(value.real()) : value;
      }), 0);
    }
  }
  const Matrix<T> small(2, 2, 2, 1);
  CHECK_EQ(Calls<T>::syrkx(handle, SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_OP_N, 2, 2, api(&alpha), small.pointer(), 1,
                              small.pointer(), 2, api(&beta), small.pointer(), 2),
           SIMTBLAS_STATUS_INVALID_VALUE);
  if (kIsComplex<T>) {
    CHECK_EQ(Calls<T>::syrkx(handle, SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_OP_C, 2, 2, api(&alpha), small.pointer(), 2,
                                small.pointer(), 2, api(&beta), small.pointer(), 2),
             SIMTBLAS_STATUS_INVALID_VALUE);
  }
}

TEST_CASE("syrkEx and herkEx read complex integers of 8 bits") {
  using Complex = std::complex<float>;
  const BlasHandle handle;
  const int n = 4, k = 3;
  std::vector<signed char> bytes;
  std::vector<Complex> floats;
  for (int i = 0; i < n * k; ++i) {
    bytes.push_back(static_cast<signed char>(i * 7 - 40));
    bytes.push_back(static_cast<signed char>(30 - i));
    floats.emplace_back(i * 7 - 40, 30 - i);
  }
  const DeviceArray<signed char> small(bytes);
  const DeviceArray<Complex> large(floats), expected(n * n, Complex(1)), found(n * n, Complex(1)), third(n * n, Complex(1));
  const simtComplex alpha = make_simtComplex(2, 1), beta = make_simtComplex(0, 1);
  const float real_alpha = 2, real_beta = 3;
  const auto lower = SIMTBLAS_FILL_MODE_LOWER;
  CHECK_BLAS(simtblasCsyrk(handle, lower, SIMTBLAS_OP_N, n, k, &alpha, api(large.data()), n, &beta, api(expected.data()), n));
  CHECK_BLAS(simtblasCsyrkEx(handle, lower, SIMTBLAS_OP_N, n, k, &alpha, small.data(), SIMT_C_8I, n, &beta, found.data(),
                             SIMT_C_32F, n));
  CHECK_BLAS(simtblasCsyrk3mEx(handle, lower, SIMTBLAS_OP_N, n, k, &alpha, large.data(), SIMT_C_32F, n, &beta,
                               third.data(), SIMT_C_32F, n));
  CHECK(found.values() == expected.values());
  CHECK(third.values() == expected.values());
  CHECK_BLAS(simtblasCherk(handle, lower, SIMTBLAS_OP_C, k, n, &real_alpha, api(large.data()), n, &real_beta,
                           api(expected.data()), n));
  CHECK_BLAS(simtblasCherkEx(handle, lower, SIMTBLAS_OP_C, k, n, &real_alpha, small.data(), SIMT_C_8I, n, &real_beta,
                             found.data(), SIMT_C_32F, n));
  CHECK_BLAS(simtblasCherk3mEx(handle, lower, SIMTBLAS_OP_C, k, n, &real_alpha, large.data(), SIMT_C_32F, n, &real_beta,
                               third.data(), SIMT_C_32F, n));
  CHECK(found.values() == expected.values());
  CHECK(third.values() == expected.values());
  CHECK_EQ(simtblasCsyrkEx(handle, lower, SIMTBLAS_OP_N, n, k, &alpha, small.data(), SIMT_C_64F, n, &beta, found.data(),
                           SIMT_C_32F, n),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("gemm3m functions compute the products of gemm") {
  using Complex = std::complex<float>;
  const BlasHandle handle;
  const int n = 3;
  const simtComplex alpha = make_simtComplex(2, 1), beta = make_simtComplex(0, 0);
  const DeviceArray<Complex> a(Numbers(1).list<Complex>(2 * n * n)), expected(2 * n * n), strided(2 * n * n), ex(n * n);
  const auto plain = SIMTBLAS_OP_N;
  CHECK_BLAS(simtblasCgemmStridedBatched(handle, plain, plain, n, n, n, &alpha, api(a.data()), n, n * n, api(a.data()), n,
                                         n * n, &beta, api(expected.data()), n, n * n, 2));
  CHECK_BLAS(simtblasCgemm3mStridedBatched(handle, plain, plain, n, n, n, &alpha, api(a.data()), n, n * n, api(a.data()),
                                           n, n * n, &beta, api(strided.data()), n, n * n, 2));
  CHECK_BLAS(simtblasCgemm3mEx(handle, plain, plain, n, n, n, &alpha, a.data(), SIMT_C_32F, n, a.data(), SIMT_C_32F, n,
                               &beta, ex.data(), SIMT_C_32F, n));
  const DeviceArray<const Complex*> as({a.data()});
  const DeviceArray<Complex> batched(n * n);
  const DeviceArray<Complex*> cs({batched.data()});
  CHECK_BLAS(simtblasCgemm3mBatched(handle, plain, plain, n, n, n, &alpha, api(as.data()), n, api(as.data()), n, &beta,
                                    api(cs.data()), n, 1));
  CHECK(strided.values() == expected.values());
  std::vector<Complex> first = expected.values();
  first.resize(n * n);
  CHECK(ex.values() == first);
  CHECK(batched.values() == first);
}

TEST_CASE_TEMPLATE("inverses of a batch", T, BLAS_TYPES) {
  const BlasHandle handle;
  const int n = 6;
  std::vector<T> values = Numbers(1).list<T>(n * n);
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i * n + (i + 1) % n)] += number<T>(9, 1);  // needs pivots
  const Matrix<T> regular(n, n, n, values), zero(n, n, n, std::vector<T>(n * n));
  const DeviceArray<T*> matrices({regular.data(), zero.data()});
  const DeviceArray<const T*> constant({regular.data(), zero.data()});
  const DeviceArray<int> info(2, -1), pivots(2 * n), factored(2);
  const auto check_inverse = [&](const Matrix<T>& inverse) {
    REQUIRE_FINISHED();
    CHECK_EQ(info.values(), std::vector<int>{0, 1});
    const DeviceArray<T> product(n * n);
    const T one = number<T>(1), none = number<T>(0);
    const DeviceArray<T> original(values);
    CHECK_BLAS(Calls<T>::gemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, n, n, n, api(&one), api(original.data()), n,
                              inverse.pointer(), inverse.ld(), api(&none), api(product.data()), n));
    const std::vector<T> found = product.values();
    for (int i = 0; i < n * n; ++i) CHECK_LT(std::abs(found[static_cast<std::size_t>(i)] - number<T>(i % (n + 1) == 0)), tolerance<T>());
  };
  const Matrix<T> inverse(n, n, n + 2, 5), other(n, n, n + 2, 6), from_factors(n, n, n + 2, 7);
  const DeviceArray<T*> inverses({inverse.data(), other.data()}), second({from_factors.data(), other.data()});
  CHECK_BLAS(Variants<T>::matinv(handle, n, api(constant.data()), n, api(inverses.data()), n + 2, info.data(), 2));
  check_inverse(inverse);
  CHECK_EQ(regular.distance([&](int i, int j) { return regular.at(i, j); }), 0);
  CHECK_BLAS(Calls<T>::getrf(handle, n, api(matrices.data()), n, pivots.data(), factored.data(), 2));
  CHECK_BLAS(Variants<T>::getri(handle, n, api(constant.data()), n, pivots.data(), api(second.data()), n + 2, info.data(), 2));
  check_inverse(from_factors);
  CHECK_EQ(Variants<T>::matinv(handle, 33, api(constant.data()), 33, api(inverses.data()), 33, info.data(), 2),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(Variants<T>::getri(handle, n, api(constant.data()), n - 1, nullptr, api(inverses.data()), n, info.data(), 2),
           SIMTBLAS_STATUS_INVALID_VALUE);
}

}  // namespace

// Levels 1 and 2, compared with their definitions: Lawson, Hanson, Kincaid and Krogh, "Basic Linear
// Algebra Subprograms for Fortran Usage" (1979), and Dongarra and others, "An Extended Set of
// FORTRAN BLAS" (1988). In cuBLAS as in these papers, the indices of amax and amin count from 1.
#include "blas_test.h"

#include <simt_bf16.h>

#include <limits>

namespace {

/// Position in memory of element i of a vector with n elements and increment `inc`.
std::size_t place(int i, int n, int inc) {
  return static_cast<std::size_t>(inc > 0 ? i * inc : (i - n + 1) * inc);
}

TEST_CASE_TEMPLATE("axpy, copy and swap with strides forward and backward", T, BLAS_TYPES) {
  BlasHandle handle;
  const int n = 21;
  struct Steps {
    int x, y;
  };
  for (const Steps inc : {Steps{1, 1}, Steps{2, 3}, Steps{-1, 2}, Steps{3, -2}}) {
    const std::vector<T> x = Numbers(1).list<T>(static_cast<std::size_t>(n * std::abs(inc.x)));
    const std::vector<T> y = Numbers(2).list<T>(static_cast<std::size_t>(n * std::abs(inc.y)));
    const T alpha = number<T>(0.5, 2);
    const DeviceArray<T> dx(x), dy(y), dz(y);
    CHECK_BLAS(
        Calls<T>::axpy(handle, n, api(&alpha), api(dx.data()), inc.x, api(dy.data()), inc.y));
    CHECK_BLAS(Calls<T>::copy(handle, n, api(dx.data()), inc.x, api(dz.data()), inc.y));
    REQUIRE_FINISHED();
    std::vector<T> sum = y, copied = y;
    for (int i = 0; i < n; ++i) {
      sum[place(i, n, inc.y)] += alpha * x[place(i, n, inc.x)];
      copied[place(i, n, inc.y)] = x[place(i, n, inc.x)];
    }
    CHECK(dy.values() == sum);
    CHECK(dz.values() == copied);

    CHECK_BLAS(Calls<T>::swap(handle, n, api(dx.data()), inc.x, api(dy.data()), inc.y));
    REQUIRE_FINISHED();
    std::vector<T> left = x, right = sum;
    for (int i = 0; i < n; ++i) {
      std::swap(left[place(i, n, inc.x)], right[place(i, n, inc.y)]);
    }
    CHECK(dx.values() == left);
    CHECK(dy.values() == right);
  }
}

TEST_CASE_TEMPLATE("dot, conjugated and not", T, BLAS_TYPES) {
  BlasHandle handle;
  const int n = 33;
  const std::vector<T> x = Numbers(1).list<T>(n * 2), y = Numbers(2).list<T>(n);
  const DeviceArray<T> dx(x), dy(y);
  Wide plain = 0, conjugated = 0;
  for (int i = 0; i < n; ++i) {
    plain += Wide(x[place(i, n, 2)]) * Wide(y[place(i, n, -1)]);
    conjugated += std::conj(Wide(x[place(i, n, 2)])) * Wide(y[place(i, n, -1)]);
  }
  T result;
  CHECK_BLAS(Calls<T>::dotu(handle, n, api(dx.data()), 2, api(dy.data()), -1, api(&result)));
  CHECK(Wide(result) == plain);
  CHECK_BLAS(Calls<T>::dotc(handle, n, api(dx.data()), 2, api(dy.data()), -1, api(&result)));
  CHECK(Wide(result) == conjugated);
  CHECK_BLAS(Calls<T>::dotu(handle, 0, nullptr, 1, nullptr, 1, api(&result)));
  CHECK(Wide(result) == 0.0);
}

TEST_CASE_TEMPLATE("sums, norms and extremes", T, BLAS_TYPES) {
  using Real = typename Calls<T>::Real;
  BlasHandle handle;
  const std::vector<T> x = {number<T>(3, -1), number<T>(9), number<T>(-4, 3), number<T>(9),
                            number<T>(0, 0),  number<T>(9), number<T>(-6, 1), number<T>(9)};
  const DeviceArray<T> dx(x);
  double sum = 0, squares = 0;
  for (int i = 0; i < 8; i += 2) {
    sum += std::abs(Wide(x[i]).real()) + std::abs(Wide(x[i]).imag());
    squares += std::norm(Wide(x[i]));
  }
  Real result;
  CHECK_BLAS(Calls<T>::asum(handle, 4, api(dx.data()), 2, &result));
  CHECK_EQ(result, sum);
  CHECK_BLAS(Calls<T>::nrm2(handle, 4, api(dx.data()), 2, &result));
  CHECK_EQ(result, doctest::Approx(std::sqrt(squares)).epsilon(1e-6));
  int index;
  // |re| + |im| of the four elements: 4 or 3, 7 or 4, 0, 7 or 6. Among equal elements, the first is
  // found.
  CHECK_BLAS(Calls<T>::amax(handle, 4, api(dx.data()), 2, &index));
  CHECK_EQ(index, kIsComplex<T> ? 2 : 4);
  CHECK_BLAS(Calls<T>::amin(handle, 4, api(dx.data()), 2, &index));
  CHECK_EQ(index, 3);
  CHECK_BLAS(Calls<T>::amax(handle, 0, api(dx.data()), 1, &index));
  CHECK_EQ(index, 0);
  CHECK_BLAS(Calls<T>::nrm2(handle, 4, api(dx.data()), -1, &result));
  CHECK_EQ(result, 0);
}

TEST_CASE_TEMPLATE("scal by an element and by a real", T, BLAS_TYPES) {
  using Real = typename Calls<T>::Real;
  BlasHandle handle;
  const std::vector<T> x = Numbers(1).list<T>(10);
  const DeviceArray<T> dx(x);
  const T alpha = number<T>(2, -0.5);
  const Real half = 0.5;
  CHECK_BLAS(Calls<T>::scal(handle, 5, api(&alpha), api(dx.data()), 2));
  CHECK_BLAS(Calls<T>::scale_by_real(handle, 5, &half, api(dx.data()), 2));
  REQUIRE_FINISHED();
  std::vector<T> expected = x;
  for (int i = 0; i < 10; i += 2) {
    expected[i] *= alpha * half;
  }
  CHECK(dx.values() == expected);
}

TEST_CASE_TEMPLATE("rotg makes the rotation that rot applies: (a, b) becomes (r, 0)", T,
                   BLAS_TYPES) {
  using Real = typename Calls<T>::Real;
  BlasHandle handle;
  const T a = number<T>(3, 1), b = number<T>(4, -2);
  T r = a, z = b, s;
  Real c;
  CHECK_BLAS(Calls<T>::rotg(handle, api(&r), api(&z), &c, api(&s)));
  const DeviceArray<T> x(std::vector<T>{a}), y(std::vector<T>{b});
  CHECK_BLAS(Calls<T>::rot(handle, 1, api(x.data()), 1, api(y.data()), 1, &c, api(&s)));
  REQUIRE_FINISHED();
  CHECK_LT(std::abs(Wide(x.values()[0]) - Wide(r)), 1e-5);
  CHECK_LT(std::abs(Wide(y.values()[0])), 1e-5);
  CHECK_EQ(std::norm(Wide(r)), doctest::Approx(std::norm(Wide(a)) + std::norm(Wide(b))));
}

TEST_CASE("a complex vector turned by a real rotation") {
  BlasHandle handle;
  using Complex = std::complex<float>;
  const DeviceArray<Complex> x(std::vector<Complex>{{1, 2}}), y(std::vector<Complex>{{3, 4}});
  const float c = 0.5f, s = 2;
  CHECK_BLAS(simtblasCsrot(handle, 1, api(x.data()), 1, api(y.data()), 1, &c, &s));
  REQUIRE_FINISHED();
  CHECK(x.values()[0] == Complex(6.5f, 9));
  CHECK(y.values()[0] == Complex(-0.5f, -2));
}

TEST_CASE("rotmg makes the modified rotation that rotm applies: the second element becomes 0") {
  BlasHandle handle;
  double d1 = 2, d2 = 3, x1 = 4, param[5];
  const double y1 = 5;
  CHECK_BLAS(simtblasDrotmg(handle, &d1, &d2, &x1, &y1, param));
  const DeviceArray<double> x(std::vector<double>{4}), y(std::vector<double>{5});
  CHECK_BLAS(simtblasDrotm(handle, 1, x.data(), 1, y.data(), 1, param));
  REQUIRE_FINISHED();
  CHECK_EQ(x.values()[0], doctest::Approx(x1));
  CHECK_EQ(y.values()[0], doctest::Approx(0).epsilon(1e-12));
  // The rotation preserves the scaled length d1 x1^2 + d2 y1^2.
  CHECK_EQ(d1 * x1 * x1, doctest::Approx(2 * 16 + 3 * 25));
}

template <class Short>
Short short_float(float value) {
  return Short(value);
}

template <class Short>
void check_short_vectors(simtDataType type) {
  BlasHandle handle;
  std::vector<Short> x, y;
  Numbers numbers(1);
  double dot = 0, squares = 0;
  for (int i = 0; i < 40; ++i) {
    const double a = numbers.next(), b = numbers.next();
    x.push_back(short_float<Short>(static_cast<float>(a)));
    y.push_back(short_float<Short>(static_cast<float>(b)));
    dot += a * b;
    squares += a * a;
  }
  const DeviceArray<Short> dx(x), dy(y);
  Short result;
  const auto same = [](Short a, float b) {
    return static_cast<float>(a) == static_cast<float>(Short(b));
  };
  CHECK_BLAS(
      simtblasDotEx(handle, 40, dx.data(), type, 1, dy.data(), type, 1, &result, type, SIMT_R_32F));
  CHECK(same(result, static_cast<float>(dot)));
  CHECK_BLAS(simtblasDotcEx(handle, 40, dx.data(), type, 1, dy.data(), type, 1, &result, type,
                            SIMT_R_32F));
  CHECK(same(result, static_cast<float>(dot)));
  CHECK_BLAS(simtblasNrm2Ex(handle, 40, dx.data(), type, 1, &result, type, SIMT_R_32F));
  CHECK(same(result, static_cast<float>(std::sqrt(squares))));
  const float alpha = 0.5f;
  CHECK_BLAS(simtblasAxpyEx(handle, 40, &alpha, SIMT_R_32F, dx.data(), type, 1, dy.data(), type, 1,
                            SIMT_R_32F));
  CHECK_BLAS(simtblasScalEx(handle, 40, &alpha, SIMT_R_32F, dx.data(), type, 1, SIMT_R_32F));
  REQUIRE_FINISHED();
  const std::vector<Short> scaled = dx.values(), sums = dy.values();
  for (int i = 0; i < 40; ++i) {
    CHECK(same(scaled[i], static_cast<float>(x[i]) / 2));
    CHECK(same(sums[i], static_cast<float>(x[i]) / 2 + static_cast<float>(y[i])));
  }
}

TEST_CASE("vectors of half and bfloat16 are computed in float") {
  SUBCASE("half") { check_short_vectors<__half>(SIMT_R_16F); }
  SUBCASE("bfloat16") { check_short_vectors<__nv_bfloat16>(SIMT_R_16BF); }
}

TEST_CASE("the norm of complex numbers is real") {
  BlasHandle handle;
  const DeviceArray<std::complex<double>> x(std::vector<std::complex<double>>{{3, 4}, {0, 12}});
  double norm;
  CHECK_BLAS(simtblasNrm2Ex(handle, 2, x.data(), SIMT_C_64F, 1, &norm, SIMT_R_64F, SIMT_R_64F));
  CHECK_EQ(norm, 13);
}

TEST_CASE_TEMPLATE("gemv for every operation, stride and beta", T, BLAS_TYPES) {
  BlasHandle handle;
  int m = 9, n = 13;
  SUBCASE("small") {}
  SUBCASE("shared by workers") {
    m = 300;
    n = 520;
  }
  const Matrix<T> a(m, n, m + 2, 1);
  const T alpha = number<T>(0.5, 1);
  for (const auto trans : kOperations) {
    const bool plain = trans == SIMTBLAS_OP_N;
    const int length_x = plain ? n : m, length_y = plain ? m : n;
    for (const int incx : {1, -2}) {
      const int incy = incx < 0 ? -1 : 1;
      for (const bool zero_beta : {false, true}) {
        const std::vector<T> x = Numbers(2).list<T>(static_cast<std::size_t>(length_x * 2));
        std::vector<T> y = Numbers(3).list<T>(static_cast<std::size_t>(length_y));
        if (zero_beta) {
          y.assign(y.size(), number<T>(std::numeric_limits<double>::quiet_NaN()));
        }
        const T beta = number<T>(zero_beta ? 0 : -2);
        const DeviceArray<T> dx(x), dy(y);
        CHECK_BLAS(Calls<T>::gemv(handle, trans, m, n, api(&alpha), a.pointer(), a.ld(),
                                  api(dx.data()), incx, api(&beta), api(dy.data()), incy));
        REQUIRE_FINISHED();
        const std::vector<T> result = dy.values();
        for (int i = 0; i < length_y; ++i) {
          Wide sum = 0;
          for (int k = 0; k < length_x; ++k) {
            sum += a.at(trans, i, k) * Wide(x[place(k, length_x, incx)]);
          }
          const auto at = place(i, length_y, incy);
          const Wide old = zero_beta ? Wide(0) : Wide(beta) * Wide(y[at]);
          CHECK(Wide(result[at]) == Wide(alpha) * sum + old);
        }
      }
    }
  }
}

/// Element (i, j) of the symmetric or Hermitian matrix of which `a` contains the triangle `uplo`.
template <class T>
Wide hermitian_at(const Matrix<T>& a, simtblasFillMode_t uplo, int i, int j) {
  if (i == j) {
    return kIsComplex<T> ? Wide(a.at(i, i).real()) : a.at(i, i);
  }
  const bool stored = uplo == SIMTBLAS_FILL_MODE_LOWER ? i > j : i < j;
  return stored ? a.at(i, j) : std::conj(a.at(j, i));
}

bool in_triangle(simtblasFillMode_t uplo, int i, int j) {
  return uplo == SIMTBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

TEST_CASE_TEMPLATE("symmetric and Hermitian matrices with vectors, and rank-one updates", T,
                   BLAS_TYPES) {
  using Real = typename Calls<T>::Real;
  BlasHandle handle;
  const int n = 11;
  const std::vector<T> x = Numbers(2).list<T>(n), y = Numbers(3).list<T>(n);
  const DeviceArray<T> dx(x), dy(y);
  const T alpha = number<T>(0.5, 1), zero = number<T>(0);
  const Real half = 0.5;
  for (const auto uplo : {SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_FILL_MODE_UPPER}) {
    const Matrix<T> a(n, n, n + 1, 1);
    const Matrix<T> updated(n, n, n + 1, 4), twice(n, n, n + 1, 5);
    const Matrix<T> result(n, 1, n, 6);
    CHECK_BLAS(Calls<T>::hemv(handle, uplo, n, api(&alpha), a.pointer(), a.ld(), api(dx.data()), 1,
                              api(&zero), result.pointer(), 1));
    CHECK_BLAS(Calls<T>::her(handle, uplo, n, &half, api(dx.data()), 1, updated.pointer(), n + 1));
    CHECK_BLAS(Calls<T>::her2(handle, uplo, n, api(&alpha), api(dx.data()), 1, api(dy.data()), 1,
                              twice.pointer(), n + 1));
    REQUIRE_FINISHED();
    CHECK_EQ(result.distance([&](int i, int) {
      Wide sum = 0;
      for (int k = 0; k < n; ++k) {
        sum += hermitian_at(a, uplo, i, k) * Wide(x[k]);
      }
      return Wide(alpha) * sum;
    }),
             0);
    const auto plus = [&](const Matrix<T>& before, int i, int j, Wide update) {
      if (!in_triangle(uplo, i, j)) {
        return before.at(i, j);
      }
      return (i == j ? Wide(before.at(i, j).real()) : before.at(i, j)) + update;
    };
    CHECK_EQ(updated.distance([&](int i, int j) {
      return plus(updated, i, j, 0.5 * Wide(x[i]) * std::conj(Wide(x[j])));
    }),
             0);
    CHECK_EQ(twice.distance([&](int i, int j) {
      return plus(twice, i, j,
                  Wide(alpha) * Wide(x[i]) * std::conj(Wide(y[j])) +
                      std::conj(Wide(alpha)) * Wide(y[i]) * std::conj(Wide(x[j])));
    }),
             0);
  }
}

TEST_CASE_TEMPLATE("ger, conjugated and not", T, BLAS_TYPES) {
  BlasHandle handle;
  const int m = 6, n = 9;
  const std::vector<T> x = Numbers(2).list<T>(m), y = Numbers(3).list<T>(n);
  const DeviceArray<T> dx(x), dy(y);
  const T alpha = number<T>(0.5, 1);
  const Matrix<T> plain(m, n, m + 1, 1), conjugated(m, n, m + 1, 1);
  CHECK_BLAS(Calls<T>::geru(handle, m, n, api(&alpha), api(dx.data()), 1, api(dy.data()), 1,
                            plain.pointer(), m + 1));
  CHECK_BLAS(Calls<T>::gerc(handle, m, n, api(&alpha), api(dx.data()), 1, api(dy.data()), 1,
                            conjugated.pointer(), m + 1));
  REQUIRE_FINISHED();
  CHECK_EQ(plain.distance([&](int i, int j) {
    return plain.at(i, j) + Wide(alpha) * Wide(x[i]) * Wide(y[j]);
  }),
           0);
  CHECK_EQ(conjugated.distance([&](int i, int j) {
    return conjugated.at(i, j) + Wide(alpha) * Wide(x[i]) * std::conj(Wide(y[j]));
  }),
           0);
}

TEST_CASE_TEMPLATE("trmv multiplies by a triangle, and trsv undoes it", T, BLAS_TYPES) {
  BlasHandle handle;
  const int n = 7;
  std::vector<T> values = Numbers(1).list<T>(n * n);
  for (int i = 0; i < n; ++i) {
    values[i * (n + 1)] = number<T>(8, 1);  // well-conditioned
  }
  const Matrix<T> a(n, n, n, values);
  const std::vector<T> x = Numbers(2).list<T>(n);
  for (const auto uplo : {SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_FILL_MODE_UPPER}) {
    for (const auto trans : kOperations) {
      for (const auto diag : {SIMTBLAS_DIAG_NON_UNIT, SIMTBLAS_DIAG_UNIT}) {
        const Matrix<T> vector(n, 1, n, x);
        CHECK_BLAS(
            Calls<T>::trmv(handle, uplo, trans, diag, n, a.pointer(), n, vector.pointer(), 1));
        REQUIRE_FINISHED();
        CHECK_EQ(vector.distance([&](int i, int) {
          Wide sum = 0;
          for (int k = 0; k < n; ++k) {
            const bool stored =
                trans == SIMTBLAS_OP_N ? in_triangle(uplo, i, k) : in_triangle(uplo, k, i);
            if (i == k && diag == SIMTBLAS_DIAG_UNIT) {
              sum += Wide(x[k]);
            } else if (stored) {
              sum += a.at(trans, i, k) * Wide(x[k]);
            }
          }
          return sum;
        }),
                 0);
        if (diag == SIMTBLAS_DIAG_NON_UNIT) {
          CHECK_BLAS(
              Calls<T>::trsv(handle, uplo, trans, diag, n, a.pointer(), n, vector.pointer(), 1));
          REQUIRE_FINISHED();
          CHECK_LT(vector.distance([&](int i, int) { return Wide(x[i]); }), tolerance<T>());
        }
      }
    }
  }
}

}  // namespace

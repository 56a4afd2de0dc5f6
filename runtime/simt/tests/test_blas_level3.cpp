// Level 3 functions other than gemm, compared with their definitions: Dongarra and others, "A Set
// of Level 3 Basic Linear Algebra Subprograms" (1990). trmm out of place, geam and dgmm: cuBLAS
// 12.4 documentation.
#include "blas_test.h"

#include <algorithm>
#include <limits>

namespace {

constexpr simtblasFillMode_t kTriangles[] = {SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_FILL_MODE_UPPER};
constexpr simtblasSideMode_t kSides[] = {SIMTBLAS_SIDE_LEFT, SIMTBLAS_SIDE_RIGHT};

bool in_triangle(simtblasFillMode_t uplo, int i, int j) {
  return uplo == SIMTBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

/// Element (i, j) of the symmetric or Hermitian matrix of which `a` contains one triangle.
template <class T>
Wide whole_at(const Matrix<T>& a, simtblasFillMode_t uplo, bool hermitian, int i, int j) {
  if (hermitian && i == j) {
    return a.at(i, i).real();
  }
  if (in_triangle(uplo, i, j)) {
    return a.at(i, j);
  }
  return hermitian ? std::conj(a.at(j, i)) : a.at(j, i);
}

template <class T>
std::vector<T> nans(int count) {
  return std::vector<T>(static_cast<std::size_t>(count),
                        number<T>(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE_TEMPLATE("symm and hemm on both sides, with either triangle", T, BLAS_TYPES) {
  BlasHandle handle;
  int m = 7, n = 5;
  SUBCASE("small") {}
  SUBCASE("shared by workers") {
    m = 150;
    n = 70;
  }
  const T alpha = number<T>(0.5, 1), beta = number<T>(-2, 1);
  for (const bool hermitian : {false, true}) {
    for (const auto side : kSides) {
      for (const auto uplo : kTriangles) {
        const int order = side == SIMTBLAS_SIDE_LEFT ? m : n;
        const Matrix<T> a(order, order, order + 1, 1), b(m, n, m + 2, 2), c(m, n, m + 3, 3);
        const auto call = hermitian ? Calls<T>::hemm : Calls<T>::symm;
        CHECK_BLAS(call(handle, side, uplo, m, n, api(&alpha), a.pointer(), a.ld(), b.pointer(),
                        b.ld(), api(&beta), c.pointer(), c.ld()));
        REQUIRE_FINISHED();
        const bool conjugated = hermitian && kIsComplex<T>;
        CHECK_EQ(c.distance([&](int i, int j) {
          Wide sum = 0;
          for (int k = 0; k < order; ++k) {
            sum += side == SIMTBLAS_SIDE_LEFT ? whole_at(a, uplo, conjugated, i, k) * b.at(k, j)
                                              : b.at(i, k) * whole_at(a, uplo, conjugated, k, j);
          }
          return Wide(alpha) * sum + Wide(beta) * c.at(i, j);
        }),
                 0);
      }
    }
  }
}

TEST_CASE_TEMPLATE("syrk, herk, syr2k and her2k write one triangle", T, BLAS_TYPES) {
  using Real = typename Calls<T>::Real;
  BlasHandle handle;
  int n = 6, k = 9;
  SUBCASE("small") {}
  SUBCASE("shared by workers") {
    n = 140;
    k = 60;
  }
  const T alpha = number<T>(0.5, 1);
  const Real half = 0.5;
  for (const auto uplo : kTriangles) {
    for (const bool plain : {true, false}) {
      for (const bool zero_beta : {false, true}) {
        const int rows = plain ? n : k, columns = plain ? k : n;
        const Matrix<T> a(rows, columns, rows + 2, 1), b(rows, columns, rows + 1, 2);
        const T beta = number<T>(zero_beta ? 0 : -2, zero_beta ? 0 : 1);
        const Real real_beta = zero_beta ? 0 : 4;
        const auto start = [&] {
          return zero_beta ? Matrix<T>(n, n, n, nans<T>(n * n)) : Matrix<T>(n, n, n, 3);
        };
        const auto symmetric = plain ? SIMTBLAS_OP_N : SIMTBLAS_OP_T;
        const auto hermitian = plain ? SIMTBLAS_OP_N : SIMTBLAS_OP_C;
        const auto row = [&](const Matrix<T>& x, int i, int p) {
          return plain ? x.at(i, p) : x.at(p, i);
        };
        // The call must update the triangle and leave the other elements unchanged. If C was NaN,
        // only the triangle can be compared.
        const auto check = [&](const Matrix<T>& c, auto update, Wide factor, bool real_diagonal) {
          DeviceArray<T> copy(static_cast<std::size_t>(n) * n);
          REQUIRE_OK(simtMemcpy(copy.data(), c.data(), copy.bytes(), simtMemcpyDeviceToDevice));
          const std::vector<T> after = copy.values();
          for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
              const Wide value(after[static_cast<std::size_t>(i + j * n)]);
              if (in_triangle(uplo, i, j)) {
                const Wide old = real_diagonal && i == j ? Wide(c.at(i, j).real()) : c.at(i, j);
                CHECK(value == update(i, j) + (zero_beta ? Wide(0) : factor * old));
              } else if (zero_beta) {
                CHECK(value != value);
              } else {
                CHECK(value == c.at(i, j));
              }
            }
          }
        };
        const auto sum = [&](const Matrix<T>& x, const Matrix<T>& y, int i, int j,
                             bool conjugated) {
          Wide total = 0;
          for (int p = 0; p < k; ++p) {
            // For op(X) = X^H, op(X) op(Y)^H is X^H Y.
            const Wide left = row(x, i, p), right = row(y, j, p);
            total += !conjugated ? left * right
                     : plain     ? left * std::conj(right)
                                 : std::conj(left) * right;
          }
          return total;
        };
        {
          const Matrix<T> c = start();
          CHECK_BLAS(Calls<T>::syrk(handle, uplo, symmetric, n, k, api(&alpha), a.pointer(), a.ld(),
                                    api(&beta), c.pointer(), n));
          REQUIRE_FINISHED();
          check(c, [&](int i, int j) { return Wide(alpha) * sum(a, a, i, j, false); }, beta, false);
        }
        {
          const Matrix<T> c = start();
          CHECK_BLAS(Calls<T>::syr2k(handle, uplo, symmetric, n, k, api(&alpha), a.pointer(),
                                     a.ld(), b.pointer(), b.ld(), api(&beta), c.pointer(), n));
          REQUIRE_FINISHED();
          check(
              c,
              [&](int i, int j) {
                return Wide(alpha) * (sum(a, b, i, j, false) + sum(b, a, i, j, false));
              },
              beta, false);
        }
        {
          const Matrix<T> c = start();
          CHECK_BLAS(Calls<T>::herk(handle, uplo, hermitian, n, k, &half, a.pointer(), a.ld(),
                                    &real_beta, c.pointer(), n));
          REQUIRE_FINISHED();
          check(
              c, [&](int i, int j) { return 0.5 * sum(a, a, i, j, kIsComplex<T>); }, real_beta,
              kIsComplex<T>);
        }
        {
          const Matrix<T> c = start();
          CHECK_BLAS(Calls<T>::her2k(handle, uplo, hermitian, n, k, api(&alpha), a.pointer(),
                                     a.ld(), b.pointer(), b.ld(), &real_beta, c.pointer(), n));
          REQUIRE_FINISHED();
          check(
              c,
              [&](int i, int j) {
                return Wide(alpha) * sum(a, b, i, j, kIsComplex<T>) +
                       (kIsComplex<T> ? std::conj(Wide(alpha)) : Wide(alpha)) *
                           sum(b, a, i, j, kIsComplex<T>);
              },
              real_beta, kIsComplex<T>);
        }
      }
    }
  }
}

TEST_CASE("complex updates: symmetric ones do not conjugate, Hermitian ones do") {
  BlasHandle handle;
  const DeviceArray<std::complex<float>> x(4);
  const simtComplex one = make_simtComplex(1, 0);
  const float real = 1;
  CHECK_EQ(simtblasCsyrk(handle, SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_OP_C, 1, 1, &one, api(x.data()),
                         1, &one, api(x.data()), 1),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasCherk(handle, SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_OP_T, 1, 1, &real,
                         api(x.data()), 1, &real, api(x.data()), 1),
           SIMTBLAS_STATUS_INVALID_VALUE);
}

/// Element (i, j) of op(A), where only one triangle of A is read.
template <class T>
Wide triangular_at(const Matrix<T>& a, simtblasFillMode_t uplo, simtblasOperation_t trans,
                   simtblasDiagType_t diag, int i, int j) {
  if (i == j && diag == SIMTBLAS_DIAG_UNIT) {
    return 1;
  }
  const bool stored = trans == SIMTBLAS_OP_N ? in_triangle(uplo, i, j) : in_triangle(uplo, j, i);
  return stored ? a.at(trans, i, j) : 0;
}

/// Square matrix with two well-conditioned triangles, also if the diagonal is replaced by ones. The
/// off-diagonal elements decrease with the size of the matrix.
template <class T>
Matrix<T> gentle_matrix(int order, std::uint32_t seed) {
  std::vector<T> values = Numbers(seed).list<T>(static_cast<std::size_t>(order) * order);
  for (T& value : values) {
    value *= number<T>(0.125 * std::min(1.0, 8.0 / order));
  }
  for (int i = 0; i < order; ++i) {
    values[static_cast<std::size_t>(i) * (order + 1)] = number<T>(2, 1);
  }
  return Matrix<T>(order, order, order, values);
}

TEST_CASE_TEMPLATE("trmm multiplies out of place, and trsm reverses the product of trmm", T,
                   BLAS_TYPES) {
  BlasHandle handle;
  int m = 6, n = 4;
  SUBCASE("small") {}
  SUBCASE("shared by workers") {
    m = 70;
    n = 130;
  }
  const T two = number<T>(2), half = number<T>(0.5);
  for (const auto side : kSides) {
    const int order = side == SIMTBLAS_SIDE_LEFT ? m : n;
    const Matrix<T> a = gentle_matrix<T>(order, 1);
    for (const auto uplo : kTriangles) {
      for (const auto trans : kOperations) {
        for (const auto diag : {SIMTBLAS_DIAG_NON_UNIT, SIMTBLAS_DIAG_UNIT}) {
          const Matrix<T> b(m, n, m + 1, 2), c(m, n, m + 2, 3);
          CHECK_BLAS(Calls<T>::trmm(handle, side, uplo, trans, diag, m, n, api(&two), a.pointer(),
                                    order, b.pointer(), b.ld(), c.pointer(), c.ld()));
          REQUIRE_FINISHED();
          CHECK_LT(c.distance([&](int i, int j) {
            Wide sum = 0;
            for (int k = 0; k < order; ++k) {
              sum += side == SIMTBLAS_SIDE_LEFT
                         ? triangular_at(a, uplo, trans, diag, i, k) * b.at(k, j)
                         : b.at(i, k) * triangular_at(a, uplo, trans, diag, k, j);
            }
            return Wide(two) * sum;
          }),
                   tolerance<T>());
          CHECK_EQ(b.distance([&](int i, int j) { return b.at(i, j); }), 0);
          CHECK_BLAS(Calls<T>::trsm(handle, side, uplo, trans, diag, m, n, api(&half), a.pointer(),
                                    order, c.pointer(), c.ld()));
          REQUIRE_FINISHED();
          CHECK_LT(c.distance([&](int i, int j) { return b.at(i, j); }), tolerance<T>());
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("trsmBatched solves each of a batch, and alpha 0 gives zeros", T, BLAS_TYPES) {
  BlasHandle handle;
  const int n = 5, count = 3;
  const Matrix<T> a = gentle_matrix<T>(n, 1);
  const Matrix<T> x(n, count, n, 2);
  const T one = number<T>(1), zero = number<T>(0);
  const std::vector<T> initial = Numbers(2).list<T>(n * count);
  const Matrix<T> b(n, count, n, initial);
  std::vector<const T*> as(count, a.data());
  std::vector<T*> bs;
  for (int i = 0; i < count; ++i) {
    bs.push_back(b.data() + i * n);
  }
  const DeviceArray<const T*> device_as(as);
  const DeviceArray<T*> device_bs(bs);
  CHECK_BLAS(Calls<T>::trsm_batched(handle, SIMTBLAS_SIDE_LEFT, SIMTBLAS_FILL_MODE_LOWER,
                                    SIMTBLAS_OP_N, SIMTBLAS_DIAG_NON_UNIT, n, 1, api(&one),
                                    api(device_as.data()), n, api(device_bs.data()), n, count));
  CHECK_BLAS(Calls<T>::trmm(handle, SIMTBLAS_SIDE_LEFT, SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_OP_N,
                            SIMTBLAS_DIAG_NON_UNIT, n, count, api(&one), a.pointer(), n,
                            b.pointer(), n, b.pointer(), n));
  REQUIRE_FINISHED();
  CHECK_LT(b.distance([&](int i, int j) { return b.at(i, j); }), tolerance<T>());
  CHECK_BLAS(Calls<T>::trsm_batched(handle, SIMTBLAS_SIDE_LEFT, SIMTBLAS_FILL_MODE_LOWER,
                                    SIMTBLAS_OP_N, SIMTBLAS_DIAG_NON_UNIT, n, 1, api(&zero),
                                    api(device_as.data()), n, api(device_bs.data()), n, count));
  REQUIRE_FINISHED();
  CHECK_EQ(b.distance([](int, int) { return 0.0; }), 0);
}

TEST_CASE_TEMPLATE("geam adds transposed matrices, also in place; factor 0 prevents reads", T,
                   BLAS_TYPES) {
  BlasHandle handle;
  const int m = 5, n = 7;
  const T alpha = number<T>(2, 1), beta = number<T>(-1, 0.5), zero = number<T>(0);
  for (const auto transa : kOperations) {
    for (const auto transb : kOperations) {
      const bool a_plain = transa == SIMTBLAS_OP_N, b_plain = transb == SIMTBLAS_OP_N;
      const Matrix<T> a(a_plain ? m : n, a_plain ? n : m, 8, 1);
      const Matrix<T> b(b_plain ? m : n, b_plain ? n : m, 9, 2);
      const Matrix<T> c(m, n, m + 1, 3);
      CHECK_BLAS(Calls<T>::geam(handle, transa, transb, m, n, api(&alpha), a.pointer(), 8,
                                api(&beta), b.pointer(), 9, c.pointer(), c.ld()));
      REQUIRE_FINISHED();
      CHECK_EQ(c.distance([&](int i, int j) {
        return Wide(alpha) * a.at(transa, i, j) + Wide(beta) * b.at(transb, i, j);
      }),
               0);
    }
  }
  const Matrix<T> c(m, n, m, 3);
  CHECK_BLAS(Calls<T>::geam(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, api(&alpha), c.pointer(), m,
                            api(&zero), nullptr, m, c.pointer(), m));
  REQUIRE_FINISHED();
  CHECK_EQ(c.distance([&](int i, int j) { return Wide(alpha) * c.at(i, j); }), 0);
  CHECK_EQ(Calls<T>::geam(handle, SIMTBLAS_OP_T, SIMTBLAS_OP_N, m, m, api(&alpha), c.pointer(), m,
                          api(&zero), nullptr, m, c.pointer(), m),
           SIMTBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE_TEMPLATE("dgmm scales rows or columns", T, BLAS_TYPES) {
  BlasHandle handle;
  const int m = 5, n = 7;
  const Matrix<T> a(m, n, m + 1, 1);
  const std::vector<T> x = Numbers(2).list<T>(14);
  const DeviceArray<T> dx(x);
  for (const auto side : kSides) {
    const bool left = side == SIMTBLAS_SIDE_LEFT;
    const Matrix<T> c(m, n, m + 2, 3), backward(m, n, m, 4);
    CHECK_BLAS(Calls<T>::dgmm(handle, side, m, n, a.pointer(), a.ld(), api(dx.data()), 2,
                              c.pointer(), c.ld()));
    CHECK_BLAS(Calls<T>::dgmm(handle, side, m, n, a.pointer(), a.ld(), api(dx.data()), -1,
                              backward.pointer(), m));
    REQUIRE_FINISHED();
    CHECK_EQ(c.distance([&](int i, int j) { return a.at(i, j) * Wide(x[2 * (left ? i : j)]); }), 0);
    const int last = (left ? m : n) - 1;
    CHECK_EQ(backward.distance(
                 [&](int i, int j) { return a.at(i, j) * Wide(x[last - (left ? i : j)]); }),
             0);
  }
}

}  // namespace

// Banded and packed matrices of simtblas, compared with the same operations on full matrices.
#include "blas_test.h"

namespace {

/// Functions for banded and packed matrices of T, without the type letter. For a real T, the Hermitian functions are the
/// symmetric ones.
template <class T>
struct Packed;

#define PACKED_TEST(T, S, sb, sp)                       \
  template <>                                           \
  struct Packed<T> {                                    \
    static constexpr auto gbmv = simtblas##S##gbmv;     \
    static constexpr auto hbmv = simtblas##S##sb##mv;   \
    static constexpr auto hpmv = simtblas##S##sp##mv;   \
    static constexpr auto hpr = simtblas##S##sp##r;     \
    static constexpr auto hpr2 = simtblas##S##sp##r2;   \
    static constexpr auto tbmv = simtblas##S##tbmv;     \
    static constexpr auto tbsv = simtblas##S##tbsv;     \
    static constexpr auto tpmv = simtblas##S##tpmv;     \
    static constexpr auto tpsv = simtblas##S##tpsv;     \
    static constexpr auto tpttr = simtblas##S##tpttr;   \
    static constexpr auto trttp = simtblas##S##trttp;   \
  };
PACKED_TEST(float, S, sb, sp)
PACKED_TEST(double, D, sb, sp)
PACKED_TEST(std::complex<float>, C, hb, hp)
PACKED_TEST(std::complex<double>, Z, hb, hp)
#undef PACKED_TEST

constexpr simtblasFillMode_t kTriangles[] = {SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_FILL_MODE_UPPER};
constexpr simtblasDiagType_t kDiagonals[] = {SIMTBLAS_DIAG_NON_UNIT, SIMTBLAS_DIAG_UNIT};

/// Full m x n matrix with `below` and `above` diagonals beside the main diagonal, which dominates, and its banded storage
/// with `kl` and `ku` diagonals.
template <class T>
struct Band {
  Band(int m, int n, int below, int above, int kl, int ku)
      : ld(kl + ku + 2), full(static_cast<std::size_t>(m) * n), stored(static_cast<std::size_t>(ld) * n, number<T>(99)) {
    Numbers numbers(7);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        if (i - j > below || j - i > above) continue;
        // The diagonal of a Hermitian matrix is real.
        const T value = i == j ? number<T>(16) : numbers.next_as<T>();
        full[static_cast<std::size_t>(i + j * m)] = value;
        if (i - j <= kl && j - i <= ku) stored[static_cast<std::size_t>(ku + i - j + j * ld)] = value;
      }
    }
  }
  int ld;
  std::vector<T> full, stored;
};

template <class T>
std::vector<T> packed(simtblasFillMode_t uplo, int n, const std::vector<T>& full) {
  std::vector<T> values;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (uplo == SIMTBLAS_FILL_MODE_UPPER ? i <= j : i >= j) values.push_back(full[static_cast<std::size_t>(i + j * n)]);
    }
  }
  return values;
}

/// Elements of vectors with increment -2 for the input and 3 for the output.
template <class T>
struct Vectors {
  explicit Vectors(int size) : in(Numbers(3).list<T>(2 * size)), out(Numbers(4).list<T>(3 * size)) {}
  DeviceArray<T> in, out;
};

TEST_CASE_TEMPLATE("products with banded matrices", T, BLAS_TYPES) {
  const BlasHandle handle;
  const int m = 9, n = 7;
  const T alpha = number<T>(0.5, 2), beta = number<T>(2, -0.25);
  for (const auto& [kl, ku] : {std::pair{2, 1}, std::pair{0, 3}, std::pair{8, 0}}) {
    const Band<T> band(m, n, kl, ku, kl, ku);
    const DeviceArray<T> full(band.full), stored(band.stored);
    for (const auto trans : kOperations) {
      const Vectors<T> expected(m), found(m);
      CHECK_BLAS(Calls<T>::gemv(handle, trans, m, n, api(&alpha), api(full.data()), m, api(expected.in.data()), -2,
                                api(&beta), api(expected.out.data()), 3));
      CHECK_BLAS(Packed<T>::gbmv(handle, trans, m, n, kl, ku, api(&alpha), api(stored.data()), band.ld,
                                 api(found.in.data()), -2, api(&beta), api(found.out.data()), 3));
      REQUIRE_FINISHED();
      CHECK(found.out.values() == expected.out.values());
    }
  }
}

TEST_CASE_TEMPLATE("products with Hermitian banded and packed matrices", T, BLAS_TYPES) {
  const BlasHandle handle;
  const int n = 8, k = 2;
  const T alpha = number<T>(0.5, 2), beta = number<T>(0);
  for (const auto uplo : kTriangles) {
    const bool upper = uplo == SIMTBLAS_FILL_MODE_UPPER;
    const Band<T> band(n, n, k, k, upper ? 0 : k, upper ? k : 0);
    const DeviceArray<T> full(band.full), stored(band.stored), triangle(packed(uplo, n, band.full));
    const Vectors<T> expected(n), banded(n), of_packed(n);
    // beta 0 ignores what y contains.
    REQUIRE_OK(simtMemset(banded.out.data(), 0xff, banded.out.bytes()));
    REQUIRE_OK(simtMemset(of_packed.out.data(), 0xff, of_packed.out.bytes()));
    CHECK_BLAS(Calls<T>::hemv(handle, uplo, n, api(&alpha), api(full.data()), n, api(expected.in.data()), -2, api(&beta),
                              api(expected.out.data()), 1));
    CHECK_BLAS(Packed<T>::hbmv(handle, uplo, n, k, api(&alpha), api(stored.data()), band.ld, api(banded.in.data()), -2,
                               api(&beta), api(banded.out.data()), 1));
    CHECK_BLAS(Packed<T>::hpmv(handle, uplo, n, api(&alpha), api(triangle.data()), api(of_packed.in.data()), -2,
                               api(&beta), api(of_packed.out.data()), 1));
    REQUIRE_FINISHED();
    const auto first = [&](const DeviceArray<T>& array) {
      std::vector<T> values = array.values();
      values.resize(n);
      return values;
    };
    CHECK(first(banded.out) == first(expected.out));
    CHECK(first(of_packed.out) == first(expected.out));
  }
}

TEST_CASE_TEMPLATE("updates of packed triangles, with scalars on the device", T, BLAS_TYPES) {
  using Real = typename Calls<T>::Real;
  const BlasHandle handle(SIMTBLAS_POINTER_MODE_DEVICE);
  const int n = 6;
  const DeviceArray<Real> real(1, Real(0.5));
  const DeviceArray<T> alpha(1, number<T>(0.5, 2));
  for (const auto uplo : kTriangles) {
    const Band<T> matrix(n, n, n, n, n, n);
    const DeviceArray<T> full(matrix.full), triangle(packed(uplo, n, matrix.full));
    const Vectors<T> vectors(n);
    CHECK_BLAS(Calls<T>::her(handle, uplo, n, api(real.data()), api(vectors.in.data()), 2, api(full.data()), n));
    CHECK_BLAS(Packed<T>::hpr(handle, uplo, n, api(real.data()), api(vectors.in.data()), 2, api(triangle.data())));
    CHECK_BLAS(Calls<T>::her2(handle, uplo, n, api(alpha.data()), api(vectors.in.data()), -2, api(vectors.out.data()), 3,
                              api(full.data()), n));
    CHECK_BLAS(Packed<T>::hpr2(handle, uplo, n, api(alpha.data()), api(vectors.in.data()), -2, api(vectors.out.data()),
                               3, api(triangle.data())));
    REQUIRE_FINISHED();
    CHECK(triangle.values() == packed(uplo, n, full.values()));
  }
}

TEST_CASE_TEMPLATE("triangular banded and packed matrices", T, BLAS_TYPES) {
  const BlasHandle handle;
  const int n = 7, k = 3;
  for (const auto uplo : kTriangles) {
    const bool upper = uplo == SIMTBLAS_FILL_MODE_UPPER;
    const Band<T> band(n, n, k, k, upper ? 0 : k, upper ? k : 0);
    const DeviceArray<T> full(band.full), stored(band.stored), triangle(packed(uplo, n, band.full));
    for (const auto trans : kOperations) {
      for (const auto diag : kDiagonals) {
        const Vectors<T> expected(n), banded(n), of_packed(n);
        const std::vector<T> before = expected.in.values();
        CHECK_BLAS(Calls<T>::trmv(handle, uplo, trans, diag, n, api(full.data()), n, api(expected.in.data()), -2));
        CHECK_BLAS(Packed<T>::tbmv(handle, uplo, trans, diag, n, k, api(stored.data()), band.ld, api(banded.in.data()),
                                   -2));
        CHECK_BLAS(Packed<T>::tpmv(handle, uplo, trans, diag, n, api(triangle.data()), api(of_packed.in.data()), -2));
        REQUIRE_FINISHED();
        CHECK(banded.in.values() == expected.in.values());
        CHECK(of_packed.in.values() == expected.in.values());
        if (diag == SIMTBLAS_DIAG_UNIT) continue;  // ill-conditioned
        CHECK_BLAS(Packed<T>::tbsv(handle, uplo, trans, diag, n, k, api(stored.data()), band.ld, api(banded.in.data()),
                                   -2));
        CHECK_BLAS(Packed<T>::tpsv(handle, uplo, trans, diag, n, api(triangle.data()), api(of_packed.in.data()), -2));
        REQUIRE_FINISHED();
        for (std::size_t i = 0; i < before.size(); ++i) {
          CHECK_LT(std::abs(banded.in.values()[i] - before[i]), tolerance<T>());
          CHECK_LT(std::abs(of_packed.in.values()[i] - before[i]), tolerance<T>());
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("triangles are packed and unpacked", T, BLAS_TYPES) {
  const BlasHandle handle;
  const int n = 5;
  for (const auto uplo : kTriangles) {
    const Matrix<T> full(n, n, n + 2, 1), target(n, n, n + 1, 2);
    const DeviceArray<T> triangle(n * (n + 1) / 2);
    CHECK_BLAS(Packed<T>::trttp(handle, uplo, n, full.pointer(), full.ld(), api(triangle.data())));
    CHECK_BLAS(Packed<T>::tpttr(handle, uplo, n, api(triangle.data()), target.pointer(), target.ld()));
    REQUIRE_FINISHED();
    CHECK_EQ(target.distance([&](int i, int j) {
      return (uplo == SIMTBLAS_FILL_MODE_UPPER ? i <= j : i >= j) ? full.at(i, j) : target.at(i, j);
    }), 0);
  }
}

TEST_CASE("rejected arguments of banded and packed matrices") {
  const BlasHandle handle;
  const float one = 1;
  const DeviceArray<float> memory(64);
  float* const p = memory.data();
  const auto upper = SIMTBLAS_FILL_MODE_UPPER;
  const auto plain = SIMTBLAS_OP_N;
  const auto unit = SIMTBLAS_DIAG_UNIT;
  const auto invalid = SIMTBLAS_STATUS_INVALID_VALUE;
  CHECK_EQ(simtblasSgbmv(nullptr, plain, 2, 2, 0, 0, &one, p, 1, p, 1, &one, p, 1), SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtblasSspr(nullptr, upper, 2, &one, p, 1, p), SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtblasSgbmv(handle, plain, 2, 2, 1, 1, &one, p, 2, p, 1, &one, p, 1), invalid);  // lda < kl + ku + 1
  CHECK_EQ(simtblasSgbmv(handle, plain, 2, 2, -1, 1, &one, p, 4, p, 1, &one, p, 1), invalid);
  CHECK_EQ(simtblasSgbmv(handle, plain, 2, 2, 1, 1, &one, p, 4, p, 0, &one, p, 1), invalid);
  CHECK_EQ(simtblasSgbmv(handle, plain, 2, 2, 1, 1, nullptr, p, 4, p, 1, &one, p, 1), invalid);
  CHECK_EQ(simtblasSsbmv(handle, upper, 2, 1, &one, p, 1, p, 1, &one, p, 1), invalid);  // lda < k + 1
  CHECK_EQ(simtblasSspmv(handle, SIMTBLAS_FILL_MODE_FULL, 2, &one, p, p, 1, &one, p, 1), invalid);
  CHECK_EQ(simtblasSspr2(handle, upper, -1, &one, p, 1, p, 1, p), invalid);
  CHECK_EQ(simtblasStbmv(handle, upper, plain, unit, 2, 2, p, 2, p, 1), invalid);
  CHECK_EQ(simtblasStpsv(handle, upper, plain, unit, 2, nullptr, p, 1), invalid);
  CHECK_EQ(simtblasStrttp(handle, upper, 4, p, 3, p), invalid);
  CHECK_BLAS(simtblasStpmv(handle, upper, plain, unit, 0, nullptr, nullptr, 1));
}

}  // namespace

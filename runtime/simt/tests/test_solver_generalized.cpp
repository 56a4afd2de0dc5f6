// Eigenvalues of two matrices, and selected eigenvalues.
#include "solver_test.h"

namespace {

constexpr auto kVectors = SIMTSOLVER_EIG_MODE_VECTOR;
constexpr auto kLower = SIMTBLAS_FILL_MODE_LOWER;
constexpr int kOrder = 7;

template <class T>
Dense positive(int n, std::uint32_t seed) {
  const Dense b = random<T>(n, n, seed);
  Dense product = b * b.adjoint();
  for (int i = 0; i < n; ++i) product(i, i) += n;
  return product;
}

/// Device memory of a call.
template <class T>
struct Arrays {
  Arrays(const Dense& left, const Dense& right) : a(left.as<T>()), b(right.as<T>()) {}
  DeviceArray<T> a;
  DeviceArray<T> b;
  DeviceArray<double> w{kOrder};
  DeviceArray<T> work{16};
  DeviceArray<int> info{1, -1};
};

}  // namespace

TEST_CASE("sygvd and sygvj solve A x = w B x") {
  const SolverHandle handle;
  const JacobiOptions options;
  const Dense a = random_symmetric<double>(kOrder, 1), b = positive<double>(kOrder, 2);
  for (const bool is_jacobi : {false, true}) {
    Arrays<double> on(a, b);
    int size = 0;
    if (is_jacobi) {
      CHECK_SOLVER(simtsolverDnDsygvj_bufferSize(handle, SIMTSOLVER_EIG_TYPE_1, kVectors, kLower,
                                                 kOrder, on.a.data(), kOrder, on.b.data(), kOrder,
                                                 on.w.data(), &size, options.eigen));
      CHECK_SOLVER(simtsolverDnDsygvj(handle, SIMTSOLVER_EIG_TYPE_1, kVectors, kLower, kOrder,
                                      on.a.data(), kOrder, on.b.data(), kOrder, on.w.data(),
                                      on.work.data(), size, on.info.data(), options.eigen));
    } else {
      CHECK_SOLVER(simtsolverDnDsygvd_bufferSize(handle, SIMTSOLVER_EIG_TYPE_1, kVectors, kLower,
                                                 kOrder, on.a.data(), kOrder, on.b.data(), kOrder,
                                                 on.w.data(), &size));
      CHECK_SOLVER(simtsolverDnDsygvd(handle, SIMTSOLVER_EIG_TYPE_1, kVectors, kLower, kOrder,
                                      on.a.data(), kOrder, on.b.data(), kOrder, on.w.data(),
                                      on.work.data(), size, on.info.data()));
    }
    CHECK_EQ(on.info.values(), std::vector<int>{0});
    if (is_jacobi) {
      double residual = 9;
      int sweeps = 9;
      CHECK_SOLVER(simtsolverDnXsyevjGetResidual(handle, options.eigen, &residual));
      CHECK_SOLVER(simtsolverDnXsyevjGetSweeps(handle, options.eigen, &sweeps));
      CHECK_EQ(residual, 0);
      CHECK_EQ(sweeps, 1);
      CHECK_EQ(simtsolverDnXsyevjGetSweeps(handle, nullptr, &sweeps),
               SIMTSOLVER_STATUS_INVALID_VALUE);
    }
    const auto w = on.w.values();
    CHECK(std::is_sorted(w.begin(), w.end()));
    const auto stored = on.a.values();
    const Dense x(kOrder, kOrder, kOrder, stored.data());
    CHECK_LT(distance(a * x, b * x * Dense::diagonal(w)), 1e-10);
    CHECK_LT(distance(x.adjoint() * (b * x), Dense::identity(kOrder)), 1e-10);
  }
}

TEST_CASE("hegvd of complex matrices, of the other types") {
  const SolverHandle handle;
  using T = std::complex<double>;
  const Dense a = random_symmetric<T>(kOrder, 3), b = positive<T>(kOrder, 4);
  for (const auto type : {SIMTSOLVER_EIG_TYPE_2, SIMTSOLVER_EIG_TYPE_3}) {
    Arrays<T> on(a, b);
    CHECK_SOLVER(simtsolverDnZhegvd(handle, type, kVectors, kLower, kOrder, api(on.a.data()),
                                    kOrder, api(on.b.data()), kOrder, on.w.data(),
                                    api(on.work.data()), 16, on.info.data()));
    const auto w = on.w.values();
    const auto stored = on.a.values();
    const Dense x(kOrder, kOrder, kOrder, stored.data());
    const Dense product = type == SIMTSOLVER_EIG_TYPE_2 ? a * (b * x) : b * (a * x);
    CHECK_LT(distance(product, x * Dense::diagonal(w)), 1e-9);
  }
}

TEST_CASE("a matrix B that is not positive definite") {
  const SolverHandle handle;
  Dense b = Dense::identity(kOrder);
  b(3, 3) = -1;
  Arrays<double> on(random_symmetric<double>(kOrder, 5), b);
  CHECK_SOLVER(simtsolverDnDsygvd(handle, SIMTSOLVER_EIG_TYPE_1, kVectors, kLower, kOrder,
                                  on.a.data(), kOrder, on.b.data(), kOrder, on.w.data(),
                                  on.work.data(), 16, on.info.data()));
  CHECK_EQ(on.info.values(), std::vector<int>{kOrder + 4});
}

TEST_CASE("eigenvalues selected by number and by interval") {
  const SolverHandle handle;
  Dense a(kOrder, kOrder);
  for (int i = 0; i < kOrder; ++i) a(i, i) = kOrder - i;  // eigenvalues 1 to 7
  int found = -1;
  {
    Arrays<double> on(a, a);
    CHECK_SOLVER(simtsolverDnDsyevdx(handle, kVectors, SIMTSOLVER_EIG_RANGE_I, kLower, kOrder,
                                     on.a.data(), kOrder, 0, 0, 3, 4, &found, on.w.data(),
                                     on.work.data(), 16, on.info.data()));
    CHECK_EQ(found, 2);
    const auto w = on.w.values();
    CHECK_EQ(w[0], doctest::Approx(3));
    CHECK_EQ(w[1], doctest::Approx(4));
    const auto vectors = on.a.values();
    CHECK_EQ(std::abs(vectors[4]), doctest::Approx(1));           // the row of the eigenvalue 3
    CHECK_EQ(std::abs(vectors[kOrder + 3]), doctest::Approx(1));  // and of 4
  }
  {
    Arrays<double> on(a, a);
    std::int64_t found_64 = -1;
    double above = 5, most = 7;
    simtsolverDnParams_t params = nullptr;
    REQUIRE_SOLVER(simtsolverDnCreateParams(&params));
    const DeviceArray<double> work(64);
    CHECK_SOLVER(simtsolverDnXsyevdx(handle, params, kVectors, SIMTSOLVER_EIG_RANGE_V, kLower,
                                     kOrder, SIMT_R_64F, on.a.data(), kOrder, &above, &most, 0, 0,
                                     &found_64, SIMT_R_64F, on.w.data(), SIMT_R_64F, work.data(),
                                     512, nullptr, 0, on.info.data()));
    CHECK_EQ(found_64, 2);
    CHECK_EQ(on.w.values()[0], doctest::Approx(6));
    simtsolverDnDestroyParams(params);
  }
  {
    Arrays<double> on(a, Dense::identity(kOrder));
    CHECK_SOLVER(simtsolverDnDsygvdx(handle, SIMTSOLVER_EIG_TYPE_1, kVectors,
                                     SIMTSOLVER_EIG_RANGE_V, kLower, kOrder, on.a.data(), kOrder,
                                     on.b.data(), kOrder, 2.5, 3.5, 0, 0, &found, on.w.data(),
                                     on.work.data(), 16, on.info.data()));
    CHECK_EQ(found, 1);
    CHECK_EQ(on.w.values()[0], doctest::Approx(3));
  }
  Arrays<double> on(a, a);
  CHECK_EQ(simtsolverDnDsyevdx(handle, kVectors, SIMTSOLVER_EIG_RANGE_I, kLower, kOrder,
                               on.a.data(), kOrder, 0, 0, 4, 9, &found, on.w.data(),
                               on.work.data(), 16, on.info.data()),
           SIMTSOLVER_STATUS_INVALID_VALUE);
}

// Cholesky, LU and L D L'. The product of the factors must be the matrix, and solutions must
// satisfy their equations. Storage of factors, and the values of info: LAPACK Users' Guide, and the
// documentation of potrf, getrf and sytrf.
#include "solver_test.h"

namespace {

/// A Hermitian matrix whose eigenvalues are all at least 1.
template <class T>
Dense positive_definite(int n, std::uint32_t seed) {
  const Dense b = random<T>(n, n, seed);
  Dense a = b * b.adjoint();
  for (int i = 0; i < n; ++i) {
    a(i, i) += 1;
  }
  return a;
}

TEST_CASE_TEMPLATE("potrf factors the triangle it is given, and potrs solves", T, BLAS_TYPES) {
  SolverHandle handle;
  const int n = 7, nrhs = 3, ld = 9;
  const Dense a = positive_definite<T>(n, 1), right = random<T>(n, nrhs, 2);
  for (const auto uplo : kTriangles) {
    std::vector<T> stored(ld * n, number<T>(77));
    const std::vector<T> values = triangle(a, uplo, 55).as<T>();
    for (int j = 0; j < n; ++j) {
      std::copy_n(values.data() + j * n, n, stored.data() + j * ld);
    }
    const DeviceArray<T> device(stored), b(right.as<T>());
    const DeviceArray<int> info(1, -1);
    int size = 0;
    CHECK_SOLVER(Solver<T>::potrf_size(handle, uplo, n, api(device.data()), ld, &size));
    const DeviceArray<T> work(static_cast<std::size_t>(size));
    CHECK_SOLVER(Solver<T>::potrf(handle, uplo, n, api(device.data()), ld, api(work.data()), size,
                                  info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    const std::vector<T> after = device.values();
    const Dense all(n, n, ld, after.data()), factor = triangle(all, uplo, 0);
    CHECK_LT(distance(uplo == SIMTBLAS_FILL_MODE_LOWER ? factor * factor.adjoint()
                                                       : factor.adjoint() * factor,
                      a),
             100 * tolerance<T>());
    // The other triangle and the margin must be unchanged.
    CHECK_EQ(distance(triangle(all, uplo, 55), all), 0);
    CHECK_EQ(after[n], number<T>(77));

    CHECK_SOLVER(Solver<T>::potrs(handle, uplo, n, nrhs, api(std::as_const(device).data()), ld,
                                  api(b.data()), n, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    CHECK_LT(distance(a * Dense(n, nrhs, b.values()), right), 100 * tolerance<T>());
  }
}

TEST_CASE("potrf reports the minor that is not positive definite") {
  SolverHandle handle;
  const DeviceArray<double> a(std::vector<double>{1, 2, 2, 1}), work(1);
  const DeviceArray<int> info(1, -1);
  CHECK_SOLVER(simtsolverDnDpotrf(handle, SIMTBLAS_FILL_MODE_LOWER, 2, a.data(), 2, work.data(), 1,
                                  info.data()));
  CHECK_EQ(info.values(), std::vector<int>{2});
}

TEST_CASE_TEMPLATE("batches of Cholesky have an info for each matrix", T, BLAS_TYPES) {
  SolverHandle handle;
  const int n = 4, count = 3;
  std::vector<Dense> matrices;
  std::vector<T> values;
  for (int l = 0; l < count; ++l) {
    matrices.push_back(positive_definite<T>(n, 3 + l));
    if (l == 1) {
      matrices[l](2, 2) = -1;
    }
    const std::vector<T> one = matrices[l].template as<T>();
    values.insert(values.end(), one.begin(), one.end());
  }
  const Dense right = random<T>(n, count, 9);
  const DeviceArray<T> a(values), b(right.as<T>());
  const DeviceArray<T*> all_a(pointers_to(a.data(), n * n, count)),
      all_b(pointers_to(b.data(), n, count));
  const auto of_a = const_cast<decltype(api(a.data()))*>(api(all_a.data()));
  const auto of_b = const_cast<decltype(api(b.data()))*>(api(all_b.data()));
  const DeviceArray<int> info(count, -1), single(1, -1);
  const auto uplo = SIMTBLAS_FILL_MODE_UPPER;
  CHECK_SOLVER(Solver<T>::potrf_batched(handle, uplo, n, of_a, n, info.data(), count));
  CHECK_EQ(info.values(), std::vector<int>{0, 3, 0});
  CHECK_SOLVER(
      Solver<T>::potrs_batched(handle, uplo, n, 1, of_a, n, of_b, n, single.data(), count));
  CHECK_EQ(single.values(), std::vector<int>{0});
  const std::vector<T> x = b.values();
  for (const int l : {0, 2}) {
    CHECK_LT(distance(matrices[l] * Dense(n, 1, n, x.data() + l * n),
                      Dense(n, 1, n, right.values.data() + l * n)),
             100 * tolerance<T>());
  }
  CHECK_EQ(Solver<T>::potrs_batched(handle, uplo, n, 2, of_a, n, of_b, n, single.data(), count),
           SIMTSOLVER_STATUS_INVALID_VALUE);
}

/// P L U from the factors in `f`. If `pivots` is empty, there were no row exchanges.
template <class Pivot>
Dense product_of_factors(const Dense& f, const std::vector<Pivot>& pivots) {
  const int least = std::min(f.rows, f.columns);
  Dense l(f.rows, least), u(least, f.columns);
  for (int i = 0; i < f.rows; ++i) {
    for (int j = 0; j < f.columns; ++j) {
      (i > j ? l(i, j) : u(i, j)) = f(i, j);
    }
  }
  for (int i = 0; i < least; ++i) {
    l(i, i) = 1;
  }
  Dense product = l * u;
  for (int i = static_cast<int>(pivots.size()) - 1; i >= 0; --i) {
    const int other = static_cast<int>(pivots[i]) - 1;
    REQUIRE((other >= i && other < f.rows));
    for (int j = 0; j < f.columns; ++j) {
      std::swap(product(i, j), product(other, j));
    }
  }
  return product;
}

TEST_CASE_TEMPLATE("getrf factors tall and wide matrices, with and without pivots", T, BLAS_TYPES) {
  SolverHandle handle;
  for (const auto& [m, n] : {std::pair(6, 4), std::pair(4, 6), std::pair(5, 5)}) {
    for (const bool pivoting : {true, false}) {
      Dense a = random<T>(m, n, 4);
      for (int i = 0; !pivoting && i < std::min(m, n); ++i) {
        a(i, i) += 16;
      }
      const DeviceArray<T> device(a.as<T>());
      const DeviceArray<int> info(1, -1), pivots(std::min(m, n), -1);
      int size = 0;
      CHECK_SOLVER(Solver<T>::getrf_size(handle, m, n, api(device.data()), m, &size));
      const DeviceArray<T> work(static_cast<std::size_t>(size));
      CHECK_SOLVER(Solver<T>::getrf(handle, m, n, api(device.data()), m, api(work.data()),
                                    pivoting ? pivots.data() : nullptr, info.data()));
      CHECK_EQ(info.values(), std::vector<int>{0});
      const std::vector<int> exchanged = pivoting ? pivots.values() : std::vector<int>();
      CHECK_LT(distance(product_of_factors(Dense(m, n, device.values()), exchanged), a),
               10 * tolerance<T>());
    }
  }
}

TEST_CASE("getrf reports the position at which U is singular") {
  SolverHandle handle;
  for (const bool pivoting : {true, false}) {
    const DeviceArray<double> a(std::vector<double>{1, 2, 3, 1, 2, 4}), work(1);
    const DeviceArray<int> info(1, -1), pivots(2);
    // After one step of elimination in the 2 x 2 part of {{1, 1}, {2, 2}}, U(2, 2) is 0.
    CHECK_SOLVER(simtsolverDnDgetrf(handle, 2, 2, a.data(), 3, work.data(),
                                    pivoting ? pivots.data() : nullptr, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{2});
  }
}

TEST_CASE_TEMPLATE("getrs solves for every operation", T, BLAS_TYPES) {
  SolverHandle handle;
  const int n = 6, nrhs = 2;
  Dense a = random<T>(n, n, 5);
  for (int i = 0; i < n; ++i) {
    a(i, i) += 16;
  }
  for (const bool pivoting : {true, false}) {
    const DeviceArray<T> device(a.as<T>()), work(1);
    const DeviceArray<int> info(1, -1), pivots(n);
    int* const used = pivoting ? pivots.data() : nullptr;
    CHECK_SOLVER(
        Solver<T>::getrf(handle, n, n, api(device.data()), n, api(work.data()), used, info.data()));
    for (const auto trans : kOperations) {
      const Dense right = random<T>(n, nrhs, 6);
      const DeviceArray<T> b(right.as<T>());
      CHECK_SOLVER(Solver<T>::getrs(handle, trans, n, nrhs, api(std::as_const(device).data()), n,
                                    used, api(b.data()), n, info.data()));
      CHECK_EQ(info.values(), std::vector<int>{0});
      CHECK_LT(distance(a.op(trans) * Dense(n, nrhs, b.values()), right), tolerance<T>());
    }
  }
}

TEST_CASE_TEMPLATE("Xgetrf, Xgetrs, Xpotrf and Xpotrs take types and 64-bit sizes", T, BLAS_TYPES) {
  SolverHandle handle;
  simtsolverDnParams_t params = nullptr;
  CHECK_SOLVER(simtsolverDnCreateParams(&params));
  CHECK_SOLVER(simtsolverDnSetAdvOptions(params, SIMTSOLVERDN_GETRF, SIMTSOLVER_ALG_1));
  const simtDataType type = Solver<T>::kType;
  const int n = 5;
  const Dense a = positive_definite<T>(n, 7), right = random<T>(n, 1, 8);
  std::size_t on_device = 0, on_host = 1;
  CHECK_SOLVER(simtsolverDnXgetrf_bufferSize(handle, params, n, n, type, nullptr, n, type,
                                             &on_device, &on_host));
  const DeviceArray<char> work(on_device);
  std::vector<char> host(on_host);
  const DeviceArray<int> info(1, -1);
  {
    const DeviceArray<T> factors(a.as<T>()), b(right.as<T>());
    const DeviceArray<std::int64_t> pivots(n, -1);
    CHECK_SOLVER(simtsolverDnXgetrf(handle, params, n, n, type, factors.data(), n, pivots.data(),
                                    type, work.data(), on_device, host.data(), on_host,
                                    info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    CHECK_LT(distance(product_of_factors(Dense(n, n, factors.values()), pivots.values()), a),
             100 * tolerance<T>());
    CHECK_SOLVER(simtsolverDnXgetrs(handle, params, SIMTBLAS_OP_N, n, 1, type, factors.data(), n,
                                    pivots.data(), type, b.data(), n, info.data()));
    CHECK_LT(distance(a * Dense(n, 1, b.values()), right), 100 * tolerance<T>());
  }
  CHECK_SOLVER(simtsolverDnXpotrf_bufferSize(handle, nullptr, SIMTBLAS_FILL_MODE_LOWER, n, type,
                                             nullptr, n, type, &on_device, &on_host));
  {
    const DeviceArray<T> factor(a.as<T>()), b(right.as<T>());
    CHECK_SOLVER(simtsolverDnXpotrf(handle, nullptr, SIMTBLAS_FILL_MODE_LOWER, n, type,
                                    factor.data(), n, type, work.data(), on_device, host.data(),
                                    on_host, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    CHECK_SOLVER(simtsolverDnXpotrs(handle, nullptr, SIMTBLAS_FILL_MODE_LOWER, n, 1, type,
                                    factor.data(), n, type, b.data(), n, info.data()));
    CHECK_LT(distance(a * Dense(n, 1, b.values()), right), 100 * tolerance<T>());
  }
  CHECK_SOLVER(simtsolverDnDestroyParams(params));
}

TEST_CASE_TEMPLATE("sytrf and Xsytrs solve symmetric systems that are not definite", T,
                   BLAS_TYPES) {
  SolverHandle handle;
  const int n = 6, nrhs = 2;
  Dense a = random_symmetric<T>(n, 10, SIMTBLAS_OP_T);
  for (int i = 0; i < n; ++i) {
    a(i, i) = 0;  // the first pivot is a block of order 2
  }
  const Dense right = random<T>(n, nrhs, 11);
  for (const auto uplo : kTriangles) {
    const DeviceArray<T> factors(triangle(a, uplo, 55).as<T>()), b(right.as<T>());
    const DeviceArray<int> pivots(n), info(1, -1);
    int size = 0;
    CHECK_SOLVER(Solver<T>::sytrf_size(handle, n, api(factors.data()), n, &size));
    const DeviceArray<T> work(static_cast<std::size_t>(size));
    CHECK_SOLVER(Solver<T>::sytrf(handle, uplo, n, api(factors.data()), n, pivots.data(),
                                  api(work.data()), size, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    const std::vector<int> exchanged = pivots.values();
    // The pivots of a 2 x 2 diagonal block are negative, and there are two of them.
    CHECK_LT(*std::min_element(exchanged.begin(), exchanged.end()), 0);
    const DeviceArray<std::int64_t> wide(
        std::vector<std::int64_t>(exchanged.begin(), exchanged.end()));
    const simtDataType type = Solver<T>::kType;
    std::size_t on_device = 0, on_host = 0;
    CHECK_SOLVER(simtsolverDnXsytrs_bufferSize(handle, uplo, n, nrhs, type, factors.data(), n,
                                               wide.data(), type, b.data(), n, &on_device,
                                               &on_host));
    const DeviceArray<char> bytes(on_device);
    std::vector<char> host(on_host);
    CHECK_SOLVER(simtsolverDnXsytrs(handle, uplo, n, nrhs, type, factors.data(), n, wide.data(),
                                    type, b.data(), n, bytes.data(), on_device, host.data(),
                                    on_host, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    CHECK_LT(distance(a * Dense(n, nrhs, b.values()), right), 100 * tolerance<T>());
  }
}

TEST_CASE("sytrf reports where D is singular, and requires pivots") {
  SolverHandle handle;
  const DeviceArray<double> a(4), work(1);
  const DeviceArray<int> info(1, -1), pivots(2);
  CHECK_SOLVER(simtsolverDnDsytrf(handle, SIMTBLAS_FILL_MODE_LOWER, 2, a.data(), 2, pivots.data(),
                                  work.data(), 1, info.data()));
  CHECK_EQ(info.values(), std::vector<int>{1});
  CHECK_EQ(simtsolverDnDsytrf(handle, SIMTBLAS_FILL_MODE_LOWER, 2, a.data(), 2, nullptr,
                              work.data(), 1, info.data()),
           SIMTSOLVER_STATUS_NOT_SUPPORTED);
}

}  // namespace

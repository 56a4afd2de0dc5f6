// QR factorisation: Q R must be the matrix, Q must have orthonormal columns, and products with Q
// must equal products with the matrix that orgqr returns.
#include "solver_test.h"

namespace {

/// Factors of a random m x n matrix, on the device.
template <class T>
struct Factors {
  Factors(simtsolverDnHandle_t handle, int m_, int n_)
      : m(m_),
        n(n_),
        a(random<T>(m_, n_, 1)),
        stored(a.as<T>()),
        tau(static_cast<std::size_t>(std::min(m_, n_))),
        info(1, -1) {
    int size = 0;
    CHECK_SOLVER(Solver<T>::geqrf_size(handle, m, n, api(stored.data()), m, &size));
    const DeviceArray<T> work(static_cast<std::size_t>(size));
    CHECK_SOLVER(Solver<T>::geqrf(handle, m, n, api(stored.data()), m, api(tau.data()),
                                  api(work.data()), size, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
  }

  /// The first `columns` columns of Q.
  Dense q(simtsolverDnHandle_t handle, int columns) const {
    const int k = std::min(m, n);
    std::vector<T> values = stored.values();
    values.resize(static_cast<std::size_t>(m) * columns);
    const DeviceArray<T> result(values);
    int size = 0;
    CHECK_SOLVER(Solver<T>::orgqr_size(handle, m, columns, k, api(std::as_const(result).data()), m,
                                       api(tau.data()), &size));
    const DeviceArray<T> work(static_cast<std::size_t>(size));
    CHECK_SOLVER(Solver<T>::orgqr(handle, m, columns, k, api(result.data()), m, api(tau.data()),
                                  api(work.data()), size, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    return Dense(m, columns, result.values());
  }

  int m;
  int n;
  Dense a;
  DeviceArray<T> stored;
  DeviceArray<T> tau;
  DeviceArray<int> info;
};

TEST_CASE_TEMPLATE("geqrf and orgqr give the matrix again", T, BLAS_TYPES) {
  SolverHandle handle;
  for (const auto& [m, n] : {std::pair(7, 4), std::pair(4, 7), std::pair(5, 5)}) {
    const Factors<T> factors(handle, m, n);
    const int k = std::min(m, n);
    const Dense q = factors.q(handle, k);
    CHECK_LT(distance(q.adjoint() * q, Dense::identity(k)), tolerance<T>());
    const std::vector<T> stored = factors.stored.values();
    const Dense r = triangle(Dense(k, n, m, stored.data()), SIMTBLAS_FILL_MODE_UPPER, 0);
    CHECK_LT(distance(q * r, factors.a), 10 * tolerance<T>());
  }
}

TEST_CASE_TEMPLATE("ormqr multiplies by Q from either side", T, BLAS_TYPES) {
  SolverHandle handle;
  const int m = 6, n = 3, other = 4;
  const Factors<T> factors(handle, m, n);
  const Dense q = factors.q(handle, m);
  REQUIRE_LT(distance(q.adjoint() * q, Dense::identity(m)), tolerance<T>());
  for (const auto side : {SIMTBLAS_SIDE_LEFT, SIMTBLAS_SIDE_RIGHT}) {
    const bool left = side == SIMTBLAS_SIDE_LEFT;
    const int rows = left ? m : other, columns = left ? other : m;
    for (const auto trans : kOperations) {
      const Dense c = random<T>(rows, columns, 2);
      const DeviceArray<T> device(c.as<T>()), work(1);
      int size = 0;
      const auto status =
          Solver<T>::ormqr_size(handle, side, trans, rows, columns, n, api(factors.stored.data()),
                                m, api(factors.tau.data()), api(device.data()), rows, &size);
      const auto done =
          Solver<T>::ormqr(handle, side, trans, rows, columns, n, api(factors.stored.data()), m,
                           api(factors.tau.data()), api(device.data()), rows, api(work.data()), 1,
                           factors.info.data());
      if (kIsComplex<T> && trans == SIMTBLAS_OP_T) {
        CHECK_EQ(status, SIMTSOLVER_STATUS_INVALID_VALUE);
        CHECK_EQ(done, SIMTSOLVER_STATUS_INVALID_VALUE);
        continue;
      }
      CHECK_SOLVER(status);
      CHECK_EQ(size, 1);
      CHECK_SOLVER(done);
      CHECK_EQ(factors.info.values(), std::vector<int>{0});
      const Dense expected = left ? q.op(trans) * c : c * q.op(trans);
      CHECK_LT(distance(Dense(rows, columns, device.values()), expected), 10 * tolerance<T>());
    }
  }
}

TEST_CASE_TEMPLATE("Xgeqrf gives the R of A^H A = R^H R", T, BLAS_TYPES) {
  SolverHandle handle;
  const int m = 8, n = 3;
  const Dense a = random<T>(m, n, 3);
  const DeviceArray<T> stored(a.as<T>()), tau(n);
  const DeviceArray<int> info(1, -1);
  const simtDataType type = Solver<T>::kType;
  std::size_t on_device = 0, on_host = 0;
  CHECK_SOLVER(simtsolverDnXgeqrf_bufferSize(handle, nullptr, m, n, type, stored.data(), m, type,
                                             tau.data(), type, &on_device, &on_host));
  const DeviceArray<char> work(on_device);
  std::vector<char> host(on_host);
  CHECK_SOLVER(simtsolverDnXgeqrf(handle, nullptr, m, n, type, stored.data(), m, type, tau.data(),
                                  type, work.data(), on_device, host.data(), on_host, info.data()));
  CHECK_EQ(info.values(), std::vector<int>{0});
  const std::vector<T> values = stored.values();
  const Dense r = triangle(Dense(n, n, m, values.data()), SIMTBLAS_FILL_MODE_UPPER, 0);
  CHECK_LT(distance(r.adjoint() * r, a.adjoint() * a), 100 * tolerance<T>());
}

}  // namespace

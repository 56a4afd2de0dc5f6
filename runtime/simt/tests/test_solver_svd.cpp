// Singular values: U S V^H must be the matrix, and U and V must have orthonormal columns. Other
// tests use matrices with known singular values, and matrices for which the computation does not
// converge.
#include "solver_test.h"

namespace {

constexpr auto kVectors = SIMTSOLVER_EIG_MODE_VECTOR;
constexpr auto kValues = SIMTSOLVER_EIG_MODE_NOVECTOR;

template <class Real>
bool descending(const std::vector<Real>& sigma) {
  return std::is_sorted(sigma.rbegin(), sigma.rend()) && (sigma.empty() || sigma.back() >= 0);
}

/// Checks that U and V have orthonormal columns, and that A = U S V^H. The product uses the first
/// min(m, n) columns of U and V only, which belong to singular values.
template <class T, class Real>
void check_decomposition(const Dense& a, const Dense& u, const std::vector<Real>& sigma,
                         const Dense& v) {
  const int least = static_cast<int>(sigma.size());
  CHECK(descending(sigma));
  CHECK_LT(distance(u.adjoint() * u, Dense::identity(u.columns)), tolerance<T>());
  CHECK_LT(distance(v.adjoint() * v, Dense::identity(v.columns)), tolerance<T>());
  CHECK_LT(
      distance(u.first_columns(least) * Dense::diagonal(sigma) * v.first_columns(least).adjoint(),
               a),
      100 * tolerance<T>());
}

TEST_CASE_TEMPLATE("gesvd writes the factors that its jobs request", T, BLAS_TYPES) {
  SolverHandle handle;
  using Real = typename Solver<T>::Real;
  const int m = 6, n = 4;
  const Dense a = random<T>(m, n, 1);
  int size = 0;
  CHECK_SOLVER(Solver<T>::gesvd_size(handle, m, n, &size));
  const DeviceArray<T> work(static_cast<std::size_t>(size));
  std::vector<Real> first;
  for (const char job : {'A', 'S', 'N'}) {
    const DeviceArray<T> device(a.as<T>()), u(m * m), vt(n * n);
    const DeviceArray<Real> sigma(n), rwork(n);
    const DeviceArray<int> info(1, -1);
    const auto letter = static_cast<signed char>(job);
    CHECK_SOLVER(Solver<T>::gesvd(handle, letter, letter, m, n, api(device.data()), m, sigma.data(),
                                  job == 'N' ? nullptr : api(u.data()), m,
                                  job == 'N' ? nullptr : api(vt.data()), n, api(work.data()), size,
                                  rwork.data(), info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    const std::vector<Real> values = sigma.values();
    if (job == 'N') {
      for (int i = 0; i < n; ++i) {
        CHECK_LT(std::abs(values[i] - first[i]), 10 * tolerance<T>());
      }
      continue;
    }
    first = values;
    const std::vector<T> left = u.values();
    check_decomposition<T>(a, Dense(m, job == 'A' ? m : n, m, left.data()), values,
                           Dense(n, n, vt.values()).adjoint());
  }
  // Job O: U overwrites A.
  const DeviceArray<T> device(a.as<T>()), vt(n * n);
  const DeviceArray<Real> sigma(n);
  const DeviceArray<int> info(1, -1);
  CHECK_SOLVER(Solver<T>::gesvd(handle, 'O', 'S', m, n, api(device.data()), m, sigma.data(),
                                nullptr, m, api(vt.data()), n, api(work.data()), size, nullptr,
                                info.data()));
  CHECK_EQ(info.values(), std::vector<int>{0});
  check_decomposition<T>(a, Dense(m, n, device.values()), sigma.values(),
                         Dense(n, n, vt.values()).adjoint());
}

TEST_CASE_TEMPLATE("Xgesvd takes types", T, BLAS_TYPES) {
  SolverHandle handle;
  using Real = typename Solver<T>::Real;
  const int m = 5, n = 3;
  const simtDataType type = Solver<T>::kType, real = Solver<Real>::kType;
  const Dense a = random<T>(m, n, 2);
  const DeviceArray<T> device(a.as<T>()), u(m * n), vt(n * n);
  const DeviceArray<Real> sigma(n);
  const DeviceArray<int> info(1, -1);
  std::size_t on_device = 0, on_host = 0;
  CHECK_SOLVER(simtsolverDnXgesvd_bufferSize(handle, nullptr, 'S', 'S', m, n, type, device.data(),
                                             m, real, sigma.data(), type, u.data(), m, type,
                                             vt.data(), n, type, &on_device, &on_host));
  const DeviceArray<char> work(on_device);
  CHECK_SOLVER(simtsolverDnXgesvd(handle, nullptr, 'S', 'S', m, n, type, device.data(), m, real,
                                  sigma.data(), type, u.data(), m, type, vt.data(), n, type,
                                  work.data(), on_device, nullptr, on_host, info.data()));
  CHECK_EQ(info.values(), std::vector<int>{0});
  check_decomposition<T>(a, Dense(m, n, u.values()), sigma.values(),
                         Dense(n, n, vt.values()).adjoint());
}

TEST_CASE_TEMPLATE("gesvdj gives V, in full and in economical size", T, BLAS_TYPES) {
  SolverHandle handle;
  const JacobiOptions options;
  CHECK_SOLVER(simtsolverDnXgesvdjSetTolerance(options.svd, 1e-7));
  CHECK_SOLVER(simtsolverDnXgesvdjSetMaxSweeps(options.svd, 100));
  CHECK_SOLVER(simtsolverDnXgesvdjSetSortEig(options.svd, 1));
  for (const auto& [m, n] : {std::pair(6, 4), std::pair(4, 6), std::pair(40, 40)}) {
    for (const int econ : {0, 1}) {
      const int least = std::min(m, n);
      const Dense a = random<T>(m, n, 3);
      const DeviceArray<T> device(a.as<T>()), u(m * m), v(n * n);
      const DeviceArray<typename Solver<T>::Real> sigma(least);
      const DeviceArray<int> info(1, -1);
      int size = 0;
      CHECK_SOLVER(Solver<T>::gesvdj_size(handle, kVectors, econ, m, n, api(device.data()), m,
                                          sigma.data(), api(u.data()), m, api(v.data()), n, &size,
                                          options.svd));
      const DeviceArray<T> work(static_cast<std::size_t>(size));
      CHECK_SOLVER(Solver<T>::gesvdj(handle, kVectors, econ, m, n, api(device.data()), m,
                                     sigma.data(), api(u.data()), m, api(v.data()), n,
                                     api(work.data()), size, info.data(), options.svd));
      CHECK_EQ(info.values(), std::vector<int>{0});
      const std::vector<T> left = u.values(), right = v.values();
      check_decomposition<T>(a, Dense(m, econ ? least : m, m, left.data()), sigma.values(),
                             Dense(n, econ ? least : n, n, right.data()));
    }
  }
}

TEST_CASE("singular values of a matrix from a textbook") {
  // {{3, 0}, {4, 5}} has singular values 3 sqrt(5) and sqrt(5) (Strang, Introduction to Linear
  // Algebra, section 7.2).
  SolverHandle handle;
  const JacobiOptions options;
  const DeviceArray<double> a(std::vector<double>{3, 4, 0, 5}), sigma(2), work(1);
  const DeviceArray<int> info(1, -1);
  CHECK_SOLVER(simtsolverDnDgesvdj(handle, kValues, 0, 2, 2, a.data(), 2, sigma.data(), nullptr, 2,
                                   nullptr, 2, work.data(), 1, info.data(), options.svd));
  CHECK_EQ(info.values(), std::vector<int>{0});
  CHECK_LT(std::abs(sigma.values()[0] - 3 * std::sqrt(5.0)), 1e-14);
  CHECK_LT(std::abs(sigma.values()[1] - std::sqrt(5.0)), 1e-14);
}

TEST_CASE_TEMPLATE("a batch converges matrix by matrix", T, BLAS_TYPES) {
  SolverHandle handle;
  const JacobiOptions options;
  const int m = 5, n = 3, count = 3;
  std::vector<Dense> matrices;
  std::vector<T> values;
  for (int l = 0; l < count; ++l) {
    matrices.push_back(random<T>(m, n, 4 + l));
    if (l == 1) {
      matrices[l](2, 2) = std::numeric_limits<double>::quiet_NaN();
    }
    const std::vector<T> one = matrices[l].template as<T>();
    values.insert(values.end(), one.begin(), one.end());
  }
  const DeviceArray<T> device(values), u(m * m * count), v(n * n * count);
  const DeviceArray<typename Solver<T>::Real> sigma(n * count);
  const DeviceArray<int> info(count, -1);
  int size = 0;
  CHECK_SOLVER(Solver<T>::gesvdj_batched_size(handle, kVectors, m, n, api(device.data()), m,
                                              sigma.data(), api(u.data()), m, api(v.data()), n,
                                              &size, options.svd, count));
  const DeviceArray<T> work(static_cast<std::size_t>(size));
  CHECK_SOLVER(Solver<T>::gesvdj_batched(handle, kVectors, m, n, api(device.data()), m,
                                         sigma.data(), api(u.data()), m, api(v.data()), n,
                                         api(work.data()), size, info.data(), options.svd, count));
  CHECK_EQ(info.values(), std::vector<int>{0, n + 1, 0});
  const std::vector<T> left = u.values(), right = v.values();
  const auto all = sigma.values();
  for (const int l : {0, 2}) {
    check_decomposition<T>(matrices[l], Dense(m, m, m, left.data() + l * m * m),
                           std::vector(all.begin() + l * n, all.begin() + (l + 1) * n),
                           Dense(n, n, n, right.data() + l * n * n));
  }
}

TEST_CASE_TEMPLATE("gesvda gives the largest singular values, and the norm of the rest", T,
                   BLAS_TYPES) {
  SolverHandle handle;
  const int m = 6, n = 4, rank = 2, count = 2;
  // The matrices are Q diag(4, 3, 2, 1) and twice this matrix. The columns of Q are those of a
  // Hadamard matrix of order 4, divided by 2 and extended by zeros. The singular values are
  // therefore those of the diagonal matrix.
  std::vector<T> values;
  for (int l = 1; l <= count; ++l) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        const int sign = (i & j & 1) + (i >> 1 & j >> 1 & 1);
        values.push_back(number<T>(i < 4 ? l * (4 - j) * (sign % 2 == 0 ? 0.5 : -0.5) : 0));
      }
    }
  }
  const int step_sigma = 3, step_u = m * rank + 1, step_v = n * rank + 2;
  const DeviceArray<T> device(values), u(step_u * count), v(step_v * count);
  const DeviceArray<typename Solver<T>::Real> sigma(step_sigma * count, -7);
  const DeviceArray<int> info(count, -1);
  std::vector<double> norms(count, -1);
  int size = 0;
  const auto* const a = api(std::as_const(device).data());
  for (const auto jobz : {kVectors, kValues}) {
    CHECK_SOLVER(Solver<T>::gesvda_size(handle, jobz, rank, m, n, a, m, m * n, sigma.data(),
                                        step_sigma, api(u.data()), m, step_u, api(v.data()), n,
                                        step_v, &size, count));
    const DeviceArray<T> work(static_cast<std::size_t>(size));
    CHECK_SOLVER(Solver<T>::gesvda(handle, jobz, rank, m, n, a, m, m * n, sigma.data(), step_sigma,
                                   api(u.data()), m, step_u, api(v.data()), n, step_v,
                                   api(work.data()), size, info.data(), norms.data(), count));
    for (int l = 1; l <= count; ++l) {
      CHECK_LT(std::abs(norms[l - 1] - l * std::sqrt(5.0)), 10 * tolerance<T>());
    }
    CHECK_EQ(info.values(), std::vector<int>(count, 0));
  }
  CHECK_EQ(device.values(), values);
  const auto found = sigma.values();
  const std::vector<T> left = u.values(), right = v.values();
  for (int l = 0; l < count; ++l) {
    CHECK_LT(std::abs(found[l * step_sigma] - 4 * (l + 1)), 10 * tolerance<T>());
    CHECK_LT(std::abs(found[l * step_sigma + 1] - 3 * (l + 1)), 10 * tolerance<T>());
    CHECK_EQ(found[l * step_sigma + 2], -7);
    // The remainder of A consists of its last two columns.
    Dense truncated(m, n, m, values.data() + l * m * n);
    for (int j = rank; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        truncated(i, j) = 0;
      }
    }
    check_decomposition<T>(
        truncated, Dense(m, rank, m, left.data() + l * step_u),
        std::vector(found.begin() + l * step_sigma, found.begin() + l * step_sigma + rank),
        Dense(n, rank, n, right.data() + l * step_v));
  }
}

TEST_CASE_TEMPLATE("a matrix that is not finite does not converge", T, BLAS_TYPES) {
  SolverHandle handle;
  const JacobiOptions options;
  const int m = 3, n = 2;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Dense a = random<T>(m, n, 8);
    a(1, 1) = bad;
    const DeviceArray<T> first(a.as<T>()), second(a.as<T>()), work(1);
    const DeviceArray<typename Solver<T>::Real> sigma(n);
    const DeviceArray<int> info(3, -1);
    CHECK_SOLVER(Solver<T>::gesvda(handle, kValues, n, m, n, api(first.data()), m, m * n,
                                   sigma.data(), n, nullptr, m, m * n, nullptr, n, n * n,
                                   api(work.data()), 1, info.data(), nullptr, 1));
    CHECK_SOLVER(Solver<T>::gesvdj(handle, kValues, 1, m, n, api(first.data()), m, sigma.data(),
                                   nullptr, m, nullptr, n, api(work.data()), 1, info.data() + 1,
                                   options.svd));
    CHECK_SOLVER(Solver<T>::gesvd(handle, 'N', 'N', m, n, api(second.data()), m, sigma.data(),
                                  nullptr, m, nullptr, n, api(work.data()), 1, nullptr,
                                  info.data() + 2));
    const std::vector<int> found = info.values();
    CHECK_EQ(found[0], n + 1);
    CHECK_EQ(found[1], n + 1);
    CHECK_GT(found[2], 0);
  }
}

}  // namespace

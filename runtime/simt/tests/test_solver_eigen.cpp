// Eigenvalues: A V = V diag(w) with a unitary V, and matrices whose eigenvalues are known.
#include "solver_test.h"

namespace {

constexpr auto kVectors = SIMTSOLVER_EIG_MODE_VECTOR;
constexpr auto kValues = SIMTSOLVER_EIG_MODE_NOVECTOR;

/// The second difference -1, 2, -1 of order n: its eigenvalues are 2 - 2 cos(k pi / (n + 1)).
Dense second_difference(int n) {
  Dense a(n, n);
  for (int i = 0; i < n; ++i) {
    a(i, i) = 2;
    if (i > 0) {
      a(i, i - 1) = a(i - 1, i) = -1;
    }
  }
  return a;
}

template <class T, class Real>
void check_decomposition(const Dense& a, const T* vectors, int ld, const std::vector<Real>& w) {
  const Dense v(a.rows, a.rows, ld, vectors);
  CHECK(std::is_sorted(w.begin(), w.end()));
  CHECK_LT(distance(v.adjoint() * v, Dense::identity(a.rows)), tolerance<T>());
  CHECK_LT(distance(a * v, v * Dense::diagonal(w)), 100 * tolerance<T>());
}

TEST_CASE_TEMPLATE("syevd reads one triangle and gives vectors", T, BLAS_TYPES) {
  SolverHandle handle;
  const int n = 9, ld = 11;
  const Dense a = random_symmetric<T>(n, 1);
  for (const auto uplo : kTriangles) {
    std::vector<T> stored(ld * n);
    const std::vector<T> values = triangle(a, uplo, std::nan("")).as<T>();
    for (int j = 0; j < n; ++j) {
      std::copy_n(values.data() + j * n, n, stored.data() + j * ld);
    }
    const DeviceArray<T> device(stored);
    const DeviceArray<typename Solver<T>::Real> w(n);
    const DeviceArray<int> info(1, -1);
    int size = 0;
    CHECK_SOLVER(
        Solver<T>::syevd_size(handle, kVectors, uplo, n, api(device.data()), ld, w.data(), &size));
    const DeviceArray<T> work(static_cast<std::size_t>(size));
    CHECK_SOLVER(Solver<T>::syevd(handle, kVectors, uplo, n, api(device.data()), ld, w.data(),
                                  api(work.data()), size, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    const std::vector<T> vectors = device.values();
    check_decomposition(a, vectors.data(), ld, w.values());
  }
}

TEST_CASE_TEMPLATE("eigenvalues of the second difference, without vectors", T, BLAS_TYPES) {
  SolverHandle handle;
  const JacobiOptions options;
  CHECK_SOLVER(simtsolverDnXsyevjSetTolerance(options.eigen, 1e-7));
  CHECK_SOLVER(simtsolverDnXsyevjSetMaxSweeps(options.eigen, 15));
  CHECK_SOLVER(simtsolverDnXsyevjSetSortEig(options.eigen, 1));
  const int n = 40;
  const auto lower = SIMTBLAS_FILL_MODE_LOWER;
  for (const bool jacobi : {false, true}) {
    const DeviceArray<T> device(second_difference(n).as<T>()), work(1);
    const DeviceArray<typename Solver<T>::Real> w(n);
    const DeviceArray<int> info(1, -1);
    int size = 0;
    CHECK_SOLVER(Solver<T>::syevj_size(handle, kValues, lower, n, api(device.data()), n, w.data(),
                                       &size, options.eigen));
    CHECK_EQ(size, 1);
    CHECK_SOLVER(jacobi
                     ? Solver<T>::syevj(handle, kValues, lower, n, api(device.data()), n, w.data(),
                                        api(work.data()), 1, info.data(), options.eigen)
                     : Solver<T>::syevd(handle, kValues, lower, n, api(device.data()), n, w.data(),
                                        api(work.data()), 1, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    const auto values = w.values();
    for (int k = 1; k <= n; ++k) {
      const double expected = 2 - 2 * std::cos(k * 3.14159265358979323846 / (n + 1));
      CHECK_LT(std::abs(values[k - 1] - expected), tolerance<T>());
    }
  }
}

TEST_CASE_TEMPLATE("a batch converges matrix by matrix", T, BLAS_TYPES) {
  SolverHandle handle;
  const JacobiOptions options;
  const int n = 5, count = 3;
  std::vector<Dense> matrices;
  std::vector<T> values;
  for (int l = 0; l < count; ++l) {
    matrices.push_back(random_symmetric<T>(n, 2 + l));
    if (l == 1) {
      matrices[l](3, 1) = matrices[l](1, 3) = std::numeric_limits<double>::quiet_NaN();
    }
    const std::vector<T> one = matrices[l].template as<T>();
    values.insert(values.end(), one.begin(), one.end());
  }
  const DeviceArray<T> device(values);
  const DeviceArray<typename Solver<T>::Real> w(n * count);
  const DeviceArray<int> info(count, -1);
  int size = 0;
  const auto upper = SIMTBLAS_FILL_MODE_UPPER;
  CHECK_SOLVER(Solver<T>::syevj_batched_size(handle, kVectors, upper, n, api(device.data()), n,
                                             w.data(), &size, options.eigen, count));
  const DeviceArray<T> work(static_cast<std::size_t>(size));
  CHECK_SOLVER(Solver<T>::syevj_batched(handle, kVectors, upper, n, api(device.data()), n, w.data(),
                                        api(work.data()), size, info.data(), options.eigen, count));
  CHECK_EQ(info.values(), std::vector<int>{0, n + 1, 0});
  const std::vector<T> vectors = device.values();
  const auto all = w.values();
  for (const int l : {0, 2}) {
    check_decomposition(matrices[l], vectors.data() + l * n * n, n,
                        std::vector(all.begin() + l * n, all.begin() + (l + 1) * n));
  }
}

TEST_CASE_TEMPLATE("Xsyevd takes types, and reports a matrix that is not finite", T, BLAS_TYPES) {
  SolverHandle handle;
  using Real = typename Solver<T>::Real;
  const int n = 6;
  const simtDataType type = Solver<T>::kType, real = Solver<Real>::kType;
  for (const bool finite : {true, false}) {
    Dense a = random_symmetric<T>(n, 7);
    if (!finite) {
      a(2, 2) = std::numeric_limits<double>::infinity();
    }
    const DeviceArray<T> device(a.as<T>());
    const DeviceArray<Real> w(n);
    const DeviceArray<int> info(1, -1);
    std::size_t on_device = 0, on_host = 0;
    CHECK_SOLVER(simtsolverDnXsyevd_bufferSize(handle, nullptr, kVectors, SIMTBLAS_FILL_MODE_UPPER,
                                               n, type, device.data(), n, real, w.data(), type,
                                               &on_device, &on_host));
    const DeviceArray<char> work(on_device);
    std::vector<char> host(on_host);
    CHECK_SOLVER(simtsolverDnXsyevd(handle, nullptr, kVectors, SIMTBLAS_FILL_MODE_UPPER, n, type,
                                    device.data(), n, real, w.data(), type, work.data(), on_device,
                                    host.data(), on_host, info.data()));
    if (finite) {
      CHECK_EQ(info.values(), std::vector<int>{0});
      const std::vector<T> vectors = device.values();
      check_decomposition(a, vectors.data(), n, w.values());
    } else {
      CHECK_GT(info.values()[0], 0);
    }
  }
}

/// Complex eigenvectors from LAPACK's real columns: a pair of conjugate eigenvalues shares two
/// columns.
template <class T>
Dense unpacked(const Dense& packed, const std::vector<std::complex<T>>& w) {
  Dense result = packed;
  for (int j = 0; j < packed.columns; ++j) {
    if (w[j].imag() > 0) {
      for (int i = 0; i < packed.rows; ++i) {
        const Wide vector(packed(i, j).real(), packed(i, j + 1).real());
        result(i, j) = vector;
        result(i, j + 1) = std::conj(vector);
      }
    }
  }
  return result;
}

TEST_CASE_TEMPLATE("Xgeev gives eigenvalues and vectors of either side", T, BLAS_TYPES) {
  SolverHandle handle;
  using Real = typename Solver<T>::Real;
  using Complex = std::complex<Real>;
  const int n = 7, lda = 9, ldvr = 8;
  const simtDataType type = Solver<T>::kType;
  const simtDataType complex = sizeof(Real) == 4 ? SIMT_C_32F : SIMT_C_64F;
  for (const bool finite : {true, false}) {
    Dense a = random<T>(n, n, 3);
    if (!finite) {
      a(2, 5) = std::numeric_limits<double>::quiet_NaN();
    }
    const std::vector<T> values = a.as<T>();
    std::vector<T> stored(lda * n);
    for (int j = 0; j < n; ++j) {
      std::copy_n(values.data() + j * n, n, stored.data() + j * lda);
    }
    const DeviceArray<T> device(stored), left(n * n), right(ldvr * n);
    const DeviceArray<Complex> w(n);
    const DeviceArray<int> info(1, -1);
    std::size_t on_device = 0, on_host = 0;
    CHECK_SOLVER(simtsolverDnXgeev_bufferSize(
        handle, nullptr, kVectors, kVectors, n, type, device.data(), lda, complex, w.data(), type,
        left.data(), n, type, right.data(), ldvr, type, &on_device, &on_host));
    const DeviceArray<char> work(on_device);
    std::vector<char> host(on_host);
    CHECK_SOLVER(simtsolverDnXgeev(handle, nullptr, kVectors, kVectors, n, type, device.data(), lda,
                                   complex, w.data(), type, left.data(), n, type, right.data(),
                                   ldvr, type, work.data(), on_device, host.data(), on_host,
                                   info.data()));
    if (!finite) {
      CHECK_GT(info.values()[0], 0);
      continue;
    }
    CHECK_EQ(info.values(), std::vector<int>{0});
    const std::vector<T> of_right = right.values(), of_left = left.values();
    Dense vr(n, n, ldvr, of_right.data()), vl(n, n, n, of_left.data());
    const std::vector<Complex> eigenvalues = w.values();
    if constexpr (std::is_floating_point_v<T>) {
      vr = unpacked(vr, eigenvalues);
      vl = unpacked(vl, eigenvalues);
    }
    Dense diagonal(n, n);
    for (int i = 0; i < n; ++i) {
      diagonal(i, i) = Wide(eigenvalues[i]);
    }
    CHECK_LT(distance(a * vr, vr * diagonal), 100 * tolerance<T>());
    CHECK_LT(distance(vl.adjoint() * a, diagonal * vl.adjoint()), 100 * tolerance<T>());
  }
}

TEST_CASE("Xgeev rejects invalid combinations of types, and a workspace that is too small") {
  SolverHandle handle;
  const DeviceArray<double> a(4), vectors(4);
  const DeviceArray<std::complex<double>> w(2);
  const DeviceArray<int> info(1);
  const DeviceArray<char> work(1 << 12);
  const auto call = [&](simtDataType type_w, int ld, std::size_t size) {
    return simtsolverDnXgeev(handle, nullptr, kValues, kVectors, 2, SIMT_R_64F, a.data(), ld,
                             type_w, w.data(), SIMT_R_64F, nullptr, 1, SIMT_R_64F, vectors.data(),
                             2, SIMT_R_64F, work.data(), size, nullptr, 0, info.data());
  };
  CHECK_SOLVER(call(SIMT_C_64F, 2, 1 << 12));
  CHECK_EQ(call(SIMT_R_64F, 2, 1 << 12), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call(SIMT_C_64F, 1, 1 << 12), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call(SIMT_C_64F, 2, 0), SIMTSOLVER_STATUS_INVALID_VALUE);
}

}  // namespace

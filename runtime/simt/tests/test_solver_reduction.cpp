// Reductions: Q T Q' and Q B P' must be the matrix, with orthonormal columns of Q and P. Decompositions of gesvdp and gesvdr.
#include "solver_test.h"

namespace {

/// Functions of the API for elements of T; unitary functions have the names of the real ones.
template <class T>
struct Reduction;
#define REDUCTION(T, S, trd, gtr, mtr, gbr)                                   \
  template <>                                                                 \
  struct Reduction<T> {                                                       \
    static constexpr auto sytrd_size = simtsolverDn##S##trd##_bufferSize;     \
    static constexpr auto sytrd = simtsolverDn##S##trd;                       \
    static constexpr auto orgtr_size = simtsolverDn##S##gtr##_bufferSize;     \
    static constexpr auto orgtr = simtsolverDn##S##gtr;                       \
    static constexpr auto ormtr_size = simtsolverDn##S##mtr##_bufferSize;     \
    static constexpr auto ormtr = simtsolverDn##S##mtr;                       \
    static constexpr auto gebrd_size = simtsolverDn##S##gebrd_bufferSize;     \
    static constexpr auto gebrd = simtsolverDn##S##gebrd;                     \
    static constexpr auto orgbr_size = simtsolverDn##S##gbr##_bufferSize;     \
    static constexpr auto orgbr = simtsolverDn##S##gbr;                       \
  };
REDUCTION(float, S, sytrd, orgtr, ormtr, orgbr)
REDUCTION(double, D, sytrd, orgtr, ormtr, orgbr)
REDUCTION(std::complex<float>, C, hetrd, ungtr, unmtr, ungbr)
REDUCTION(std::complex<double>, Z, hetrd, ungtr, unmtr, ungbr)
#undef REDUCTION

template <class T>
using Real = typename Solver<T>::Real;

TEST_CASE_TEMPLATE("sytrd, orgtr and ormtr: A = Q T Q', with a real tridiagonal T", T, BLAS_TYPES) {
  SolverHandle handle;
  const int n = 6;
  const Dense a = random_symmetric<T>(n, 1);
  for (const auto uplo : kTriangles) {
    const DeviceArray<T> stored(triangle(a, uplo, 99).as<T>()), tau(n - 1), work(1);
    const DeviceArray<Real<T>> d(n), e(n - 1);
    const DeviceArray<int> info(1, -1);
    int size = 0;
    CHECK_SOLVER(Reduction<T>::sytrd_size(handle, uplo, n, api(stored.data()), n, d.data(),
                                          e.data(), api(tau.data()), &size));
    CHECK_EQ(size, 1);
    CHECK_SOLVER(Reduction<T>::sytrd(handle, uplo, n, api(stored.data()), n, d.data(), e.data(),
                                     api(tau.data()), api(work.data()), size, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    Dense t = Dense::diagonal(d.values());
    for (int i = 0; i + 1 < n; ++i) t(i, i + 1) = t(i + 1, i) = e.values()[i];

    const DeviceArray<T> vectors(stored.values());
    CHECK_SOLVER(Reduction<T>::orgtr_size(handle, uplo, n, api(vectors.data()), n, api(tau.data()),
                                          &size));
    CHECK_SOLVER(Reduction<T>::orgtr(handle, uplo, n, api(vectors.data()), n, api(tau.data()),
                                     api(work.data()), size, info.data()));
    const Dense q(n, n, vectors.values());
    CHECK_LT(distance(q.adjoint() * q, Dense::identity(n)), tolerance<T>());
    CHECK_LT(distance(q * t * q.adjoint(), a), 10 * tolerance<T>());

    for (const auto side : {SIMTBLAS_SIDE_LEFT, SIMTBLAS_SIDE_RIGHT}) {
      for (const auto trans : {SIMTBLAS_OP_N, SIMTBLAS_OP_C}) {
        const bool left = side == SIMTBLAS_SIDE_LEFT;
        const int rows = left ? n : 3, columns = left ? 3 : n;
        const Dense c = random<T>(rows, columns, 2);
        const DeviceArray<T> product(c.as<T>());
        CHECK_SOLVER(Reduction<T>::ormtr_size(handle, side, uplo, trans, rows, columns,
                                              api(stored.data()), n, api(tau.data()),
                                              api(product.data()), rows, &size));
        CHECK_SOLVER(Reduction<T>::ormtr(handle, side, uplo, trans, rows, columns,
                                         api(stored.data()), n, api(tau.data()),
                                         api(product.data()), rows, api(work.data()), size,
                                         info.data()));
        const Dense expected = left ? q.op(trans) * c : c * q.op(trans);
        CHECK_LT(distance(Dense(rows, columns, product.values()), expected), 10 * tolerance<T>());
      }
    }
  }
}

TEST_CASE_TEMPLATE("gebrd and orgbr: A = Q B P', with a real bidiagonal B", T, BLAS_TYPES) {
  SolverHandle handle;
  const int m = 7, n = 4;
  const Dense a = random<T>(m, n, 3);
  const DeviceArray<T> stored(a.as<T>()), tauq(n), taup(n), work(1);
  const DeviceArray<Real<T>> d(n), e(n - 1);
  const DeviceArray<int> info(1, -1);
  int size = 0;
  CHECK_SOLVER(Reduction<T>::gebrd_size(handle, m, n, &size));
  CHECK_SOLVER(Reduction<T>::gebrd(handle, m, n, api(stored.data()), m, d.data(), e.data(),
                                   api(tauq.data()), api(taup.data()), api(work.data()), size,
                                   info.data()));
  CHECK_EQ(info.values(), std::vector<int>{0});
  Dense b = Dense::diagonal(d.values());
  for (int i = 0; i + 1 < n; ++i) b(i, i + 1) = e.values()[i];

  const std::vector<T> reflectors = stored.values();
  CHECK_SOLVER(Reduction<T>::orgbr_size(handle, SIMTBLAS_SIDE_LEFT, m, n, n, api(stored.data()), m,
                                        api(tauq.data()), &size));
  CHECK_SOLVER(Reduction<T>::orgbr(handle, SIMTBLAS_SIDE_LEFT, m, n, n, api(stored.data()), m,
                                   api(tauq.data()), api(work.data()), size, info.data()));
  const Dense q(m, n, stored.values());
  const DeviceArray<T> rows(reflectors);
  CHECK_SOLVER(Reduction<T>::orgbr(handle, SIMTBLAS_SIDE_RIGHT, n, n, m, api(rows.data()), m,
                                   api(taup.data()), api(work.data()), size, info.data()));
  CHECK_EQ(info.values(), std::vector<int>{0});
  const std::vector<T> row_values = rows.values();
  const Dense pt(n, n, m, row_values.data());
  CHECK_LT(distance(q.adjoint() * q, Dense::identity(n)), tolerance<T>());
  CHECK_LT(distance(pt * pt.adjoint(), Dense::identity(n)), tolerance<T>());
  CHECK_LT(distance(q * b * pt, a), 10 * tolerance<T>());
}

TEST_CASE("reductions: bad arguments") {
  SolverHandle handle;
  const DeviceArray<float> a(16), d(4);
  const DeviceArray<int> info(1, -1);
  const auto lower = SIMTBLAS_FILL_MODE_LOWER;
  const auto sytrd = [&](simtsolverDnHandle_t own, int n, int lda, float* tau, int lwork) {
    return simtsolverDnSsytrd(own, lower, n, a.data(), lda, d.data(), d.data(), tau, d.data(),
                              lwork, info.data());
  };
  CHECK_EQ(sytrd(nullptr, 4, 4, d.data(), 1), SIMTSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_EQ(sytrd(handle, -1, 4, d.data(), 1), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(sytrd(handle, 4, 3, d.data(), 1), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(sytrd(handle, 4, 4, nullptr, 1), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(sytrd(handle, 4, 4, d.data(), 0), SIMTSOLVER_STATUS_INVALID_VALUE);
  int size = 0;
  CHECK_EQ(simtsolverDnSgebrd_bufferSize(handle, 3, 4, &size), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsolverDnSgebrd_bufferSize(handle, 4, 3, nullptr), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsolverDnSorgbr_bufferSize(handle, SIMTBLAS_SIDE_LEFT, 3, 4, 4, a.data(), 4, d.data(),
                                         &size),
           SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsolverDnSormtr_bufferSize(handle, SIMTBLAS_SIDE_LEFT, lower, SIMTBLAS_OP_N, 4, 2,
                                         a.data(), 4, d.data(), a.data(), 3, &size),
           SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(info.values(), std::vector<int>{-1});
}

/// Distance of A to U S V', with the first `count` columns of U and V.
template <class T>
double residual(const Dense& a, int count, const std::vector<T>& u, const std::vector<Real<T>>& s,
                const std::vector<T>& v) {
  const Dense left(a.rows, count, u), right(a.columns, count, v);
  CHECK_LT(distance(left.adjoint() * left, Dense::identity(count)), 10 * tolerance<T>());
  CHECK_LT(distance(right.adjoint() * right, Dense::identity(count)), 10 * tolerance<T>());
  return distance(left * Dense::diagonal(std::vector<Real<T>>(s.begin(), s.begin() + count)) *
                      right.adjoint(),
                  a);
}

TEST_CASE_TEMPLATE("Xgesvdp: U S V' is the matrix, tall and wide, economical and square", T,
                   BLAS_TYPES) {
  SolverHandle handle;
  const simtDataType type = Solver<T>::kType, real = Solver<Real<T>>::kType;
  const auto job = SIMTSOLVER_EIG_MODE_VECTOR;
  for (const auto& [m, n] : {std::pair(6, 4), std::pair(4, 6)}) {
    for (const int econ : {0, 1}) {
      const int least = std::min(m, n);
      const Dense a = random<T>(m, n, 5);
      const DeviceArray<T> stored(a.as<T>()), u(m * m), v(n * n);
      const DeviceArray<Real<T>> s(least);
      const DeviceArray<int> info(1, -1);
      std::size_t on_device = 0, on_host = 0;
      double error = -1;
      CHECK_SOLVER(simtsolverDnXgesvdp_bufferSize(handle, nullptr, job, econ, m, n, type,
                                                  stored.data(), m, real, s.data(), type, u.data(),
                                                  m, type, v.data(), n, type, &on_device,
                                                  &on_host));
      const DeviceArray<char> work(on_device);
      CHECK_SOLVER(simtsolverDnXgesvdp(handle, nullptr, job, econ, m, n, type, stored.data(), m,
                                       real, s.data(), type, u.data(), m, type, v.data(), n, type,
                                       work.data(), on_device, nullptr, on_host, info.data(),
                                       &error));
      CHECK_EQ(info.values(), std::vector<int>{0});
      CHECK_EQ(error, 0);
      CHECK_LT(residual(a, least, u.values(), s.values(), v.values()), 10 * tolerance<T>());
      if (econ == 0) {
        const Dense square(m, m, u.values());
        CHECK_LT(distance(square.adjoint() * square, Dense::identity(m)), 10 * tolerance<T>());
      }
    }
  }
}

TEST_CASE_TEMPLATE("Xgesvdr: the largest singular values of a matrix of low rank", T, BLAS_TYPES) {
  SolverHandle handle;
  const simtDataType type = Solver<T>::kType, real = Solver<Real<T>>::kType;
  const int m = 9, n = 6, k = 2;
  const Dense a = random<T>(m, k, 6) * random<T>(k, n, 7);
  const DeviceArray<T> stored(a.as<T>()), u(m * k), v(n * k);
  const DeviceArray<Real<T>> s(k);
  const DeviceArray<int> info(1, -1);
  const DeviceArray<char> work(256);
  std::size_t on_device = 0, on_host = 0;
  const auto query = [&](signed char job, int rank, int oversampling) {
    return simtsolverDnXgesvdr_bufferSize(handle, nullptr, job, 'S', m, n, rank, oversampling, 2,
                                          type, stored.data(), m, real, s.data(), type, u.data(), m,
                                          type, v.data(), n, type, &on_device, &on_host);
  };
  CHECK_SOLVER(query('S', k, 2));
  CHECK_EQ(on_device, 256);
  CHECK_EQ(query('A', k, 2), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(query('S', 5, 2), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_SOLVER(simtsolverDnXgesvdr(handle, nullptr, 'S', 'S', m, n, k, 2, 2, type, stored.data(), m,
                                   real, s.data(), type, u.data(), m, type, v.data(), n, type,
                                   work.data(), 256, nullptr, 0, info.data()));
  CHECK_EQ(info.values(), std::vector<int>{0});
  CHECK_LT(residual(a, k, u.values(), s.values(), v.values()), 100 * tolerance<T>());
  CHECK_GE(s.values()[0], s.values()[1]);
}

TEST_CASE("Xgesvdp: wrong types, a small workspace, and a matrix with NaN") {
  SolverHandle handle;
  const DeviceArray<float> a(std::vector<float>{1, NAN, 0, 1}), s(2), u(4), v(4);
  const DeviceArray<int> info(1, -1);
  const DeviceArray<char> work(256);
  double error = -1;
  const auto call = [&](simtDataType type_s, std::size_t size, double* told) {
    return simtsolverDnXgesvdp(handle, nullptr, SIMTSOLVER_EIG_MODE_VECTOR, 1, 2, 2, SIMT_R_32F,
                               a.data(), 2, type_s, s.data(), SIMT_R_32F, u.data(), 2, SIMT_R_32F,
                               v.data(), 2, SIMT_R_32F, work.data(), size, nullptr, 0, info.data(),
                               told);
  };
  CHECK_EQ(call(SIMT_R_64F, 256, &error), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call(SIMT_R_32F, 255, &error), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call(SIMT_R_32F, 256, nullptr), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(error, -1);
  CHECK_SOLVER(call(SIMT_R_32F, 256, &error));
  CHECK_EQ(info.values(), std::vector<int>{3});
}

}  // namespace

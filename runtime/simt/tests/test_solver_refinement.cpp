// Solvers with iterative refinement: residuals in the precision of the matrix, and the numbers of iterations. cuSOLVER 12.4
// documentation, "cusolverDn<t1><t2>gesv()", "cusolverDnIRSXgesv()".
#include "solver_test.h"

namespace {

template <class T>
using Real = typename Solver<T>::Real;

/// Functions of the API for matrices of T.
template <class T>
struct Refined {
  using Api = std::remove_pointer_t<decltype(api(static_cast<T*>(nullptr)))>;
  using GesvSize = simtsolverStatus_t (*)(simtsolverDnHandle_t, int, int, Api*, int, int*, Api*, int,
                                          Api*, int, void*, size_t*);
  using Gesv = simtsolverStatus_t (*)(simtsolverDnHandle_t, int, int, Api*, int, int*, Api*, int,
                                      Api*, int, void*, size_t, int*, int*);
  using GelsSize = simtsolverStatus_t (*)(simtsolverDnHandle_t, int, int, int, Api*, int, Api*, int,
                                          Api*, int, void*, size_t*);
  using Gels = simtsolverStatus_t (*)(simtsolverDnHandle_t, int, int, int, Api*, int, Api*, int,
                                      Api*, int, void*, size_t, int*, int*);
  struct Functions {
    GesvSize gesv_size;
    Gesv gesv;
    GelsSize gels_size;
    Gels gels;
  };
  /// The functions for each precision of the factorisation, beginning with that of T.
  static std::vector<Functions> all();
};

#define FUNCTIONS(letters)                                                                  \
  {                                                                                         \
    simtsolverDn##letters##gesv_bufferSize, simtsolverDn##letters##gesv,                    \
        simtsolverDn##letters##gels_bufferSize, simtsolverDn##letters##gels                 \
  }
template <>
std::vector<Refined<float>::Functions> Refined<float>::all() {
  return {FUNCTIONS(SS), FUNCTIONS(SH), FUNCTIONS(SB), FUNCTIONS(SX)};
}
template <>
std::vector<Refined<double>::Functions> Refined<double>::all() {
  return {FUNCTIONS(DD), FUNCTIONS(DS), FUNCTIONS(DH), FUNCTIONS(DB), FUNCTIONS(DX)};
}
template <>
std::vector<Refined<std::complex<float>>::Functions> Refined<std::complex<float>>::all() {
  return {FUNCTIONS(CC), FUNCTIONS(CK), FUNCTIONS(CE), FUNCTIONS(CY)};
}
template <>
std::vector<Refined<std::complex<double>>::Functions> Refined<std::complex<double>>::all() {
  return {FUNCTIONS(ZZ), FUNCTIONS(ZC), FUNCTIONS(ZK), FUNCTIONS(ZE), FUNCTIONS(ZY)};
}
#undef FUNCTIONS

/// Random matrix with a large diagonal.
template <class T>
Dense well_conditioned(int rows, int columns, std::uint32_t seed) {
  Dense a = random<T>(rows, columns, seed);
  for (int i = 0; i < columns; ++i) a(i, i) += 8;
  return a;
}

/// Hilbert matrix: factors in float do not lead to a solution in double.
Dense hilbert(int n) {
  Dense a(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) a(i, j) = 1.0 / (i + j + 1);
  }
  return a;
}

Dense minus(const Dense& a, const Dense& b) {
  Dense result = a;
  for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] -= b.values[i];
  return result;
}

/// Result of gesv in double with a factorisation in float.
struct Solution {
  Solution(const Dense& a, const Dense& b)
      : stored(a.as<double>()), right(b.as<double>()), x(b.values.size()), pivots(a.rows), info(1, -1) {
    const SolverHandle handle;
    const DeviceArray<char> work(256);
    CHECK_SOLVER(simtsolverDnDSgesv(handle, a.rows, b.columns, stored.data(), a.rows, pivots.data(),
                                    right.data(), a.rows, x.data(), a.rows, work.data(), 256,
                                    &iterations, info.data()));
  }
  DeviceArray<double> stored, right, x;
  DeviceArray<int> pivots, info;
  int iterations = 99;
};

TEST_CASE_TEMPLATE("gesv with refinement: the residual has the precision of the matrix", T,
                   BLAS_TYPES) {
  const SolverHandle handle;
  const int n = 6, nrhs = 3, ld = 8;
  const Dense a = well_conditioned<T>(ld, n, 1), b = random<T>(ld, nrhs, 2);
  const Dense square(n, n, ld, a.values.data()), right(n, nrhs, ld, b.values.data());
  const auto all = Refined<T>::all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const DeviceArray<T> stored(a.as<T>()), from(b.as<T>()), x(n * nrhs);
    const DeviceArray<int> pivots(n), info(1, -1);
    std::size_t size = 0;
    int iterations = -99;
    CHECK_SOLVER(all[i].gesv_size(handle, n, nrhs, api(stored.data()), ld, pivots.data(),
                                  api(from.data()), ld, api(x.data()), n, nullptr, &size));
    const DeviceArray<char> work(size);
    CHECK_SOLVER(all[i].gesv(handle, n, nrhs, api(stored.data()), ld, pivots.data(),
                             api(from.data()), ld, api(x.data()), n, work.data(), size,
                             &iterations, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    CHECK_GE(iterations, i > 0 && sizeof(Real<T>) == 8 ? 1 : 0);
    CHECK_LT(iterations, 5);
    CHECK_EQ(stored.values(), a.as<T>());
    CHECK_LT(distance(square * Dense(n, nrhs, x.values()), right), 10 * tolerance<T>());
    for (const int pivot : pivots.values()) CHECK((pivot >= 1 && pivot <= n));
  }
}

TEST_CASE_TEMPLATE("gels with refinement: the residual is orthogonal to the columns", T,
                   BLAS_TYPES) {
  const SolverHandle handle;
  const int m = 9, n = 4, nrhs = 2;
  const Dense a = well_conditioned<T>(m, n, 3), b = random<T>(m, nrhs, 4);
  const auto all = Refined<T>::all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const DeviceArray<T> stored(a.as<T>()), from(b.as<T>()), x(n * nrhs);
    const DeviceArray<int> info(1, -1);
    std::size_t size = 0;
    int iterations = -99;
    CHECK_SOLVER(all[i].gels_size(handle, m, n, nrhs, api(stored.data()), m, api(from.data()), m,
                                  api(x.data()), n, nullptr, &size));
    const DeviceArray<char> work(size);
    CHECK_SOLVER(all[i].gels(handle, m, n, nrhs, api(stored.data()), m, api(from.data()), m,
                             api(x.data()), n, work.data(), size, &iterations, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    CHECK_GE(iterations, 0);
    const Dense gradient = a.adjoint() * minus(b, a * Dense(n, nrhs, x.values()));
    CHECK_LT(distance(gradient, Dense(n, nrhs)), 100 * tolerance<T>());
  }
}

TEST_CASE("gesv with refinement: numbers that float cannot hold, and no convergence, repeat the factorisation") {
  Dense large = well_conditioned<double>(4, 4, 5);
  for (Wide& value : large.values) value *= 1e60;
  const Dense b = random<double>(4, 1, 6);
  const Solution overflow(large, b);
  CHECK_EQ(overflow.iterations, -2);
  CHECK_EQ(overflow.info.values(), std::vector<int>{0});
  CHECK_LT(distance(large * Dense(4, 1, overflow.x.values()), b), 1e-12);
  CHECK_NE(overflow.stored.values(), large.as<double>());  // the factors

  const Dense h = hilbert(10), ones = h * Dense(10, 1, std::vector<double>(10, 1));
  const Solution slow(h, ones);
  CHECK_EQ(slow.iterations, -50);
  CHECK_EQ(slow.info.values(), std::vector<int>{0});
  CHECK_LT(distance(h * Dense(10, 1, slow.x.values()), ones), 1e-12);
}

TEST_CASE("gesv and gels with refinement: singular matrices, and NaN") {
  Dense singular = well_conditioned<double>(4, 4, 7);
  for (int i = 0; i < 4; ++i) singular(i, 2) = 0;
  const Dense b = random<double>(4, 1, 8);
  const Solution solution(singular, b);
  CHECK_EQ(solution.iterations, -3);
  CHECK_EQ(solution.info.values(), std::vector<int>{3});

  const SolverHandle handle;
  const DeviceArray<double> a(singular.as<double>()), from(b.as<double>()), x(4);
  const DeviceArray<int> info(1, -1);
  const DeviceArray<char> work(256);
  int iterations = 0;
  CHECK_SOLVER(simtsolverDnDSgels(handle, 4, 4, 1, a.data(), 4, from.data(), 4, x.data(), 4,
                                  work.data(), 256, &iterations, info.data()));
  CHECK_EQ(iterations, -3);
  CHECK_EQ(info.values(), std::vector<int>{3});

  Dense undefined = well_conditioned<double>(4, 4, 9);
  undefined(1, 1) = NAN;
  CHECK_EQ(Solution(undefined, b).iterations, -2);
}

TEST_CASE("gesv with refinement: bad arguments") {
  const SolverHandle handle;
  const DeviceArray<double> a(16), b(4), x(4);
  const DeviceArray<int> pivots(4), info(1, -1);
  const DeviceArray<char> work(256);
  int iterations = 99;
  const auto call = [&](simtsolverDnHandle_t own, int n, int lda, int* places, std::size_t size,
                        int* told) {
    return simtsolverDnDSgesv(own, n, 1, a.data(), lda, places, b.data(), 4, x.data(), 4,
                              work.data(), size, told, info.data());
  };
  CHECK_EQ(call(nullptr, 4, 4, pivots.data(), 256, &iterations), SIMTSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_EQ(call(handle, -1, 4, pivots.data(), 256, &iterations), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 4, 3, pivots.data(), 256, &iterations), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 4, 4, nullptr, 256, &iterations), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 4, 4, pivots.data(), 256, nullptr), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 4, 4, pivots.data(), 255, &iterations), SIMTSOLVER_STATUS_INVALID_WORKSPACE);
  CHECK_EQ(iterations, 99);
  CHECK_EQ(info.values(), std::vector<int>{-1});
  CHECK_SOLVER(call(handle, 0, 4, nullptr, 256, &iterations));
  CHECK_EQ(iterations, 0);
  std::size_t size = 0;
  CHECK_EQ(simtsolverDnDSgels_bufferSize(handle, 3, 4, 1, a.data(), 4, b.data(), 4, x.data(), 4,
                                         nullptr, &size),
           SIMTSOLVER_STATUS_INVALID_VALUE);
}

/// Options for double and a factorisation in float, with the numbers of the last call.
struct Expert {
  Expert() {
    REQUIRE_SOLVER(simtsolverDnIRSParamsCreate(&params));
    REQUIRE_SOLVER(simtsolverDnIRSInfosCreate(&infos));
  }
  Expert(const Expert&) = delete;
  Expert& operator=(const Expert&) = delete;
  ~Expert() {
    simtsolverDnIRSParamsDestroy(params);
    simtsolverDnIRSInfosDestroy(infos);
  }

  simtsolverStatus_t gesv(const Dense& a, const Dense& b, int nrhs = 1) {
    const DeviceArray<double> stored(a.as<double>()), right(b.as<double>()), result(b.values.size());
    const DeviceArray<int> info(1, -1);
    const DeviceArray<char> work(256);
    const simtsolverStatus_t status =
        simtsolverDnIRSXgesv(handle, params, infos, a.rows, nrhs, stored.data(), a.rows,
                             right.data(), a.rows, result.data(), a.rows, work.data(), 256,
                             &iterations, info.data());
    x = result.values();
    return status;
  }

  SolverHandle handle;
  simtsolverDnIRSParams_t params = nullptr;
  simtsolverDnIRSInfos_t infos = nullptr;
  std::vector<double> x;
  int iterations = -99;
};

TEST_CASE("IRSXgesv: precisions, methods, limits and fallback") {
  Expert expert;
  const Dense a = well_conditioned<double>(5, 5, 10), b = random<double>(5, 1, 11);
  CHECK_EQ(expert.gesv(a, b), SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  const auto params = expert.params;
  CHECK_SOLVER(simtsolverDnIRSParamsSetSolverPrecisions(params, SIMTSOLVER_R_32F, SIMTSOLVER_R_64F));
  CHECK_EQ(expert.gesv(a, b), SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  CHECK_SOLVER(simtsolverDnIRSParamsSetSolverPrecisions(params, SIMTSOLVER_R_64F, SIMTSOLVER_C_32F));
  CHECK_EQ(expert.gesv(a, b), SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  CHECK_SOLVER(simtsolverDnIRSParamsSetSolverMainPrecision(params, SIMTSOLVER_R_64F));
  CHECK_SOLVER(simtsolverDnIRSParamsSetSolverLowestPrecision(params, SIMTSOLVER_R_16F));
  CHECK_EQ(expert.gesv(a, b), SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE);
  CHECK_SOLVER(simtsolverDnIRSParamsSetRefinementSolver(params, SIMTSOLVER_IRS_REFINE_GMRES));
  CHECK_EQ(expert.gesv(a, random<double>(5, 2, 1), 2),
           SIMTSOLVER_STATUS_IRS_NRHS_NOT_SUPPORTED_FOR_REFINE_GMRES);
  std::size_t size = 0;
  CHECK_SOLVER(simtsolverDnIRSXgesv_bufferSize(expert.handle, params, 5, 1, &size));
  CHECK_EQ(size, 256);

  CHECK_SOLVER(expert.gesv(a, b));
  int count = 0;
  CHECK_SOLVER(simtsolverDnIRSInfosGetNiters(expert.infos, &count));
  CHECK_EQ(count, expert.iterations);
  CHECK_GT(count, 0);
  CHECK_SOLVER(simtsolverDnIRSInfosGetOuterNiters(expert.infos, &count));
  CHECK_EQ(count, expert.iterations);
  CHECK_SOLVER(simtsolverDnIRSInfosGetMaxIters(expert.infos, &count));
  CHECK_EQ(count, 50);
  CHECK_LT(distance(a * Dense(5, 1, expert.x), b), 10 * tolerance<double>());

  // A loose tolerance needs no correction, and without refinement there is none.
  CHECK_SOLVER(simtsolverDnIRSParamsSetTol(params, 1e-3));
  CHECK_SOLVER(expert.gesv(a, b));
  CHECK_EQ(expert.iterations, 0);
  CHECK_SOLVER(simtsolverDnIRSParamsSetTol(params, 0));
  CHECK_SOLVER(simtsolverDnIRSParamsSetRefinementSolver(params, SIMTSOLVER_IRS_REFINE_NONE));
  CHECK_SOLVER(expert.gesv(a, b));
  CHECK_EQ(expert.iterations, 0);
  const double error = distance(a * Dense(5, 1, expert.x), b);
  CHECK_GT(error, 1e-10);
  CHECK_LT(error, 1e-4);

  // Without the fallback, the solution of a bad system stays wrong.
  const Dense h = hilbert(10), ones = h * Dense(10, 1, std::vector<double>(10, 1));
  CHECK_SOLVER(simtsolverDnIRSParamsSetRefinementSolver(params, SIMTSOLVER_IRS_REFINE_CLASSICAL));
  CHECK_SOLVER(simtsolverDnIRSParamsSetMaxIters(params, 7));
  CHECK_SOLVER(simtsolverDnIRSParamsGetMaxIters(params, &count));
  CHECK_EQ(count, 7);
  CHECK_SOLVER(simtsolverDnIRSParamsDisableFallback(params));
  CHECK_SOLVER(expert.gesv(h, ones));
  CHECK_EQ(expert.iterations, -7);
  CHECK_GT(distance(h * Dense(10, 1, expert.x), ones), 1e-12);
  CHECK_SOLVER(simtsolverDnIRSParamsEnableFallback(params));
  CHECK_SOLVER(expert.gesv(h, ones));
  CHECK_EQ(expert.iterations, -7);
  CHECK_LT(distance(h * Dense(10, 1, expert.x), ones), 1e-12);
}

TEST_CASE("IRSXgels, and calls without objects") {
  Expert expert;
  const Dense a = well_conditioned<std::complex<double>>(6, 3, 12);
  const Dense b = random<std::complex<double>>(6, 1, 13);
  const DeviceArray<std::complex<double>> stored(a.as<std::complex<double>>()),
      right(b.as<std::complex<double>>()), x(3);
  const DeviceArray<int> info(1, -1);
  const DeviceArray<char> work(256);
  const auto call = [&](simtsolverDnIRSParams_t params, simtsolverDnIRSInfos_t infos) {
    return simtsolverDnIRSXgels(expert.handle, params, infos, 6, 3, 1, stored.data(), 6,
                                right.data(), 6, x.data(), 3, work.data(), 256, &expert.iterations,
                                info.data());
  };
  const auto params = expert.params;
  CHECK_SOLVER(simtsolverDnIRSParamsSetSolverPrecisions(params, SIMTSOLVER_C_64F, SIMTSOLVER_C_32F));
  CHECK_SOLVER(simtsolverDnIRSParamsSetRefinementSolver(params, SIMTSOLVER_IRS_REFINE_CLASSICAL));
  CHECK_EQ(call(nullptr, expert.infos), SIMTSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  CHECK_EQ(call(params, nullptr), SIMTSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
  std::size_t size = 0;
  CHECK_SOLVER(simtsolverDnIRSXgels_bufferSize(expert.handle, params, 6, 3, 1, &size));
  CHECK_SOLVER(call(params, expert.infos));
  CHECK_GE(expert.iterations, 0);
  const Dense gradient = a.adjoint() * minus(b, a * Dense(3, 1, x.values()));
  CHECK_LT(distance(gradient, Dense(3, 1)), 1e-12);

  CHECK_EQ(simtsolverDnIRSParamsSetMaxIters(nullptr, 1),
           SIMTSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  CHECK_EQ(simtsolverDnIRSParamsSetMaxIters(params, -1),
           SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER);
  CHECK_EQ(simtsolverDnIRSParamsSetMaxItersInner(params, 51), SIMTSOLVER_STATUS_IRS_PARAMS_INVALID);
  CHECK_SOLVER(simtsolverDnIRSParamsSetMaxItersInner(params, 5));
  CHECK_SOLVER(simtsolverDnIRSParamsSetTolInner(params, 1e-3));
  CHECK_EQ(simtsolverDnIRSParamsSetRefinementSolver(params, SIMTSOLVER_IRS_REFINE_NOT_SET),
           SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE);
  CHECK_EQ(simtsolverDnIRSInfosGetNiters(nullptr, &expert.iterations),
           SIMTSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
}

}  // namespace

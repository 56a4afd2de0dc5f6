// Refactorisation by simtsolverRf: factors of several matrices with one structure.
#include "solver_sparse_test.h"

#include <simtsolverRf.h>
#include <simtsolverSp_LOWLEVEL_PREVIEW.h>

#include <cstdlib>

using namespace solver_sparse_test;

namespace {

constexpr auto kInvalid = SIMTSOLVER_STATUS_INVALID_VALUE;

class RfHandle {
 public:
  RfHandle() { REQUIRE_SOLVER(simtsolverRfCreate(&handle_)); }
  RfHandle(const RfHandle&) = delete;
  RfHandle& operator=(const RfHandle&) = delete;
  ~RfHandle() { simtsolverRfDestroy(handle_); }
  operator simtsolverRfHandle_t() const { return handle_; }

 private:
  simtsolverRfHandle_t handle_ = nullptr;
};

/// Matrix with its factors by csrlu.
struct Factored {
  explicit Factored(Csr<double> matrix) : a(std::move(matrix)), lower(a.rows, a.rows, 0, {}), upper(lower) {
    const SpHandle handle;
    const LegacyMatrix descriptor;
    csrluInfoHost_t info = nullptr;
    REQUIRE_SOLVER(simtsolverSpCreateCsrluInfoHost(&info));
    CHECK_SOLVER(simtsolverSpXcsrluAnalysisHost(handle, a.rows, a.nnz(), descriptor, a.offsets.data(),
                                                a.indices.data(), info));
    CHECK_SOLVER(simtsolverSpDcsrluFactorHost(handle, a.rows, a.nnz(), descriptor, a.values.data(),
                                              a.offsets.data(), a.indices.data(), info, 1, nullptr));
    int nnz_lower = 0, nnz_upper = 0;
    CHECK_SOLVER(simtsolverSpXcsrluNnzHost(handle, &nnz_lower, &nnz_upper, info));
    for (auto [part, nnz] : {std::pair(&lower, nnz_lower), std::pair(&upper, nnz_upper)}) {
      part->indices.resize(nnz);
      part->values.resize(nnz);
    }
    p.resize(a.rows);
    q.resize(a.rows);
    CHECK_SOLVER(simtsolverSpDcsrluExtractHost(
        handle, p.data(), q.data(), descriptor, lower.values.data(), lower.offsets.data(),
        lower.indices.data(), descriptor, upper.values.data(), upper.offsets.data(),
        upper.indices.data(), info, nullptr));
    CHECK_SOLVER(simtsolverSpDestroyCsrluInfoHost(info));
  }

  simtsolverStatus_t set_up(simtsolverRfHandle_t handle) {
    return simtsolverRfSetupHost(a.rows, a.nnz(), a.offsets.data(), a.indices.data(), a.values.data(),
                                 lower.nnz(), lower.offsets.data(), lower.indices.data(),
                                 lower.values.data(), upper.nnz(), upper.offsets.data(),
                                 upper.indices.data(), upper.values.data(), p.data(), q.data(), handle);
  }

  Csr<double> a, lower, upper;
  std::vector<int> p, q;
};

/// Matrix that the handle has extracted.
struct Extracted {
  int nnz = 0;
  int* offsets = nullptr;
  int* indices = nullptr;
  double* values = nullptr;

  ~Extracted() {
    std::free(offsets);
    std::free(indices);
    std::free(values);
  }
  Csr<double> csr(int n) const {
    Csr<double> result(n, n, 0, {});
    result.offsets.assign(offsets, offsets + n + 1);
    result.indices.assign(indices, indices + nnz);
    result.values.assign(values, values + nnz);
    return result;
  }
};

}  // namespace

TEST_CASE("simtsolverRf: solves with new values, for several right-hand sides") {
  for (const Csr<double>& a : {unstructured<double>(80, 80, 0, 5), grid_laplacian<double>(12, 0)}) {
    Factored f(a);
    const int n = a.rows;
    const RfHandle handle;
    CHECK_SOLVER(simtsolverRfSetMatrixFormat(handle, SIMTSOLVERRF_MATRIX_FORMAT_CSR,
                                             SIMTSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
    CHECK_SOLVER(f.set_up(handle));
    CHECK_SOLVER(simtsolverRfAnalyze(handle));
    const DeviceCsr<double> device(a);
    const DeviceArray<int> p(f.p), q(f.q);
    for (const double change : {0.0, 0.05}) {
      Csr<double> changed = a;
      for (int k = 0; k < a.nnz(); ++k) changed.values[k] *= 1 + change * (k % 3);
      const DeviceArray<double> values(changed.values);
      CHECK_SOLVER(simtsolverRfResetValues(n, a.nnz(), device.offsets.data(), device.indices.data(),
                                           values.data(), p.data(), q.data(), handle));
      CHECK_SOLVER(simtsolverRfRefactor(handle));
      const std::vector<double> first = Numbers(1).list<double>(n), second = Numbers(2).list<double>(n);
      std::vector<double> right = changed * first, more = changed * second;
      right.resize(n + 3);  // a leading dimension with a margin
      right.insert(right.end(), more.begin(), more.end());
      const DeviceArray<double> x(right), temp(2 * n);
      CHECK_SOLVER(simtsolverRfSolve(handle, p.data(), q.data(), 2, temp.data(), n, x.data(), n + 3));
      const std::vector<double> result = x.values();
      CHECK_LT(distance(std::vector<double>(result.begin(), result.begin() + n), first), 1e-10);
      CHECK_LT(distance(std::vector<double>(result.begin() + n + 3, result.end()), second), 1e-10);
    }
  }
}

TEST_CASE("simtsolverRf: extracted factors multiply to the permuted matrix") {
  Factored f(unstructured<double>(40, 40, 0, 12));
  const int n = 40;
  for (const auto unit : {SIMTSOLVERRF_UNIT_DIAGONAL_STORED_L, SIMTSOLVERRF_UNIT_DIAGONAL_STORED_U,
                          SIMTSOLVERRF_UNIT_DIAGONAL_ASSUMED_L, SIMTSOLVERRF_UNIT_DIAGONAL_ASSUMED_U}) {
    const RfHandle handle;
    CHECK_SOLVER(simtsolverRfSetMatrixFormat(handle, SIMTSOLVERRF_MATRIX_FORMAT_CSR, unit));
    CHECK_SOLVER(f.set_up(handle));
    CHECK_SOLVER(simtsolverRfAnalyze(handle));
    CHECK_SOLVER(simtsolverRfRefactor(handle));
    Extracted l, u, m;
    CHECK_SOLVER(simtsolverRfExtractSplitFactorsHost(handle, &l.nnz, &l.offsets, &l.indices, &l.values,
                                                     &u.nnz, &u.offsets, &u.indices, &u.values));
    CHECK_SOLVER(simtsolverRfExtractBundledFactorsHost(handle, &m.nnz, &m.offsets, &m.indices, &m.values));
    const bool is_stored = unit == SIMTSOLVERRF_UNIT_DIAGONAL_STORED_L || unit == SIMTSOLVERRF_UNIT_DIAGONAL_STORED_U;
    CHECK_EQ(l.nnz + u.nnz, m.nnz + (is_stored ? n : 0));
    std::vector<std::vector<double>> lower(n, std::vector<double>(n)), upper = lower, full = lower;
    l.csr(n).each([&](int i, int j, double value) { lower[i][j] = value; });
    u.csr(n).each([&](int i, int j, double value) { upper[i][j] = value; });
    f.a.each([&](int i, int j, double value) { full[i][j] += value; });
    if (unit == SIMTSOLVERRF_UNIT_DIAGONAL_ASSUMED_L) {
      for (int i = 0; i < n; ++i) lower[i][i] = 1;
    } else if (unit == SIMTSOLVERRF_UNIT_DIAGONAL_ASSUMED_U) {
      for (int i = 0; i < n; ++i) upper[i][i] = 1;
    }
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double product = 0;
        for (int k = 0; k < n; ++k) product += lower[i][k] * upper[k][j];
        worst = std::max(worst, std::abs(product - full[f.p[i]][f.q[j]]));
      }
    }
    CHECK_LT(worst, 1e-12);
  }
}

TEST_CASE("simtsolverRf: setup from device memory; zero and small pivots") {
  // [1 1; 1 1 + e]: the second pivot is e.
  Factored f(Csr<double>(2, 2, 0, {{{0, 0}, 1.0}, {{0, 1}, 1.0}, {{1, 0}, 1.0}, {{1, 1}, 2.0}}));
  const DeviceCsr<double> a(f.a), lower(f.lower), upper(f.upper);
  const DeviceArray<int> p(f.p), q(f.q);
  const RfHandle handle;
  CHECK_SOLVER(simtsolverRfSetupDevice(2, 4, a.offsets.data(), a.indices.data(), a.values.data(),
                                       f.lower.nnz(), lower.offsets.data(), lower.indices.data(),
                                       lower.values.data(), f.upper.nnz(), upper.offsets.data(),
                                       upper.indices.data(), upper.values.data(), p.data(), q.data(), handle));
  CHECK_SOLVER(simtsolverRfAnalyze(handle));
  CHECK_SOLVER(simtsolverRfRefactor(handle));
  const auto refactor = [&](double e) {
    const std::vector<double> values = {1, 1, 1, 1 + e};
    REQUIRE_OK(simtMemcpy(a.values.data(), values.data(), a.values.bytes(), simtMemcpyHostToDevice));
    CHECK_SOLVER(simtsolverRfResetValues(2, 4, a.offsets.data(), a.indices.data(), a.values.data(),
                                         p.data(), q.data(), handle));
    return simtsolverRfRefactor(handle);
  };
  simtsolverRfNumericBoostReport_t report{};
  CHECK_EQ(refactor(0.25), SIMTSOLVER_STATUS_SUCCESS);
  CHECK_EQ(refactor(0), SIMTSOLVER_STATUS_ZERO_PIVOT);
  CHECK_SOLVER(simtsolverRfSetNumericProperties(handle, 0.5, 0));
  CHECK_EQ(refactor(0.25), SIMTSOLVER_STATUS_ZERO_PIVOT);
  CHECK_EQ(simtsolverRfSolve(handle, p.data(), q.data(), 1, nullptr, 2, a.values.data(), 2), kInvalid);
  CHECK_SOLVER(simtsolverRfSetNumericProperties(handle, 0.5, 2));
  CHECK_EQ(refactor(0.25), SIMTSOLVER_STATUS_SUCCESS);
  CHECK_SOLVER(simtsolverRfGetNumericBoostReport(handle, &report));
  CHECK_EQ(report, SIMTSOLVERRF_NUMERIC_BOOST_USED);
  // [1 1; 1 3] x = [3 5], with the boosted pivot
  const DeviceArray<double> x(std::vector<double>{3, 5});
  CHECK_SOLVER(simtsolverRfSolve(handle, p.data(), q.data(), 1, nullptr, 2, x.data(), 2));
  CHECK_LT(distance(x.values(), {2, 1}), 1e-14);
  CHECK_EQ(refactor(4), SIMTSOLVER_STATUS_SUCCESS);
  CHECK_SOLVER(simtsolverRfGetNumericBoostReport(handle, &report));
  CHECK_EQ(report, SIMTSOLVERRF_NUMERIC_BOOST_NOT_USED);
}

TEST_CASE("simtsolverRf: settings and statuses") {
  CHECK_EQ(simtsolverRfCreate(nullptr), kInvalid);
  CHECK_EQ(simtsolverRfDestroy(nullptr), SIMTSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsolverRfRefactor(nullptr), SIMTSOLVER_STATUS_NOT_INITIALIZED);
  const RfHandle handle;
  simtsolverRfMatrixFormat_t format{};
  simtsolverRfUnitDiagonal_t unit{};
  CHECK_SOLVER(simtsolverRfGetMatrixFormat(handle, &format, &unit));
  CHECK_EQ(format, SIMTSOLVERRF_MATRIX_FORMAT_CSR);
  CHECK_EQ(unit, SIMTSOLVERRF_UNIT_DIAGONAL_STORED_L);
  CHECK_EQ(simtsolverRfSetMatrixFormat(handle, SIMTSOLVERRF_MATRIX_FORMAT_CSC,
                                       SIMTSOLVERRF_UNIT_DIAGONAL_STORED_L),
           SIMTSOLVER_STATUS_NOT_SUPPORTED);
  CHECK_EQ(simtsolverRfSetMatrixFormat(handle, SIMTSOLVERRF_MATRIX_FORMAT_CSR,
                                       static_cast<simtsolverRfUnitDiagonal_t>(4)),
           kInvalid);
  CHECK_SOLVER(simtsolverRfSetAlgs(handle, SIMTSOLVERRF_FACTORIZATION_ALG2,
                                   SIMTSOLVERRF_TRIANGULAR_SOLVE_ALG3));
  simtsolverRfFactorization_t factorization{};
  simtsolverRfTriangularSolve_t triangular_solve{};
  CHECK_SOLVER(simtsolverRfGetAlgs(handle, &factorization, &triangular_solve));
  CHECK_EQ(factorization, SIMTSOLVERRF_FACTORIZATION_ALG2);
  CHECK_EQ(triangular_solve, SIMTSOLVERRF_TRIANGULAR_SOLVE_ALG3);
  CHECK_SOLVER(simtsolverRfSetResetValuesFastMode(handle, SIMTSOLVERRF_RESET_VALUES_FAST_MODE_ON));
  simtsolverRfResetValuesFastMode_t mode{};
  CHECK_SOLVER(simtsolverRfGetResetValuesFastMode(handle, &mode));
  CHECK_EQ(mode, SIMTSOLVERRF_RESET_VALUES_FAST_MODE_ON);
  CHECK_SOLVER(simtsolverRfSetNumericProperties(handle, 1, 2));
  double zero = 0, boost = 0;
  CHECK_SOLVER(simtsolverRfGetNumericProperties(handle, &zero, &boost));
  CHECK_EQ(zero, 1);
  CHECK_EQ(boost, 2);
  CHECK_EQ(simtsolverRfSetNumericProperties(handle, -1, 0), kInvalid);

  CHECK_EQ(simtsolverRfAnalyze(handle), kInvalid);  // before setup
  CHECK_EQ(simtsolverRfRefactor(handle), kInvalid);
  Factored f(grid_laplacian<double>(4, 0));
  CHECK_SOLVER(f.set_up(handle));
  CHECK_EQ(simtsolverRfRefactor(handle), kInvalid);  // before analyze
  CHECK_SOLVER(simtsolverRfAnalyze(handle));
  const DeviceArray<double> x(16);
  const DeviceArray<int> p(f.p), q(f.q);
  CHECK_EQ(simtsolverRfSolve(handle, p.data(), q.data(), 1, nullptr, 16, x.data(), 16), kInvalid);
  CHECK_SOLVER(simtsolverRfRefactor(handle));
  CHECK_EQ(simtsolverRfSolve(handle, p.data(), q.data(), 1, nullptr, 16, x.data(), 15), kInvalid);
  CHECK_EQ(simtsolverRfSolve(handle, p.data(), q.data(), 0, nullptr, 16, x.data(), 16), kInvalid);
  // A matrix with an entry outside the pattern of the factors.
  Factored diagonal(Csr<double>(3, 3, 0, {{{0, 0}, 1.0}, {{1, 1}, 1.0}, {{2, 2}, 1.0}}));
  diagonal.a = Csr<double>(3, 3, 0, {{{0, 0}, 1.0}, {{0, 2}, 1.0}, {{1, 1}, 1.0}, {{2, 2}, 1.0}});
  CHECK_EQ(diagonal.set_up(handle), kInvalid);
}

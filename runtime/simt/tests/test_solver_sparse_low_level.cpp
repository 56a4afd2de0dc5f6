// Low-level functions of simtsolverSp: analysis, factorisation and solution in separate calls, and batches.
#include "solver_sparse_test.h"

#include <simtsolverSp_LOWLEVEL_PREVIEW.h>

using namespace solver_sparse_test;

namespace {

#define ELEMENT_TYPES float, double, std::complex<float>, std::complex<double>

using LuInfo = sparse_test::Described<csrluInfoHost_t, simtsolverSpCreateCsrluInfoHost,
                                      simtsolverSpDestroyCsrluInfoHost>;
using CholeskyInfo =
    sparse_test::Described<csrcholInfo_t, simtsolverSpCreateCsrcholInfo, simtsolverSpDestroyCsrcholInfo>;
using CholeskyInfoHost = sparse_test::Described<csrcholInfoHost_t, simtsolverSpCreateCsrcholInfoHost,
                                                simtsolverSpDestroyCsrcholInfoHost>;
using QrInfo = sparse_test::Described<csrqrInfo_t, simtsolverSpCreateCsrqrInfo, simtsolverSpDestroyCsrqrInfo>;
using QrInfoHost =
    sparse_test::Described<csrqrInfoHost_t, simtsolverSpCreateCsrqrInfoHost, simtsolverSpDestroyCsrqrInfoHost>;

/// Handle, matrix and right-hand side of a system with a known solution.
template <class T>
struct System {
  explicit System(Csr<T> matrix)
      : a(std::move(matrix)), device(a), expected(Numbers(9).list<T>(a.columns)), b(a * expected),
        x(a.columns), device_b(b), device_x(a.columns) {
    a.describe(descriptor);
  }

  SpHandle handle;
  LegacyMatrix descriptor;
  Csr<T> a;
  DeviceCsr<T> device;
  std::vector<T> expected, b, x;
  DeviceArray<T> device_b, device_x;
  std::size_t internal = 0, workspace = 0;
};

/// Dense matrix of a CSR matrix.
template <class T>
std::vector<std::vector<T>> dense(const Csr<T>& a) {
  std::vector<std::vector<T>> result(a.rows, std::vector<T>(a.columns));
  a.each([&](int i, int j, T value) { result[i][j] += value; });
  return result;
}

}  // namespace

// The arguments of a matrix on the host and on the device.
#define HOST_MATRIX(s) \
  s.descriptor, api(s.a.values.data()), s.a.offsets.data(), s.a.indices.data()
#define DEVICE_MATRIX(s) \
  s.descriptor, api(s.device.values.data()), s.device.offsets.data(), s.device.indices.data()

TEST_CASE_TEMPLATE("simtsolverSp: csrlu factorises, solves, and extracts its factors", T, ELEMENT_TYPES) {
  for (const int base : {0, 1}) {
    System<T> s(unstructured<T>(60, 60, base, 21));
    const LuInfo info;
    const int n = s.a.rows;
    CHECK_SOLVER(simtsolverSpXcsrluAnalysisHost(s.handle, n, s.a.nnz(), s.descriptor,
                                                s.a.offsets.data(), s.a.indices.data(), info));
    CHECK_SOLVER(SP(T, csrluBufferInfoHost)(s.handle, n, s.a.nnz(), HOST_MATRIX(s), info, &s.internal, &s.workspace));
    CHECK_GT(s.internal, 0);
    CHECK_GT(s.workspace, 0);
    CHECK_SOLVER(SP(T, csrluFactorHost)(s.handle, n, s.a.nnz(), HOST_MATRIX(s), info, Real<T>(1), nullptr));
    int position = 5;
    CHECK_SOLVER(SP(T, csrluZeroPivotHost)(s.handle, info, Real<T>(1e-6), &position));
    CHECK_EQ(position, -1);
    CHECK_SOLVER(SP(T, csrluSolveHost)(s.handle, n, api(s.b.data()), api(s.x.data()), info, nullptr));
    CHECK_LT(distance(s.x, s.expected), kTolerance<T>);

    int nnz_lower = 0, nnz_upper = 0;
    CHECK_SOLVER(simtsolverSpXcsrluNnzHost(s.handle, &nnz_lower, &nnz_upper, info));
    std::vector<int> p(n), q(n);
    Csr<T> lower(n, n, base, {}), upper(n, n, base, {});
    lower.values.resize(nnz_lower);
    lower.indices.resize(nnz_lower);
    upper.values.resize(nnz_upper);
    upper.indices.resize(nnz_upper);
    CHECK_SOLVER(SP(T, csrluExtractHost)(
        s.handle, p.data(), q.data(), s.descriptor, api(lower.values.data()), lower.offsets.data(),
        lower.indices.data(), s.descriptor, api(upper.values.data()), upper.offsets.data(),
        upper.indices.data(), info, nullptr));
    CHECK_EQ(lower.offsets.back() - base, nnz_lower);
    CHECK_EQ(upper.offsets.back() - base, nnz_upper);
    lower.each([&](int i, int j, T value) {
      CHECK_LT(j, i);
      CHECK_LE(std::abs(value), Real<T>(1.0001));  // partial pivoting
    });
    upper.each([&](int i, int j, T) { CHECK_GE(j, i); });
    // P A Q' = L U
    const auto full = dense(s.a), l = dense(lower), u = dense(upper);
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        T product = u[i][j];
        for (int k = 0; k < i; ++k) product += l[i][k] * u[k][j];
        worst = std::max(worst, static_cast<double>(std::abs(product - full[p[i]][q[j]])));
      }
    }
    CHECK_LT(worst, kTolerance<T>);
  }
}

TEST_CASE("simtsolverSp: the threshold of csrlu keeps pivots on the diagonal") {
  // [1 1; 4 1]
  System<double> s(Csr<double>(2, 2, 0, {{{0, 0}, 1.0}, {{0, 1}, 1.0}, {{1, 0}, 4.0}, {{1, 1}, 1.0}}));
  const LuInfo info;
  CHECK_SOLVER(simtsolverSpXcsrluAnalysisHost(s.handle, 2, 4, s.descriptor, s.a.offsets.data(),
                                              s.a.indices.data(), info));
  const auto first_row = [&](double threshold) {
    CHECK_SOLVER(simtsolverSpDcsrluFactorHost(s.handle, 2, 4, HOST_MATRIX(s), info, threshold, nullptr));
    std::vector<int> p(2), q(2), offsets(3), indices(4), upper_offsets(3), upper_indices(4);
    std::vector<double> lower(4), upper(4);
    CHECK_SOLVER(simtsolverSpDcsrluExtractHost(
        s.handle, p.data(), q.data(), s.descriptor, lower.data(), offsets.data(), indices.data(),
        s.descriptor, upper.data(), upper_offsets.data(), upper_indices.data(), info, nullptr));
    return p[0];
  };
  CHECK_EQ(first_row(1), 1);
  CHECK_EQ(first_row(0.5), 1);
  CHECK_EQ(first_row(0.25), 0);
  CHECK_EQ(first_row(0), 0);
  CHECK_EQ(simtsolverSpDcsrluFactorHost(s.handle, 2, 4, HOST_MATRIX(s), info, 1.5, nullptr),
           SIMTSOLVER_STATUS_INVALID_VALUE);
}

TEST_CASE_TEMPLATE("simtsolverSp: csrchol on the host and on the device", T, ELEMENT_TYPES) {
  for (const int base : {0, 1}) {
    System<T> s(grid_laplacian<T>(9, base));
    const int n = s.a.rows, nnz = s.a.nnz();
    const CholeskyInfoHost host;
    CHECK_SOLVER(simtsolverSpXcsrcholAnalysisHost(s.handle, n, nnz, s.descriptor, s.a.offsets.data(),
                                                  s.a.indices.data(), host));
    CHECK_SOLVER(SP(T, csrcholBufferInfoHost)(s.handle, n, nnz, HOST_MATRIX(s), host, &s.internal, &s.workspace));
    CHECK_GT(s.internal, 0);
    CHECK_SOLVER(SP(T, csrcholFactorHost)(s.handle, n, nnz, HOST_MATRIX(s), host, nullptr));
    int position = 5;
    CHECK_SOLVER(SP(T, csrcholZeroPivotHost)(s.handle, host, Real<T>(1e-6), &position));
    CHECK_EQ(position, -1);
    CHECK_SOLVER(SP(T, csrcholSolveHost)(s.handle, n, api(s.b.data()), api(s.x.data()), host, nullptr));
    CHECK_LT(distance(s.x, s.expected), kTolerance<T>);

    const CholeskyInfo device;
    CHECK_SOLVER(simtsolverSpXcsrcholAnalysis(s.handle, n, nnz, s.descriptor, s.device.offsets.data(),
                                              s.device.indices.data(), device));
    CHECK_SOLVER(SP(T, csrcholBufferInfo)(s.handle, n, nnz, DEVICE_MATRIX(s), device, &s.internal, &s.workspace));
    CHECK_GT(s.workspace, 0);
    CHECK_SOLVER(SP(T, csrcholFactor)(s.handle, n, nnz, DEVICE_MATRIX(s), device, nullptr));
    CHECK_SOLVER(SP(T, csrcholSolve)(s.handle, n, api(s.device_b.data()), api(s.device_x.data()), device, nullptr));
    CHECK_LT(distance(s.device_x.values(), s.expected), kTolerance<T>);
    CHECK_SOLVER(SP(T, csrcholZeroPivot)(s.handle, device, Real<T>(1e6), &position));
    CHECK_EQ(position, 0);
    const DeviceArray<Real<T>> diagonal(n);
    CHECK_SOLVER(SP(T, csrcholDiag)(s.handle, device, diagonal.data()));
    CHECK(diagonal.values()[0] == doctest::Approx(std::sqrt(kIsComplex<T> ? 4.5 : 4)));
  }
}

TEST_CASE("simtsolverSp: the diagonal of csrchol gives the determinant; a matrix without a factor") {
  // [4 2; 2 10] has the determinant 36.
  System<double> s(Csr<double>(2, 2, 0, {{{0, 0}, 4.0}, {{0, 1}, 2.0}, {{1, 0}, 2.0}, {{1, 1}, 10.0}}));
  const CholeskyInfo info;
  CHECK_SOLVER(simtsolverSpXcsrcholAnalysis(s.handle, 2, 4, s.descriptor, s.device.offsets.data(),
                                            s.device.indices.data(), info));
  CHECK_SOLVER(simtsolverSpDcsrcholFactor(s.handle, 2, 4, DEVICE_MATRIX(s), info, nullptr));
  const DeviceArray<double> diagonal(2);
  CHECK_SOLVER(simtsolverSpDcsrcholDiag(s.handle, info, diagonal.data()));
  CHECK(diagonal.values()[0] * diagonal.values()[1] == doctest::Approx(6));
  const std::vector<double> indefinite = {1, 3, 3, 1};
  REQUIRE_OK(simtMemcpy(s.device.values.data(), indefinite.data(), 32, simtMemcpyHostToDevice));
  CHECK_SOLVER(simtsolverSpDcsrcholFactor(s.handle, 2, 4, DEVICE_MATRIX(s), info, nullptr));
  int position = -1;
  CHECK_SOLVER(simtsolverSpDcsrcholZeroPivot(s.handle, info, 0, &position));
  CHECK_EQ(position, 1);
}

TEST_CASE_TEMPLATE("simtsolverSp: csrqr on the host and on the device, with a shift", T, ELEMENT_TYPES) {
  for (const int base : {0, 1}) {
    for (const double shift : {0.0, 0.75}) {
      System<T> s(unstructured<T>(60, 60, base, 33));
      const int n = s.a.rows, nnz = s.a.nnz();
      const T mu = number<T>(shift, shift);
      for (int i = 0; i < n; ++i) {
        s.b[i] -= mu * s.expected[i];
      }
      REQUIRE_OK(simtMemcpy(s.device_b.data(), s.b.data(), s.device_b.bytes(), simtMemcpyHostToDevice));
      const QrInfoHost host;
      CHECK_SOLVER(simtsolverSpXcsrqrAnalysisHost(s.handle, n, n, nnz, s.descriptor, s.a.offsets.data(),
                                                  s.a.indices.data(), host));
      CHECK_SOLVER(SP(T, csrqrBufferInfoHost)(s.handle, n, n, nnz, HOST_MATRIX(s), host, &s.internal, &s.workspace));
      CHECK_GT(s.internal, 0);
      CHECK_SOLVER(SP(T, csrqrSetupHost)(s.handle, n, n, nnz, HOST_MATRIX(s), *api(&mu), host));
      CHECK_SOLVER(SP(T, csrqrFactorHost)(s.handle, n, n, nnz, nullptr, nullptr, host, nullptr));
      int position = 5;
      CHECK_SOLVER(SP(T, csrqrZeroPivotHost)(s.handle, host, Real<T>(1e-5), &position));
      CHECK_EQ(position, -1);
      CHECK_SOLVER(SP(T, csrqrSolveHost)(s.handle, n, n, api(s.b.data()), api(s.x.data()), host, nullptr));
      CHECK_LT(distance(s.x, s.expected), 5 * kTolerance<T>);

      const QrInfo device;
      CHECK_SOLVER(simtsolverSpXcsrqrAnalysis(s.handle, n, n, nnz, s.descriptor, s.device.offsets.data(),
                                              s.device.indices.data(), device));
      CHECK_SOLVER(SP(T, csrqrBufferInfo)(s.handle, n, n, nnz, DEVICE_MATRIX(s), device, &s.internal, &s.workspace));
      CHECK_SOLVER(SP(T, csrqrSetup)(s.handle, n, n, nnz, DEVICE_MATRIX(s), *api(&mu), device));
      CHECK_SOLVER(SP(T, csrqrFactor)(s.handle, n, n, nnz, api(s.device_b.data()), api(s.device_x.data()), device, nullptr));
      CHECK_LT(distance(s.device_x.values(), s.expected), 5 * kTolerance<T>);
      REQUIRE_OK(simtMemset(s.device_x.data(), 0, s.device_x.bytes()));
      CHECK_SOLVER(SP(T, csrqrSolve)(s.handle, n, n, api(s.device_b.data()), api(s.device_x.data()), device, nullptr));
      CHECK_LT(distance(s.device_x.values(), s.expected), 5 * kTolerance<T>);
      CHECK_SOLVER(SP(T, csrqrZeroPivot)(s.handle, device, Real<T>(1e6), &position));
      CHECK_GE(position, 0);
    }
  }
}

TEST_CASE_TEMPLATE("simtsolverSp: csrqrsvBatched", T, ELEMENT_TYPES) {
  constexpr int kBatch = 5;
  for (const int rows : {40, 70}) {
    System<T> s(unstructured<T>(rows, 40, 1, 17));
    const int nnz = s.a.nnz();
    std::vector<T> values, b, expected;
    for (int i = 0; i < kBatch; ++i) {
      Csr<T> a = s.a;
      for (int k = 0; k < nnz; ++k) {
        a.values[k] *= number<T>(1 + 0.02 * ((k + i) % 5));
      }
      const std::vector<T> x = Numbers(100 + i).list<T>(40), right = a * x;
      values.insert(values.end(), a.values.begin(), a.values.end());
      b.insert(b.end(), right.begin(), right.end());
      expected.insert(expected.end(), x.begin(), x.end());
    }
    const DeviceArray<T> device_values(values), device_b(b), device_x(expected.size());
    const QrInfo info;
    CHECK_SOLVER(simtsolverSpXcsrqrAnalysisBatched(s.handle, rows, 40, nnz, s.descriptor,
                                                   s.device.offsets.data(), s.device.indices.data(), info));
    CHECK_SOLVER(SP(T, csrqrBufferInfoBatched)(s.handle, rows, 40, nnz, s.descriptor, api(device_values.data()),
                                               s.device.offsets.data(), s.device.indices.data(), kBatch,
                                               info, &s.internal, &s.workspace));
    CHECK_GT(s.internal, 0);
    CHECK_SOLVER(SP(T, csrqrsvBatched)(s.handle, rows, 40, nnz, s.descriptor, api(device_values.data()),
                                       s.device.offsets.data(), s.device.indices.data(),
                                       api(device_b.data()), api(device_x.data()), kBatch, info, nullptr));
    CHECK_LT(distance(device_x.values(), expected), 5 * kTolerance<T>);
    CHECK_EQ(SP(T, csrqrsvBatched)(s.handle, rows, 40, nnz, s.descriptor, api(device_values.data()),
                                   s.device.offsets.data(), s.device.indices.data(), api(device_b.data()),
                                   api(device_x.data()), 0, info, nullptr),
             SIMTSOLVER_STATUS_INVALID_VALUE);
  }
}

TEST_CASE("simtsolverSp: factor and solve are ordered by the stream and can be captured") {
  System<double> s(grid_laplacian<double>(6, 0));
  const int n = s.a.rows, nnz = s.a.nnz();
  simtStream_t stream = nullptr;
  REQUIRE_OK(simtStreamCreateWithFlags(&stream, simtStreamNonBlocking));
  REQUIRE_SOLVER(simtsolverSpSetStream(s.handle, stream));
  simtGraph_t graph = nullptr;
  simtGraphExec_t executable = nullptr;
  {
    const CholeskyInfo info;  // the graph keeps the factors
    CHECK_SOLVER(simtsolverSpXcsrcholAnalysis(s.handle, n, nnz, s.descriptor, s.device.offsets.data(),
                                              s.device.indices.data(), info));
    REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeThreadLocal));
    CHECK_SOLVER(simtsolverSpDcsrcholFactor(s.handle, n, nnz, DEVICE_MATRIX(s), info, nullptr));
    CHECK_SOLVER(simtsolverSpDcsrcholSolve(s.handle, n, s.device_b.data(), s.device_x.data(), info, nullptr));
    REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  }
  REQUIRE_OK(simtGraphInstantiate(&executable, graph, 0));
  for (const double scale : {1.0, 2.0}) {
    std::vector<double> values = s.a.values;
    for (double& value : values) value *= scale;
    REQUIRE_OK(simtMemcpyAsync(s.device.values.data(), values.data(), s.device.values.bytes(), simtMemcpyHostToDevice, stream));
    REQUIRE_OK(simtGraphLaunch(executable, stream));
    REQUIRE_OK(simtStreamSynchronize(stream));
    std::vector<double> expected = s.expected;
    for (double& value : expected) value /= scale;
    CHECK_LT(distance(s.device_x.values(), expected), 1e-12);
  }
  REQUIRE_OK(simtGraphExecDestroy(executable));
  REQUIRE_OK(simtGraphDestroy(graph));
  REQUIRE_OK(simtStreamDestroy(stream));
}

TEST_CASE("simtsolverSp: low-level calls out of order, or for another type, are invalid") {
  System<double> s(grid_laplacian<double>(3, 0));
  const int n = s.a.rows, nnz = s.a.nnz();
  constexpr auto kInvalid = SIMTSOLVER_STATUS_INVALID_VALUE;
  int position = 0, other = 0;
  const CholeskyInfo cholesky;
  CHECK_EQ(simtsolverSpDcsrcholFactor(s.handle, n, nnz, DEVICE_MATRIX(s), cholesky, nullptr), kInvalid);
  CHECK_SOLVER(simtsolverSpXcsrcholAnalysis(s.handle, n, nnz, s.descriptor, s.device.offsets.data(),
                                            s.device.indices.data(), cholesky));
  CHECK_EQ(simtsolverSpDcsrcholSolve(s.handle, n, s.device_b.data(), s.device_x.data(), cholesky, nullptr), kInvalid);
  CHECK_EQ(simtsolverSpDcsrcholZeroPivot(s.handle, cholesky, 0, &position), kInvalid);
  CHECK_SOLVER(simtsolverSpDcsrcholFactor(s.handle, n, nnz, DEVICE_MATRIX(s), cholesky, nullptr));
  CHECK_EQ(simtsolverSpScsrcholZeroPivot(s.handle, cholesky, 0, &position), kInvalid);
  CHECK_EQ(simtsolverSpDcsrcholSolve(s.handle, n - 1, s.device_b.data(), s.device_x.data(), cholesky, nullptr), kInvalid);
  CHECK_EQ(simtsolverSpDcsrcholSolve(nullptr, n, s.device_b.data(), s.device_x.data(), cholesky, nullptr),
           SIMTSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsolverSpDcsrcholZeroPivot(s.handle, cholesky, 0, nullptr), kInvalid);

  const QrInfoHost qr;
  CHECK_EQ(simtsolverSpXcsrqrAnalysisHost(s.handle, n, n, nnz, s.descriptor, s.a.offsets.data(),
                                          s.a.indices.data(), nullptr), kInvalid);
  CHECK_SOLVER(simtsolverSpXcsrqrAnalysisHost(s.handle, n, n, nnz, s.descriptor, s.a.offsets.data(),
                                              s.a.indices.data(), qr));
  CHECK_EQ(simtsolverSpDcsrqrFactorHost(s.handle, n, n, nnz, nullptr, nullptr, qr, nullptr), kInvalid);
  CHECK_SOLVER(simtsolverSpDcsrqrSetupHost(s.handle, n, n, nnz, HOST_MATRIX(s), 0, qr));
  CHECK_EQ(simtsolverSpDcsrqrFactorHost(s.handle, n, n, nnz, s.b.data(), nullptr, qr, nullptr), kInvalid);
  CHECK_EQ(simtsolverSpDcsrqrSolveHost(s.handle, n, n, s.b.data(), s.x.data(), qr, nullptr), kInvalid);

  const LuInfo lu;
  CHECK_EQ(simtsolverSpXcsrluNnzHost(s.handle, &position, &other, lu), kInvalid);
  CHECK_EQ(simtsolverSpDcsrluSolveHost(s.handle, n, s.b.data(), s.x.data(), lu, nullptr), kInvalid);
  CHECK_EQ(simtsolverSpCreateCsrluInfoHost(nullptr), kInvalid);
  CHECK_EQ(simtsolverSpDestroyCsrluInfoHost(nullptr), kInvalid);
}

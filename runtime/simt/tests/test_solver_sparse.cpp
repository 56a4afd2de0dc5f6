// Solutions of sparse systems and least-squares problems by simtsolverSp, on the host and on the device.
#include "solver_sparse_test.h"

using namespace solver_sparse_test;

namespace {

#define ELEMENT_TYPES float, double, std::complex<float>, std::complex<double>

template <class T>
using HostSolver = decltype(SP(T, csrlsvluHost));

/// Solves A x = b for a known x, and returns the largest error of the result.
template <class T>
double error_of(HostSolver<T> solve, const Csr<T>& a, int reorder, bool on_device = false) {
  const SpHandle handle;
  const LegacyMatrix matrix;
  a.describe(matrix);
  const std::vector<T> expected = Numbers(5).list<T>(a.columns);
  const std::vector<T> b = a * expected;
  int singularity = 7;
  std::vector<T> x(a.columns);
  if (on_device) {
    const DeviceCsr<T> device(a);
    const DeviceArray<T> device_b(b), device_x(x);
    CHECK_SOLVER(solve(handle, a.rows, a.nnz(), matrix, api(device.values.data()),
                       device.offsets.data(), device.indices.data(), api(device_b.data()), 0,
                       reorder, api(device_x.data()), &singularity));
    x = device_x.values();
  } else {
    CHECK_SOLVER(solve(handle, a.rows, a.nnz(), matrix, api(a.values.data()), a.offsets.data(),
                       a.indices.data(), api(b.data()), 0, reorder, api(x.data()), &singularity));
  }
  CHECK_EQ(singularity, -1);
  return distance(x, expected);
}

/// Statuses of csrlsvluHost for one changed argument.
struct Call {
  SpHandle handle;
  LegacyMatrix matrix;
  std::vector<double> values = {2, 3}, b = {2, 6}, x = {0, 0};
  std::vector<int> offsets = {0, 1, 2}, indices = {0, 1};
  int n = 2, nnz = 2, reorder = 0, singularity = 0;

  simtsolverStatus_t run(simtsolverSpHandle_t with, simtsparseMatDescr_t described,
                         const double* right, int* result) {
    return simtsolverSpDcsrlsvluHost(with, n, nnz, described, values.data(), offsets.data(),
                                     indices.data(), right, 0, reorder, x.data(), result);
  }
  simtsolverStatus_t run() { return run(handle, matrix, b.data(), &singularity); }
};

}  // namespace

TEST_CASE_TEMPLATE("simtsolverSp: systems with a positive definite matrix", T, ELEMENT_TYPES) {
  for (const int base : {0, 1}) {
    const Csr<T> a = grid_laplacian<T>(12, base);
    for (const int reorder : {0, 1, 2, 3}) {
      CAPTURE(base);
      CAPTURE(reorder);
      CHECK_LT(error_of<T>(SP(T, csrlsvluHost), a, reorder), kTolerance<T>);
      CHECK_LT(error_of<T>(SP(T, csrlsvqrHost), a, reorder), kTolerance<T>);
      CHECK_LT(error_of<T>(SP(T, csrlsvcholHost), a, reorder), kTolerance<T>);
      CHECK_LT(error_of<T>(SP(T, csrlsvqr), a, reorder, true), kTolerance<T>);
      CHECK_LT(error_of<T>(SP(T, csrlsvchol), a, reorder, true), kTolerance<T>);
    }
  }
}

TEST_CASE_TEMPLATE("simtsolverSp: systems that need pivots", T, ELEMENT_TYPES) {
  for (const int base : {0, 1}) {
    const Csr<T> a = unstructured<T>(150, 150, base, 3);
    for (const int reorder : {0, 1, 2, 3}) {
      CAPTURE(base);
      CAPTURE(reorder);
      CHECK_LT(error_of<T>(SP(T, csrlsvluHost), a, reorder), kTolerance<T>);
      CHECK_LT(error_of<T>(SP(T, csrlsvqrHost), a, reorder), kTolerance<T>);
      CHECK_LT(error_of<T>(SP(T, csrlsvqr), a, reorder, true), kTolerance<T>);
    }
  }
}

TEST_CASE("simtsolverSp: a grid of 10,000 points") {
  const Csr<double> a = grid_laplacian<double>(100, 0);
  CHECK_LT(error_of<double>(simtsolverSpDcsrlsvluHost, a, 2), 1e-10);
  CHECK_LT(error_of<double>(simtsolverSpDcsrlsvcholHost, a, 3), 1e-10);
  CHECK_LT(error_of<double>(simtsolverSpDcsrlsvqr, a, 2, true), 1e-10);
}

TEST_CASE("simtsolverSp: columns in any order, and repeated entries, which are added") {
  const SpHandle handle;
  const LegacyMatrix matrix;
  // [4 1; 1 3], with 4 as 1 + 3
  const std::vector<int> offsets = {0, 3, 5}, indices = {1, 0, 0, 1, 0};
  const std::vector<double> values = {1, 1, 3, 3, 1}, b = {5, 4};
  for (const auto solve :
       {simtsolverSpDcsrlsvluHost, simtsolverSpDcsrlsvqrHost, simtsolverSpDcsrlsvcholHost}) {
    std::vector<double> x(2);
    int singularity = 0;
    CHECK_SOLVER(solve(handle, 2, 5, matrix, values.data(), offsets.data(), indices.data(), b.data(),
                       0, 0, x.data(), &singularity));
    CHECK_EQ(singularity, -1);
    CHECK_LT(distance(x, {1, 1}), 1e-14);
  }
}

TEST_CASE("simtsolverSp: singular matrices report the pivot and leave x unchanged") {
  const SpHandle handle;
  const LegacyMatrix matrix;
  // [2 0 0; 0 1 2; 0 2 4]
  const std::vector<int> offsets = {0, 1, 3, 5}, indices = {0, 1, 2, 1, 2};
  const std::vector<double> values = {2, 1, 2, 2, 4}, b = {1, 1, 1};
  for (const auto solve :
       {simtsolverSpDcsrlsvluHost, simtsolverSpDcsrlsvqrHost, simtsolverSpDcsrlsvcholHost}) {
    std::vector<double> x = {7, 7, 7};
    int singularity = 0;
    const auto run = [&](double tolerance) {
      CHECK_SOLVER(solve(handle, 3, 5, matrix, values.data(), offsets.data(), indices.data(),
                         b.data(), tolerance, 0, x.data(), &singularity));
      return singularity;
    };
    CHECK_EQ(run(1e-14), 2);
    CHECK_EQ(run(1.9), solve == simtsolverSpDcsrlsvluHost ? 2 : solve == simtsolverSpDcsrlsvqrHost ? 2 : 0);
    CHECK_EQ(run(5), 0);
    CHECK_EQ(x, std::vector<double>{7, 7, 7});
  }
}

TEST_CASE("simtsolverSp: an indefinite matrix has no Cholesky factor") {
  const SpHandle handle;
  const LegacyMatrix matrix;
  const std::vector<int> offsets = {0, 2, 4}, indices = {0, 1, 0, 1};
  const std::vector<double> values = {1, 2, 2, 1}, b = {1, 1};
  std::vector<double> x(2);
  int singularity = 0;
  CHECK_SOLVER(simtsolverSpDcsrlsvcholHost(handle, 2, 4, matrix, values.data(), offsets.data(),
                                           indices.data(), b.data(), 0, 0, x.data(), &singularity));
  CHECK_EQ(singularity, 1);
}

TEST_CASE("simtsolverSp: matrices with an empty row or column, or with NaN, are singular") {
  const SpHandle handle;
  const LegacyMatrix matrix;
  const std::vector<int> offsets = {0, 2, 2}, indices = {0, 1};
  for (const double value : {1.0, static_cast<double>(NAN)}) {
    const std::vector<double> values = {value, 1}, b = {1, 1};
    for (const auto solve : {simtsolverSpDcsrlsvluHost, simtsolverSpDcsrlsvqrHost,
                             simtsolverSpDcsrlsvcholHost}) {
      std::vector<double> x(2);
      int singularity = -1;
      CHECK_SOLVER(solve(handle, 2, 2, matrix, values.data(), offsets.data(), indices.data(),
                         b.data(), 0, 0, x.data(), &singularity));
      CHECK_EQ(singularity, value == 1 ? 1 : 0);
    }
  }
}

TEST_CASE("simtsolverSp: the device functions wait for earlier work of the stream") {
  const Csr<double> a = grid_laplacian<double>(6, 0);
  const SpHandle handle;
  const LegacyMatrix matrix;
  const DeviceCsr<double> device(a);
  const std::vector<double> expected(a.rows, 1.0);
  const std::vector<double> b = a * expected;
  const DeviceArray<double> device_b(std::vector<double>(b.size(), 0.0)), x(b.size());
  simtStream_t stream = nullptr;
  REQUIRE_OK(simtStreamCreateWithFlags(&stream, simtStreamNonBlocking));
  REQUIRE_SOLVER(simtsolverSpSetStream(handle, stream));
  simtStream_t stored = nullptr;
  CHECK_SOLVER(simtsolverSpGetStream(handle, &stored));
  CHECK_EQ(stored, stream);
  REQUIRE_OK(simtMemcpyAsync(device_b.data(), b.data(), device_b.bytes(), simtMemcpyHostToDevice, stream));
  int singularity = 0;
  CHECK_SOLVER(simtsolverSpDcsrlsvchol(handle, a.rows, a.nnz(), matrix, device.values.data(),
                                       device.offsets.data(), device.indices.data(),
                                       device_b.data(), 0, 1, x.data(), &singularity));
  CHECK_LT(distance(x.values(), expected), 1e-12);

  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeThreadLocal));
  CHECK_EQ(simtsolverSpDcsrlsvchol(handle, a.rows, a.nnz(), matrix, device.values.data(),
                                   device.offsets.data(), device.indices.data(), device_b.data(), 0,
                                   1, x.data(), &singularity),
           SIMTSOLVER_STATUS_EXECUTION_FAILED);
  simtGraph_t graph = nullptr;
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  REQUIRE_OK(simtGraphDestroy(graph));
  REQUIRE_OK(simtStreamDestroy(stream));
}

TEST_CASE_TEMPLATE("simtsolverSp: least squares of full rank", T, ELEMENT_TYPES) {
  for (const int base : {0, 1}) {
    const Csr<T> a = unstructured<T>(90, 40, base, 11);
    const SpHandle handle;
    const LegacyMatrix matrix;
    a.describe(matrix);
    const std::vector<T> b = Numbers(2).list<T>(a.rows);
    std::vector<T> x(a.columns);
    std::vector<int> p(a.columns, -1);
    int rank = 0;
    Real<T> norm = 0;
    CHECK_SOLVER(SP(T, csrlsqvqrHost)(handle, a.rows, a.columns, a.nnz(), matrix,
                                      api(a.values.data()), a.offsets.data(), a.indices.data(),
                                      api(b.data()), Real<T>(1e-4), &rank, api(x.data()), p.data(),
                                      &norm));
    CHECK_EQ(rank, 40);
    std::sort(p.begin(), p.end());
    std::vector<int> all(p.size());
    std::iota(all.begin(), all.end(), 0);
    CHECK_EQ(p, all);
    std::vector<T> residual = a * x;
    double square = 0;
    for (int i = 0; i < a.rows; ++i) {
      residual[i] -= b[i];
      square += std::norm(residual[i]);
    }
    // The residual of the smallest norm is orthogonal to the columns.
    CHECK_LT(distance(a.adjoint(residual), std::vector<T>(a.columns)), kTolerance<T>);
    CHECK(norm == doctest::Approx(std::sqrt(square)).epsilon(kTolerance<T>));
  }
}

TEST_CASE("simtsolverSp: least squares of a matrix with dependent columns") {
  // Columns 0 and 3 are equal, column 2 is column 0 + column 1, column 4 is zero.
  const SpHandle handle;
  const LegacyMatrix matrix;
  std::map<std::pair<int, int>, double> entries;
  const std::vector<double> first = {1, 0, 2, 0, 1, 3}, second = {0, 4, 1, 1, 0, 0};
  for (int i = 0; i < 6; ++i) {
    if (first[i] != 0) entries[{i, 0}] = entries[{i, 3}] = first[i];
    if (second[i] != 0) entries[{i, 1}] = second[i];
    entries[{i, 2}] = first[i] + second[i];
  }
  const Csr<double> a(6, 5, 0, entries);
  const std::vector<double> b = {1, 2, 3, 4, 5, 6};
  std::vector<double> x(5);
  std::vector<int> p(5);
  int rank = 0;
  double norm = 0;
  CHECK_SOLVER(simtsolverSpDcsrlsqvqrHost(handle, 6, 5, a.nnz(), matrix, a.values.data(),
                                          a.offsets.data(), a.indices.data(), b.data(), 1e-12,
                                          &rank, x.data(), p.data(), &norm));
  CHECK_EQ(rank, 2);
  for (int i = 2; i < 5; ++i) {
    CHECK_EQ(x[p[i]], 0);
  }
  std::vector<double> residual = a * x;
  double square = 0;
  for (int i = 0; i < 6; ++i) {
    residual[i] -= b[i];
    square += residual[i] * residual[i];
  }
  CHECK_LT(distance(a.adjoint(residual), std::vector<double>(5)), 1e-12);
  CHECK(norm == doctest::Approx(std::sqrt(square)));
  CHECK_EQ(simtsolverSpDcsrlsqvqrHost(handle, 5, 6, a.nnz(), matrix, a.values.data(),
                                      a.offsets.data(), a.indices.data(), b.data(), 1e-12, &rank,
                                      x.data(), p.data(), &norm),
           SIMTSOLVER_STATUS_INVALID_VALUE);
}

TEST_CASE("simtsolverSp: statuses of bad arguments") {
  CHECK_EQ(simtsolverSpCreate(nullptr), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsolverSpDestroy(nullptr), SIMTSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsolverSpSetStream(nullptr, nullptr), SIMTSOLVER_STATUS_NOT_INITIALIZED);
  Call call;
  CHECK_EQ(simtsolverSpGetStream(call.handle, nullptr), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call.run(), SIMTSOLVER_STATUS_SUCCESS);
  CHECK_EQ(call.x, std::vector<double>{1, 2});
  CHECK_EQ(call.run(nullptr, call.matrix, call.b.data(), &call.singularity),
           SIMTSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_EQ(call.run(call.handle, nullptr, call.b.data(), &call.singularity),
           SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call.run(call.handle, call.matrix, nullptr, &call.singularity),
           SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(call.run(call.handle, call.matrix, call.b.data(), nullptr),
           SIMTSOLVER_STATUS_INVALID_VALUE);
  for (int* const argument : {&call.n, &call.nnz, &call.reorder}) {
    const int before = std::exchange(*argument, argument == &call.reorder ? 4 : 0);
    CHECK_EQ(call.run(), SIMTSOLVER_STATUS_INVALID_VALUE);
    *argument = -1;
    CHECK_EQ(call.run(), SIMTSOLVER_STATUS_INVALID_VALUE);
    *argument = before;
  }
  REQUIRE_SPARSE(simtsparseSetMatType(call.matrix, SIMTSPARSE_MATRIX_TYPE_SYMMETRIC));
  CHECK_EQ(call.run(), SIMTSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

TEST_CASE("simtsparse: settings of a descriptor") {
  const LegacyMatrix matrix;
  CHECK_EQ(simtsparseGetMatType(matrix), SIMTSPARSE_MATRIX_TYPE_GENERAL);
  CHECK_EQ(simtsparseGetMatIndexBase(matrix), SIMTSPARSE_INDEX_BASE_ZERO);
  REQUIRE_SPARSE(simtsparseSetMatType(matrix, SIMTSPARSE_MATRIX_TYPE_TRIANGULAR));
  REQUIRE_SPARSE(simtsparseSetMatIndexBase(matrix, SIMTSPARSE_INDEX_BASE_ONE));
  REQUIRE_SPARSE(simtsparseSetMatFillMode(matrix, SIMTSPARSE_FILL_MODE_UPPER));
  REQUIRE_SPARSE(simtsparseSetMatDiagType(matrix, SIMTSPARSE_DIAG_TYPE_UNIT));
  CHECK_EQ(simtsparseGetMatType(matrix), SIMTSPARSE_MATRIX_TYPE_TRIANGULAR);
  CHECK_EQ(simtsparseGetMatIndexBase(matrix), SIMTSPARSE_INDEX_BASE_ONE);
  CHECK_EQ(simtsparseGetMatFillMode(matrix), SIMTSPARSE_FILL_MODE_UPPER);
  CHECK_EQ(simtsparseGetMatDiagType(matrix), SIMTSPARSE_DIAG_TYPE_UNIT);
}

// Handles and options of simtsolver, statuses for invalid arguments, and stream order.
#include "solver_test.h"

namespace {

constexpr auto kLower = SIMTBLAS_FILL_MODE_LOWER;

TEST_CASE("a handle keeps its stream") {
  SolverHandle handle;
  simtStream_t stream = nullptr, answered = nullptr;
  REQUIRE_OK(simtStreamCreate(&stream));
  CHECK_SOLVER(simtsolverDnSetStream(handle, stream));
  CHECK_SOLVER(simtsolverDnGetStream(handle, &answered));
  CHECK_EQ(answered, stream);
  REQUIRE_OK(simtStreamDestroy(stream));
}

TEST_CASE("the version is that of cuSOLVER in CUDA 12.4") {
  int version = 0, major = 0, minor = 0, patch = 0;
  CHECK_SOLVER(simtsolverGetVersion(&version));
  CHECK_EQ(version, 11601);
  CHECK_SOLVER(simtsolverGetProperty(MAJOR_VERSION, &major));
  CHECK_SOLVER(simtsolverGetProperty(MINOR_VERSION, &minor));
  CHECK_SOLVER(simtsolverGetProperty(PATCH_LEVEL, &patch));
  CHECK_EQ(std::vector<int>{major, minor, patch}, std::vector<int>{11, 6, 1});
}

TEST_CASE("null handles and options are rejected") {
  CHECK_EQ(simtsolverDnCreate(nullptr), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsolverDnDestroy(nullptr), SIMTSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsolverDnSetStream(nullptr, nullptr), SIMTSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsolverDnDestroyParams(nullptr), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsolverDnXgesvdjSetTolerance(nullptr, 1e-7), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsolverDnXsyevjSetMaxSweeps(nullptr, 15), SIMTSOLVER_STATUS_INVALID_VALUE);
  int size = 0;
  CHECK_EQ(simtsolverDnDpotrf_bufferSize(nullptr, kLower, 2, nullptr, 2, &size),
           SIMTSOLVER_STATUS_NOT_INITIALIZED);
}

TEST_CASE("invalid arguments return INVALID_VALUE and leave info unchanged") {
  SolverHandle handle;
  const JacobiOptions options;
  const DeviceArray<double> a(9), b(9), c(9), work(1);
  const DeviceArray<int> info(1, -7);
  const auto potrf = [&](simtblasFillMode_t uplo, int n, double* matrix, int lda, double* memory,
                         int size, int* result) {
    return simtsolverDnDpotrf(handle, uplo, n, matrix, lda, memory, size, result);
  };
  const auto wrong = SIMTSOLVER_STATUS_INVALID_VALUE;
  CHECK_EQ(potrf(SIMTBLAS_FILL_MODE_FULL, 3, a.data(), 3, work.data(), 1, info.data()), wrong);
  CHECK_EQ(potrf(kLower, -1, a.data(), 3, work.data(), 1, info.data()), wrong);
  CHECK_EQ(potrf(kLower, 3, nullptr, 3, work.data(), 1, info.data()), wrong);
  CHECK_EQ(potrf(kLower, 3, a.data(), 2, work.data(), 1, info.data()), wrong);
  CHECK_EQ(potrf(kLower, 3, a.data(), 3, nullptr, 1, info.data()), wrong);
  CHECK_EQ(potrf(kLower, 3, a.data(), 3, work.data(), 0, info.data()), wrong);
  CHECK_EQ(potrf(kLower, 3, a.data(), 3, work.data(), 1, nullptr), wrong);

  // Q must not have more columns than rows, nor more reflectors than columns.
  CHECK_EQ(simtsolverDnDorgqr(handle, 2, 3, 2, a.data(), 3, b.data(), work.data(), 1, info.data()),
           wrong);
  CHECK_EQ(simtsolverDnDorgqr(handle, 3, 2, 3, a.data(), 3, b.data(), work.data(), 1, info.data()),
           wrong);
  // gesvd requires m >= n, and only one of U and V may overwrite A.
  const auto gesvd = [&](signed char jobu, signed char jobvt, int m, int n) {
    return simtsolverDnDgesvd(handle, jobu, jobvt, m, n, a.data(), 3, b.data(), b.data(), 3,
                              c.data(), 3, work.data(), 1, nullptr, info.data());
  };
  CHECK_EQ(gesvd('S', 'S', 2, 3), wrong);
  CHECK_EQ(gesvd('O', 'O', 3, 2), wrong);
  CHECK_EQ(gesvd('V', 'S', 3, 2), wrong);
  // gesvdjBatched accepts matrices of up to 32 rows and columns.
  int size = 0;
  const auto batched = [&](int m, int n) {
    return simtsolverDnDgesvdjBatched_bufferSize(handle, SIMTSOLVER_EIG_MODE_NOVECTOR, m, n,
                                                 nullptr, 64, nullptr, nullptr, 64, nullptr, 64,
                                                 &size, options.svd, 2);
  };
  CHECK_SOLVER(batched(32, 32));
  CHECK_EQ(batched(33, 1), wrong);
  CHECK_EQ(batched(1, 33), wrong);
  CHECK_EQ(simtsolverDnDsyevj_bufferSize(handle, SIMTSOLVER_EIG_MODE_VECTOR, kLower, 3, nullptr, 3,
                                         nullptr, &size, nullptr),
           wrong);
  CHECK_EQ(info.values(), std::vector<int>{-7});
}

TEST_CASE("types and sizes as arguments are checked") {
  SolverHandle handle;
  std::size_t on_device = 0, on_host = 0;
  const auto syevd = [&](simtDataType type, simtDataType type_w, simtDataType compute,
                         std::int64_t n) {
    return simtsolverDnXsyevd_bufferSize(handle, nullptr, SIMTSOLVER_EIG_MODE_VECTOR, kLower, n,
                                         type, nullptr, n, type_w, nullptr, compute, &on_device,
                                         &on_host);
  };
  CHECK_SOLVER(syevd(SIMT_C_64F, SIMT_R_64F, SIMT_C_64F, 4));
  CHECK_GT(on_device, 0);
  CHECK_EQ(syevd(SIMT_C_64F, SIMT_C_64F, SIMT_C_64F, 4), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(syevd(SIMT_C_64F, SIMT_R_64F, SIMT_R_64F, 4), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(syevd(SIMT_R_16F, SIMT_R_16F, SIMT_R_16F, 4), SIMTSOLVER_STATUS_INVALID_VALUE);
  CHECK_EQ(syevd(SIMT_R_64F, SIMT_R_64F, SIMT_R_64F, std::int64_t{1} << 31),
           SIMTSOLVER_STATUS_NOT_SUPPORTED);
}

TEST_CASE("matrices without elements are decomposed") {
  SolverHandle handle;
  const DeviceArray<double> work(1);
  const DeviceArray<int> info(1, -1);
  CHECK_SOLVER(simtsolverDnDpotrf(handle, kLower, 0, nullptr, 1, work.data(), 1, info.data()));
  CHECK_EQ(info.values(), std::vector<int>{0});
  const DeviceArray<int> other(1, -1);
  CHECK_SOLVER(simtsolverDnDsyevd(handle, SIMTSOLVER_EIG_MODE_VECTOR, kLower, 0, nullptr, 1,
                                  nullptr, work.data(), 1, other.data()));
  CHECK_EQ(other.values(), std::vector<int>{0});
}

TEST_CASE("work waits for earlier work on its stream") {
  SolverHandle handle;
  simtStream_t stream = nullptr;
  REQUIRE_OK(simtStreamCreateWithFlags(&stream, simtStreamNonBlocking));
  CHECK_SOLVER(simtsolverDnSetStream(handle, stream));
  const DeviceArray<double> a(1, 4), nine(1, 9), work(1);
  const DeviceArray<int> info(1, -1);
  Gate gate;
  gate.hold(stream);
  REQUIRE_OK(simtMemcpyAsync(a.data(), nine.data(), a.bytes(), simtMemcpyDeviceToDevice, stream));
  CHECK_SOLVER(simtsolverDnDpotrf(handle, kLower, 1, a.data(), 1, work.data(), 1, info.data()));
  CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(a.values(), std::vector<double>{3});
  REQUIRE_OK(simtStreamDestroy(stream));
}

}  // namespace

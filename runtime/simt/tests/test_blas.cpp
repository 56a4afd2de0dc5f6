// Handles of simtblas, stream order, pointer modes, and rejected arguments. cuBLAS 12.4
// documentation, "2.1.3 Scalar parameters", "2.2 cuBLAS datatypes reference" and the status lists
// of the functions.
#include "blas_test.h"

#include <simtsolver.h>
#include <simtsparse.h>

#include <limits>
#include <thread>

namespace {

TEST_CASE("a handle has CUDA's defaults, and stores new settings") {
  BlasHandle handle;
  simtStream_t stream;
  simtblasPointerMode_t pointers;
  simtblasAtomicsMode_t atomics;
  simtblasMath_t math;
  CHECK_BLAS(simtblasGetStream(handle, &stream));
  CHECK_BLAS(simtblasGetPointerMode(handle, &pointers));
  CHECK_BLAS(simtblasGetAtomicsMode(handle, &atomics));
  CHECK_BLAS(simtblasGetMathMode(handle, &math));
  CHECK_EQ(stream, nullptr);
  CHECK_EQ(pointers, SIMTBLAS_POINTER_MODE_HOST);
  CHECK_EQ(atomics, SIMTBLAS_ATOMICS_NOT_ALLOWED);
  CHECK_EQ(math, SIMTBLAS_DEFAULT_MATH);

  TestStream own;
  const auto flags = static_cast<simtblasMath_t>(
      SIMTBLAS_DEFAULT_MATH | SIMTBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
  CHECK_BLAS(simtblasSetStream(handle, own));
  CHECK_BLAS(simtblasSetPointerMode(handle, SIMTBLAS_POINTER_MODE_DEVICE));
  CHECK_BLAS(simtblasSetAtomicsMode(handle, SIMTBLAS_ATOMICS_ALLOWED));
  CHECK_BLAS(simtblasSetMathMode(handle, flags));
  CHECK_BLAS(simtblasGetStream(handle, &stream));
  CHECK_BLAS(simtblasGetPointerMode(handle, &pointers));
  CHECK_BLAS(simtblasGetAtomicsMode(handle, &atomics));
  CHECK_BLAS(simtblasGetMathMode(handle, &math));
  CHECK_EQ(stream, static_cast<simtStream_t>(own));
  CHECK_EQ(pointers, SIMTBLAS_POINTER_MODE_DEVICE);
  CHECK_EQ(atomics, SIMTBLAS_ATOMICS_ALLOWED);
  CHECK_EQ(math, flags);
}

TEST_CASE("the version is that of the corresponding cuBLAS") {
  int version = 0, major = 0, minor = 0, patch = 0;
  CHECK_BLAS(simtblasGetVersion(BlasHandle(), &version));
  CHECK_BLAS(simtblasGetProperty(MAJOR_VERSION, &major));
  CHECK_BLAS(simtblasGetProperty(MINOR_VERSION, &minor));
  CHECK_BLAS(simtblasGetProperty(PATCH_LEVEL, &patch));
  CHECK_EQ(version, 120405);
  CHECK_EQ(major * 10000 + minor * 100 + patch, version);
  CHECK_EQ(simtblasGetProperty(static_cast<libraryPropertyType>(9), &major),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(std::string(simtblasGetStatusName(SIMTBLAS_STATUS_NOT_SUPPORTED)),
           "SIMTBLAS_STATUS_NOT_SUPPORTED");
  CHECK_GT(std::string(simtblasGetStatusString(SIMTBLAS_STATUS_SUCCESS)).size(), 0);
}

TEST_CASE("calls with a null handle are rejected") {
  float x = 0;
  CHECK_EQ(simtblasCreate(nullptr), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasDestroy(nullptr), SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtblasSetStream(nullptr, nullptr), SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtblasSnrm2(nullptr, 1, &x, 1, &x), SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(
      simtblasSgemm(nullptr, SIMTBLAS_OP_N, SIMTBLAS_OP_N, 1, 1, 1, &x, &x, 1, &x, 1, &x, &x, 1),
      SIMTBLAS_STATUS_NOT_INITIALIZED);
}

TEST_CASE("invalid arguments are rejected, and the next call works") {
  BlasHandle handle;
  const DeviceArray<float> memory(64);
  float* const p = memory.data();
  const float one = 1;
  const auto gemm = [&](int m, int n, int k, int lda, int ldb, int ldc,
                        simtblasOperation_t transa = SIMTBLAS_OP_N) {
    return simtblasSgemm(handle, transa, SIMTBLAS_OP_N, m, n, k, &one, p, lda, p, ldb, &one, p,
                         ldc);
  };
  CHECK_EQ(gemm(-1, 2, 2, 2, 2, 2), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(gemm(2, 2, -1, 2, 2, 2), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(gemm(3, 2, 2, 2, 2, 3), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(gemm(3, 2, 2, 3, 1, 3), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(gemm(3, 2, 2, 3, 2, 2), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(gemm(2, 3, 4, 3, 4, 2, SIMTBLAS_OP_T), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(gemm(2, 2, 2, 2, 2, 2, SIMTBLAS_OP_CONJG), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(gemm(0, 0, 0, 0, 1, 1), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(
      simtblasSgemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, 1, 1, 1, nullptr, p, 1, p, 1, &one, p, 1),
      SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasSgemv(handle, SIMTBLAS_OP_N, 2, 2, &one, p, 2, p, 1, &one, p, 0),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(
      simtblasSsyrk(handle, SIMTBLAS_FILL_MODE_FULL, SIMTBLAS_OP_N, 1, 1, &one, p, 1, &one, p, 1),
      SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasSetMathMode(handle, static_cast<simtblasMath_t>(7)),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasSetWorkspace(handle, p + 1, 4), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_BLAS(simtblasSetWorkspace(handle, nullptr, 0));
  CHECK_BLAS(gemm(2, 2, 2, 2, 2, 2));
  CHECK_BLAS(gemm(0, 2, 2, 1, 2, 1));
  REQUIRE_FINISHED();
}

TEST_CASE("invalid combinations of types are not supported") {
  BlasHandle handle;
  const DeviceArray<double> memory(16);
  void* const p = memory.data();
  const double one = 1;
  const auto gemm = [&](simtDataType a, simtDataType b, simtDataType c, auto compute) {
    return simtblasGemmEx(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, 1, 1, 1, &one, p, a, 1, p, b, 1,
                          &one, p, c, 1, compute, SIMTBLAS_GEMM_DEFAULT);
  };
  CHECK_EQ(gemm(SIMT_R_16F, SIMT_R_16BF, SIMT_R_32F, SIMTBLAS_COMPUTE_32F),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(gemm(SIMT_R_32F, SIMT_R_32F, SIMT_R_32F, SIMTBLAS_COMPUTE_64F),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(gemm(SIMT_R_16F, SIMT_R_16F, SIMT_R_16F, SIMTBLAS_COMPUTE_32F_FAST_TF32),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(gemm(SIMT_R_8I, SIMT_R_8I, SIMT_R_32I, SIMTBLAS_COMPUTE_32F),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(gemm(SIMT_R_16F, SIMT_R_16F, SIMT_R_16F, SIMT_R_8I), SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(simtblasDotEx(handle, 1, p, SIMT_R_16F, 1, p, SIMT_R_16F, 1, p, SIMT_R_16F, SIMT_R_16F),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("work waits for its stream; host scalars are read at the call, device ones in order") {
  TestStream stream;
  BlasHandle handle;
  CHECK_BLAS(simtblasSetStream(handle, stream));
  const DeviceArray<float> x(std::vector<float>{1, 2, 3});
  const DeviceArray<float> factor(std::vector<float>{10}), hundred(std::vector<float>{100});
  Gate gate;
  gate.hold(stream);
  float alpha = 2;
  CHECK_BLAS(simtblasSscal(handle, 3, &alpha, x.data(), 1));
  alpha = 1000;  // too late: the call has read alpha
  CHECK_BLAS(simtblasSetPointerMode(handle, SIMTBLAS_POINTER_MODE_DEVICE));
  REQUIRE_OK(simtMemcpyAsync(factor.data(), hundred.data(), sizeof(float), simtMemcpyDeviceToDevice,
                             stream));
  CHECK_BLAS(simtblasSscal(handle, 3, factor.data(), x.data(), 1));  // by 100, not by 10
  CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(x.values(), std::vector<float>{200, 400, 600});
}

TEST_CASE("a result on the host is complete at the return, one on the device in stream order") {
  TestStream stream;
  BlasHandle handle;
  CHECK_BLAS(simtblasSetStream(handle, stream));
  const DeviceArray<float> x(std::vector<float>{3, 4});
  float norm = -1;
  CHECK_BLAS(simtblasSnrm2(handle, 2, x.data(), 1, &norm));
  CHECK_EQ(norm, 5);

  const DeviceArray<float> result(std::vector<float>{-1});
  CHECK_BLAS(simtblasSetPointerMode(handle, SIMTBLAS_POINTER_MODE_DEVICE));
  Gate gate;
  gate.hold(stream);
  CHECK_BLAS(simtblasSdot(handle, 2, x.data(), 1, x.data(), 1, result.data()));
  CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(result.values()[0], 25);
}

TEST_CASE("several host threads, each with a handle and a stream") {
  constexpr int kThreads = 4, kSize = 96;
  const Matrix<double> a(kSize, kSize, kSize, 1);
  const Matrix<double> b(kSize, kSize, kSize, 2);
  std::vector<std::unique_ptr<Matrix<double>>> results;
  for (int i = 0; i < kThreads; ++i) {
    results.push_back(std::make_unique<Matrix<double>>(kSize, kSize, kSize, 3));
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      simtStream_t stream;
      simtblasHandle_t handle;
      const double one = 1, zero = 0;
      simtStreamCreateWithFlags(&stream, simtStreamNonBlocking);
      simtblasCreate(&handle);
      simtblasSetStream(handle, stream);
      for (int repeat = 0; repeat < 5; ++repeat) {
        simtblasDgemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, kSize, kSize, kSize, &one, a.data(),
                      kSize, b.data(), kSize, &zero, results[i]->data(), kSize);
      }
      simtStreamSynchronize(stream);
      simtblasDestroy(handle);
      simtStreamDestroy(stream);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& result : results) {
    CHECK_EQ(result->distance([&](int i, int j) {
      return product_at(SIMTBLAS_OP_N, a, SIMTBLAS_OP_N, b, kSize, i, j);
    }),
             0);
  }
}

TEST_CASE("a captured product runs at each launch of its graph") {
  TestStream stream;
  BlasHandle handle;
  CHECK_BLAS(simtblasSetStream(handle, stream));
  const DeviceArray<float> x(std::vector<float>{1, 2});
  const float three = 3;
  simtGraph_t graph;
  simtGraphExec_t executable;
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeGlobal));
  CHECK_BLAS(simtblasSscal(handle, 2, &three, x.data(), 1));
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  REQUIRE_OK(simtGraphInstantiate(&executable, graph, 0));
  CHECK_EQ(x.values(), std::vector<float>{1, 2});
  REQUIRE_OK(simtGraphLaunch(executable, stream));
  REQUIRE_OK(simtGraphLaunch(executable, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(x.values(), std::vector<float>{9, 18});
  REQUIRE_OK(simtGraphExecDestroy(executable));
  REQUIRE_OK(simtGraphDestroy(graph));
}

TEST_CASE("copies with strides between host and device") {
  const std::vector<int> host = {1, 2, 3, 4, 5, 6};
  const DeviceArray<int> device(std::vector<int>(6, 0));
  CHECK_BLAS(simtblasSetVector(3, sizeof(int), host.data(), 2, device.data(), 1));
  CHECK_EQ(device.values(), std::vector<int>{1, 3, 5, 0, 0, 0});
  std::vector<int> back(6, 0);
  CHECK_BLAS(simtblasGetVector(3, sizeof(int), device.data(), 1, back.data(), 2));
  CHECK_EQ(back, std::vector<int>{1, 0, 3, 0, 5, 0});
  // A 2 x 2 part of a matrix with 3 rows.
  CHECK_BLAS(simtblasSetMatrix(2, 2, sizeof(int), host.data(), 3, device.data(), 2));
  CHECK_EQ(device.values(), std::vector<int>{1, 2, 4, 5, 0, 0});
  TestStream stream;
  CHECK_BLAS(simtblasGetMatrixAsync(2, 2, sizeof(int), device.data(), 2, back.data(), 3, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(back, std::vector<int>{1, 2, 3, 4, 5, 0});
  CHECK_EQ(simtblasSetVector(1, sizeof(int), host.data(), 0, device.data(), 1),
           SIMTBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("options of emulation are stored, and products keep their precision") {
  const BlasHandle handle;
  simtblasEmulationStrategy_t strategy{};
  CHECK_BLAS(simtblasSetEmulationStrategy(handle, SIMTBLAS_EMULATION_STRATEGY_EAGER));
  CHECK_BLAS(simtblasGetEmulationStrategy(handle, &strategy));
  CHECK_EQ(strategy, SIMTBLAS_EMULATION_STRATEGY_EAGER);
  simtEmulationMantissaControl control{};
  CHECK_BLAS(simtblasSetFixedPointEmulationMantissaControl(handle, SIMT_EMULATION_MANTISSA_CONTROL_FIXED));
  CHECK_BLAS(simtblasGetFixedPointEmulationMantissaControl(handle, &control));
  CHECK_EQ(control, SIMT_EMULATION_MANTISSA_CONTROL_FIXED);
  int bits = 0;
  CHECK_BLAS(simtblasSetFixedPointEmulationMaxMantissaBitCount(handle, 79));
  CHECK_BLAS(simtblasGetFixedPointEmulationMaxMantissaBitCount(handle, &bits));
  CHECK_EQ(bits, 79);
  CHECK_BLAS(simtblasSetFixedPointEmulationMantissaBitOffset(handle, -8));
  CHECK_BLAS(simtblasGetFixedPointEmulationMantissaBitOffset(handle, &bits));
  CHECK_EQ(bits, -8);
  CHECK_EQ(simtblasSetEmulationStrategy(nullptr, strategy), SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtblasGetEmulationStrategy(handle, nullptr), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasSetFixedPointEmulationMaxMantissaBitCount(handle, -1), SIMTBLAS_STATUS_INVALID_VALUE);

  CHECK_BLAS(simtblasSetMathMode(handle, SIMTBLAS_FP64_EMULATED_FIXEDPOINT_MATH));
  CHECK_BLAS(simtblasSetMathMode(handle, SIMTBLAS_FP32_EMULATED_BF16X9_MATH));
  CHECK_EQ(simtblasSetMathMode(handle, static_cast<simtblasMath_t>(5)), SIMTBLAS_STATUS_INVALID_VALUE);
  const DeviceArray<double> a(std::vector<double>{1 + 0x1p-50}), c(1);
  const double one = 1, zero = 0;
  CHECK_BLAS(simtblasGemmEx(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, 1, 1, 1, &one, a.data(), SIMT_R_64F, 1, a.data(),
                            SIMT_R_64F, 1, &zero, c.data(), SIMT_R_64F, 1, SIMTBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT,
                            SIMTBLAS_GEMM_DEFAULT));
  REQUIRE_FINISHED();
  CHECK_EQ(c.values()[0], (1 + 0x1p-50) * (1 + 0x1p-50));
}

}  // namespace

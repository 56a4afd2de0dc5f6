// Functions of simtblas with 64-bit sizes. cuBLAS, "64-bit Integer Interface".
#include "blas_test.h"

#include <cstdint>
#include <vector>

namespace {

struct Handle {
  simtblasHandle_t handle = nullptr;
  Handle() { REQUIRE(simtblasCreate(&handle) == SIMTBLAS_STATUS_SUCCESS); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { simtblasDestroy(handle); }
};

constexpr std::int64_t kTooLarge = std::int64_t{1} << 31;

}  // namespace

TEST_CASE("products, norms and copies with 64-bit sizes") {
  const Handle blas;
  const std::int64_t n = 3;
  const DeviceArray<double> a(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 10}), x(std::vector<double>{1, -2, 2});
  const DeviceArray<double> y(std::vector<double>(3)), c(std::vector<double>(9));
  const double one = 1, zero = 0;
  CHECK(simtblasDgemv_64(blas.handle, SIMTBLAS_OP_N, n, n, &one, a.data(), n, x.data(), std::int64_t{1}, &zero,
                         y.data(), std::int64_t{1}) == SIMTBLAS_STATUS_SUCCESS);
  REQUIRE_FINISHED();
  CHECK(y.values() == std::vector<double>{7, 8, 11});
  CHECK(simtblasDgemm_64(blas.handle, SIMTBLAS_OP_T, SIMTBLAS_OP_N, 1, 1, n, &one, x.data(), n, y.data(), n, &zero,
                         c.data(), 1) == SIMTBLAS_STATUS_SUCCESS);
  REQUIRE_FINISHED();
  CHECK(c.values()[0] == 13);
  double norm = 0;
  CHECK(simtblasDnrm2_64(blas.handle, n, x.data(), 1, &norm) == SIMTBLAS_STATUS_SUCCESS);
  CHECK(norm == 3);
  std::vector<double> back(3);
  CHECK(simtblasGetVector_64(n, sizeof(double), x.data(), 1, back.data(), 1) == SIMTBLAS_STATUS_SUCCESS);
  CHECK(back == x.values());
  CHECK(simtblasGemmEx_64(blas.handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, n, 1, n, &one, a.data(), SIMT_R_64F, n, x.data(),
                          SIMT_R_64F, n, &zero, c.data(), SIMT_R_64F, n, SIMTBLAS_COMPUTE_64F,
                          SIMTBLAS_GEMM_DEFAULT) == SIMTBLAS_STATUS_SUCCESS);
  REQUIRE_FINISHED();
  CHECK(c.values()[2] == 11);
}

TEST_CASE("indices of 64 bits, on the host and on the device") {
  const Handle blas;
  const DeviceArray<float> x(std::vector<float>{1, -7, 2});
  std::int64_t index = -1;
  CHECK(simtblasIsamax_64(blas.handle, 3, x.data(), 1, &index) == SIMTBLAS_STATUS_SUCCESS);
  CHECK(index == 2);
  index = -1;
  CHECK(simtblasIsamin_64(blas.handle, 0, x.data(), 1, &index) == SIMTBLAS_STATUS_SUCCESS);
  CHECK(index == 0);
  const DeviceArray<std::int64_t> on_device(std::vector<std::int64_t>{-1});
  REQUIRE(simtblasSetPointerMode(blas.handle, SIMTBLAS_POINTER_MODE_DEVICE) == SIMTBLAS_STATUS_SUCCESS);
  CHECK(simtblasIsamin_64(blas.handle, 3, x.data(), 1, on_device.data()) == SIMTBLAS_STATUS_SUCCESS);
  CHECK(on_device.values()[0] == 1);
}

TEST_CASE("wrong arguments of functions with 64-bit sizes") {
  const Handle blas;
  const DeviceArray<float> x(std::vector<float>(2));
  const float one = 1;
  float sum = 0;
  std::int64_t index;
  CHECK(simtblasSaxpy_64(blas.handle, kTooLarge, &one, x.data(), 1, x.data(), 1) == SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK(simtblasSasum_64(blas.handle, 2, x.data(), kTooLarge, &sum) == SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK(simtblasIsamax_64(blas.handle, kTooLarge, x.data(), 1, &index) == SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK(simtblasIsamax_64(blas.handle, 2, x.data(), 1, nullptr) == SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK(simtblasIsamax_64(nullptr, 2, x.data(), 1, &index) == SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK(simtblasSscal_64(nullptr, 2, &one, x.data(), 1) == SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK(simtblasSger_64(blas.handle, -1, 2, &one, x.data(), 1, x.data(), 1, x.data(), 1) ==
        SIMTBLAS_STATUS_INVALID_VALUE);
}

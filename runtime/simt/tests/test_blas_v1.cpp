// cuBLAS's API before version 2.
#include "kernel_test.h"

#include <simtblas_v1.h>

namespace {

/// Vector or matrix on the device.
struct Numbers {
  explicit Numbers(const std::vector<float>& from) : count(static_cast<int>(from.size())) {
    REQUIRE_EQ(simtblasAlloc(count, sizeof(float), reinterpret_cast<void**>(&data)),
               SIMTBLAS_STATUS_SUCCESS);
    REQUIRE_EQ(simtblasSetVector(count, sizeof(float), from.data(), 1, data, 1),
               SIMTBLAS_STATUS_SUCCESS);
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  ~Numbers() { simtblasFree(data); }
  std::vector<float> values() const {
    std::vector<float> all(count);
    REQUIRE_OK(simtMemcpy(all.data(), data, count * sizeof(float), simtMemcpyDeviceToHost));
    return all;
  }
  int count;
  float* data = nullptr;
};

}  // namespace

TEST_CASE("functions of BLAS without a handle") {
  Numbers x({1, 2, -3}), y({4, 5, 6});
  simtblasSaxpy(3, 1, x.data, 1, y.data, 1);
  CHECK_EQ(simtblasGetError(), SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtblasGetError(), SIMTBLAS_STATUS_SUCCESS);

  REQUIRE_EQ(simtblasInit(), SIMTBLAS_STATUS_SUCCESS);
  REQUIRE_EQ(simtblasInit(), SIMTBLAS_STATUS_SUCCESS);
  simtblasSaxpy(3, 2, x.data, 1, y.data, 1);
  CHECK_EQ(y.values(), std::vector<float>{6, 9, 0});
  CHECK_EQ(simtblasSdot(3, x.data, 1, y.data, 1), 24);
  CHECK_EQ(simtblasSasum(3, x.data, 1), 6);
  CHECK_EQ(simtblasIsamax(3, x.data, 1), 3);

  const Numbers a({1, 2, 3, 4}), b({5, 6, 7, 8});
  Numbers c({1, 1, 1, 1});
  simtblasSgemm('n', 'T', 2, 2, 2, 1, a.data, 2, b.data, 2, 10, c.data, 2);
  CHECK_EQ(c.values(), std::vector<float>{1 * 5 + 3 * 7 + 10, 2 * 5 + 4 * 7 + 10, 6 + 24 + 10, 12 + 32 + 10});
  Numbers solved({2, 10});
  simtblasStrsm('L', 'L', 'N', 'N', 2, 1, 1, a.data, 2, solved.data, 2);
  CHECK_EQ(solved.values(), std::vector<float>{2, 1.5f});
  Numbers product({1, 2});
  simtblasStrmm('L', 'U', 'N', 'N', 2, 1, 1, a.data, 2, product.data, 2);
  CHECK_EQ(product.values(), std::vector<float>{7, 8});
  CHECK_EQ(simtblasGetError(), SIMTBLAS_STATUS_SUCCESS);

  simtblasSgemm('x', 'N', 2, 2, 2, 1, a.data, 2, b.data, 2, 0, c.data, 2);
  CHECK_EQ(simtblasGetError(), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasShutdown(), SIMTBLAS_STATUS_SUCCESS);
}

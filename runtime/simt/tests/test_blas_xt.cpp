// cuBLASXt: the functions for host and device memory give the results of the functions for device memory. cuBLAS 12.4
// documentation, "Using the cuBLASXt API".
#include "blas_test.h"

#include <simtblasXt.h>

#include <algorithm>

namespace {

class XtHandle {
 public:
  XtHandle() {
    int device = 0;
    REQUIRE_BLAS(simtblasXtCreate(&handle_));
    REQUIRE_BLAS(simtblasXtDeviceSelect(handle_, 1, &device));
  }
  XtHandle(const XtHandle&) = delete;
  XtHandle& operator=(const XtHandle&) = delete;
  ~XtHandle() { simtblasXtDestroy(handle_); }
  operator simtblasXtHandle_t() const { return handle_; }

 private:
  simtblasXtHandle_t handle_ = nullptr;
};

/// Functions of cuBLASXt without the type letter.
template <class T>
struct Xt;
#define XT_TEST(T, R, S)                                   \
  template <>                                              \
  struct Xt<T> {                                           \
    using Real = R;                                        \
    static constexpr auto gemm = simtblasXt##S##gemm;      \
    static constexpr auto symm = simtblasXt##S##symm;      \
    static constexpr auto spmm = simtblasXt##S##spmm;      \
    static constexpr auto syrk = simtblasXt##S##syrk;      \
    static constexpr auto syr2k = simtblasXt##S##syr2k;    \
    static constexpr auto syrkx = simtblasXt##S##syrkx;    \
    static constexpr auto trsm = simtblasXt##S##trsm;      \
    static constexpr auto trmm = simtblasXt##S##trmm;      \
  };
XT_TEST(float, float, S)
XT_TEST(double, double, D)
XT_TEST(std::complex<float>, float, C)
XT_TEST(std::complex<double>, double, Z)
#undef XT_TEST

constexpr int kOrder = 6, kLd = 8;
constexpr auto kLower = SIMTBLAS_FILL_MODE_LOWER;
constexpr auto kLeft = SIMTBLAS_SIDE_LEFT;
constexpr auto kNone = SIMTBLAS_OP_N;

/// Two inputs and a result of kOrder columns, on the host and on the device.
template <class T>
struct Operands {
  Operands()
      : a(well_conditioned(1)), b(Numbers(2).list<T>(kLd * kOrder)), c(Numbers(3).list<T>(kLd * kOrder)),
        device_a(a), device_b(b), device_c(c) {}

  static std::vector<T> well_conditioned(std::uint32_t seed) {
    std::vector<T> values = Numbers(seed).list<T>(kLd * kOrder);
    for (int i = 0; i < kOrder; ++i) values[i + i * kLd] += T(16);
    return values;
  }

  std::vector<T> a, b, c;
  DeviceArray<T> device_a, device_b, device_c;
};

/// Runs `xt` with host memory and `blas` with device memory, and compares the results in B and C.
template <class T, class OfXt, class OfBlas>
void check_equal(const OfXt& xt, const OfBlas& blas) {
  Operands<T> x;
  const std::vector<T> before_b = x.b, before_c = x.c;
  CHECK_BLAS(xt(api(x.a.data()), api(x.b.data()), api(x.c.data())));
  CHECK_BLAS(blas(api(x.device_a.data()), api(x.device_b.data()), api(x.device_c.data())));
  REQUIRE_FINISHED();
  CHECK_EQ(x.b, x.device_b.values());
  CHECK_EQ(x.c, x.device_c.values());
  CHECK((x.b != before_b || x.c != before_c));
}

TEST_CASE_TEMPLATE("cuBLASXt: level 3 with host memory gives the results with device memory", T,
                   BLAS_TYPES) {
  const XtHandle xt;
  const BlasHandle blas;
  const T alpha = number<T>(0.5, 1), beta = number<T>(-2, 1);
  const auto *const p = api(&alpha), *const q = api(&beta);
  const int n = kOrder, k = 5;
  check_equal<T>(
      [&](auto* a, auto* b, auto* c) {
        return Xt<T>::gemm(xt, SIMTBLAS_OP_T, kNone, n, n, k, p, a, kLd, b, kLd, q, c, kLd);
      },
      [&](auto* a, auto* b, auto* c) {
        return Calls<T>::gemm(blas, SIMTBLAS_OP_T, kNone, n, n, k, p, a, kLd, b, kLd, q, c, kLd);
      });
  check_equal<T>(
      [&](auto* a, auto* b, auto* c) {
        return Xt<T>::symm(xt, kLeft, kLower, n, n, p, a, kLd, b, kLd, q, c, kLd);
      },
      [&](auto* a, auto* b, auto* c) {
        return Calls<T>::symm(blas, kLeft, kLower, n, n, p, a, kLd, b, kLd, q, c, kLd);
      });
  check_equal<T>(
      [&](auto* a, auto*, auto* c) {
        return Xt<T>::syrk(xt, kLower, kNone, n, k, p, a, kLd, q, c, kLd);
      },
      [&](auto* a, auto*, auto* c) {
        return Calls<T>::syrk(blas, kLower, kNone, n, k, p, a, kLd, q, c, kLd);
      });
  check_equal<T>(
      [&](auto* a, auto* b, auto* c) {
        return Xt<T>::syr2k(xt, kLower, kNone, n, k, p, a, kLd, b, kLd, q, c, kLd);
      },
      [&](auto* a, auto* b, auto* c) {
        return Calls<T>::syr2k(blas, kLower, kNone, n, k, p, a, kLd, b, kLd, q, c, kLd);
      });
  check_equal<T>(
      [&](auto* a, auto* b, auto* c) {
        return Xt<T>::syrkx(xt, kLower, kNone, n, k, p, a, kLd, b, kLd, q, c, kLd);
      },
      [&](auto* a, auto* b, auto* c) {
        return Calls<T>::syrkx(blas, kLower, kNone, n, k, p, a, kLd, b, kLd, q, c, kLd);
      });
  check_equal<T>(
      [&](auto* a, auto* b, auto*) {
        return Xt<T>::trsm(xt, kLeft, kLower, kNone, SIMTBLAS_DIAG_NON_UNIT, n, n, p, a, kLd, b, kLd);
      },
      [&](auto* a, auto* b, auto*) {
        return Calls<T>::trsm(blas, kLeft, kLower, kNone, SIMTBLAS_DIAG_NON_UNIT, n, n, p, a, kLd, b,
                              kLd);
      });
  check_equal<T>(
      [&](auto* a, auto* b, auto* c) {
        return Xt<T>::trmm(xt, kLeft, kLower, kNone, SIMTBLAS_DIAG_UNIT, n, n, p, a, kLd, b, kLd, c,
                           kLd);
      },
      [&](auto* a, auto* b, auto* c) {
        return Calls<T>::trmm(blas, kLeft, kLower, kNone, SIMTBLAS_DIAG_UNIT, n, n, p, a, kLd, b, kLd,
                              c, kLd);
      });
  // spmm is symm with the same triangle, packed.
  Operands<T> x;
  std::vector<T> packed;
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) packed.push_back(x.a[i + j * kLd]);
  }
  check_equal<T>(
      [&](auto*, auto* b, auto* c) {
        return Xt<T>::spmm(xt, kLeft, kLower, n, n, p, api(packed.data()), b, kLd, q, c, kLd);
      },
      [&](auto* a, auto* b, auto* c) {
        return Calls<T>::symm(blas, kLeft, kLower, n, n, p, a, kLd, b, kLd, q, c, kLd);
      });
}

/// Complex functions for Hermitian matrices of both APIs.
template <class T>
struct Hermitian;
#define HERMITIAN_TEST(T, R, S)                             \
  template <>                                               \
  struct Hermitian<T> {                                     \
    using Real = R;                                         \
    static constexpr auto hemm = simtblasXt##S##hemm;       \
    static constexpr auto herk = simtblasXt##S##herk;       \
    static constexpr auto her2k = simtblasXt##S##her2k;     \
    static constexpr auto herkx = simtblasXt##S##herkx;     \
  };
HERMITIAN_TEST(std::complex<float>, float, C)
HERMITIAN_TEST(std::complex<double>, double, Z)
#undef HERMITIAN_TEST

TEST_CASE_TEMPLATE("cuBLASXt: Hermitian matrices", T, std::complex<float>, std::complex<double>) {
  const XtHandle xt;
  const BlasHandle blas;
  const T alpha = number<T>(0.5, 1), beta = number<T>(-2, 1);
  const typename Hermitian<T>::Real half = 0.5, two = 2;
  const auto *const p = api(&alpha), *const q = api(&beta);
  const int n = kOrder, k = 5;
  check_equal<T>(
      [&](auto* a, auto* b, auto* c) {
        return Hermitian<T>::hemm(xt, kLeft, kLower, n, n, p, a, kLd, b, kLd, q, c, kLd);
      },
      [&](auto* a, auto* b, auto* c) {
        return Calls<T>::hemm(blas, kLeft, kLower, n, n, p, a, kLd, b, kLd, q, c, kLd);
      });
  check_equal<T>(
      [&](auto* a, auto*, auto* c) {
        return Hermitian<T>::herk(xt, kLower, kNone, n, k, &half, a, kLd, &two, c, kLd);
      },
      [&](auto* a, auto*, auto* c) {
        return Calls<T>::herk(blas, kLower, kNone, n, k, &half, a, kLd, &two, c, kLd);
      });
  check_equal<T>(
      [&](auto* a, auto* b, auto* c) {
        return Hermitian<T>::her2k(xt, kLower, kNone, n, k, p, a, kLd, b, kLd, &two, c, kLd);
      },
      [&](auto* a, auto* b, auto* c) {
        return Calls<T>::her2k(blas, kLower, kNone, n, k, p, a, kLd, b, kLd, &two, c, kLd);
      });
  check_equal<T>(
      [&](auto* a, auto* b, auto* c) {
        return Hermitian<T>::herkx(xt, kLower, kNone, n, k, p, a, kLd, b, kLd, &two, c, kLd);
      },
      [&](auto* a, auto* b, auto* c) {
        return Calls<T>::herkx(blas, kLower, kNone, n, k, p, a, kLd, b, kLd, &two, c, kLd);
      });
}

TEST_CASE("cuBLASXt: matrices in host and device memory in one call, with a known answer") {
  const XtHandle xt;
  const std::vector<float> a{1, 3, 2, 4};  // [1 2; 3 4]
  const DeviceArray<float> b(std::vector<float>{1, 10});
  std::vector<float> c{5, 7};
  const float one = 1, two = 2;
  CHECK_BLAS(simtblasXtSgemm(xt, kNone, kNone, 2, 1, 2, &one, a.data(), 2, b.data(), 2, &two,
                             c.data(), 2));
  CHECK_EQ(c, std::vector<float>{21 + 10, 43 + 14});
}

TEST_CASE("cuBLASXt: options and bad arguments") {
  simtblasXtHandle_t handle = nullptr;
  int devices[] = {0}, count = 0, size = 0;
  REQUIRE_BLAS(simtGetDeviceCount(&count) == simtSuccess ? SIMTBLAS_STATUS_SUCCESS
                                                         : SIMTBLAS_STATUS_INTERNAL_ERROR);
  CHECK_EQ(simtblasXtCreate(nullptr), SIMTBLAS_STATUS_INVALID_VALUE);
  REQUIRE_BLAS(simtblasXtCreate(&handle));
  float x = 1;
  const auto gemm = [&](simtblasXtHandle_t own, std::size_t n, std::size_t ld) {
    return simtblasXtSgemm(own, kNone, kNone, n, n, n, &x, &x, ld, &x, ld, &x, &x, ld);
  };
  CHECK_EQ(gemm(nullptr, 1, 1), SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(gemm(handle, 1, 1), SIMTBLAS_STATUS_NOT_INITIALIZED);  // without a device
  int wrong[] = {count};
  CHECK_EQ(simtblasXtDeviceSelect(handle, 1, wrong), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasXtDeviceSelect(handle, 0, devices), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_BLAS(simtblasXtDeviceSelect(handle, 1, devices));
  CHECK_EQ(gemm(handle, 2, 1), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(gemm(handle, std::size_t{1} << 31, std::size_t{1} << 31),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_BLAS(gemm(handle, 1, 1));
  CHECK_EQ(x, 2);

  CHECK_BLAS(simtblasXtMaxBoards(&size));
  CHECK_EQ(size, count);
  CHECK_BLAS(simtblasXtGetNumBoards(1, devices, &size));
  CHECK_EQ(size, 1);
  CHECK_BLAS(simtblasXtGetBlockDim(handle, &size));
  CHECK_GT(size, 0);
  CHECK_BLAS(simtblasXtSetBlockDim(handle, 64));
  CHECK_BLAS(simtblasXtGetBlockDim(handle, &size));
  CHECK_EQ(size, 64);
  CHECK_EQ(simtblasXtSetBlockDim(handle, 0), SIMTBLAS_STATUS_INVALID_VALUE);
  simtblasXtPinnedMemMode_t mode;
  CHECK_BLAS(simtblasXtSetPinningMemMode(handle, SIMTBLASXT_PINNING_ENABLED));
  CHECK_BLAS(simtblasXtGetPinningMemMode(handle, &mode));
  CHECK_EQ(mode, SIMTBLASXT_PINNING_ENABLED);
  CHECK_BLAS(simtblasXtSetCpuRatio(handle, SIMTBLASXT_GEMM, SIMTBLASXT_FLOAT, 0.5f));
  CHECK_EQ(simtblasXtSetCpuRatio(handle, SIMTBLASXT_GEMM, SIMTBLASXT_FLOAT, 2),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasXtSetCpuRoutine(handle, SIMTBLASXT_ROUTINE_MAX, SIMTBLASXT_FLOAT, nullptr),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_BLAS(simtblasXtDestroy(handle));
  CHECK_EQ(simtblasXtDestroy(nullptr), SIMTBLAS_STATUS_NOT_INITIALIZED);
}

}  // namespace

// Batches of products in groups, and level 1 functions with types selected at run time that move elements.
#include "blas_test.h"

#include <memory>
#include <vector>

namespace {

// Matrices that contain their number in each element.
template <class T>
class Matrices {
 public:
  Matrices(int count, int elements) {
    std::vector<T*> addresses;
    for (int i = 0; i < count; ++i) {
      arrays_.push_back(std::make_unique<DeviceArray<T>>(static_cast<std::size_t>(elements), static_cast<T>(i + 1)));
      addresses.push_back(arrays_.back()->data());
    }
    pointers_ = std::make_unique<DeviceArray<T*>>(addresses);
  }
  T* const* data() const { return pointers_->data(); }
  std::vector<T> values(std::size_t i) const { return arrays_[i]->values(); }

 private:
  std::vector<std::unique_ptr<DeviceArray<T>>> arrays_;
  std::unique_ptr<DeviceArray<T*>> pointers_;
};

// Group 0: two products of 2 x 1 and 1 x 2 matrices; group 1: one product of 1 x 3 and 3 x 1 matrices, the first of which is
// transposed.
struct Sizes {
  std::vector<simtblasOperation_t> transa{SIMTBLAS_OP_N, SIMTBLAS_OP_T}, transb{SIMTBLAS_OP_N, SIMTBLAS_OP_N};
  std::vector<int> m{2, 1}, n{2, 1}, k{1, 3}, lda{2, 3}, ldb{1, 3}, ldc{2, 1}, size{2, 1};
};

template <class T, class Call>
void check_groups(Call call) {
  const BlasHandle handle;
  const Matrices<T> a(3, 4), b(3, 4), c(3, 4);
  const Sizes sizes;
  const std::vector<T> alpha{1, 2}, beta{0, 10};
  CHECK_BLAS(call(handle, sizes, alpha.data(), a, b, beta.data(), c));
  REQUIRE_FINISHED();
  CHECK_EQ(c.values(0), std::vector<T>(4, 1));
  CHECK_EQ(c.values(1), std::vector<T>(4, 4));
  // 2 * (3 * 3 * 3) + 10 * 3; the other elements do not belong to the matrix.
  CHECK_EQ(c.values(2), std::vector<T>{84, 3, 3, 3});
}

template <class T>
const T* const* of_const(T* const* pointers) {
  return const_cast<const T* const*>(pointers);
}

}  // namespace

TEST_CASE("products in groups") {
  const auto call = [](auto function) {
    return [function](auto& handle, const Sizes& s, auto* alpha, auto& a, auto& b, auto* beta, auto& c) {
      return function(handle, s.transa.data(), s.transb.data(), s.m.data(), s.n.data(), s.k.data(), alpha,
                      of_const(a.data()), s.lda.data(), of_const(b.data()), s.ldb.data(), beta, c.data(), s.ldc.data(),
                      2, s.size.data());
    };
  };
  check_groups<float>(call(simtblasSgemmGroupedBatched));
  check_groups<double>(call(simtblasDgemmGroupedBatched));
}

TEST_CASE("products in groups, of types selected at run time") {
  const auto call = [](simtDataType type, simtblasComputeType_t compute) {
    return [=](auto& handle, const Sizes& s, auto* alpha, auto& a, auto& b, auto* beta, auto& c) {
      return simtblasGemmGroupedBatchedEx(
          handle, s.transa.data(), s.transb.data(), s.m.data(), s.n.data(), s.k.data(), alpha,
          reinterpret_cast<const void* const*>(a.data()), type, s.lda.data(),
          reinterpret_cast<const void* const*>(b.data()), type, s.ldb.data(), beta,
          reinterpret_cast<void* const*>(c.data()), type, s.ldc.data(), 2, s.size.data(), compute);
    };
  };
  check_groups<float>(call(SIMT_R_32F, SIMTBLAS_COMPUTE_32F));
  check_groups<double>(call(SIMT_R_64F, SIMTBLAS_COMPUTE_64F));
}

TEST_CASE("wrong groups") {
  const BlasHandle handle;
  const Matrices<float> a(3, 4);
  Sizes s;
  const float scalars[] = {1, 1};
  const auto result = [&](simtblasHandle_t own, int groups, const float* alpha) {
    return simtblasSgemmGroupedBatched(own, s.transa.data(), s.transb.data(), s.m.data(), s.n.data(), s.k.data(), alpha,
                                       of_const(a.data()), s.lda.data(), of_const(a.data()), s.ldb.data(), scalars,
                                       a.data(), s.ldc.data(), groups, s.size.data());
  };
  CHECK_EQ(result(nullptr, 2, scalars), SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(result(handle, -1, scalars), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(result(handle, 2, nullptr), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_BLAS(result(handle, 0, scalars));
  s.lda[1] = 2;  // less than the rows of the second group
  CHECK_EQ(result(handle, 2, scalars), SIMTBLAS_STATUS_INVALID_VALUE);
  const BlasHandle on_device(SIMTBLAS_POINTER_MODE_DEVICE);
  CHECK_EQ(result(on_device, 2, scalars), SIMTBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("CopyEx, SwapEx and RotEx") {
  const BlasHandle handle;
  const DeviceArray<double> x(std::vector<double>{1, 2, 3, 4}), y(std::vector<double>{10, 20});
  CHECK_BLAS(simtblasCopyEx(handle, 2, y.data(), SIMT_R_64F, 1, x.data(), SIMT_R_64F, -2));
  REQUIRE_FINISHED();
  CHECK_EQ(x.values(), std::vector<double>{20, 2, 10, 4});
  CHECK_BLAS(simtblasSwapEx(handle, 2, x.data(), SIMT_R_64F, 1, y.data(), SIMT_R_64F, 1));
  REQUIRE_FINISHED();
  CHECK_EQ(x.values(), std::vector<double>{10, 20, 10, 4});
  CHECK_EQ(y.values(), std::vector<double>{20, 2});
  const double cosine = 0.5, sine = 2;
  CHECK_BLAS(simtblasRotEx(handle, 2, x.data(), SIMT_R_64F, 1, y.data(), SIMT_R_64F, 1, &cosine, &sine, SIMT_R_64F,
                           SIMT_R_64F));
  REQUIRE_FINISHED();
  CHECK_EQ(x.values(), std::vector<double>{45, 14, 10, 4});
  CHECK_EQ(y.values(), std::vector<double>{-10, -39});
}

TEST_CASE("RotEx of bfloat16 and of complex numbers") {
  const BlasHandle handle;
  const DeviceArray<__nv_bfloat16> x(1, __float2bfloat16(3)), y(1, __float2bfloat16(4));
  const __nv_bfloat16 cosine = __float2bfloat16(0.5F), sine = __float2bfloat16(2);
  CHECK_BLAS(simtblasRotEx(handle, 1, x.data(), SIMT_R_16BF, 1, y.data(), SIMT_R_16BF, 1, &cosine, &sine, SIMT_R_16BF,
                           SIMT_R_32F));
  REQUIRE_FINISHED();
  CHECK_EQ(__bfloat162float(x.values()[0]), 9.5F);
  CHECK_EQ(__bfloat162float(y.values()[0]), -4.0F);
  const DeviceArray<std::complex<float>> u(1, {1, 2}), v(1, {3, -1});
  const float c = 2, s = 1;
  CHECK_BLAS(simtblasRotEx(handle, 1, u.data(), SIMT_C_32F, 1, v.data(), SIMT_C_32F, 1, &c, &s, SIMT_R_32F, SIMT_C_32F));
  REQUIRE_FINISHED();
  CHECK_EQ(u.values()[0], std::complex<float>(5, 3));
  CHECK_EQ(v.values()[0], std::complex<float>(5, -4));
}

TEST_CASE("wrong arguments of CopyEx and RotEx") {
  const BlasHandle handle;
  const DeviceArray<float> x(1);
  const float one = 1;
  const auto rotate = [&](simtDataType type, simtDataType scalars, const void* c) {
    return simtblasRotEx(handle, 1, x.data(), type, 1, x.data(), type, 1, c, &one, scalars, type);
  };
  CHECK_EQ(rotate(SIMT_R_32F, SIMT_R_64F, &one), SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(rotate(SIMT_R_32I, SIMT_R_32I, &one), SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(rotate(SIMT_R_32F, SIMT_R_32F, nullptr), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasCopyEx(handle, 1, x.data(), SIMT_R_32F, 1, x.data(), SIMT_R_64F, 1), SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(simtblasCopyEx(handle, 1, nullptr, SIMT_R_32F, 1, x.data(), SIMT_R_32F, 1), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasSwapEx(nullptr, 1, x.data(), SIMT_R_32F, 1, x.data(), SIMT_R_32F, 1),
           SIMTBLAS_STATUS_NOT_INITIALIZED);
  CHECK_BLAS(simtblasCopyEx(handle, 0, nullptr, SIMT_R_32F, 1, nullptr, SIMT_R_32F, 1));
}

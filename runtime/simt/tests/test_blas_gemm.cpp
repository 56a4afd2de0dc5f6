// Products of matrices. Definition of gemm: C = alpha op(A) op(B) + beta C. The cuBLAS 12.4
// documentation of cublas<t>gemm states which operands are not read if alpha, beta or k is zero.
#include "blas_test.h"

#include <simt_bf16.h>

#include <dlfcn.h>

#include <limits>

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE_TEMPLATE("gemm equals the naive sum, for every operation, size and margin", T,
                   BLAS_TYPES) {
  BlasHandle handle;
  struct Size {
    int m, n, k;
  };
  for (const Size size :
       {Size{1, 1, 1}, Size{3, 5, 7}, Size{17, 1, 9}, Size{1, 33, 13}, Size{31, 29, 37}}) {
    for (const auto transa : kOperations) {
      for (const auto transb : kOperations) {
        const bool a_plain = transa == SIMTBLAS_OP_N;
        const bool b_plain = transb == SIMTBLAS_OP_N;
        const int a_rows = a_plain ? size.m : size.k;
        const int b_rows = b_plain ? size.k : size.n;
        const Matrix<T> a(a_rows, a_plain ? size.k : size.m, a_rows + 2, 1);
        const Matrix<T> b(b_rows, b_plain ? size.n : size.k, b_rows + 1, 2);
        const Matrix<T> c(size.m, size.n, size.m + 3, 3);
        const T alpha = number<T>(0.5, -0.25);
        const T beta = number<T>(-2, 1);
        CHECK_BLAS(Calls<T>::gemm(handle, transa, transb, size.m, size.n, size.k, api(&alpha),
                                  a.pointer(), a.ld(), b.pointer(), b.ld(), api(&beta), c.pointer(),
                                  c.ld()));
        REQUIRE_FINISHED();
        CHECK_EQ(c.distance([&](int i, int j) {
          return Wide(alpha) * product_at(transa, a, transb, b, size.k, i, j) +
                 Wide(beta) * c.at(i, j);
        }),
                 0);
      }
    }
  }
}

TEST_CASE_TEMPLATE("a product that workers share equals the naive sum", T, BLAS_TYPES) {
  BlasHandle handle;
  const int m = 290, n = 257, k = 64;
  const T alpha = number<T>(0.5, -0.25);
  const T zero = number<T>(0);
  for (const auto op : {SIMTBLAS_OP_N, SIMTBLAS_OP_C}) {
    const bool plain = op == SIMTBLAS_OP_N;
    const Matrix<T> a(plain ? m : k, plain ? k : m, plain ? m + 1 : k + 1, 1);
    const Matrix<T> b(plain ? k : n, plain ? n : k, plain ? k + 2 : n + 2, 2);
    const Matrix<T> c(m, n, m, std::vector<T>(static_cast<std::size_t>(m) * n, number<T>(kNan)));
    CHECK_BLAS(Calls<T>::gemm(handle, op, op, m, n, k, api(&alpha), a.pointer(), a.ld(),
                              b.pointer(), b.ld(), api(&zero), c.pointer(), m));
    REQUIRE_FINISHED();
    CHECK_EQ(
        c.distance([&](int i, int j) { return Wide(alpha) * product_at(op, a, op, b, k, i, j); }),
        0);
  }
}

TEST_CASE("the host's BLAS has no threads of its own") {
  BlasHandle handle;
  const float one = 1;
  const Matrix<float> a(4, 4, 4, 1);
  CHECK_BLAS(simtblasSgemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, 4, 4, 4, &one, a.pointer(), 4,
                           a.pointer(), 4, &one, a.pointer(), 4));
  REQUIRE_FINISHED();
  for (const char* name : {"scipy_openblas_get_num_threads", "openblas_get_num_threads"}) {
    if (void* const function = dlsym(RTLD_DEFAULT, name)) {
      CHECK_EQ(reinterpret_cast<int (*)()>(function)(), 1);
    }
  }
}

TEST_CASE_TEMPLATE("gemm does not read operands that are multiplied by zero", T, BLAS_TYPES) {
  BlasHandle handle;
  const T zero = number<T>(0);
  const T one = number<T>(1);
  for (const int n : {1, 4}) {
    const int m = 6;
    const Matrix<T> a(m, 5, m, 1);
    const Matrix<T> b(5, n, 5, 2);
    const std::vector<T> nans(static_cast<std::size_t>(m * n), number<T>(kNan, kNan));
    SUBCASE("C, with beta 0") {
      const Matrix<T> c(m, n, m, nans);
      CHECK_BLAS(Calls<T>::gemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, 5, api(&one),
                                a.pointer(), m, b.pointer(), 5, api(&zero), c.pointer(), m));
      REQUIRE_FINISHED();
      CHECK_EQ(c.distance([&](int i, int j) {
        return product_at(SIMTBLAS_OP_N, a, SIMTBLAS_OP_N, b, 5, i, j);
      }),
               0);
    }
    SUBCASE("A and B, with alpha 0") {
      const Matrix<T> c(m, n, m, 4);
      CHECK_BLAS(Calls<T>::gemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, 5, api(&zero), nullptr,
                                m, nullptr, 5, api(&one), c.pointer(), m));
      REQUIRE_FINISHED();
      CHECK_EQ(c.distance([&](int i, int j) { return c.at(i, j); }), 0);
    }
    SUBCASE("anything, with k 0 and beta 0: C becomes zero") {
      const Matrix<T> c(m, n, m, nans);
      CHECK_BLAS(Calls<T>::gemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, 0, api(&one), nullptr,
                                m, nullptr, 1, api(&zero), c.pointer(), m));
      REQUIRE_FINISHED();
      CHECK_EQ(c.distance([](int, int) { return 0.0; }), 0);
    }
  }
}

TEST_CASE_TEMPLATE("batches of gemm, by pointers and by strides", T, BLAS_TYPES) {
  BlasHandle handle;
  const int m = 5, n = 4, k = 3, count = 7;
  const Matrix<T> a(m, k * count, m, 1);
  const Matrix<T> b(k, n * count, k, 2);
  const T alpha = number<T>(2, 1);
  const T beta = number<T>(1, -1);
  const auto expected = [&](const Matrix<T>& c) {
    return [&](int i, int j) {
      const int batch = j / n;
      Wide sum = 0;
      for (int p = 0; p < k; ++p) {
        sum += a.at(i, batch * k + p) * b.at(p, j);
      }
      return Wide(alpha) * sum + Wide(beta) * c.at(i, j);
    };
  };
  SUBCASE("strided") {
    const Matrix<T> c(m, n * count, m, 3);
    CHECK_BLAS(Calls<T>::gemm_strided(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, k, api(&alpha),
                                      a.pointer(), m, m * k, b.pointer(), k, k * n, api(&beta),
                                      c.pointer(), m, m * n, count));
    REQUIRE_FINISHED();
    CHECK_EQ(c.distance(expected(c)), 0);
  }
  SUBCASE("by pointers") {
    const Matrix<T> c(m, n * count, m, 3);
    std::vector<const T*> as, bs;
    std::vector<T*> cs;
    for (int i = 0; i < count; ++i) {
      as.push_back(a.data() + i * m * k);
      bs.push_back(b.data() + i * k * n);
      cs.push_back(c.data() + i * m * n);
    }
    const DeviceArray<const T*> device_as(as), device_bs(bs);
    const DeviceArray<T*> device_cs(cs);
    CHECK_BLAS(Calls<T>::gemm_batched(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, k, api(&alpha),
                                      api(device_as.data()), m, api(device_bs.data()), k,
                                      api(&beta), api(device_cs.data()), m, count));
    REQUIRE_FINISHED();
    CHECK_EQ(c.distance(expected(c)), 0);
  }
}

TEST_CASE("large matrices of a batch, and panels that do not divide") {
  BlasHandle handle;
  const int m = 70, n = 1030, k = 90;
  const Matrix<float> a(m, 2 * k, m, 1);
  const Matrix<float> b(k, 2 * n, k, 2);
  const Matrix<float> c(m, 2 * n, m, 3);
  const float one = 1, zero = 0;
  CHECK_BLAS(simtblasSgemmStridedBatched(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, k, &one,
                                         a.pointer(), m, m * k, b.pointer(), k, k * n, &zero,
                                         c.pointer(), m, m * n, 2));
  REQUIRE_FINISHED();
  CHECK_EQ(c.distance([&](int i, int j) {
    Wide sum = 0;
    for (int p = 0; p < k; ++p) {
      sum += a.at(i, j / n * k + p) * b.at(p, j);
    }
    return sum;
  }),
           0);
}

/// Bits of a half or bfloat16 number.
template <class Short>
std::vector<std::uint16_t> rounded(const std::vector<float>& values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) {
    const Short rounded_value(value);
    std::uint16_t stored;
    std::memcpy(&stored, &rounded_value, sizeof stored);
    bits.push_back(stored);
  }
  return bits;
}

template <class Short>
struct ShortType;
template <>
struct ShortType<__half> {
  static constexpr simtDataType type = SIMT_R_16F;
};
template <>
struct ShortType<__nv_bfloat16> {
  static constexpr simtDataType type = SIMT_R_16BF;
};

TEST_CASE_TEMPLATE("GemmEx multiplies half and bfloat16 in float and rounds once", Short, __half,
                   __nv_bfloat16) {
  BlasHandle handle;
  const simtDataType type = ShortType<Short>::type;
  const int m = 37, n = 3, k = 1100;  // more than one panel deep
  for (const auto transa : {SIMTBLAS_OP_N, SIMTBLAS_OP_T}) {
    const bool plain = transa == SIMTBLAS_OP_N;
    const int a_rows = plain ? m : k, a_columns = plain ? k : m;
    const std::vector<float> a =
        Numbers(1).list<float>(static_cast<std::size_t>(a_rows * a_columns));
    const std::vector<float> b = Numbers(2).list<float>(static_cast<std::size_t>(k * n));
    const std::vector<float> c = Numbers(3).list<float>(static_cast<std::size_t>(m * n));
    // a, b and c are exact in both types.
    const DeviceArray<std::uint16_t> device_a(rounded<Short>(a)), device_b(rounded<Short>(b));
    const float alpha = 0.5f, beta = -2.0f;
    std::vector<float> expected(c.size());
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        double sum = 0;
        for (int p = 0; p < k; ++p) {
          sum += static_cast<double>(a[plain ? i + p * m : p + i * k]) * b[p + j * k];
        }
        expected[i + j * m] = static_cast<float>(alpha * sum + beta * c[i + j * m]);
      }
    }
    SUBCASE("into the same type") {
      const DeviceArray<std::uint16_t> device_c(rounded<Short>(c));
      CHECK_BLAS(simtblasGemmEx(handle, transa, SIMTBLAS_OP_N, m, n, k, &alpha, device_a.data(),
                                type, a_rows, device_b.data(), type, k, &beta, device_c.data(),
                                type, m, SIMTBLAS_COMPUTE_32F, SIMTBLAS_GEMM_DEFAULT_TENSOR_OP));
      REQUIRE_FINISHED();
      CHECK_EQ(device_c.values(), rounded<Short>(expected));
    }
    SUBCASE("into float, with the compute type of cuBLAS 10") {
      const DeviceArray<float> device_c(c);
      CHECK_BLAS(simtblasGemmEx(handle, transa, SIMTBLAS_OP_N, m, n, k, &alpha, device_a.data(),
                                type, a_rows, device_b.data(), type, k, &beta, device_c.data(),
                                SIMT_R_32F, m, SIMT_R_32F, SIMTBLAS_GEMM_DEFAULT_TENSOR_OP));
      REQUIRE_FINISHED();
      CHECK_EQ(device_c.values(), expected);
    }
    SUBCASE("SgemmEx") {
      const DeviceArray<std::uint16_t> device_c(rounded<Short>(c));
      CHECK_BLAS(simtblasSgemmEx(handle, transa, SIMTBLAS_OP_N, m, n, k, &alpha, device_a.data(),
                                 type, a_rows, device_b.data(), type, k, &beta, device_c.data(),
                                 type, m));
      REQUIRE_FINISHED();
      CHECK_EQ(device_c.values(), rounded<Short>(expected));
    }
  }
}

TEST_CASE("Hgemm takes its scalars as half, and every half is converted exactly") {
  BlasHandle handle;
  // A matrix of 1 x 65536 halves, which contains each bit pattern once, is multiplied by 1.
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<std::uint16_t>(i);
  }
  const DeviceArray<std::uint16_t> a(all);
  const DeviceArray<std::uint16_t> b(rounded<__half>({1.0f}));
  const DeviceArray<std::uint16_t> c(std::vector<std::uint16_t>(all.size(), 0x7E00));
  const __half one(1.0f), zero(0.0f);
  const auto half = [](std::uint16_t* p) { return reinterpret_cast<__half*>(p); };
  CHECK_BLAS(simtblasHgemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, 65536, 1, 1, &one, half(a.data()),
                           65536, half(b.data()), 1, &zero, half(c.data()), 65536));
  REQUIRE_FINISHED();
  const auto result = c.values();
  int different = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool nan = (i & 0x7FFFU) > 0x7C00U;
    // The sum starts at +0, so -0 becomes +0.
    const std::uint16_t expected = i == 0x8000U ? 0 : all[i];
    different += nan ? (result[i] & 0x7FFFU) <= 0x7C00U : result[i] != expected;
  }
  CHECK_EQ(different, 0);
}

TEST_CASE("batches of GemmEx and Hgemm") {
  BlasHandle handle;
  const int m = 3, n = 2, k = 5, count = 4;
  const std::vector<float> a = Numbers(1).list<float>(m * k * count);
  const std::vector<float> b = Numbers(2).list<float>(k * n * count);
  const DeviceArray<std::uint16_t> da(rounded<__half>(a)), db(rounded<__half>(b));
  std::vector<float> expected(m * n * count);
  for (int l = 0; l < count; ++l) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        for (int p = 0; p < k; ++p) {
          expected[l * m * n + i + j * m] += a[l * m * k + i + p * m] * b[l * k * n + p + j * k];
        }
      }
    }
  }
  const DeviceArray<std::uint16_t> dc(std::vector<std::uint16_t>(expected.size(), 0x7E00));
  const float one = 1, zero = 0;
  std::vector<const void*> as, bs;
  std::vector<void*> cs;
  for (int l = 0; l < count; ++l) {
    as.push_back(da.data() + l * m * k);
    bs.push_back(db.data() + l * k * n);
    cs.push_back(dc.data() + l * m * n);
  }
  const DeviceArray<const void*> pa(as), pb(bs);
  const DeviceArray<void*> pc(cs);
  SUBCASE("GemmStridedBatchedEx") {
    CHECK_BLAS(simtblasGemmStridedBatchedEx(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, k, &one,
                                            da.data(), SIMT_R_16F, m, m * k, db.data(), SIMT_R_16F,
                                            k, k * n, &zero, dc.data(), SIMT_R_16F, m, m * n, count,
                                            SIMT_R_32F, SIMTBLAS_GEMM_DEFAULT_TENSOR_OP));
  }
  SUBCASE("GemmBatchedEx") {
    CHECK_BLAS(simtblasGemmBatchedEx(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, k, &one, pa.data(),
                                     SIMT_R_16F, m, pb.data(), SIMT_R_16F, k, &zero, pc.data(),
                                     SIMT_R_16F, m, count, SIMTBLAS_COMPUTE_32F,
                                     SIMTBLAS_GEMM_DEFAULT));
  }
  const __half half_one(1.0f), half_zero(0.0f);
  SUBCASE("HgemmBatched") {
    CHECK_BLAS(simtblasHgemmBatched(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, k, &half_one,
                                    reinterpret_cast<const __half* const*>(pa.data()), m,
                                    reinterpret_cast<const __half* const*>(pb.data()), k,
                                    &half_zero, reinterpret_cast<__half* const*>(pc.data()), m,
                                    count));
  }
  SUBCASE("HgemmStridedBatched") {
    CHECK_BLAS(simtblasHgemmStridedBatched(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, k, &half_one,
                                           reinterpret_cast<const __half*>(da.data()), m, m * k,
                                           reinterpret_cast<const __half*>(db.data()), k, k * n,
                                           &half_zero, reinterpret_cast<__half*>(dc.data()), m,
                                           m * n, count));
  }
  REQUIRE_FINISHED();
  CHECK_EQ(dc.values(), rounded<__half>(expected));
}

TEST_CASE("int8 products are summed exactly in int32, however deep") {
  BlasHandle handle;
  const int m = 3, n = 2, k = 5000;
  std::vector<std::int8_t> a(m * k), b(k * n);
  Numbers numbers(7);
  for (auto& value : a) value = static_cast<std::int8_t>(numbers.next() * 64);
  for (auto& value : b) value = static_cast<std::int8_t>(numbers.next() * 64);
  for (int p = 0; p < k; ++p) a[p * m] = b[p] = -128;  // the largest sum there is
  const DeviceArray<std::int8_t> da(a), db(b);
  const std::vector<std::int32_t> before = {1, 2, 3, 4, 5, 6};
  const DeviceArray<std::int32_t> dc(before);
  const std::int32_t alpha = 1, beta = 1;
  CHECK_BLAS(simtblasGemmEx(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, m, n, k, &alpha, da.data(),
                            SIMT_R_8I, m, db.data(), SIMT_R_8I, k, &beta, dc.data(), SIMT_R_32I, m,
                            SIMTBLAS_COMPUTE_32I, SIMTBLAS_GEMM_DEFAULT));
  REQUIRE_FINISHED();
  std::vector<std::int32_t> expected = before;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      for (int p = 0; p < k; ++p) expected[i + j * m] += a[i + p * m] * b[p + j * k];
    }
  }
  CHECK_EQ(expected[0], 128 * 128 * k + 1);
  CHECK_EQ(dc.values(), expected);
}

TEST_CASE("CgemmEx multiplies complex int8") {
  BlasHandle handle;
  const std::vector<std::int8_t> a = {1, 2}, b = {3, -4};  // 1 + 2i, 3 - 4i
  const DeviceArray<std::int8_t> da(a), db(b);
  const DeviceArray<std::complex<float>> dc(1);
  const simtComplex one = make_simtComplex(1, 0), zero = make_simtComplex(0, 0);
  CHECK_BLAS(simtblasCgemmEx(handle, SIMTBLAS_OP_C, SIMTBLAS_OP_N, 1, 1, 1, &one, da.data(),
                             SIMT_C_8I, 1, db.data(), SIMT_C_8I, 1, &zero, dc.data(), SIMT_C_32F,
                             1));
  REQUIRE_FINISHED();
  CHECK_EQ(dc.values()[0], std::complex<float>(-5, -10));  // (1 - 2i)(3 - 4i)
}

}  // namespace

// simtblasLtMatmul against naive sums: layouts, batches, types and epilogues, as the cuBLAS 12.4
// documentation of cublasLtMatmul and cublasLtEpilogue_t defines them. GELU's tanh form: Hendrycks
// and Gimpel, arXiv:1606.08415.
#include "blaslt_test.h"

#include <simt_bf16.h>

#include <functional>

namespace {

const float kOne = 1, kZero = 0;

TEST_CASE("descriptors keep their attributes") {
  simtblasLtMatmulDesc_t operation;
  REQUIRE_BLAS(simtblasLtMatmulDescCreate(&operation, SIMTBLAS_COMPUTE_32F, SIMT_R_32F));
  const simtblasLtEpilogue_t epilogue = SIMTBLASLT_EPILOGUE_GELU_BIAS;
  CHECK_BLAS(simtblasLtMatmulDescSetAttribute(operation, SIMTBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                              sizeof epilogue));
  std::uint32_t read = 0;
  std::size_t size = 0;
  CHECK_BLAS(simtblasLtMatmulDescGetAttribute(operation, SIMTBLASLT_MATMUL_DESC_EPILOGUE, &read,
                                              sizeof read, &size));
  CHECK_EQ(read, SIMTBLASLT_EPILOGUE_GELU_BIAS);
  CHECK_EQ(size, 4);
  CHECK_BLAS(simtblasLtMatmulDescGetAttribute(operation, SIMTBLASLT_MATMUL_DESC_BIAS_POINTER,
                                              nullptr, 0, &size));
  CHECK_EQ(size, sizeof(void*));
  CHECK_EQ(
      simtblasLtMatmulDescSetAttribute(operation, SIMTBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, 2),
      SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasLtMatmulDescSetAttribute(
               operation, static_cast<simtblasLtMatmulDescAttributes_t>(99), &epilogue, 4),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_BLAS(simtblasLtMatmulDescDestroy(operation));

  simtblasLtMatmulPreference_t preference;
  REQUIRE_BLAS(simtblasLtMatmulPreferenceCreate(&preference));
  const std::uint64_t bytes = 1 << 20;
  CHECK_BLAS(simtblasLtMatmulPreferenceSetAttribute(
      preference, SIMTBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes));
  CHECK_BLAS(simtblasLtMatmulPreferenceDestroy(preference));
}

TEST_CASE_TEMPLATE("the product for every operation and order, and C beside D", T, BLAS_TYPES) {
  const bool wide = sizeof(typename Calls<T>::Real) == 8;
  const simtDataType type =
      kIsComplex<T> ? (wide ? SIMT_C_64F : SIMT_C_32F) : (wide ? SIMT_R_64F : SIMT_R_32F);
  const int m = 7, n = 5, k = 6;
  const T alpha = number<T>(0.5, 1), beta = number<T>(-2, 1);
  for (const auto transa : {SIMTBLAS_OP_N, SIMTBLAS_OP_T}) {
    for (const auto transb : {SIMTBLAS_OP_N, SIMTBLAS_OP_T}) {
      for (const bool by_rows : {false, true}) {
        const bool a_plain = transa == SIMTBLAS_OP_N, b_plain = transb == SIMTBLAS_OP_N;
        // A row-major matrix is stored in `Matrix` as its transpose, which is column-major.
        const int ar = a_plain ? m : k, ac = a_plain ? k : m, br = b_plain ? k : n,
                  bc = b_plain ? n : k;
        const Matrix<T> a(by_rows ? ac : ar, by_rows ? ar : ac, 8, 1), b(br, bc, br + 1, 2);
        const Matrix<T> c(m, n, m + 2, 3), d(m, n, m + 1, 4);
        Operation operation(wide ? SIMTBLAS_COMPUTE_64F : SIMTBLAS_COMPUTE_32F, type);
        operation.set(SIMTBLASLT_MATMUL_DESC_TRANSA, transa)
            .set(SIMTBLASLT_MATMUL_DESC_TRANSB, transb);
        Layout a_layout(type, ar, ac, 8);
        a_layout.set(SIMTBLASLT_MATRIX_LAYOUT_ORDER,
                     by_rows ? SIMTBLASLT_ORDER_ROW : SIMTBLASLT_ORDER_COL);
        CHECK_BLAS(matmul(operation, &alpha, a.data(), a_layout, b.data(),
                          Layout(type, br, bc, br + 1), &beta, c.data(), Layout(type, m, n, m + 2),
                          d.data(), Layout(type, m, n, m + 1)));
        REQUIRE_FINISHED();
        CHECK_EQ(d.distance([&](int i, int j) {
          Wide sum = 0;
          for (int p = 0; p < k; ++p) {
            sum += (a_plain != by_rows ? a.at(i, p) : a.at(p, i)) * b.at(transb, p, j);
          }
          return Wide(alpha) * sum + Wide(beta) * c.at(i, j);
        }),
                 0);
      }
    }
  }
}

TEST_CASE("D by rows, in a batch, with a vector for alpha") {
  const int m = 3, n = 4, k = 5, count = 2;
  const Matrix<float> a(m, k * count, m, 1), b(k, n * count, k, 2);
  // Row-major: element (i, j) of a matrix of the batch is in column i of its transpose.
  const Matrix<float> d(n, m * count, n, 3);
  const std::vector<float> alphas = {1, 2, -0.5f};
  const DeviceArray<float> alpha(alphas);
  Operation operation(SIMTBLAS_COMPUTE_32F, SIMT_R_32F);
  operation.set(SIMTBLASLT_MATMUL_DESC_POINTER_MODE,
                SIMTBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO);
  const auto batch = [](Layout layout, std::int64_t offset) {
    return layout.set(SIMTBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 2)
        .set(SIMTBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, offset);
  };
  const Layout d_layout = batch(
      Layout(SIMT_R_32F, m, n, n).set(SIMTBLASLT_MATRIX_LAYOUT_ORDER, SIMTBLASLT_ORDER_ROW), m * n);
  CHECK_BLAS(matmul(operation, alpha.data(), a.data(), batch(Layout(SIMT_R_32F, m, k, m), m * k),
                    b.data(), batch(Layout(SIMT_R_32F, k, n, k), k * n), nullptr, nullptr, d_layout,
                    d.data(), d_layout));
  REQUIRE_FINISHED();
  CHECK_EQ(d.distance([&](int column, int transposed_row) {
    const int l = transposed_row / m, row = transposed_row % m;
    Wide sum = 0;
    for (int p = 0; p < k; ++p) {
      sum += a.at(row, l * k + p) * b.at(p, l * n + column);
    }
    return Wide(alphas[row]) * sum;
  }),
           0);
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

/// A product of float or double matrices with a bias and an epilogue, in the form of PyTorch's
/// gemm_and_bias.
template <class T>
void check_epilogue(simtblasLtEpilogue_t epilogue, const std::function<double(double)>& activation,
                    bool biased) {
  const simtDataType type = sizeof(T) == 8 ? SIMT_R_64F : SIMT_R_32F;
  const int m = 9, n = 4, k = 6;
  const Matrix<T> a(k, m, k, 1), b(k, n, k, 2), d(m, n, m + 1, 3);
  const std::vector<T> bias = Numbers(4).list<T>(m);
  const DeviceArray<T> device_bias(bias);
  Operation operation(sizeof(T) == 8 ? SIMTBLAS_COMPUTE_64F : SIMTBLAS_COMPUTE_32F, type);
  operation.set(SIMTBLASLT_MATMUL_DESC_TRANSA, SIMTBLAS_OP_T)
      .set(SIMTBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  if (biased) {
    operation.set(SIMTBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(device_bias.data()));
  }
  const T alpha = number<T>(0.25), beta = number<T>(0);
  CHECK_BLAS(matmul(operation, &alpha, a.data(), Layout(type, k, m, k), b.data(),
                    Layout(type, k, n, k), &beta, d.data(), Layout(type, m, n, m + 1), d.data(),
                    Layout(type, m, n, m + 1)));
  REQUIRE_FINISHED();
  CHECK_LT(d.distance([&](int i, int j) {
    const double product = 0.25 * product_at(SIMTBLAS_OP_T, a, SIMTBLAS_OP_N, b, k, i, j).real();
    return activation(product + (biased ? bias[i] : T(0)));
  }),
           sizeof(T) == 8 ? 1e-13 : 1e-5);
}

TEST_CASE_TEMPLATE("bias, ReLU and GELU", T, float, double) {
  const auto none = [](double x) { return x; };
  const auto relu = [](double x) { return x > 0 ? x : 0; };
  check_epilogue<T>(SIMTBLASLT_EPILOGUE_BIAS, none, true);
  check_epilogue<T>(SIMTBLASLT_EPILOGUE_RELU, relu, false);
  check_epilogue<T>(SIMTBLASLT_EPILOGUE_RELU_BIAS, relu, true);
  check_epilogue<T>(SIMTBLASLT_EPILOGUE_GELU, gelu, false);
  check_epilogue<T>(SIMTBLASLT_EPILOGUE_GELU_BIAS, gelu, true);
}

TEST_CASE_TEMPLATE("half and bfloat16 with bias are rounded once, at the end", Short, __half,
                   __nv_bfloat16) {
  const simtDataType type = std::is_same_v<Short, __half> ? SIMT_R_16F : SIMT_R_16BF;
  const int m = 5, n = 3, k = 40;
  const auto shorts = [](std::uint32_t seed, int count) {
    std::vector<Short> values;
    for (const float value : Numbers(seed).list<float>(static_cast<std::size_t>(count))) {
      values.push_back(Short(value));
    }
    return values;
  };
  const std::vector<Short> a = shorts(1, m * k), b = shorts(2, k * n), bias = shorts(3, m);
  const DeviceArray<Short> da(a), db(b), dd(static_cast<std::size_t>(m * n)), dbias(bias);
  Operation operation(SIMTBLAS_COMPUTE_32F, SIMT_R_32F);
  operation.set(SIMTBLASLT_MATMUL_DESC_EPILOGUE, SIMTBLASLT_EPILOGUE_RELU_BIAS)
      .set(SIMTBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(dbias.data()));
  CHECK_BLAS(matmul(operation, &kOne, da.data(), Layout(type, m, k, m), db.data(),
                    Layout(type, k, n, k), &kZero, dd.data(), Layout(type, m, n, m), dd.data(),
                    Layout(type, m, n, m)));
  REQUIRE_FINISHED();
  const std::vector<Short> d = dd.values();
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      float sum = static_cast<float>(bias[i]);
      for (int p = 0; p < k; ++p) {
        sum += static_cast<float>(a[i + p * m]) * static_cast<float>(b[p + j * k]);
      }
      CHECK_EQ(static_cast<float>(d[i + j * m]), static_cast<float>(Short(sum > 0 ? sum : 0)));
    }
  }
}

TEST_CASE("the backward pass reads the data that the forward pass stores") {
  const int m = 9, n = 4, k = 6;
  const Matrix<double> a(m, k, m, 1), b(k, n, k, 2), gradient_a(m, k, m, 5);
  const Layout a_layout(SIMT_R_64F, m, k, m), b_layout(SIMT_R_64F, k, n, k),
      d_layout(SIMT_R_64F, m, n, m);
  const double one = 1, zero = 0;
  for (const bool relu : {true, false}) {
    const std::int64_t ld = relu ? 128 : 16;
    const DeviceArray<double> aux(16 * n), bias_gradient(m);
    const Matrix<double> forward(m, n, m, 3), backward(m, n, m, 4);
    Operation operation(SIMTBLAS_COMPUTE_64F, SIMT_R_64F);
    operation.set(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(aux.data()))
        .set(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, ld)
        .set(SIMTBLASLT_MATMUL_DESC_EPILOGUE,
             relu ? SIMTBLASLT_EPILOGUE_RELU_AUX : SIMTBLASLT_EPILOGUE_GELU_AUX);
    CHECK_BLAS(matmul(operation, &one, a.data(), a_layout, b.data(), b_layout, &zero,
                      forward.data(), d_layout, forward.data(), d_layout));
    operation
        .set(SIMTBLASLT_MATMUL_DESC_EPILOGUE,
             relu ? SIMTBLASLT_EPILOGUE_DRELU_BGRAD : SIMTBLASLT_EPILOGUE_DGELU_BGRAD)
        .set(SIMTBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias_gradient.data()));
    CHECK_BLAS(matmul(operation, &one, gradient_a.data(), a_layout, b.data(), b_layout, &zero,
                      backward.data(), d_layout, backward.data(), d_layout));
    REQUIRE_FINISHED();
    const auto input = [&](int i, int j) {
      return product_at(SIMTBLAS_OP_N, a, SIMTBLAS_OP_N, b, k, i, j).real();
    };
    const auto expected = [&](int i, int j) {
      const double x = input(i, j), step = 1e-5;
      // Approximates the derivative by a central difference.
      const double slope = relu ? (x > 0 ? 1 : 0) : (gelu(x + step) - gelu(x - step)) / (2 * step);
      return slope * product_at(SIMTBLAS_OP_N, gradient_a, SIMTBLAS_OP_N, b, k, i, j).real();
    };
    CHECK_LT(forward.distance([&](int i, int j) {
      const double x = input(i, j);
      return relu ? (x > 0 ? x : 0) : gelu(x);
    }),
             1e-12);
    CHECK_LT(backward.distance(expected), 1e-7);
    const std::vector<double> sums = bias_gradient.values();
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) {
        sum += expected(i, j);
      }
      CHECK_LT(std::abs(sums[i] - sum), 1e-6);
    }
  }
}

TEST_CASE("the gradient of a bias from A or B sums over k") {
  const int m = 5, n = 4, k = 6;
  const Matrix<float> a(k, m, k, 1), b(k, n, k, 2), d(m, n, m, 3);
  for (const bool of_a : {true, false}) {
    const int length = of_a ? m : n;
    const DeviceArray<float> sums(static_cast<std::size_t>(length));
    Operation operation(SIMTBLAS_COMPUTE_32F, SIMT_R_32F);
    operation.set(SIMTBLASLT_MATMUL_DESC_TRANSA, SIMTBLAS_OP_T)
        .set(SIMTBLASLT_MATMUL_DESC_EPILOGUE,
             of_a ? SIMTBLASLT_EPILOGUE_BGRADA : SIMTBLASLT_EPILOGUE_BGRADB)
        .set(SIMTBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(sums.data()));
    CHECK_BLAS(matmul(operation, &kOne, a.data(), Layout(SIMT_R_32F, k, m, k), b.data(),
                      Layout(SIMT_R_32F, k, n, k), &kZero, d.data(), Layout(SIMT_R_32F, m, n, m),
                      d.data(), Layout(SIMT_R_32F, m, n, m)));
    REQUIRE_FINISHED();
    const std::vector<float> result = sums.values();
    for (int i = 0; i < length; ++i) {
      Wide sum = 0;
      for (int p = 0; p < k; ++p) {
        sum += of_a ? a.at(p, i) : b.at(p, i);
      }
      CHECK_EQ(result[i], sum.real());
    }
  }
}

TEST_CASE("int8 into int32") {
  const std::vector<std::int8_t> a = {100, -128, 127, 3}, b = {-128, -128};  // 2 x 2, 2 x 1
  const DeviceArray<std::int8_t> da(a), db(b);
  const DeviceArray<std::int32_t> dd(std::vector<std::int32_t>{-1, -1});
  const std::int32_t one = 1, zero = 0;
  CHECK_BLAS(matmul(Operation(SIMTBLAS_COMPUTE_32I, SIMT_R_32I), &one, da.data(),
                    Layout(SIMT_R_8I, 2, 2, 2), db.data(), Layout(SIMT_R_8I, 2, 1, 2), &zero,
                    dd.data(), Layout(SIMT_R_32I, 2, 1, 2), dd.data(),
                    Layout(SIMT_R_32I, 2, 1, 2)));
  REQUIRE_FINISHED();
  CHECK_EQ(dd.values(), std::vector<std::int32_t>{-128 * (100 + 127), -128 * (-128 + 3)});
}

TEST_CASE("fp8 with scales, a bias of bfloat16, and the largest result") {
  // E4M3: 0x38 is 1, 0x40 is 2, 0x44 is 3, 0xB8 is -1, 0x7E is 448 (OCP 8-bit floating point, table
  // 1).
  const std::vector<std::uint8_t> a = {0x38, 0x40, 0x44, 0xB8};  // op(A) = [[1, 2], [3, -1]]
  const std::vector<std::uint8_t> b = {0x40, 0x44};              // [2, 3]
  const DeviceArray<std::uint8_t> da(a), db(b), dd(2);
  const DeviceArray<__nv_bfloat16> bias(
      std::vector<__nv_bfloat16>{__nv_bfloat16(1.0f), __nv_bfloat16(1000.0f)});
  const DeviceArray<float> scale_a(std::vector<float>{0.5f}), scale_b(std::vector<float>{4}),
      scale_d(std::vector<float>{0.125f}), largest(1);
  Operation operation(SIMTBLAS_COMPUTE_32F, SIMT_R_32F);
  operation.set(SIMTBLASLT_MATMUL_DESC_TRANSA, SIMTBLAS_OP_T)
      .set(SIMTBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale_a.data())
      .set(SIMTBLASLT_MATMUL_DESC_B_SCALE_POINTER, scale_b.data())
      .set(SIMTBLASLT_MATMUL_DESC_D_SCALE_POINTER, scale_d.data())
      .set(SIMTBLASLT_MATMUL_DESC_AMAX_D_POINTER, largest.data())
      .set(SIMTBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1})
      .set(SIMTBLASLT_MATMUL_DESC_EPILOGUE, SIMTBLASLT_EPILOGUE_BIAS)
      .set(SIMTBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, SIMT_R_16BF)
      .set(SIMTBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias.data()));
  const Layout a_layout(SIMT_R_8F_E4M3, 2, 2, 2), b_layout(SIMT_R_8F_E4M3, 2, 1, 2),
      c_layout(SIMT_R_16BF, 2, 1, 2), d_layout(SIMT_R_8F_E4M3, 2, 1, 2);
  CHECK_BLAS(matmul(operation, &kOne, da.data(), a_layout, db.data(), b_layout, &kZero, nullptr,
                    c_layout, dd.data(), d_layout));
  REQUIRE_FINISHED();
  // 2 * 8 + 1 = 17 and 2 * 3 + 1000 = 1006. Times 1/8: 2.125, a tie, rounds to even, 2; 125.75
  // rounds to 128.
  CHECK_EQ(largest.values()[0], 1006);
  CHECK_EQ(static_cast<int>(dd.values()[0]), 0x40);
  CHECK_EQ(static_cast<int>(dd.values()[1]), 0x70);
  // As on a GPU, A must be transposed, and at most one operand may have type E5M2.
  operation.set(SIMTBLASLT_MATMUL_DESC_TRANSA, SIMTBLAS_OP_N);
  CHECK_EQ(matmul(operation, &kOne, da.data(), a_layout, db.data(), b_layout, &kZero, nullptr,
                  c_layout, dd.data(), d_layout),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("the heuristic returns the one algorithm, or an error") {
  const LtHandle handle;
  simtblasLtMatmulPreferenceOpaque_t preference;
  REQUIRE_BLAS(simtblasLtMatmulPreferenceInit(&preference));
  simtblasLtMatmulHeuristicResult_t results[2];
  const auto ask = [&](simtblasLtMatmulDesc_t operation, const Layout& a, const Layout& b,
                       const Layout& d) {
    int found = -1;
    const simtblasStatus_t status = simtblasLtMatmulAlgoGetHeuristic(
        handle, operation, a, b, d, d, &preference, 2, results, &found);
    CHECK_EQ(found, status == SIMTBLAS_STATUS_SUCCESS ? 1 : 0);
    return status;
  };
  Operation operation(SIMTBLAS_COMPUTE_32F, SIMT_R_32F);
  const Layout a(SIMT_R_16F, 4, 3, 4), b(SIMT_R_16F, 3, 2, 3), d(SIMT_R_16F, 4, 2, 4);
  CHECK_BLAS(ask(operation, a, b, d));
  CHECK_EQ(results[0].state, SIMTBLAS_STATUS_SUCCESS);
  CHECK_EQ(results[0].workspaceSize, 0);
  CHECK_EQ(ask(operation, a, b, Layout(SIMT_R_16F, 4, 3, 4)), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(ask(operation, a, b, Layout(SIMT_R_16F, 4, 2, 3)), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(ask(operation, a, b, Layout(SIMT_R_64F, 4, 2, 4)), SIMTBLAS_STATUS_NOT_SUPPORTED);
  Layout tiled(SIMT_R_16F, 4, 3, 4 * 32);
  tiled.set(SIMTBLASLT_MATRIX_LAYOUT_ORDER, SIMTBLASLT_ORDER_COL32);
  CHECK_EQ(ask(operation, tiled, b, d), SIMTBLAS_STATUS_NOT_SUPPORTED);
  operation.set(SIMTBLASLT_MATMUL_DESC_EPILOGUE, SIMTBLASLT_EPILOGUE_BIAS);
  CHECK_EQ(ask(operation, a, b, d), SIMTBLAS_STATUS_INVALID_VALUE);  // no bias
  CHECK_EQ(simtblasLtMatmul(nullptr, operation, &kOne, nullptr, a, nullptr, b, &kZero, nullptr, d,
                            nullptr, d, nullptr, nullptr, 0, nullptr),
           SIMTBLAS_STATUS_NOT_INITIALIZED);
}

TEST_CASE("a handle of simtblas serves as one of simtblasLt") {
  const BlasHandle handle;
  const DeviceArray<float> a(std::vector<float>{3}), d(1);
  const Layout layout(SIMT_R_32F, 1, 1, 1);
  const Operation operation(SIMTBLAS_COMPUTE_32F_FAST_TF32, SIMT_R_32F);
  CHECK_BLAS(
      simtblasLtMatmul(reinterpret_cast<simtblasLtHandle_t>(static_cast<simtblasHandle_t>(handle)),
                       operation, &kOne, a.data(), layout, a.data(), layout, &kZero, nullptr,
                       layout, d.data(), layout, nullptr, nullptr, 0, nullptr));
  REQUIRE_FINISHED();
  CHECK_EQ(d.values()[0], 9);
  CHECK_EQ(simtblasLtGetVersion(), 120405);
}

}  // namespace

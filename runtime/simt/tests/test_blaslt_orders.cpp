// Orders of matrices in memory: simtblasLtMatrixTransform, and products of 8-bit integers in tiled orders. cublasLt.h
// (12.4.5) describes the orders.
#include "blaslt_test.h"

#include <algorithm>
#include <numeric>

namespace {

const float kOne = 1, kZero = 0;
constexpr simtblasLtOrder_t kTiled[] = {SIMTBLASLT_ORDER_COL32, SIMTBLASLT_ORDER_COL4_4R2_8C,
                                        SIMTBLASLT_ORDER_COL32_2R_4R4};

class TransformDesc {
 public:
  explicit TransformDesc(simtDataType scale) { REQUIRE_BLAS(simtblasLtMatrixTransformDescInit(&desc_, scale)); }
  TransformDesc& set(simtblasLtMatrixTransformDescAttributes_t attribute, std::int32_t value) {
    REQUIRE_BLAS(simtblasLtMatrixTransformDescSetAttribute(&desc_, attribute, &value, sizeof value));
    return *this;
  }
  operator simtblasLtMatrixTransformDesc_t() const { return &desc_; }

 private:
  mutable simtblasLtMatrixTransformDescOpaque_t desc_;
};

/// Elements of a matrix in an order: ld, and number of elements.
struct Size {
  int ld;
  int elements;
};

Size size_of(simtblasLtOrder_t order, int rows, int columns) {
  const int tile = order == SIMTBLASLT_ORDER_COL32 ? 1 : order == SIMTBLASLT_ORDER_COL4_4R2_8C ? 8 : 32;
  const int ld = (rows + tile - 1) / tile * tile * 32;
  return {ld, (columns + 31) / 32 * ld};
}

simtblasStatus_t copy(simtblasLtMatrixTransformDesc_t desc, const void* from, simtblasLtMatrixLayout_t from_layout,
                      void* to, simtblasLtMatrixLayout_t to_layout) {
  return simtblasLtMatrixTransform(LtHandle(), desc, &kOne, from, from_layout, &kZero, nullptr, nullptr, to, to_layout,
                                   nullptr);
}

TEST_CASE("a tiled order is a permutation of the elements, with known places") {
  const int rows = 37, columns = 70;
  std::vector<float> values(rows * columns);
  std::iota(values.begin(), values.end(), 1.0f);
  const DeviceArray<float> plain(values), back(rows * columns);
  const Layout by_columns(SIMT_R_32F, rows, columns, rows);
  const TransformDesc desc(SIMT_R_32F);
  for (const simtblasLtOrder_t order : kTiled) {
    const Size size = size_of(order, rows, columns);
    const DeviceArray<float> tiled(size.elements);
    Layout layout(SIMT_R_32F, rows, columns, size.ld);
    layout.set(SIMTBLASLT_MATRIX_LAYOUT_ORDER, order);
    REQUIRE_BLAS(copy(desc, plain.data(), by_columns, tiled.data(), layout));
    REQUIRE_BLAS(copy(desc, tiled.data(), layout, back.data(), by_columns));
    REQUIRE_FINISHED();
    CHECK_EQ(back.values(), values);
    const auto place = [&](int row, int column) {
      const std::vector<float> all = tiled.values();
      return std::find(all.begin(), all.end(), values[row + column * rows]) - all.begin();
    };
    CHECK_EQ(place(0, 3), 3);
    CHECK_EQ(place(0, 32), size.ld);
    if (order == SIMTBLASLT_ORDER_COL32) {
      CHECK_EQ(place(5, 33), size.ld + 5 * 32 + 1);
    } else if (order == SIMTBLASLT_ORDER_COL4_4R2_8C) {
      CHECK_EQ(place(2, 0), 4);    // the next even row of the inner tile
      CHECK_EQ(place(0, 4), 16);   // the inner tile beside it
      CHECK_EQ(place(0, 8), 32);   // the next pair of inner tiles
      CHECK_EQ(place(1, 0), 128);  // odd rows follow the even ones
      CHECK_EQ(place(8, 0), 256);  // the next tile
    } else {
      CHECK_EQ(place(1, 0), 32);
      CHECK_EQ(place(8, 0), 64);
      CHECK_EQ(place(2, 0), 256);
      CHECK_EQ(place(32, 0), 1024);
    }
  }
}

TEST_CASE("products of 8-bit integers in tiled orders") {
  const int m = 33, n = 10, k = 40;
  const auto number = [](int i, int j) { return static_cast<std::int8_t>((i * 31 + j * 17) % 255 - 127); };
  std::vector<std::int8_t> a(m * k), b(n * k);
  for (int p = 0; p < k; ++p) {
    for (int i = 0; i < m; ++i) a[i + p * m] = number(i, p);
    for (int j = 0; j < n; ++j) b[j + p * n] = number(p, j);
  }
  for (const simtblasLtOrder_t b_order : {SIMTBLASLT_ORDER_COL4_4R2_8C, SIMTBLASLT_ORDER_COL32_2R_4R4}) {
    const auto tiled = [](simtDataType type, simtblasLtOrder_t order, int rows, int columns) {
      return Layout(type, rows, columns, size_of(order, rows, columns).ld).set(SIMTBLASLT_MATRIX_LAYOUT_ORDER, order);
    };
    const Layout ta = tiled(SIMT_R_8I, SIMTBLASLT_ORDER_COL32, m, k), tb = tiled(SIMT_R_8I, b_order, n, k);
    const Layout tc = tiled(SIMT_R_32I, SIMTBLASLT_ORDER_COL32, m, n);
    const DeviceArray<std::int8_t> da(a), db(b), device_a(size_of(SIMTBLASLT_ORDER_COL32, m, k).elements),
        device_b(size_of(b_order, n, k).elements);
    const DeviceArray<std::int32_t> device_c(size_of(SIMTBLASLT_ORDER_COL32, m, n).elements), c(m * n);
    const TransformDesc desc(SIMT_R_32F);
    REQUIRE_BLAS(copy(desc, da.data(), Layout(SIMT_R_8I, m, k, m), device_a.data(), ta));
    REQUIRE_BLAS(copy(desc, db.data(), Layout(SIMT_R_8I, n, k, n), device_b.data(), tb));
    Operation operation(SIMTBLAS_COMPUTE_32I, SIMT_R_32I);
    operation.set(SIMTBLASLT_MATMUL_DESC_TRANSB, SIMTBLAS_OP_T);
    const std::int32_t two = 2, zero = 0, minus_one = -1;
    REQUIRE_BLAS(matmul(operation, &two, device_a.data(), ta, device_b.data(), tb, &zero, nullptr, tc,
                        device_c.data(), tc));
    // 2 AB - C is 0, because C is 2 AB.
    const DeviceArray<std::int32_t> difference(size_of(SIMTBLASLT_ORDER_COL32, m, n).elements, 7);
    REQUIRE_BLAS(matmul(operation, &two, device_a.data(), ta, device_b.data(), tb, &minus_one, device_c.data(), tc,
                        difference.data(), tc));
    REQUIRE_BLAS(simtblasLtMatrixTransform(LtHandle(), TransformDesc(SIMT_R_32I), &two, device_c.data(), tc, &zero,
                                           nullptr, nullptr, c.data(), Layout(SIMT_R_32I, m, n, m), nullptr));
    REQUIRE_FINISHED();
    const std::vector<std::int32_t> found = c.values();
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        std::int32_t sum = 0;
        for (int p = 0; p < k; ++p) sum += number(i, p) * number(p, j);
        REQUIRE_EQ(found[i + j * m], 4 * sum);
      }
    }
    const DeviceArray<std::int32_t> plain(m * n, 9);
    const std::int32_t one = 1;
    REQUIRE_BLAS(simtblasLtMatrixTransform(LtHandle(), TransformDesc(SIMT_R_32I), &one, difference.data(), tc, &zero,
                                           nullptr, nullptr, plain.data(), Layout(SIMT_R_32I, m, n, m), nullptr));
    REQUIRE_FINISHED();
    CHECK_EQ(plain.values(), std::vector<std::int32_t>(m * n, 0));
  }
}

TEST_CASE("a transform scales, adds, transposes and converts") {
  // A is 2 x 3 by columns, B is 3 x 2 by rows; C = 2 A^T - 3 B.
  const DeviceArray<float> a(std::vector<float>{1, 2, 3, 4, 5, 60}), b(std::vector<float>{1, 0, 0, 1, 10.5, 10.5});
  const DeviceArray<std::int8_t> c(6);
  Layout b_layout(SIMT_R_32F, 3, 2, 2);
  b_layout.set(SIMTBLASLT_MATRIX_LAYOUT_ORDER, SIMTBLASLT_ORDER_ROW);
  TransformDesc desc(SIMT_R_32F);
  desc.set(SIMTBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, SIMTBLAS_OP_T)
      .set(SIMTBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, SIMTBLASLT_POINTER_MODE_DEVICE);
  const DeviceArray<float> factors(std::vector<float>{2, -3});
  REQUIRE_BLAS(simtblasLtMatrixTransform(LtHandle(), desc, factors.data(), a.data(), Layout(SIMT_R_32F, 2, 3, 2),
                                         factors.data() + 1, b.data(), b_layout, c.data(), Layout(SIMT_R_8I, 3, 2, 3),
                                         nullptr));
  REQUIRE_FINISHED();
  // -21.5 is rounded to even.
  CHECK_EQ(c.values(), std::vector<std::int8_t>{-1, 6, -22, 4, 5, 88});
  desc.set(SIMTBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, SIMTBLASLT_POINTER_MODE_HOST);
  const float large = 100;
  REQUIRE_BLAS(simtblasLtMatrixTransform(LtHandle(), desc, &large, a.data(), Layout(SIMT_R_32F, 2, 3, 2), &kZero,
                                         nullptr, nullptr, c.data(), Layout(SIMT_R_8I, 3, 2, 3), nullptr));
  REQUIRE_FINISHED();
  CHECK_EQ(c.values(), std::vector<std::int8_t>{100, 127, 127, 127, 127, 127});
}

TEST_CASE("a transform of a batch of complex matrices") {
  using Complex = std::complex<double>;
  const DeviceArray<Complex> a(std::vector<Complex>{{1, 2}, {3, 4}, {5, 6}, {7, 8}}), c(4);
  const auto batch = [](int rows, int columns) {
    return Layout(SIMT_C_64F, rows, columns, rows)
        .set(SIMTBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t{2})
        .set(SIMTBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, std::int64_t{2});
  };
  TransformDesc desc(SIMT_C_64F);
  desc.set(SIMTBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, SIMTBLAS_OP_C);
  const Complex i(0, 1), zero;
  REQUIRE_BLAS(simtblasLtMatrixTransform(LtHandle(), desc, &i, a.data(), batch(2, 1), &zero, nullptr, nullptr,
                                         c.data(), batch(1, 2), nullptr));
  REQUIRE_FINISHED();
  CHECK_EQ(c.values(), std::vector<Complex>{{2, 1}, {4, 3}, {6, 5}, {8, 7}});
}

TEST_CASE("errors of a transform") {
  const LtHandle handle;
  const TransformDesc desc(SIMT_R_32F);
  const DeviceArray<float> a(64), c(64);
  const Layout layout(SIMT_R_32F, 4, 3, 4);
  const auto transform = [&](simtblasLtMatrixTransformDesc_t with, simtblasLtMatrixLayout_t from,
                             simtblasLtMatrixLayout_t to, const float* beta) {
    return simtblasLtMatrixTransform(handle, with, &kOne, a.data(), from, beta, nullptr, nullptr, c.data(), to,
                                     nullptr);
  };
  CHECK_EQ(transform(nullptr, layout, layout, &kZero), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(transform(desc, layout, layout, &kOne), SIMTBLAS_STATUS_INVALID_VALUE);  // no B
  CHECK_EQ(transform(desc, layout, Layout(SIMT_R_32F, 3, 4, 3), &kZero), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(transform(desc, layout, Layout(SIMT_R_64F, 4, 3, 4), &kZero), SIMTBLAS_STATUS_NOT_SUPPORTED);
  Layout tiled(SIMT_R_32F, 4, 3, 4 * 32 - 1);
  tiled.set(SIMTBLASLT_MATRIX_LAYOUT_ORDER, SIMTBLASLT_ORDER_COL32);
  CHECK_EQ(transform(desc, layout, tiled, &kZero), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(transform(TransformDesc(SIMT_R_8I), layout, layout, &kZero), SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(simtblasLtMatrixTransform(nullptr, desc, &kOne, a.data(), layout, &kZero, nullptr, nullptr, c.data(),
                                     layout, nullptr),
           SIMTBLAS_STATUS_NOT_INITIALIZED);
}

}  // namespace

// Matrix products of a warp. CUDA C++ Programming Guide, "Warp Matrix Functions".
#include "kernel_test.h"

#include <simt_mma.h>

#include <cmath>

using namespace nvcuda;

namespace {

constexpr unsigned kLanes = static_cast<unsigned>(warpSize);

/// d = 2 * (a * b) + c, with c and d in row-major order.
template <int m, int n, int k, class T, class Sum, class LayoutA, class LayoutB>
__global__ void multiply(const simtrt::wmma::storage_t<T>* a, const simtrt::wmma::storage_t<T>* b,
                         const Sum* c, Sum* d) {
  constexpr bool kRowsA = std::is_same_v<LayoutA, wmma::row_major>;
  constexpr bool kRowsB = std::is_same_v<LayoutB, wmma::row_major>;
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> part_a;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> part_b;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> product, addend;
  wmma::fill_fragment(product, 0);
  wmma::load_matrix_sync(part_a, a, kRowsA ? k : m);
  wmma::load_matrix_sync(part_b, b, kRowsB ? n : k);
  wmma::load_matrix_sync(addend, c, n, wmma::mem_row_major);
  wmma::mma_sync(product, part_a, part_b, product);
  for (int i = 0; i < product.num_elements; ++i)
    product.x[i] = static_cast<Sum>(static_cast<Sum>(2) * product.x[i] + addend.x[i]);
  wmma::store_matrix_sync(d, product, n, wmma::mem_row_major);
}

/// Small integers, so that every sum is exact in all types.
int value_of(int row, int column) { return (row * 7 + column * 3) % 5 - 1; }

template <class T>
std::vector<T> matrix(int rows, int columns, bool by_rows) {
  std::vector<T> values(static_cast<std::size_t>(rows * columns));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      values[static_cast<std::size_t>(by_rows ? row * columns + column : column * rows + row)] =
          static_cast<T>(value_of(row, column));
  return values;
}

template <int m, int n, int k, class T, class Sum, class LayoutA = wmma::row_major,
          class LayoutB = wmma::row_major>
void check_product() {
  using Element = simtrt::wmma::storage_t<T>;
  const DeviceArray<Element> a(
      matrix<Element>(m, k, std::is_same_v<LayoutA, wmma::row_major>));
  const DeviceArray<Element> b(
      matrix<Element>(k, n, std::is_same_v<LayoutB, wmma::row_major>));
  const DeviceArray<Sum> c(matrix<Sum>(m, n, true)), d(std::size_t{m} * n);
  SIMT_LAUNCH((multiply<m, n, k, T, Sum, LayoutA, LayoutB>), (1), (kLanes), (0), (0), a.data(),
              b.data(), c.data(), d.data());
  REQUIRE_FINISHED();
  const std::vector<Sum> all = d.values();
  int wrong = 0;
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      int sum = 0;
      for (int i = 0; i < k; ++i) sum += value_of(row, i) * value_of(i, column);
      const auto got = static_cast<double>(all[static_cast<std::size_t>(row * n + column)]);
      wrong += got != 2.0 * sum + value_of(row, column);
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST_CASE("products of half in all shapes and layouts") {
  check_product<16, 16, 16, __half, float>();
  check_product<16, 16, 16, __half, __half, wmma::col_major, wmma::row_major>();
  check_product<32, 8, 16, __half, float, wmma::row_major, wmma::col_major>();
  check_product<8, 32, 16, __half, float, wmma::col_major, wmma::col_major>();
}

TEST_CASE("products of other types") {
  check_product<16, 16, 16, __nv_bfloat16, float>();
  check_product<16, 16, 16, signed char, int>();
  check_product<16, 16, 8, wmma::precision::tf32, float>();
  check_product<8, 8, 4, double, double>();
}

__global__ void overflow(int* wrapped, int* limited) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c, d;
  wmma::fill_fragment(a, 1);
  wmma::fill_fragment(b, 1);
  wmma::fill_fragment(c, 0x7FFFFFFF);
  wmma::mma_sync(d, a, b, c);
  wmma::store_matrix_sync(wrapped, d, 16, wmma::mem_col_major);
  wmma::mma_sync(d, a, b, c, true);
  wmma::store_matrix_sync(limited, d, 16, wmma::mem_col_major);
}

TEST_CASE("sums of integers wrap around, or are limited") {
  const DeviceArray<int> wrapped(256), limited(256);
  SIMT_LAUNCH((overflow), (1), (kLanes), (0), (0), wrapped.data(), limited.data());
  REQUIRE_FINISHED();
  CHECK_EQ(wrapped.values()[17], -0x7FFFFFFF - 1 + 15);
  CHECK_EQ(limited.values()[17], 0x7FFFFFFF);
}

TEST_CASE("a float becomes tf32 by rounding to 10 bits") {
  CHECK_EQ(wmma::__float_to_tf32(1.0f + std::ldexp(1.0f, -11)), 1.0f + std::ldexp(1.0f, -10));
  CHECK_EQ(wmma::__float_to_tf32(1.0f + std::ldexp(1.0f, -12)), 1.0f);
  CHECK(std::isinf(wmma::__float_to_tf32(INFINITY)));
}

}  // namespace

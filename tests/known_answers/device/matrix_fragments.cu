// Matrix fragments (wmma): shapes, types and layouts; results are exact because all numbers are small integers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "answers.h"

using namespace nvcuda;

template <class T>
__host__ __device__ T number(int i, int salt) {
  return T(float((i * 7 + salt * 3) % 9 - 4));
}
template <>
__host__ __device__ signed char number<signed char>(int i, int salt) { return (signed char)((i * 37 + salt * 11) % 255 - 127); }
template <>
__host__ __device__ unsigned char number<unsigned char>(int i, int salt) { return (unsigned char)((i * 37 + salt * 11) % 256); }
template <>
__host__ __device__ int number<int>(int i, int salt) { return (i * 37 + salt) % 1000; }

template <class Fragment, class Storage, int m, int n, int k, class In, class Acc, class LayoutA, class LayoutB>
__global__ void multiply(const Storage* a, const Storage* b, const Acc* c, Acc* d, int lda, int ldb, int ldc, wmma::layout_t layout, float scale) {
  wmma::fragment<wmma::matrix_a, m, n, k, In, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, In, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Acc> fc, fd;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, layout);
  wmma::mma_sync(fd, fa, fb, fc);
  if (scale != 1) {
    for (int i = 0; i < fd.num_elements; i++) fd.x[i] = Acc(float(fd.x[i]) * scale);
  }
  wmma::store_matrix_sync(d, fd, ldc, layout);
}

template <int m, int n, int k, class In, class Storage, class Acc, class LayoutA, class LayoutB>
void run(const char* name, wmma::layout_t layout, float scale = 1) {
  constexpr bool a_rows = std::is_same<LayoutA, wmma::row_major>::value, b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  const int lda = (a_rows ? k : m) + 16, ldb = (b_rows ? n : k) + 16, ldc = (layout == wmma::mem_row_major ? n : m) + 8;
  Storage *a = nullptr, *b = nullptr;
  Acc *c = nullptr, *d = nullptr;
  const int size = 64 * 64;
  if (cudaMallocManaged(&a, size * sizeof(Storage)) != cudaSuccess || cudaMallocManaged(&b, size * sizeof(Storage)) != cudaSuccess ||
      cudaMallocManaged(&c, size * sizeof(Acc)) != cudaSuccess || cudaMallocManaged(&d, size * sizeof(Acc)) != cudaSuccess)
    return;
  for (int i = 0; i < size; i++) a[i] = number<Storage>(i, 1), b[i] = number<Storage>(i, 2), c[i] = number<Acc>(i, 3), d[i] = Acc(0);
  multiply<int, Storage, m, n, k, In, Acc, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, lda, ldb, ldc, layout, scale);
  const int status = int(cudaDeviceSynchronize());
  std::printf("%s: %d", name, status);
  double sum = 0, weighted = 0;
  for (int i = 0; i < size; i++) sum += double(float(d[i])), weighted += double(float(d[i])) * (i % 101);
  std::printf(" %.17g %.17g", sum, weighted);
  for (int i = 0; i < 8; i++) std::printf(" %.9g", double(float(d[i * ldc + i])));
  std::printf("\n");
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

using wmma::col_major;
using wmma::row_major;

__global__ void properties(int* out) {
  using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, row_major>;
  using C = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
  C c;
  wmma::fill_fragment(c, 2.5f);
  float sum = 0;
  for (int i = 0; i < c.num_elements; i++) sum += c.x[i];
  if (threadIdx.x == 0) {
    out[0] = C::num_elements;
    out[1] = int(sum * 2);
    out[2] = wmma::fragment<wmma::accumulator, 16, 16, 16, half>::num_elements;
    out[3] = wmma::fragment<wmma::accumulator, 8, 8, 4, double>::num_elements;
    out[4] = wmma::fragment<wmma::matrix_a, 8, 8, 4, double, row_major>::num_elements;
    out[5] = wmma::fragment<wmma::accumulator, 16, 16, 8, float>::num_elements;
    out[6] = wmma::fragment<wmma::accumulator, 32, 8, 16, int>::num_elements;
    out[7] = int(wmma::mem_row_major) * 10 + int(wmma::mem_col_major);
    out[8] = int(wmma::__float_to_tf32(1.0001f) * 65536) + A::num_elements * 0;
  }
}

int main() {
  const auto rows = wmma::mem_row_major, columns = wmma::mem_col_major;
  run<16, 16, 16, half, half, float, row_major, row_major>("half_float_rr", rows);
  run<16, 16, 16, half, half, float, row_major, col_major>("half_float_rc", rows);
  run<16, 16, 16, half, half, float, col_major, row_major>("half_float_cr", columns);
  run<16, 16, 16, half, half, float, col_major, col_major>("half_float_cc", columns, 2.0f);
  run<16, 16, 16, half, half, half, row_major, col_major>("half_half_rc", rows);
  run<16, 16, 16, half, half, half, col_major, row_major>("half_half_cr", columns, 0.5f);
  run<32, 8, 16, half, half, float, row_major, col_major>("half_32_8", rows);
  run<8, 32, 16, half, half, float, col_major, row_major>("half_8_32", columns);
  run<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, row_major, col_major>("bfloat16", rows);
  run<32, 8, 16, __nv_bfloat16, __nv_bfloat16, float, row_major, row_major>("bfloat16_32_8", rows);
  run<16, 16, 8, wmma::precision::tf32, float, float, row_major, col_major>("tf32", rows);
  run<8, 8, 4, double, double, double, row_major, col_major>("double", rows);
  run<8, 8, 4, double, double, double, col_major, row_major>("double_cr", columns, 3.0f);
  run<16, 16, 16, signed char, signed char, int, row_major, col_major>("char", rows);
  run<16, 16, 16, unsigned char, unsigned char, int, col_major, row_major>("uchar", columns);
  run<8, 32, 16, signed char, signed char, int, row_major, row_major>("char_8_32", rows);
  int* out = nullptr;
  if (cudaMallocManaged(&out, 64) != cudaSuccess) return 1;
  properties<<<1, 32>>>(out);
  answers::exact("properties.status", int(cudaDeviceSynchronize()));
  answers::exact_array("properties", out, 9);
}

// Matrix products by inline PTX (mma.sync) with the fragment layout of the documentation; ldmatrix, also transposed.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "answers.h"

__device__ unsigned pack(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&pair);
}
__device__ unsigned pack_brain(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&pair);
}
// Elements of the operands: small integers
__device__ float left(int row, int column) { return float((row * 5 + column * 3) % 7 - 3); }
__device__ float right(int row, int column) { return float((row * 2 + column * 5) % 9 - 4); }

__global__ void products(float* out, int* whole) {
  const int t = threadIdx.x, group = t / 4, pair = t % 4 * 2;
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
               : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
               : "r"(pack(left(group, pair), left(group, pair + 1))), "r"(pack(left(group + 8, pair), left(group + 8, pair + 1))),
                 "r"(pack(right(pair, group), right(pair + 1, group))), "f"(1.0f), "f"(2.0f), "f"(3.0f), "f"(4.0f));
  out[t * 4] = d0, out[t * 4 + 1] = d1, out[t * 4 + 2] = d2, out[t * 4 + 3] = d3;
  out += 128;
  const unsigned a0 = pack(left(group, pair), left(group, pair + 1)), a1 = pack(left(group + 8, pair), left(group + 8, pair + 1)),
                 a2 = pack(left(group, pair + 8), left(group, pair + 9)), a3 = pack(left(group + 8, pair + 8), left(group + 8, pair + 9)),
                 b0 = pack(right(pair, group), right(pair + 1, group)), b1 = pack(right(pair + 8, group), right(pair + 9, group));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  out[t * 4] = d0, out[t * 4 + 1] = d1, out[t * 4 + 2] = d2, out[t * 4 + 3] = d3;
  out += 128;
  unsigned h0 = 0, h1 = 0;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
               : "=r"(h0), "=r"(h1)
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(0u), "r"(0x3c003c00u));
  whole[t * 2] = h0, whole[t * 2 + 1] = h1;
  whole += 64;
  const unsigned c0 = pack_brain(left(group, pair), left(group, pair + 1)), c1 = pack_brain(left(group + 8, pair), left(group + 8, pair + 1)),
                 c2 = pack_brain(left(group, pair + 8), left(group, pair + 9)), c3 = pack_brain(left(group + 8, pair + 8), left(group + 8, pair + 9)),
                 e0 = pack_brain(right(pair, group), right(pair + 1, group)), e1 = pack_brain(right(pair + 8, group), right(pair + 9, group));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
               : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
               : "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(e0), "r"(e1), "f"(0.0f));
  out[t * 4] = d0, out[t * 4 + 1] = d1, out[t * 4 + 2] = d2, out[t * 4 + 3] = d3;
  out += 128;
  const int column = t % 4;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
               : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
               : "r"(__float_as_uint(left(group, column))), "r"(__float_as_uint(left(group + 8, column))), "r"(__float_as_uint(left(group, column + 4))),
                 "r"(__float_as_uint(left(group + 8, column + 4))), "r"(__float_as_uint(right(column, group))), "r"(__float_as_uint(right(column + 4, group))), "f"(0.5f));
  out[t * 4] = d0, out[t * 4 + 1] = d1, out[t * 4 + 2] = d2, out[t * 4 + 3] = d3;
  double f0 = 0, f1 = 0;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};"
               : "=d"(f0), "=d"(f1)
               : "d"(double(left(group, column))), "d"(double(right(column, group))), "d"(0.25));
  whole[t * 2] = int(f0 * 4), whole[t * 2 + 1] = int(f1 * 4);
  whole += 64;
  int i0 = 0, i1 = 0, i2 = 0, i3 = 0;
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
               : "=r"(i0), "=r"(i1), "=r"(i2), "=r"(i3)
               : "r"(0x01ff0302 * (t + 1)), "r"(0x7f80fe01 ^ t), "r"(t * 0x01010101), "r"(0x05060708), "r"(t * 77777777), "r"(0x80ff7f01 + t), "r"(-5));
  whole[t * 4] = i0, whole[t * 4 + 1] = i1, whole[t * 4 + 2] = i2, whole[t * 4 + 3] = i3;
  whole += 128;
  asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(i0), "=r"(i1)
               : "r"(0xf1ff0302u * (t + 1)), "r"(0x7f80fe01 ^ t), "r"(2147483647), "r"(3));
  whole[t * 2] = i0, whole[t * 2 + 1] = i1;
}

__global__ void loads(unsigned* out) {
  alignas(16) __shared__ unsigned short tile[32 * 8];
  const int t = threadIdx.x;
  for (int i = t; i < 256; i += 32) tile[i] = (unsigned short)(i * 3 + 1);
  __syncwarp();
  const unsigned address = unsigned(__cvta_generic_to_shared(tile + t * 8));
  unsigned a = 0, b = 0, c = 0, d = 0;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(address));
  out[t] = a;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(address));
  out[32 + t] = a, out[64 + t] = b;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(address));
  out[96 + t] = a, out[128 + t] = b, out[160 + t] = c, out[192 + t] = d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(address));
  out[224 + t] = a ^ b ^ c ^ d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(a) : "r"(unsigned(t * 65537 * 2 + 1)));
  out[256 + t] = a;
}

int main() {
  float* out = nullptr;
  int* whole = nullptr;
  if (cudaMallocManaged(&out, 4096) != cudaSuccess || cudaMallocManaged(&whole, 4096) != cudaSuccess) return 1;
  products<<<1, 32>>>(out, whole);
  answers::exact("products.status", int(cudaDeviceSynchronize()));
  answers::exact_array("m16n8k8.f16", out, 128);
  answers::exact_array("m16n8k16.f16", out + 128, 128);
  answers::exact_array("m16n8k16.bf16", out + 256, 128);
  answers::exact_array("m16n8k8.tf32", out + 384, 128);
  answers::exact_array("m16n8k16.f16.f16", whole, 64);
  answers::exact_array("m8n8k4.f64", whole + 64, 64);
  answers::exact_array("m16n8k32.s8", whole + 128, 128);
  answers::exact_array("m8n8k16.u8.s8", whole + 256, 64);
  loads<<<1, 32>>>((unsigned*)whole);
  answers::exact("loads.status", int(cudaDeviceSynchronize()));
  answers::exact_array("ldmatrix.x1", whole, 32);
  answers::exact_array("ldmatrix.x2.trans", whole + 32, 64);
  answers::exact_array("ldmatrix.x4", whole + 96, 128);
  answers::exact_array("ldmatrix.x4.trans", whole + 224, 32);
  answers::exact_array("movmatrix", whole + 256, 32);
}

// Loads and stores with cache hints for all types, vector access, aligned sizes, read-only loads, assumptions, prefetches.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "device/log.h"

using answers::Log;

template <class T>
__device__ double first(T value) { return double(value); }
__device__ double first(__half value) { return __half2float(value); }
__device__ double first(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ double first(__half2 value) { return __low2float(value) + 100 * __high2float(value); }
#define VECTOR2(T) __device__ double first(T v) { return double(v.x) + 100 * double(v.y); }
#define VECTOR4(T) __device__ double first(T v) { return double(v.x) + 100 * double(v.y) + 1e4 * double(v.z) + 1e6 * double(v.w); }
VECTOR2(char2) VECTOR2(uchar2) VECTOR2(short2) VECTOR2(ushort2) VECTOR2(int2) VECTOR2(uint2) VECTOR2(longlong2) VECTOR2(ulonglong2) VECTOR2(float2) VECTOR2(double2)
VECTOR4(char4) VECTOR4(uchar4) VECTOR4(short4) VECTOR4(ushort4) VECTOR4(int4) VECTOR4(uint4) VECTOR4(float4)

template <class T>
__device__ void access(Log& log, const char* name, T* data, const T* original) {
  const int t = threadIdx.x;
  double sum = first(__ldg(original + t));
  sum = sum * 3 + first(__ldcg(data + t));
  sum = sum * 3 + first(__ldca(data + t));
  sum = sum * 3 + first(__ldcs(data + t));
  sum = sum * 3 + first(__ldlu(data + t));
  sum = sum * 3 + first(__ldcv(data + t));
  const T value = data[t];
  __syncthreads();
  __stwb(data + (t + 1) % 8, value);
  __syncthreads();
  const T second = data[t];
  __syncthreads();
  __stcg(data + (t + 3) % 8, second);
  __syncthreads();
  const T third = data[t];
  __syncthreads();
  __stcs(data + (t + 2) % 8, third);
  __syncthreads();
  const T fourth = data[t];
  __syncthreads();
  __stwt(data + (t + 1) % 8, fourth);
  __syncthreads();
  log.all(name, sum + 0.125 * first(data[t]));
}

#define ACCESS(T) access<T>(log, #T, reinterpret_cast<T*>(data), reinterpret_cast<const T*>(original)); reset();
__global__ void accesses(Log log, unsigned* data, const unsigned* original) {
  auto reset = [&] {
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x) data[i] = original[i];
    __syncthreads();
  };
  reset();
  ACCESS(char) ACCESS(signed char) ACCESS(unsigned char) ACCESS(short) ACCESS(unsigned short) ACCESS(int) ACCESS(unsigned) ACCESS(long) ACCESS(unsigned long)
  ACCESS(long long) ACCESS(unsigned long long) ACCESS(float) ACCESS(char2) ACCESS(char4) ACCESS(uchar2) ACCESS(uchar4) ACCESS(short2) ACCESS(short4) ACCESS(ushort2) ACCESS(ushort4)
  ACCESS(int2) ACCESS(int4) ACCESS(uint2) ACCESS(uint4) ACCESS(longlong2) ACCESS(ulonglong2) ACCESS(float2) ACCESS(float4) ACCESS(__half) ACCESS(__half2) ACCESS(__nv_bfloat16)
  const int t = threadIdx.x;
  const int* aligned = static_cast<const int*>(__builtin_assume_aligned(data, 16));
  __builtin_assume(t < 8);
  log.all("assumed", aligned[t]);
  log.all("expected", __builtin_expect(t == 3, 0));
  log.one("popcount", __builtin_popcount(0xf0fu) + __builtin_clz(1));
  const long long start = clock64();
  __nanosleep(100);
  log.all("clock", int(clock64() >= start));
}

int main() {
  unsigned *data = nullptr, *original = nullptr;
  if (cudaMallocManaged(&data, 256) != cudaSuccess || cudaMallocManaged(&original, 256) != cudaSuccess) return 1;
  for (int i = 0; i < 64; i++) original[i] = i * 2654435u + 1077936128u * (i % 2);
  Log log = answers::new_log();
  accesses<<<1, 8>>>(log, data, original);
  answers::print_log(log);
}

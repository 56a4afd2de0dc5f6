// Parameters of kernels and variables of devices: large structures, alignment, grid constants, three-dimensional indices, symbols.
#include <cstring>

#include "answers.h"

struct Mixed {
  char a;
  double b;
  short c;
  float d[5];
};
struct Large {
  int values[900];
};
struct __align__(16) Vector {
  float x, y, z;
};
template <class T>
struct Wrapped {
  T value;
  T* place;
  __device__ void store() const { *place = value; }
};

__device__ int matrix[3][4] = {{1, 2}, {3, 4, 5}};
__managed__ int managed[4] = {5, 6, 7, 8};
__constant__ double factors[3] = {1.5, 2.5, 3.5};
__device__ double scale = 2;
static __device__ int hidden = 99;
namespace inner {
__device__ unsigned char bytes[3] = {250, 251, 252};
}

__global__ void mixed(Mixed m, char c, long long w, Vector v, double* out) {
  out[0] = m.a + m.b + m.c + m.d[4];
  out[1] = c;
  out[2] = double(w);
  out[3] = v.x + v.z;
}
__global__ void large(const __grid_constant__ Large p, double* out) {
  double sum = 0;
  for (int i = threadIdx.x; i < 900; i += blockDim.x) sum += p.values[i];
  atomicAdd(out, sum);
}
__global__ void changed(Large p, double* out) {
  p.values[threadIdx.x] += 100;
  out[threadIdx.x] = p.values[threadIdx.x] + p.values[899 - threadIdx.x];
}
template <class T>
__global__ void wrapped(Wrapped<T> w) { w.store(); }
__global__ void variables(double* out) {
  out[0] = matrix[0][1] + matrix[1][2] * 10 + matrix[2][3];
  out[1] = managed[2]++;
  out[2] = factors[1] * scale;
  out[3] = hidden + inner::bytes[2];
  scale += 1;
}
__global__ void indices(int* out) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * 12 + thread] = thread * 1000 + block + warpSize;
}
__global__ void lanes(int* out) {
  unsigned lane;
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  lane = __popc(__ballot_sync(0xffffffffu, true) & ((1u << (thread % 32)) - 1));
  out[thread] = lane * 100 + __shfl_sync(0xffffffffu, int(threadIdx.y), 31);
}

int main() {
  double* out = nullptr;
  int* whole = nullptr;
  if (cudaMallocManaged(&out, 4096) != cudaSuccess || cudaMallocManaged(&whole, 4096) != cudaSuccess) return 1;
  for (int i = 0; i < 512; i++) out[i] = 0;
  for (int i = 0; i < 1024; i++) whole[i] = -1;
  mixed<<<1, 1>>>(Mixed{'a', 0.5, -3, {1, 2, 3, 4, 5}}, 'z', 1ll << 40, Vector{1, 2, 3}, out);
  answers::exact("mixed.status", int(cudaDeviceSynchronize()));
  answers::exact_array("mixed", out, 4);
  Large p;
  for (int i = 0; i < 900; i++) p.values[i] = i * i % 1009;
  out[0] = 0;
  large<<<1, 64>>>(p, out);
  answers::exact("large.status", int(cudaDeviceSynchronize()));
  changed<<<1, 8>>>(p, out);
  answers::exact("changed.status", int(cudaDeviceSynchronize()));
  answers::exact_array("changed", out, 8);
  wrapped<<<1, 1>>>(Wrapped<double>{2.5, out});
  wrapped<<<1, 1>>>(Wrapped<int>{7, whole});
  answers::exact("wrapped", int(cudaDeviceSynchronize()));
  variables<<<1, 1>>>(out);
  answers::exact("variables.status", int(cudaDeviceSynchronize()));
  answers::exact_array("variables", out, 4);
  answers::exact("managed", managed[2]);
  indices<<<dim3(2, 3, 2), dim3(3, 2, 2)>>>(whole);
  answers::exact("indices.status", int(cudaDeviceSynchronize()));
  answers::exact_array("indices", whole, 144);
  lanes<<<1, dim3(4, 4, 4)>>>(whole);
  answers::exact("lanes.status", int(cudaDeviceSynchronize()));
  answers::exact_array("lanes", whole, 64);
  double host = 0;
  answers::exact("from_symbol", int(cudaMemcpyFromSymbol(&host, scale, sizeof host)));
  host = 10;
  answers::exact("to_symbol", int(cudaMemcpyToSymbol(scale, &host, sizeof host)));
  unsigned char byte = 0;
  answers::exact("from_symbol_offset", int(cudaMemcpyFromSymbol(&byte, inner::bytes, 1, 2)));
  size_t size = 0;
  answers::exact("symbol_size", int(cudaGetSymbolSize(&size, matrix)));
  answers::exact("symbol_size_constant", int(cudaGetSymbolSize(&size, factors)));
  void* address = nullptr;
  answers::exact("symbol_address", int(cudaGetSymbolAddress(&address, matrix)));
  int replaced[2] = {70, 80};
  answers::exact("symbol_copy", int(cudaMemcpy(static_cast<int*>(address) + 6, replaced, 8, cudaMemcpyHostToDevice)));
  variables<<<1, 1>>>(out);
  answers::exact("variables2.status", int(cudaDeviceSynchronize()));
  answers::exact_array("variables2", out, 4);
  answers::exact("from_symbol_too_far", int(cudaMemcpyFromSymbol(&host, scale, sizeof host, 8)));
  answers::exact("last_error", int(cudaGetLastError()));
}

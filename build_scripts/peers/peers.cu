// The kernels in CUDA, as textbooks write them: shared memory, barriers, atomics.
#include "work.h"

using namespace work;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float part[kBlock];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void scan_blocks(const float* in, float* out, float* sums, int n) {
  __shared__ float part[2][kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  int from = 0;
  part[0][threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    const float before = threadIdx.x >= step ? part[from][threadIdx.x - step] : 0;
    part[1 - from][threadIdx.x] = part[from][threadIdx.x] + before;
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = part[from][threadIdx.x];
  if (threadIdx.x == kBlock - 1) sums[blockIdx.x] = part[from][threadIdx.x];
}

__global__ void scan_sums(float* sums, int n) {
  if (threadIdx.x != 0) return;
  for (int i = 1; i < n; ++i) sums[i] += sums[i - 1];
}

__global__ void add_sums(float* out, const float* sums, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += kTile) {
    left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void histogram(const int* in, int* out, int n) {
  __shared__ int part[kBins];
  part[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&part[in[i]], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], part[threadIdx.x]);
}

__global__ void nbody(const float4* bodies, float* out, int n) {
  __shared__ float4 tile[kBlock];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 own = bodies[i];
  float x = 0;
  for (int begin = 0; begin < n; begin += kBlock) {
    tile[threadIdx.x] = bodies[begin + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kBlock; ++j) {
      const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      const float square = dx * dx + dy * dy + dz * dz + kSoftening;
      x += tile[j].w * dx / (square * sqrtf(square));
    }
    __syncthreads();
  }
  out[i] = x;
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

template <class T>
static T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, values.size() * sizeof(T)));
  check(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <class T>
static double sum_of(const T* memory, int count) {
  std::vector<T> values(count);
  check(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return checksum(values);
}

int main() {
  constexpr int kFew = 64;  // blocks of reduction and histogram
  const std::vector<float> host = numbers(kVector);
  float *a = on_device(host), *b = on_device(host), *c = on_device(host);
  const auto timed = [](const char* name, const auto& launch, const auto& result) {
    const double took = seconds([&] {
      launch();
      check(cudaDeviceSynchronize());
    });
    report(name, took, result());
  };
  timed("add", [&] { add<<<kVector / kBlock, kBlock>>>(a, b, c, kVector); }, [&] { return sum_of(c, kVector); });
  float* few = on_device(std::vector<float>(kFew));
  timed("reduction",
        [&] {
          reduce<<<kFew, kBlock>>>(a, few, kVector);
          reduce<<<1, kBlock>>>(few, few, kFew);
        },
        [&] { return sum_of(few, 1); });
  constexpr int kBlocks = kScan / kBlock;
  float* sums = on_device(std::vector<float>(kBlocks));
  timed("scan",
        [&] {
          scan_blocks<<<kBlocks, kBlock>>>(a, c, sums, kScan);
          scan_sums<<<1, 32>>>(sums, kBlocks);
          add_sums<<<kBlocks, kBlock>>>(c, sums, kScan);
        },
        [&] { return sum_of(c + kScan - 16, 16); });
  const dim3 grid(kMatrix / kTile, kMatrix / kTile), tile(kTile, kTile);
  timed("matmul", [&] { matmul<<<grid, tile>>>(a, b, c, kMatrix); }, [&] { return sum_of(c, kMatrix * kMatrix); });
  int *bins = on_device(bins_of(host)), *counts = on_device(std::vector<int>(kBins));
  timed("histogram",
        [&] {
          check(cudaMemsetAsync(counts, 0, kBins * sizeof(int)));
          histogram<<<kFew, kBins>>>(bins, counts, kVector);
        },
        [&] { return sum_of(counts, kBins); });
  float* all = on_device(bodies());
  timed("nbody", [&] { nbody<<<kBodies / kBlock, kBlock>>>(reinterpret_cast<float4*>(all), c, kBodies); },
        [&] { return sum_of(c, kBodies); });
}

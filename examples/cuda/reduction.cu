// Reduction in two launches: each block reduces its part, then one block reduces the results of the
// blocks. Within a block, each warp reduces by shuffles, and shared memory combines the warps.
#include "check.h"

#include <algorithm>
#include <climits>
#include <vector>

constexpr int kThreads = 256;
constexpr int kBlocks = 60;
constexpr unsigned kAllLanes = 0xffffffff;

struct Plus {
  __device__ long long operator()(long long a, long long b) const { return a + b; }
};

struct Larger {
  __device__ long long operator()(long long a, long long b) const { return a < b ? b : a; }
};

template <typename Op>
__device__ long long reduce_warp(long long value, Op op) {
  for (int delta = warpSize / 2; delta > 0; delta /= 2) {
    value = op(value, __shfl_down_sync(kAllLanes, value, delta));
  }
  return value;
}

/// Result of the block; valid in thread 0.
template <typename Op>
__device__ long long reduce_block(long long value, long long identity, Op op) {
  __shared__ long long of_warps[kThreads / 32];
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  value = reduce_warp(value, op);
  if (lane == 0) of_warps[warp] = value;
  __syncthreads();
  if (warp != 0) return identity;
  value = lane < kThreads / warpSize ? of_warps[lane] : identity;
  return reduce_warp(value, op);
}

template <typename In, typename Op>
__global__ void reduce(const In* in, int n, long long identity, long long* out, Op op) {
  long long value = identity;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    value = op(value, static_cast<long long>(in[i]));
  }
  value = reduce_block(value, identity, op);
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

template <typename Op>
long long reduce_on_device(const int* in, int n, long long identity, Op op) {
  long long *of_blocks, *device_result, result;
  CHECK(cudaMalloc(&of_blocks, kBlocks * sizeof(long long)));
  CHECK(cudaMalloc(&device_result, sizeof(long long)));
  reduce<<<kBlocks, kThreads>>>(in, n, identity, of_blocks, op);
  CHECK(cudaGetLastError());
  reduce<<<1, kThreads>>>(of_blocks, kBlocks, identity, device_result, op);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&result, device_result, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(of_blocks));
  CHECK(cudaFree(device_result));
  return result;
}

int main() {
  const int n = 300'001;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i + 1;
  values[n / 2] = n + 7;  // the maximum, in the middle; replaces n / 2 + 1

  int* device_values;
  CHECK(cudaMalloc(&device_values, n * sizeof(int)));
  CHECK(cudaMemcpy(device_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  const long long sum = reduce_on_device(device_values, n, 0, Plus());
  const long long largest = reduce_on_device(device_values, n, LLONG_MIN, Larger());
  CHECK(cudaFree(device_values));

  const long long expected = static_cast<long long>(n) * (n + 1) / 2 - (n / 2 + 1) + (n + 7);
  return report("reduction", sum == expected && largest == n + 7,
                "sum " + std::to_string(sum) + ", largest " + std::to_string(largest));
}

// Inclusive prefix sum over many blocks: warps scan by shuffles, a block combines its warps, and
// the sums of the blocks are scanned and added to later blocks (Hillis and Steele 1986, in three
// launches).
#include "check.h"

#include <vector>

constexpr int kThreads = 512;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ int scan_warp(int value) {
  const int lane = threadIdx.x % warpSize;
  for (int delta = 1; delta < warpSize; delta *= 2) {
    const int below = __shfl_up_sync(kAllLanes, value, delta);
    if (lane >= delta) value += below;
  }
  return value;
}

/// Scans each block separately. `sums` receives the sum of each block; it may be null.
__global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
  __shared__ int of_warps[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp = threadIdx.x / warpSize;

  int value = scan_warp(i < n ? in[i] : 0);
  if (threadIdx.x % warpSize == warpSize - 1) of_warps[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const bool is_there = threadIdx.x < blockDim.x / warpSize;
    of_warps[threadIdx.x] = scan_warp(is_there ? of_warps[threadIdx.x] : 0);
  }
  __syncthreads();
  if (warp > 0) value += of_warps[warp - 1];

  if (i < n) out[i] = value;
  if (sums != nullptr && threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = value;
}

/// Adds to each block the sum of all blocks before it.
__global__ void add_before(int* out, const int* scanned_sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += scanned_sums[blockIdx.x - 1];
}

int main() {
  const int n = 200'000;
  const int blocks = parts(n, kThreads);  // fewer than kThreads: one block scans their sums
  std::vector<int> values(n), result(n);
  for (int i = 0; i < n; ++i) values[i] = i % 10 - 3;

  int *in, *out, *sums;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  CHECK(cudaMalloc(&sums, blocks * sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));

  scan_blocks<<<blocks, kThreads>>>(in, out, sums, n);
  scan_blocks<<<1, kThreads>>>(sums, sums, nullptr, blocks);
  add_before<<<blocks, kThreads>>>(out, sums, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));

  bool ok = true;
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += values[i];
    ok = ok && result[i] == sum;
  }

  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(sums));
  return report("scan", ok,
                std::to_string(n) + " prefix sums in " + std::to_string(blocks) + " blocks");
}

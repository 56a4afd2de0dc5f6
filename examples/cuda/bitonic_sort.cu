// Batcher's bitonic sorting network (1968). One launch performs all steps within a tile, in dynamic
// shared memory. Each wider step is one launch that compares and exchanges in global memory.
#include "check.h"

#include <algorithm>
#include <vector>

/// Orders keys[low] and keys[low + distance]. Runs of `run` keys are sorted up and down in turn.
/// `index` is the position of keys[low] in the whole array.
__device__ void compare_exchange(unsigned* keys, int low, int distance, int index, int run) {
  const unsigned a = keys[low], b = keys[low + distance];
  const bool upwards = (index & run) == 0;
  if ((a > b) == upwards) {
    keys[low] = b;
    keys[low + distance] = a;
  }
}

/// Position of the lower key of pair number `pair`. The two keys of a pair are `distance` apart, a
/// power of two.
__device__ int low_of(int pair, int distance) { return 2 * pair - (pair & (distance - 1)); }

/// For runs from `first_run` to `last_run`, executes all steps of at most half a tile. A tile is
/// twice as large as a block.
__global__ void sort_tiles(unsigned* keys, int first_run, int last_run) {
  extern __shared__ unsigned tile[];
  const int size = 2 * blockDim.x;
  const int begin = blockIdx.x * size;
  tile[threadIdx.x] = keys[begin + threadIdx.x];
  tile[threadIdx.x + blockDim.x] = keys[begin + threadIdx.x + blockDim.x];
  for (int run = first_run; run <= last_run; run *= 2) {
    for (int distance = min(run, size) / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const int low = low_of(threadIdx.x, distance);
      compare_exchange(tile, low, distance, begin + low, run);
    }
  }
  __syncthreads();
  keys[begin + threadIdx.x] = tile[threadIdx.x];
  keys[begin + threadIdx.x + blockDim.x] = tile[threadIdx.x + blockDim.x];
}

__global__ void exchange(unsigned* keys, int distance, int run) {
  const int low = low_of(blockIdx.x * blockDim.x + threadIdx.x, distance);
  compare_exchange(keys, low, distance, low, run);
}

int main() {
  const int n = 1 << 14, threads = 256, tile = 2 * threads;
  const int blocks = n / tile;
  const size_t shared = tile * sizeof(unsigned);
  std::vector<unsigned> keys(n), sorted(n);
  for (int i = 0; i < n; ++i) keys[i] = 2654435761u * i % 10007;  // scattered, with many equal keys

  unsigned* device_keys;
  CHECK(cudaMalloc(&device_keys, n * sizeof(unsigned)));
  CHECK(cudaMemcpy(device_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  sort_tiles<<<blocks, threads, shared>>>(device_keys, 2, tile);
  for (int run = 2 * tile; run <= n; run *= 2) {
    for (int distance = run / 2; distance >= tile; distance /= 2) {
      exchange<<<blocks, threads>>>(device_keys, distance, run);
    }
    sort_tiles<<<blocks, threads, shared>>>(device_keys, run, run);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sorted.data(), device_keys, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_keys));

  std::sort(keys.begin(), keys.end());
  return report("bitonic_sort", sorted == keys, std::to_string(n) + " keys");
}

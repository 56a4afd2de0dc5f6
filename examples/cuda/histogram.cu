// Histogram of bytes: each block counts in shared memory and finally adds its counts to the total.
// Both additions are atomic, because many threads increment the same bin.
#include "check.h"

#include <vector>

constexpr int kBins = 256;

__global__ void histogram(const unsigned char* bytes, int n, unsigned* counts) {
  __shared__ unsigned of_block[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) of_block[bin] = 0;
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&of_block[bytes[i]], 1u);
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    if (of_block[bin] != 0) atomicAdd(&counts[bin], of_block[bin]);
  }
}

int main() {
  const int n = 250'000;
  // Linear congruential generator (Numerical Recipes, "An Even Quicker Generator"). Each value is
  // the smaller of two random bytes, so that low bins are larger and contended.
  std::vector<unsigned char> bytes(n);
  unsigned state = 1;
  for (unsigned char& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    const unsigned char one = state >> 24, other = state >> 16 & 255;
    byte = one < other ? one : other;
  }
  std::vector<unsigned> expected(kBins), counts(kBins);
  for (unsigned char byte : bytes) ++expected[byte];

  unsigned char* device_bytes;
  unsigned* device_counts;
  CHECK(cudaMalloc(&device_bytes, n));
  CHECK(cudaMalloc(&device_counts, kBins * sizeof(unsigned)));
  CHECK(cudaMemcpy(device_bytes, bytes.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_counts, 0, kBins * sizeof(unsigned)));
  histogram<<<40, 192>>>(device_bytes, n, device_counts);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(counts.data(), device_counts, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost));

  CHECK(cudaFree(device_bytes));
  CHECK(cudaFree(device_counts));
  return report("histogram", counts == expected, std::to_string(n) + " bytes");
}

// Monte Carlo estimate of pi: the share of random points of the unit square inside the quarter
// circle. The program runs once with numbers drawn in the kernel (cuRAND's device API), and once
// with numbers generated before the kernel (cuRAND's host API).
#include "check.h"

#include <cmath>
#include <curand.h>
#include <curand_kernel.h>

#define CHECK_CURAND(call) check_curand((call), #call)

inline void check_curand(curandStatus_t status, const char* call) {
  if (status == CURAND_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: status %d\n", call, static_cast<int>(status));
  std::exit(1);
}

__device__ bool is_inside(float x, float y) { return x * x + y * y <= 1.0f; }

/// Each thread draws from its own sequence, two points at a time, because one call of Philox
/// returns four numbers.
__global__ void draw(unsigned long long seed, int rounds, unsigned long long* hits) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  int inside = 0;
  for (int round = 0; round < rounds; ++round) {
    const float4 numbers = curand_uniform4(&state);
    inside += is_inside(numbers.x, numbers.y) + is_inside(numbers.z, numbers.w);
  }
  atomicAdd(hits, static_cast<unsigned long long>(inside));
}

__global__ void count(const float* x, const float* y, int n, unsigned long long* hits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int inside = __syncthreads_count(i < n && is_inside(x[i], y[i]));
  if (threadIdx.x == 0) atomicAdd(hits, static_cast<unsigned long long>(inside));
}

unsigned long long take(unsigned long long* device_hits) {
  unsigned long long hits;
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&hits, device_hits, sizeof hits, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_hits, 0, sizeof hits));
  return hits;
}

int main() {
  const int blocks = 32, threads = 128, rounds = 32;
  const int points = 2 * blocks * threads * rounds;
  unsigned long long* hits;
  CHECK(cudaMalloc(&hits, sizeof *hits));
  CHECK(cudaMemset(hits, 0, sizeof *hits));

  draw<<<blocks, threads>>>(2024, rounds, hits);
  const double by_device_api = 4.0 * static_cast<double>(take(hits)) / points;

  float* numbers;
  curandGenerator_t generator;
  CHECK(cudaMalloc(&numbers, 2 * points * sizeof(float)));
  CHECK_CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(generator, 2024));
  CHECK_CURAND(curandGenerateUniform(generator, numbers, 2 * points));
  count<<<parts(points, threads), threads>>>(numbers, numbers + points, points, hits);
  const double by_host_api = 4.0 * static_cast<double>(take(hits)) / points;
  CHECK_CURAND(curandDestroyGenerator(generator));
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(hits));

  // A point is inside with probability pi / 4. The tolerance is four standard deviations of the
  // estimate.
  const double pi = std::acos(-1.0);
  const double tolerance = 4 * std::sqrt(pi * (4 - pi) / points);
  const bool ok =
      std::fabs(by_device_api - pi) < tolerance && std::fabs(by_host_api - pi) < tolerance;
  return report("monte_carlo_pi", ok,
                std::to_string(by_device_api) + " and " + std::to_string(by_host_api));
}

// Derivative of a periodic function by central differences of order 8. Each block loads its part
// with a halo into shared memory; the weights are in constant memory. The result is compared with
// the exact derivative of the sine.
#include "check.h"

#include <cmath>
#include <vector>

constexpr int kRadius = 4;
constexpr int kThreads = 128;

__constant__ double weights[kRadius];

__global__ void derive(const double* f, double* derivative, int n, double step) {
  __shared__ double part[kThreads + 2 * kRadius];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int here = threadIdx.x + kRadius;

  part[here] = f[i % n];
  if (threadIdx.x < kRadius) {
    part[here - kRadius] = f[(i - kRadius + n) % n];
    part[here + kThreads] = f[(i + kThreads) % n];
  }
  __syncthreads();

  if (i >= n) return;
  double sum = 0;
  for (int k = 1; k <= kRadius; ++k) sum += weights[k - 1] * (part[here + k] - part[here - k]);
  derivative[i] = sum / step;
}

int main() {
  const int n = 8 * kThreads;  // the halo of the last block wraps around
  const double step = 2 * std::acos(-1.0) / n;
  // Fornberg 1988, "Generation of Finite Difference Formulas on Arbitrarily Spaced Grids", table 1.
  const double order_8[kRadius] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  CHECK(cudaMemcpyToSymbol(weights, order_8, sizeof order_8));

  std::vector<double> values(n), result(n);
  for (int i = 0; i < n; ++i) values[i] = std::sin(i * step);
  double *f, *derivative;
  CHECK(cudaMalloc(&f, n * sizeof(double)));
  CHECK(cudaMalloc(&derivative, n * sizeof(double)));
  CHECK(cudaMemcpy(f, values.data(), n * sizeof(double), cudaMemcpyHostToDevice));
  derive<<<n / kThreads, kThreads>>>(f, derivative, n, step);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result.data(), derivative, n * sizeof(double), cudaMemcpyDeviceToHost));

  double error = 0;
  for (int i = 0; i < n; ++i) error = std::fmax(error, std::fabs(result[i] - std::cos(i * step)));

  CHECK(cudaFree(f));
  CHECK(cudaFree(derivative));
  return report("stencil", error < 1e-11, "largest error " + std::to_string(error * 1e12) + "e-12");
}

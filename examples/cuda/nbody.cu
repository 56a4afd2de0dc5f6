// Gravitational n-body simulation, integrated by the leapfrog method. Each block reads the bodies
// tile by tile into shared memory (Nyland, Harris and Prins, GPU Gems 3, chapter 31). Momentum is
// conserved; energy is conserved approximately.
#include "check.h"

#include <cmath>
#include <vector>

constexpr int kTile = 128;
constexpr float kSoftening = 0.05f;  // keeps the force between close bodies finite

/// Adds to `acceleration` the attraction of a body at `place` by all bodies of a tile; w of a body
/// is its mass.
__device__ float3 attract(float4 place, const float4* tile, float3 acceleration) {
  for (int j = 0; j < kTile; ++j) {
    const float x = tile[j].x - place.x, y = tile[j].y - place.y, z = tile[j].z - place.z;
    const float near = rsqrtf(x * x + y * y + z * z + kSoftening * kSoftening);
    const float strength = tile[j].w * near * near * near;
    acceleration.x += strength * x;
    acceleration.y += strength * y;
    acceleration.z += strength * z;
  }
  return acceleration;
}

/// Changes the velocities by the attraction during `time`. The number of bodies `n` is a multiple
/// of kTile.
__global__ void kick(const float4* places, float4* velocities, int n, float time) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * kTile + threadIdx.x;
  float3 acceleration = make_float3(0, 0, 0);
  for (int begin = 0; begin < n; begin += kTile) {
    tile[threadIdx.x] = places[begin + threadIdx.x];
    __syncthreads();
    acceleration = attract(places[i], tile, acceleration);
    __syncthreads();
  }
  velocities[i].x += time * acceleration.x;
  velocities[i].y += time * acceleration.y;
  velocities[i].z += time * acceleration.z;
}

__global__ void drift(float4* places, const float4* velocities, float time) {
  const int i = blockIdx.x * kTile + threadIdx.x;
  places[i].x += time * velocities[i].x;
  places[i].y += time * velocities[i].y;
  places[i].z += time * velocities[i].z;
}

double energy(const std::vector<float4>& places, const std::vector<float4>& velocities) {
  double sum = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    const float4 p = places[i], v = velocities[i];
    sum += 0.5 * p.w * (double(v.x) * v.x + double(v.y) * v.y + double(v.z) * v.z);
    for (size_t j = 0; j < i; ++j) {
      const float4 q = places[j];
      sum -= p.w * q.w / std::sqrt(std::pow(p.x - q.x, 2.0) + std::pow(p.y - q.y, 2.0) +
                                   std::pow(p.z - q.z, 2.0) + kSoftening * kSoftening);
    }
  }
  return sum;
}

int main() {
  const int n = 4 * kTile, steps = 10;
  const float time = 0.005f;
  // Bodies at rest on a helix: the total energy is negative, so the cloud collapses.
  std::vector<float4> places(n), velocities(n, make_float4(0, 0, 0, 0));
  for (int i = 0; i < n; ++i) {
    const float angle = 0.1f * static_cast<float>(i);
    places[i] = make_float4(std::cos(angle), std::sin(angle), static_cast<float>(i) / n, 1.0f / n);
  }
  const double energy_before = energy(places, velocities);

  float4 *p, *v;
  const size_t bytes = n * sizeof(float4);
  CHECK(cudaMalloc(&p, bytes));
  CHECK(cudaMalloc(&v, bytes));
  CHECK(cudaMemcpy(p, places.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(v, velocities.data(), bytes, cudaMemcpyHostToDevice));
  const size_t shared = kTile * sizeof(float4);
  for (int step = 0; step < steps; ++step) {
    kick<<<n / kTile, kTile, shared>>>(p, v, n, time / 2);
    drift<<<n / kTile, kTile>>>(p, v, time);
    kick<<<n / kTile, kTile, shared>>>(p, v, n, time / 2);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(places.data(), p, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(velocities.data(), v, bytes, cudaMemcpyDeviceToHost));

  double momentum = 0, speed = 0;
  for (int i = 0; i < n; ++i) {
    momentum += places[i].w * velocities[i].z;
    speed += places[i].w * std::fabs(velocities[i].z);
  }
  const double lost = std::fabs(energy(places, velocities) / energy_before - 1);

  CHECK(cudaFree(p));
  CHECK(cudaFree(v));
  const bool ok = speed > 1e-3 && std::fabs(momentum) < 1e-5 * speed && lost < 1e-5;
  return report("nbody", ok, "energy kept to " + std::to_string(lost * 1e6) + " millionths");
}

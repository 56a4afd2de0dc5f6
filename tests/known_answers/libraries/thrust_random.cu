// Engines and distributions of thrust::random, on the host and in kernels.
// nvcc: -O0
#include <thrust/random.h>

#include <string>

#include "ordered.h"

using answers::Exact;
using answers::Near;

template <class Engine>
__host__ __device__ void draw(uint64_t* out, uint64_t seed) {
  Engine engine(static_cast<typename Engine::result_type>(seed));
  for (int i = 0; i < 5; i++) out[i] = engine();
  engine.discard(1000);
  out[5] = engine();
  Engine other;
  out[6] = other();
  Engine copy = engine;
  out[7] = copy == engine;
  copy();
  out[8] = copy == engine;
  out[9] = Engine::min;
  out[10] = Engine::max;
  engine.seed();
  out[11] = engine();
}

template <class Engine>
__global__ void draw_kernel(uint64_t* out, uint64_t seed) {
  draw<Engine>(out, seed);
}

template <class Engine>
void engine(const char* name) {
  uint64_t* device;
  cudaMalloc(&device, 12 * sizeof(uint64_t));
  for (uint64_t seed : {1ull, 42ull, 0ull}) {
    uint64_t host[12], back[12];
    draw<Engine>(host, seed);
    draw_kernel<Engine><<<1, 1>>>(device, seed);
    int status = cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost);
    std::string line = std::string(name) + "_seed_" + std::to_string(seed);
    answers::exact_array((line + "_host").c_str(), host, 12);
    answers::exact_array((line + "_device").c_str(), back, 12);
    Exact{(line + "_status").c_str(), status};
  }
  cudaFree(device);
}

template <class Engine>
void distributions(const char* name) {
  std::string line = name;
  Engine engine(7);
  thrust::uniform_int_distribution<int> die(1, 6);
  int throws[12];
  for (int& value : throws) value = die(engine);
  answers::exact_array((line + "_die").c_str(), throws, 12);
  thrust::uniform_int_distribution<unsigned> wide(0, 4000000000u);
  Exact{(line + "_wide").c_str(), wide(engine), wide(engine), wide(engine)};
  thrust::uniform_real_distribution<float> real(-2, 3);
  Exact{(line + "_real").c_str(), real(engine), real(engine), real(engine), real.a(), real.b(), real.min(), real.max()};
  thrust::uniform_real_distribution<double> fine(0, 1);
  Exact{(line + "_double").c_str(), fine(engine), fine(engine), fine(engine)};
  thrust::normal_distribution<float> normal(1, 2);
  Near{(line + "_normal").c_str(), 1e-5, normal(engine), normal(engine), normal(engine), normal(engine)};
  thrust::normal_distribution<double> precise(0, 1);
  Near{(line + "_normal_double").c_str(), 1e-5, precise(engine), precise(engine), precise(engine)};
  Exact{(line + "_state").c_str(), engine()};
}

int main() {
  engine<thrust::minstd_rand>("minstd_rand");
  engine<thrust::minstd_rand0>("minstd_rand0");
  engine<thrust::ranlux24>("ranlux24");
  engine<thrust::ranlux48>("ranlux48");
  engine<thrust::taus88>("taus88");
  engine<thrust::ranlux24_base>("ranlux24_base");
  engine<thrust::ranlux48_base>("ranlux48_base");
  engine<thrust::linear_congruential_engine<uint32_t, 1103515245, 12345, 2147483648u>>("congruential");
  engine<thrust::linear_feedback_shift_engine<uint32_t, 32, 31, 13, 12>>("feedback");
  distributions<thrust::default_random_engine>("default");
  distributions<thrust::ranlux24>("with_ranlux24");
  distributions<thrust::taus88>("with_taus88");
  return 0;
}

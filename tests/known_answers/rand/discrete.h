// Distributions by table (curand_discrete) and Poisson numbers, probed by words of the program's own choice: a state of
// Sobol32 whose next word is set returns the number of exactly this word.
#pragma once

#include "draws.h"

namespace discrete {

using draws::require;

struct PoissonOf {
  double lambda;
  __device__ unsigned operator()(curandStateSobol32_t* state) const { return curand_poisson(state, lambda); }
};

template <class Number, class Draw>
__global__ void number_of_each_word(const unsigned* words, Number* numbers, int count, Draw draw) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  curandStateSobol32_t state = {};
  state.x = words[i];
  numbers[i] = draw(&state);
}

template <class Number, class Draw>
std::vector<Number> numbers_of(const std::vector<unsigned>& words, Draw draw) {
  const int count = int(words.size());
  unsigned* in = nullptr;
  Number* out = nullptr;
  std::vector<Number> numbers(count);
  require(cudaMalloc(&in, count * sizeof(unsigned)), "malloc");
  require(cudaMalloc(&out, count * sizeof(Number)), "malloc");
  require(cudaMemcpy(in, words.data(), count * sizeof(unsigned), cudaMemcpyDefault), "copy");
  number_of_each_word<<<(count + 127) / 128, 128>>>(in, out, count, draw);
  require(cudaMemcpy(numbers.data(), out, count * sizeof(Number), cudaMemcpyDefault), "numbers");
  require(cudaFree(in), "free");
  require(cudaFree(out), "free");
  return numbers;
}

// Words at equal distances, and those at both ends.
inline std::vector<unsigned> grid(int count) {
  std::vector<unsigned> words{0, 1, 2, 100, 100000, 0x7fffffff, 0x80000000, 0xfff00000, 0xffffff00, 0xfffffffe, 0xffffffff};
  for (int i = 0; i < count; i++) words.push_back(unsigned(((2 * i + 1) * 0x80000000ull) / count));
  return words;
}

inline uint64_t checksum(const std::vector<unsigned>& numbers) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (unsigned number : numbers) {
    sum = (sum ^ number) * 0x100000001b3u;
    sum ^= sum >> 29;
  }
  return sum;
}

}  // namespace discrete

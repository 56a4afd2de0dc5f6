// Draws from a state of cuRAND's device API by one thread, and lines about the numbers.
#pragma once

#include "answers.h"

#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <string>
#include <vector>

namespace draws {

// A draw writes `kWidth` numbers of type Number.
#define DRAW(name, type, width, statements)                    \
  struct name {                                                \
    using Number = type;                                       \
    static constexpr int kWidth = width;                       \
    template <class State>                                     \
    __device__ void operator()(State* state, type* out) const { \
      statements;                                              \
    }                                                          \
  };
#define PUT2(call) const auto v = call; out[0] = v.x; out[1] = v.y
#define PUT4(call) const auto v = call; out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w

DRAW(Words, unsigned, 1, out[0] = curand(state))
DRAW(Uniform, float, 1, out[0] = curand_uniform(state))
DRAW(UniformDouble, double, 1, out[0] = curand_uniform_double(state))
DRAW(Normal, float, 1, out[0] = curand_normal(state))
DRAW(NormalDouble, double, 1, out[0] = curand_normal_double(state))
DRAW(LogNormal, float, 1, out[0] = curand_log_normal(state, -0.5f, 0.75f))
DRAW(LogNormalDouble, double, 1, out[0] = curand_log_normal_double(state, -0.5, 0.75))
DRAW(Normal2, float, 2, PUT2(curand_normal2(state)))
DRAW(Normal2Double, double, 2, PUT2(curand_normal2_double(state)))
DRAW(LogNormal2, float, 2, PUT2(curand_log_normal2(state, 1.0f, 0.25f)))
DRAW(LogNormal2Double, double, 2, PUT2(curand_log_normal2_double(state, 1.0, 0.25)))

struct Poisson {
  double lambda;
  using Number = unsigned;
  static constexpr int kWidth = 1;
  template <class State>
  __device__ void operator()(State* state, unsigned* out) const {
    out[0] = curand_poisson(state, lambda);
  }
};

template <class State, class Draw>
__global__ void draw_in_one_thread(State* state, typename Draw::Number* out, int count, Draw draw) {
  State local = *state;
  for (int i = 0; i < count; i++) draw(&local, out + i * Draw::kWidth);
  *state = local;
}

template <class State, class Change>
__global__ void change_state(State* state, Change change) {
  change(state);
}

inline void require(cudaError_t error, const char* call) {
  if (error != cudaSuccess) answers::exact((std::string("failed.") + call).c_str(), cudaGetErrorName(error));
}

// A state in device memory.
template <class State>
class Stream {
 public:
  Stream() { require(cudaMalloc(&state_, sizeof(State)), "malloc"); }
  ~Stream() { require(cudaFree(state_), "free"); }
  Stream(const Stream&) = delete;

  template <class Change>
  Stream& change(Change change) {
    change_state<<<1, 1>>>(state_, change);
    require(cudaDeviceSynchronize(), "change");
    return *this;
  }

  // Exact numbers.
  template <class Draw>
  Stream& put(const std::string& name, int count, Draw draw) {
    const auto numbers = take(count, draw);
    answers::exact_array(name.c_str(), numbers.data(), int(numbers.size()));
    return *this;
  }
  template <class Draw>
  Stream& near(const std::string& name, double tolerance, int count, Draw draw) {
    const auto numbers = take(count, draw);
    answers::near_array(name.c_str(), tolerance, numbers.data(), int(numbers.size()));
    return *this;
  }

 private:
  template <class Draw>
  std::vector<typename Draw::Number> take(int count, Draw draw) {
    std::vector<typename Draw::Number> numbers(count * Draw::kWidth);
    const size_t bytes = numbers.size() * sizeof(typename Draw::Number);
    typename Draw::Number* out = nullptr;
    require(cudaMalloc(&out, bytes), "malloc");
    draw_in_one_thread<<<1, 1>>>(state_, out, count, draw);
    require(cudaGetLastError(), "launch");
    require(cudaMemcpy(numbers.data(), out, bytes, cudaMemcpyDefault), "draw");
    require(cudaFree(out), "free");
    return numbers;
  }

  State* state_ = nullptr;
};

struct Init {
  unsigned long long seed, subsequence, offset;
  template <class State>
  __device__ void operator()(State* state) const {
    curand_init(seed, subsequence, offset, state);
  }
};
struct Skip {
  unsigned long long count;
  template <class State>
  __device__ void operator()(State* state) const {
    skipahead(count, state);
  }
};
struct SkipSequence {
  unsigned long long count;
  template <class State>
  __device__ void operator()(State* state) const {
    skipahead_sequence(count, state);
  }
};

inline std::string joined(const char* name, std::initializer_list<unsigned long long> numbers) {
  std::string result = name;
  for (unsigned long long number : numbers) result += "." + std::to_string(number);
  return result;
}

// Seeds, subsequences, offsets and skips of a pseudo-random generator.
template <class State>
void positions() {
  Stream<State> stream;
  const unsigned long long many[] = {0, 1, 2, 3, 4, 5, 7, 8, 1000, 65536, 1ull << 31, 1ull << 32, (1ull << 33) + 1,
                                     1ull << 40, (1ull << 62) + 3, ~0ull};
  for (unsigned long long seed : many) stream.change(Init{seed, 0, 0}).put(joined("seed", {seed}), 9, Words{});
  for (unsigned long long subsequence : many) {
    stream.change(Init{17, subsequence, 0}).put(joined("subsequence", {subsequence}), 9, Words{});
    stream.change(Init{17, subsequence, 6}).put(joined("subsequence_offset", {subsequence}), 9, Words{});
  }
  for (unsigned long long offset : many) stream.change(Init{17, 0, offset}).put(joined("offset", {offset}), 9, Words{});
  for (unsigned long long count : many) {
    stream.change(Init{5, 3, 0}).put(joined("skip.before", {count}), 3, Words{});
    stream.change(Skip{count}).put(joined("skip.after", {count}), 6, Words{});
    stream.change(Init{5, 3, 2}).put(joined("skip_sequence.before", {count}), 3, Words{});
    stream.change(SkipSequence{count}).put(joined("skip_sequence.after", {count}), 6, Words{});
    stream.change(Skip{2}).put(joined("skip_sequence.skip", {count}), 3, Words{});
  }
}

// Numbers of every distribution that all pseudo-random generators of one thread have.
template <class State>
void distributions() {
  Stream<State> stream;
  for (unsigned long long seed : {0ull, 1234ull}) {
    const auto start = [&](unsigned long long offset = 0) -> Stream<State>& { return stream.change(Init{seed, 2, offset}); };
    start().put(joined("uniform", {seed}), 40, Uniform{});
    start().put(joined("uniform_double", {seed}), 40, UniformDouble{});
    start(1).put(joined("uniform_double_odd", {seed}), 9, UniformDouble{});
    start().near(joined("normal", {seed}), 1e-5, 41, Normal{});
    start(1).near(joined("normal_odd", {seed}), 1e-5, 9, Normal{});
    start().near(joined("normal2", {seed}), 1e-5, 20, Normal2{});
    start().near(joined("normal_double", {seed}), 1e-12, 41, NormalDouble{});
    start(3).near(joined("normal_double_odd", {seed}), 1e-12, 9, NormalDouble{});
    start().near(joined("normal2_double", {seed}), 1e-12, 20, Normal2Double{});
    start().near(joined("log_normal", {seed}), 1e-5, 41, LogNormal{});
    start().near(joined("log_normal2", {seed}), 1e-5, 20, LogNormal2{});
    start().near(joined("log_normal_double", {seed}), 1e-12, 41, LogNormalDouble{});
    start().near(joined("log_normal2_double", {seed}), 1e-12, 20, LogNormal2Double{});
  }
  // The second number of a pair stays in the state, across other draws and skips.
  stream.change(Init{9, 0, 0}).near("mixed.normal", 1e-5, 1, Normal{});
  stream.put("mixed.words", 3, Words{}).near("mixed.second", 1e-5, 1, Normal{});
  stream.put("mixed.uniform", 1, Uniform{}).near("mixed.third", 1e-5, 1, Normal{}).near("mixed.double", 1e-12, 1, NormalDouble{});
  stream.change(Skip{5}).near("mixed.after_skip", 1e-5, 1, Normal{}).put("mixed.after", 2, Words{});
  stream.near("mixed.second_double", 1e-12, 2, NormalDouble{}).near("mixed.log", 1e-5, 1, LogNormal{});
  stream.near("mixed.normal_after_log", 1e-5, 1, Normal{}).put("mixed.last", 2, Words{});
  stream.change(SkipSequence{1}).near("mixed.after_sequence", 1e-12, 1, NormalDouble{});
  stream.change(Init{9, 0, 0}).near("mixed.after_init", 1e-12, 1, NormalDouble{}).near("mixed.normal_after_init", 1e-5, 1, Normal{});
}

template <class State>
void poisson() {
  Stream<State> stream;
  for (double lambda : {0.01, 0.5, 1.0, 3.0, 10.0, 32.0, 63.5, 64.0, 65.0, 100.0, 500.0, 1000.0, 2000.0, 3999.0, 4000.0, 4000.5,
                        5000.0, 100000.0, 1e6, 1e9}) {
    stream.change(Init{77, 0, 0}).put("poisson." + std::to_string(lambda), 60, Poisson{lambda});
    stream.put("poisson_then_words." + std::to_string(lambda), 2, Words{});
  }
}

// Each thread of a grid has its own subsequence.
template <class State>
__global__ void each_thread(unsigned* out, unsigned long long seed) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  curand_init(seed, thread, 0, &state);
  for (int i = 0; i < 3; i++) out[3 * thread + i] = curand(&state);
}

template <class State>
void threads() {
  constexpr int kThreads = 2 * 48;
  unsigned* out = nullptr;
  unsigned words[3 * kThreads];
  require(cudaMalloc(&out, sizeof words), "malloc");
  each_thread<State><<<2, 48>>>(out, 4321);
  require(cudaMemcpy(words, out, sizeof words, cudaMemcpyDefault), "threads");
  require(cudaFree(out), "free");
  for (int thread = 0; thread < kThreads; thread += 5) answers::exact_array(joined("thread", {(unsigned long long)thread}).c_str(), words + 3 * thread, 3);
}

}  // namespace draws

// MTGP32 in kernels, with the library's parameters: words and distributions of blocks of several sizes.
#include "draws.h"

#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

namespace {

using namespace draws;
using State = curandStateMtgp32_t;

struct Specific {
  using Number = unsigned;
  static constexpr int kWidth = 1;
  __device__ void operator()(State* state, unsigned* out) const {
    out[0] = curand_mtgp32_specific(state, static_cast<unsigned char>(threadIdx.x), static_cast<unsigned char>(blockDim.x));
  }
};

template <class Draw>
__global__ void draw_in_blocks(State* states, typename Draw::Number* out, int count, Draw draw) {
  for (int i = 0; i < count; i++) {
    draw(&states[blockIdx.x], out + (size_t(blockIdx.x) * count + i) * blockDim.x + threadIdx.x);
  }
}

class States {
 public:
  explicit States(unsigned long long seed) {
    require(cudaMalloc(&constants_, sizeof(mtgp32_kernel_params_t)), "malloc");
    require(cudaMalloc(&states_, kBlocks * sizeof(State)), "malloc");
    answers::exact(joined("made", {seed, ++made_}).c_str(), curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, constants_),
                   curandMakeMTGP32KernelState(states_, mtgp32dc_params_fast_11213, constants_, kBlocks, seed));
  }
  ~States() {
    require(cudaFree(constants_), "free");
    require(cudaFree(states_), "free");
  }

  template <class Draw>
  void put(const std::string& name, int threads, int count, Draw draw, double tolerance = 0) {
    using Number = typename Draw::Number;
    const size_t each = size_t(count) * threads;
    std::vector<Number> numbers(kBlocks * each);
    Number* out = nullptr;
    require(cudaMalloc(&out, numbers.size() * sizeof(Number)), "malloc");
    draw_in_blocks<<<kBlocks, threads>>>(states_, out, count, draw);
    require(cudaMemcpy(numbers.data(), out, numbers.size() * sizeof(Number), cudaMemcpyDefault), "draw");
    require(cudaFree(out), "free");
    for (int block : {0, 1, 2, 3, 100, kBlocks - 1}) {
      const Number* first = numbers.data() + block * each;
      for (const Number* part : {first, first + each / 2, first + each - 8}) {
        const std::string line = joined(name.c_str(), {(unsigned long long)(block), (unsigned long long)(part - first)});
        tolerance == 0 ? answers::exact_array(line.c_str(), part, 8) : answers::near_array(line.c_str(), tolerance, part, 8);
      }
    }
    uint64_t sum = 0;
    for (Number number : numbers) sum = (sum ^ uint64_t(number * 0x1p20)) * 0x100000001b3u;
    if (tolerance == 0) answers::exact((name + ".checksum").c_str(), sum);
  }

 private:
  static constexpr int kBlocks = 200;
  static inline unsigned long long made_ = 0;
  mtgp32_kernel_params_t* constants_ = nullptr;
  State* states_ = nullptr;
};

}  // namespace

int main() {
  for (unsigned long long seed : {0ull, 1234ull, 0x123456789abcdefull}) {
    States(seed).put(joined("words", {seed}), 256, 8, Words{});
  }
  States(7).put("words.32", 32, 30, Words{});
  States(7).put("words.100", 100, 10, Words{});
  States(7).put("specific.128", 128, 8, Specific{});
  States(7).put("uniform", 256, 4, Uniform{});
  States(7).put("uniform_double", 256, 4, UniformDouble{});
  States(7).put("normal", 256, 4, Normal{}, 1e-5);
  States(7).put("normal_double", 256, 4, NormalDouble{}, 1e-12);
  States(7).put("log_normal", 256, 4, LogNormal{}, 1e-5);
  States(7).put("log_normal_double", 256, 4, LogNormalDouble{}, 1e-12);
  for (double lambda : {1.0, 100.0, 2000.0}) States(7).put("poisson." + std::to_string(lambda), 64, 3, Poisson{lambda});
  States mixed(5);
  mixed.put("mixed.0", 256, 2, Words{});
  mixed.put("mixed.1", 64, 3, Uniform{});
  mixed.put("mixed.2", 256, 3, Words{});
}

// Poisson numbers by table (curandCreatePoissonDistribution, curand_discrete): the number of each word of a grid; the words
// at which the number changes within small distributions; draws of several generators.
// nvcc: -lcurand
#include "discrete.h"

namespace {

using namespace draws;
using namespace discrete;

struct DiscreteOf {
  curandDiscreteDistribution_t distribution;
  __device__ unsigned operator()(curandStateSobol32_t* state) const { return curand_discrete(state, distribution); }
};

struct Discrete {
  curandDiscreteDistribution_t distribution;
  using Number = unsigned;
  static constexpr int kWidth = 1;
  template <class State>
  __device__ void operator()(State* state, unsigned* out) const {
    out[0] = curand_discrete(state, distribution);
  }
};

struct Discrete4 {
  curandDiscreteDistribution_t distribution;
  using Number = unsigned;
  static constexpr int kWidth = 4;
  __device__ void operator()(curandStatePhilox4_32_10_t* state, unsigned* out) const {
    PUT4(curand_discrete4(state, distribution));
  }
};

// Number of steps of the function from words to numbers, and its first steps, each found by bisection between two words
// of the grid with different numbers.
void steps(const std::string& name, curandDiscreteDistribution_t distribution, int count) {
  std::vector<unsigned> words(count + 1);
  for (int i = 0; i <= count; i++) words[i] = i < count ? unsigned((uint64_t(i) << 32) / count) : 0xffffffffu;
  const std::vector<unsigned> numbers = numbers_of<unsigned>(words, DiscreteOf{distribution});
  std::vector<unsigned> low, high, below, all;
  for (int i = 0; i < count; i++) {
    if (numbers[i] != numbers[i + 1]) low.push_back(words[i]), high.push_back(words[i + 1]), below.push_back(numbers[i]);
  }
  for (int bit = 0; bit < 33; bit++) {
    std::vector<unsigned> middle(low.size());
    for (size_t i = 0; i < low.size(); i++) middle[i] = low[i] + (high[i] - low[i]) / 2;
    const std::vector<unsigned> of_middle = numbers_of<unsigned>(middle, DiscreteOf{distribution});
    for (size_t i = 0; i < low.size(); i++) (of_middle[i] == below[i] ? low[i] : high[i]) = middle[i];
  }
  const std::vector<unsigned> above = low.empty() ? low : numbers_of<unsigned>(high, DiscreteOf{distribution});
  answers::exact((name + ".steps").c_str(), low.size(), checksum(high));
  for (size_t i = 0; i < low.size() && i < 64; i++) {
    answers::exact((name + ".step." + std::to_string(i)).c_str(), high[i], below[i], above[i]);
  }
}

}  // namespace

int main() {
  for (double lambda : {0.001, 0.1, 0.5, 1.0, 2.5, 7.0, 10.0, 30.0, 64.0, 100.0, 500.0, 999.0, 1000.0, 1500.0, 1999.0, 2000.0, 2001.0,
                        4000.0, 10000.0, 399999.0, 400000.0}) {
    const std::string name = std::to_string(lambda);
    curandDiscreteDistribution_t distribution = nullptr;
    const curandStatus_t status = curandCreatePoissonDistribution(lambda, &distribution);
    answers::exact(("create." + name).c_str(), status);
    if (status != CURAND_STATUS_SUCCESS) continue;
    const std::vector<unsigned> numbers = numbers_of<unsigned>(grid(20000), DiscreteOf{distribution});
    answers::exact(("checksum." + name).c_str(), checksum(numbers));
    const std::vector<unsigned> some = numbers_of<unsigned>(grid(200), DiscreteOf{distribution});
    answers::exact_array(("numbers." + name).c_str(), some.data(), int(some.size()));
    if (lambda <= 100) steps("word." + name, distribution, 4096);
    Stream<curandStateXORWOW_t>().change(Init{3, 0, 0}).put("xorwow." + name, 20, Discrete{distribution});
    Stream<curandStateMRG32k3a_t>().change(Init{3, 0, 0}).put("mrg32k3a." + name, 20, Discrete{distribution});
    Stream<curandStatePhilox4_32_10_t> philox;
    philox.change(Init{3, 0, 1}).put("philox." + name, 20, Discrete{distribution}).put("philox4." + name, 8, Discrete4{distribution});
    philox.put("philox_then." + name, 2, Words{});
    answers::exact(("destroy." + name).c_str(), curandDestroyDistribution(distribution));
  }
}

// Sobol generators in kernels: direction vectors and scramble constants of the library, offsets, skips, distributions.
// nvcc: -lcurand
#include "draws.h"

namespace {

using namespace draws;

DRAW(LongWords, unsigned long long, 1, out[0] = curand(state))

struct Vectors32 {
  unsigned vectors[32], constant, offset;
  __device__ void operator()(curandStateSobol32_t* state) const { curand_init(const_cast<unsigned*>(vectors), offset, state); }
  __device__ void operator()(curandStateScrambledSobol32_t* state) const {
    curand_init(const_cast<unsigned*>(vectors), constant, offset, state);
  }
};
struct Vectors64 {
  unsigned long long vectors[64], constant, offset;
  __device__ void operator()(curandStateSobol64_t* state) const {
    curand_init(const_cast<unsigned long long*>(vectors), offset, state);
  }
  __device__ void operator()(curandStateScrambledSobol64_t* state) const {
    curand_init(const_cast<unsigned long long*>(vectors), constant, offset, state);
  }
};
struct Skip32 {
  unsigned count;
  template <class State>
  __device__ void operator()(State* state) const {
    skipahead(count, state);
  }
};
struct Skip64 {
  unsigned long long count;
  template <class State>
  __device__ void operator()(State* state) const {
    skipahead(count, state);
  }
};

template <class State, class Word, class Vectors, class Jump>
void put_draws(const std::string& name, Vectors vectors) {
  Stream<State> stream;
  const auto start = [&](unsigned long long offset = 0) -> Stream<State>& {
    vectors.offset = Word(offset);
    return stream.change(vectors);
  };
  start().put(name + ".words", 40, LongWords{});
  for (unsigned long long offset : {1ull, 2ull, 31ull, 32ull, 1000ull, 1ull << 31, (1ull << 32) - 2, (1ull << 33) + 1, ~0ull}) {
    start(offset).put(joined((name + ".offset").c_str(), {offset}), 5, LongWords{});
    start(3).change(Jump{Word(offset)}).put(joined((name + ".skip").c_str(), {offset}), 5, LongWords{});
  }
  start().put(name + ".uniform", 40, Uniform{});
  start().put(name + ".uniform_double", 40, UniformDouble{});
  start().near(name + ".normal", 1e-5, 40, Normal{});
  start().near(name + ".normal_double", 1e-12, 40, NormalDouble{});
  start().near(name + ".log_normal", 1e-5, 40, LogNormal{});
  start().near(name + ".log_normal_double", 1e-12, 40, LogNormalDouble{});
  for (double lambda : {0.1, 1.0, 10.0, 100.0, 999.0, 1000.0, 5000.0}) {
    start().put(name + ".poisson." + std::to_string(lambda), 40, Poisson{lambda});
  }
}

}  // namespace

int main() {
  curandDirectionVectors32_t *plain = nullptr, *scrambled = nullptr;
  curandDirectionVectors64_t *plain_wide = nullptr, *scrambled_wide = nullptr;
  unsigned* constants = nullptr;
  unsigned long long* constants_wide = nullptr;
  answers::exact("vectors", curandGetDirectionVectors32(&plain, CURAND_DIRECTION_VECTORS_32_JOEKUO6),
                 curandGetDirectionVectors32(&scrambled, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6),
                 curandGetDirectionVectors64(&plain_wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6),
                 curandGetDirectionVectors64(&scrambled_wide, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
  answers::exact("constants", curandGetScrambleConstants32(&constants), curandGetScrambleConstants64(&constants_wide));
  for (int dimension : {0, 1, 2, 7, 1000, 19999}) {
    const std::string in = "." + std::to_string(dimension);
    Vectors32 narrow{{}, constants[dimension], 0};
    Vectors64 wide{{}, constants_wide[dimension], 0};
    for (int i = 0; i < 32; i++) narrow.vectors[i] = plain[dimension][i];
    for (int i = 0; i < 64; i++) wide.vectors[i] = plain_wide[dimension][i];
    put_draws<curandStateSobol32_t, unsigned, Vectors32, Skip32>("sobol32" + in, narrow);
    put_draws<curandStateSobol64_t, unsigned long long, Vectors64, Skip64>("sobol64" + in, wide);
    for (int i = 0; i < 32; i++) narrow.vectors[i] = scrambled[dimension][i];
    for (int i = 0; i < 64; i++) wide.vectors[i] = scrambled_wide[dimension][i];
    put_draws<curandStateScrambledSobol32_t, unsigned, Vectors32, Skip32>("scrambled_sobol32" + in, narrow);
    put_draws<curandStateScrambledSobol64_t, unsigned long long, Vectors64, Skip64>("scrambled_sobol64" + in, wide);
  }
}

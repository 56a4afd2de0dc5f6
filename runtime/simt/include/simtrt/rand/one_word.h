// Numbers of a distribution from one word each, for generators whose words must not be combined:
// Sobol generators and MTGP32. Normal numbers use the inverse of the cumulative distribution
// function; Poisson numbers use it too from a mean of 1000 on, and a search below (CUDA 12.4,
// curand_normal_static.h and curand_poisson.h).
//
// Normal numbers differ from a GPU's by the accuracy of erfcinv: up to 2 units in the last place for
// float, and up to 6 for double.
#pragma once

#include <simtrt/math/library.h>
#include <simtrt/rand/mtgp32.h>
#include <simtrt/rand/poisson.h>
#include <simtrt/rand/sobol.h>

#include <cmath>

namespace simtrt::rng {

/// The upper 32 bits of a word, as a float in (0, 1].
inline float uniform_of_word(std::uint32_t word) { return uniform(word); }
inline float uniform_of_word(unsigned long long word) {
  return uniform(static_cast<std::uint32_t>(word >> 32));
}

/// All bits of 32, or the upper 53 bits of 64, as a double in (0, 1].
inline double uniform_double_of_word(std::uint32_t word) { return uniform_double(word); }
inline double uniform_double_of_word(unsigned long long word) {
  return static_cast<double>(word >> 11) * 0x1p-53 + 0x1p-54;
}

/// Midpoint of the interval of a word among 2^32 or 2^53 equal intervals of (0, 1).
inline double midpoint(std::uint32_t word) { return word * 0x1p-32 + 0x1p-33; }
inline double midpoint(unsigned long long word) {
  return static_cast<double>(word >> 11) * 0x1p-53 + 0x1p-55;
}

/// Normal numbers of words are symmetric: a word of the upper half is mirrored, which keeps the
/// precision of the small probability.
inline float normal_of_word(std::uint32_t word) {
  const bool mirrored = word > 0x80000000u;
  const float probability = uniform(mirrored ? ~word : word);
  const auto root = static_cast<float>(simtrt::erfcinv(2.0f * probability));
  return (mirrored ? 1.4142135f : -1.4142135f) * root;
}
inline float normal_of_word(unsigned long long word) {
  return normal_of_word(static_cast<std::uint32_t>(word >> 32));
}

inline double normal_double_of_word(std::uint32_t word) {
  const bool mirrored = word > 0x80000000u;
  const double probability = midpoint(mirrored ? ~word : word);
  return (mirrored ? 1.4142135623730951 : -1.4142135623730951) *
         simtrt::erfcinv(2.0 * probability);
}
inline double normal_double_of_word(unsigned long long word) {
  constexpr std::uint64_t kGreatest = (std::uint64_t{1} << 53) - 1;
  const std::uint64_t number = word >> 11;
  const bool mirrored = number > (std::uint64_t{1} << 52);
  const double probability =
      static_cast<double>(mirrored ? kGreatest - number : number) * 0x1p-53 + 0x1p-54;
  return (mirrored ? 1.4142135623730951 : -1.4142135623730951) *
         simtrt::erfcinv(2.0 * probability);
}

/// Smallest number whose cumulative probability is at least `probability`. A mean above 500 would
/// make the first term tiny: its factor exp(-lambda) is applied in parts of at most exp(-500).
inline unsigned poisson_by_search(double probability, double lambda) {
  constexpr double kPart = 500;
  double term = 1;
  double cumulative = 1;
  unsigned number = 0;
  double done = 0;
  do {
    const double factor = std::exp(lambda > done + kPart ? -kPart : done - lambda);
    term *= factor;
    cumulative *= factor;
    done += kPart;
    while (probability > cumulative) {
      ++number;
      term *= lambda / number;
      cumulative += term;
    }
  } while (done < lambda);
  return number;
}

template <class Word>
unsigned poisson_of_word(Word word, double lambda) {
  return lambda < 1000 ? poisson_by_search(midpoint(word), lambda)
                       : poisson_of_normal(normal_double_of_word(word), lambda);
}

}  // namespace simtrt::rng

#define SIMTRAND_ONE_WORD_FUNCTIONS(State)                                                        \
  __device__ inline float simtrand_uniform(State* state) {                                        \
    return simtrt::rng::uniform_of_word(simtrand(state));                                         \
  }                                                                                               \
  __device__ inline double simtrand_uniform_double(State* state) {                                \
    return simtrt::rng::uniform_double_of_word(simtrand(state));                                  \
  }                                                                                               \
  __device__ inline float simtrand_normal(State* state) {                                         \
    return simtrt::rng::normal_of_word(simtrand(state));                                          \
  }                                                                                               \
  __device__ inline double simtrand_normal_double(State* state) {                                 \
    return simtrt::rng::normal_double_of_word(simtrand(state));                                   \
  }                                                                                               \
  __device__ inline float simtrand_log_normal(State* state, float mean, float stddev) {           \
    return simtrt::rng::log_normal(simtrand_normal(state), mean, stddev);                         \
  }                                                                                               \
  __device__ inline double simtrand_log_normal_double(State* state, double mean, double stddev) { \
    return simtrt::rng::log_normal(simtrand_normal_double(state), mean, stddev);                  \
  }                                                                                               \
  __device__ inline unsigned int simtrand_poisson(State* state, double lambda) {                  \
    return simtrt::rng::poisson_of_word(simtrand(state), lambda);                                 \
  }

SIMTRAND_ONE_WORD_FUNCTIONS(simtrandStateSobol32_t)
SIMTRAND_ONE_WORD_FUNCTIONS(simtrandStateScrambledSobol32_t)
SIMTRAND_ONE_WORD_FUNCTIONS(simtrandStateSobol64_t)
SIMTRAND_ONE_WORD_FUNCTIONS(simtrandStateScrambledSobol64_t)
SIMTRAND_ONE_WORD_FUNCTIONS(simtrandStateMtgp32_t)

#undef SIMTRAND_ONE_WORD_FUNCTIONS

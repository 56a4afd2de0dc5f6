// Poisson distributions made on the host (simtrandCreatePoissonDistribution). Below a mean of 2000, a
// number takes one word and a table: the alias method (A. J. Walker, "An Efficient Method for
// Generating Discrete Random Variables with General Distributions", ACM Trans. Math. Softw. 3(3),
// 1977). From 2000 on, it is a rounded normal number.
#pragma once

#include <simtrt/rand/one_word.h>

/// A Poisson distribution. The table has `length` columns, or none for rounded normal numbers. A
/// number takes column i of the table with the same probability each. It is `shift` + i if the
/// uniform number is below threshold[i], and `shift` + other[i] otherwise.
struct simtrandDiscreteDistribution_st {
  double mean;
  unsigned int shift;
  unsigned int length;
  const double* threshold;
  const unsigned int* other;
};

namespace simtrt::rng {

/// Number of a word in a table.
template <class Word>
unsigned discrete_of_word(Word word, const simtrandDiscreteDistribution_st& distribution) {
  const double uniform = uniform_double_of_word(word);
  const auto column = static_cast<unsigned>(distribution.length * uniform);
  return distribution.shift +
         (uniform < distribution.threshold[column] ? column : distribution.other[column]);
}

}  // namespace simtrt::rng

#define SIMTRAND_DISCRETE_FUNCTION(State)                                             \
  __device__ inline unsigned int simtrand_discrete(                                   \
      State* state, simtrandDiscreteDistribution_t discrete_distribution) {           \
    if (discrete_distribution->length == 0) {                                         \
      return simtrt::rng::poisson_of_normal(simtrand_normal_double(state),            \
                                            discrete_distribution->mean);             \
    }                                                                                 \
    return simtrt::rng::discrete_of_word(simtrand(state), *discrete_distribution);    \
  }

SIMTRAND_DISCRETE_FUNCTION(simtrandStateXORWOW_t)
SIMTRAND_DISCRETE_FUNCTION(simtrandStatePhilox4_32_10_t)
SIMTRAND_DISCRETE_FUNCTION(simtrandStateMRG32k3a_t)
SIMTRAND_DISCRETE_FUNCTION(simtrandStateMtgp32_t)
SIMTRAND_DISCRETE_FUNCTION(simtrandStateSobol32_t)
SIMTRAND_DISCRETE_FUNCTION(simtrandStateScrambledSobol32_t)
SIMTRAND_DISCRETE_FUNCTION(simtrandStateSobol64_t)
SIMTRAND_DISCRETE_FUNCTION(simtrandStateScrambledSobol64_t)

#undef SIMTRAND_DISCRETE_FUNCTION

/// Four numbers.
__device__ inline uint4 simtrand_discrete4(simtrandStatePhilox4_32_10_t* state,
                                           simtrandDiscreteDistribution_t discrete_distribution) {
  if (discrete_distribution->length == 0) {
    return simtrt::rng::poisson_of_normal4(simtrand_normal4_double(state),
                                           discrete_distribution->mean);
  }
  const uint4 words = simtrand4(state);
  return uint4{simtrt::rng::discrete_of_word(words.x, *discrete_distribution),
               simtrt::rng::discrete_of_word(words.y, *discrete_distribution),
               simtrt::rng::discrete_of_word(words.z, *discrete_distribution),
               simtrt::rng::discrete_of_word(words.w, *discrete_distribution)};
}

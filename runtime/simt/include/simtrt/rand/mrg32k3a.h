// MRG32k3a: P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive
// random number generators", Operations Research 47(1), 1999. Source of the state's members, the
// seeding and the scaling of the output: CUDA 12.4, curand_kernel.h.
#pragma once

#include <simtrt/config.h>
#include <simtrt/kernel/qualifiers.h>

#include <cstdint>

/// One stream of words: the last three numbers of each of the two components, oldest first.
struct simtrandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct simtrandStateMRG32k3a simtrandStateMRG32k3a_t;

namespace simtrt::rng {

inline constexpr std::uint32_t kMrgModulus1 = 4294967087;
inline constexpr std::uint32_t kMrgModulus2 = 4294944443;

/// Distances that a stream can be advanced by: a word, a subsequence of 2^76 words, and a sequence
/// of 2^127 words.
enum class MrgDistance { kWord, kSubsequence, kSequence };

/// Advances the two components by `count` times the distance.
SIMTRT_EXPORT void mrg32k3a_skip(unsigned int (&s1)[3], unsigned int (&s2)[3], std::uint64_t count,
                                 MrgDistance distance);

/// Next number, in [1, kMrgModulus1].
inline std::uint32_t mrg32k3a_step(unsigned int (&s1)[3], unsigned int (&s2)[3]) {
  const std::uint64_t new1 =
      (std::uint64_t{1403580} * s1[1] + std::uint64_t{810728} * (kMrgModulus1 - s1[0])) %
      kMrgModulus1;
  const std::uint64_t new2 =
      (std::uint64_t{527612} * s2[2] + std::uint64_t{1370589} * (kMrgModulus2 - s2[0])) %
      kMrgModulus2;
  s1[0] = s1[1];
  s1[1] = s1[2];
  s1[2] = static_cast<std::uint32_t>(new1);
  s2[0] = s2[1];
  s2[1] = s2[2];
  s2[2] = static_cast<std::uint32_t>(new2);
  return static_cast<std::uint32_t>(new1 > new2 ? new1 - new2 : new1 + kMrgModulus1 - new2);
}

/// Conversions of a number of mrg32k3a_step.
inline std::uint32_t mrg32k3a_word(std::uint32_t number) {
  return static_cast<std::uint32_t>(number * 1.000000048662);
}
inline double mrg32k3a_uniform(std::uint32_t number) { return number * 2.3283065498378288e-10; }

/// Components of a new stream of `seed`.
inline void mrg32k3a_start(unsigned int (&s1)[3], unsigned int (&s2)[3], std::uint64_t seed) {
  constexpr std::uint64_t kInitial = 12345;
  const std::uint64_t low = seed == 0 ? 1 : static_cast<std::uint32_t>(seed) ^ 0x55555555u;
  const std::uint64_t high = seed == 0 ? 1 : (seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    const bool middle = i == 1;
    s1[i] = static_cast<std::uint32_t>((middle ? high : low) * kInitial % kMrgModulus1);
    s2[i] = static_cast<std::uint32_t>((middle ? low : high) * kInitial % kMrgModulus2);
  }
}

}  // namespace simtrt::rng

/// Advances the stream by `n` words, subsequences of 2^76 words, or sequences of 2^127 words.
__device__ inline void skipahead(unsigned long long n, simtrandStateMRG32k3a_t* state) {
  simtrt::rng::mrg32k3a_skip(state->s1, state->s2, n, simtrt::rng::MrgDistance::kWord);
}
__device__ inline void skipahead_subsequence(unsigned long long n, simtrandStateMRG32k3a_t* state) {
  simtrt::rng::mrg32k3a_skip(state->s1, state->s2, n, simtrt::rng::MrgDistance::kSubsequence);
}
__device__ inline void skipahead_sequence(unsigned long long n, simtrandStateMRG32k3a_t* state) {
  simtrt::rng::mrg32k3a_skip(state->s1, state->s2, n, simtrt::rng::MrgDistance::kSequence);
}

/// Starts the stream of `seed` at word `offset` of its subsequence `subsequence`.
__device__ inline void simtrand_init(unsigned long long seed, unsigned long long subsequence,
                                     unsigned long long offset, simtrandStateMRG32k3a_t* state) {
  *state = simtrandStateMRG32k3a_t{};
  simtrt::rng::mrg32k3a_start(state->s1, state->s2, seed);
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}

/// Next number, in [1, 4294967087].
__device__ inline double simtrand_MRG32k3a(simtrandStateMRG32k3a_t* state) {
  return simtrt::rng::mrg32k3a_step(state->s1, state->s2);
}

/// Next word.
__device__ inline unsigned int simtrand(simtrandStateMRG32k3a_t* state) {
  return simtrt::rng::mrg32k3a_word(simtrt::rng::mrg32k3a_step(state->s1, state->s2));
}

/// Next number in (0, 1].
__device__ inline float simtrand_uniform(simtrandStateMRG32k3a_t* state) {
  const std::uint32_t number = simtrt::rng::mrg32k3a_step(state->s1, state->s2);
  return static_cast<float>(simtrt::rng::mrg32k3a_uniform(number));
}
__device__ inline double simtrand_uniform_double(simtrandStateMRG32k3a_t* state) {
  return simtrt::rng::mrg32k3a_uniform(simtrt::rng::mrg32k3a_step(state->s1, state->s2));
}

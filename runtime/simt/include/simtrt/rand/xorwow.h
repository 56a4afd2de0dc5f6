// XORWOW: G. Marsaglia's xorshift of 160 bits plus a Weyl sequence ("Xorshift RNGs", Journal of
// Statistical Software 8(14), 2003, page 5), seeded as in cuRAND (CUDA 12.4, curand_kernel.h).
#pragma once

#include <simtrt/config.h>
#include <simtrt/kernel/qualifiers.h>

#include <cstdint>

/// One stream of words. `v` is the state of the xorshift generator, oldest word first; `d` is the
/// state of the Weyl sequence.
struct simtrandStateXORWOW {
  unsigned int d;
  unsigned int v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct simtrandStateXORWOW simtrandStateXORWOW_t;
typedef struct simtrandStateXORWOW simtrandState_t;
typedef struct simtrandStateXORWOW simtrandState;

namespace simtrt::rng {

inline constexpr std::uint32_t kWeylStep = 362437;

/// These functions advance the state of the xorshift generator: by `steps` words, or by
/// `subsequences` times 2^67 words.
SIMTRT_EXPORT void xorwow_skip(unsigned int (&v)[5], std::uint64_t steps);
SIMTRT_EXPORT void xorwow_skip_subsequences(unsigned int (&v)[5], std::uint64_t subsequences);

}  // namespace simtrt::rng

/// Advances the stream by `n` words.
__device__ inline void skipahead(unsigned long long n, simtrandStateXORWOW_t* state) {
  simtrt::rng::xorwow_skip(state->v, n);
  state->d += simtrt::rng::kWeylStep * static_cast<std::uint32_t>(n);
}

/// Advances the stream by `n` subsequences of 2^67 words. 2^67 is a multiple of the Weyl sequence's
/// period, so `d` is unchanged.
__device__ inline void skipahead_sequence(unsigned long long n, simtrandStateXORWOW_t* state) {
  simtrt::rng::xorwow_skip_subsequences(state->v, n);
}

/// Starts the stream of `seed` at word `offset` of its subsequence `subsequence`.
__device__ inline void simtrand_init(unsigned long long seed, unsigned long long subsequence,
                                     unsigned long long offset, simtrandStateXORWOW_t* state) {
  const std::uint32_t low = (static_cast<std::uint32_t>(seed) ^ 0xaad26b49u) * 1099087573u;
  const std::uint32_t high = (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  *state = simtrandStateXORWOW_t{};
  // Marsaglia's initial values, modified by the two halves of the seed.
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

/// Next word.
__device__ inline unsigned int simtrand(simtrandStateXORWOW_t* state) {
  unsigned int (&v)[5] = state->v;
  const unsigned oldest = v[0] ^ (v[0] >> 2);
  const unsigned newest = v[4] ^ (v[4] << 4) ^ oldest ^ (oldest << 1);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = newest;
  state->d += simtrt::rng::kWeylStep;
  return newest + state->d;
}

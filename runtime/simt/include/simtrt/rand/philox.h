// Philox 4x32 with ten rounds, a counter-based generator, and cuRAND's stream of words based on it.
//
// Source of the block function: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers:
// as easy as 1, 2, 3" (SC 2011). Source of the state's members, and of the key and counter for a
// seed, subsequence and offset: CUDA 12.4, curand_philox4x32_x.h and curand_kernel.h.
#pragma once

#include <simt_vector_types.h>
#include <simtrt/kernel/qualifiers.h>

#include <cstdint>

/// One stream of words. Each block of four words comes from one counter; `output` is the block of
/// `ctr`, and `STATE` is the index of the next word in `output`.
struct simtrandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct simtrandStatePhilox4_32_10 simtrandStatePhilox4_32_10_t;

/// Block of counter `c` with key `k`.
__device__ inline uint4 simtrand_Philox4x32_10(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * c.x;
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * c.z;
    const auto high0 = static_cast<std::uint32_t>(product0 >> 32);
    const auto high1 = static_cast<std::uint32_t>(product1 >> 32);
    c = uint4{high1 ^ c.y ^ k.x, static_cast<std::uint32_t>(product1), high0 ^ c.w ^ k.y,
              static_cast<std::uint32_t>(product0)};
    k.x += 0x9E3779B9u;  // the golden ratio
    k.y += 0xBB67AE85u;  // the square root of 3, less 1
  }
  return c;
}

namespace simtrt::rng {

/// Advances the counter by `blocks` and fills `output` with its block.
inline void philox_advance(simtrandStatePhilox4_32_10_t* state, std::uint64_t blocks) {
  uint4& counter = state->ctr;
  std::uint64_t low = (std::uint64_t{counter.y} << 32) | counter.x;
  low += blocks;
  counter.x = static_cast<std::uint32_t>(low);
  counter.y = static_cast<std::uint32_t>(low >> 32);
  if (low < blocks && ++counter.z == 0) {
    ++counter.w;
  }
  state->output = simtrand_Philox4x32_10(counter, state->key);
}

}  // namespace simtrt::rng

/// Advances the stream by `n` words.
__device__ inline void skipahead(unsigned long long n, simtrandStatePhilox4_32_10_t* state) {
  const unsigned word = state->STATE + static_cast<unsigned>(n & 3);
  state->STATE = word & 3;
  simtrt::rng::philox_advance(state, n / 4 + word / 4);
}

/// Advances the stream by `n` subsequences of 2^66 words.
__device__ inline void skipahead_sequence(unsigned long long n,
                                          simtrandStatePhilox4_32_10_t* state) {
  uint4& counter = state->ctr;
  const std::uint64_t high = ((std::uint64_t{counter.w} << 32) | counter.z) + n;
  counter.z = static_cast<std::uint32_t>(high);
  counter.w = static_cast<std::uint32_t>(high >> 32);
  state->output = simtrand_Philox4x32_10(counter, state->key);
}

/// Starts the stream of `seed` at word `offset` of its subsequence `subsequence`.
__device__ inline void simtrand_init(unsigned long long seed, unsigned long long subsequence,
                                     unsigned long long offset,
                                     simtrandStatePhilox4_32_10_t* state) {
  *state = simtrandStatePhilox4_32_10_t{};
  state->key.x = static_cast<std::uint32_t>(seed);
  state->key.y = static_cast<std::uint32_t>(seed >> 32);
  state->ctr.z = static_cast<std::uint32_t>(subsequence);
  state->ctr.w = static_cast<std::uint32_t>(subsequence >> 32);
  skipahead(offset, state);
}

/// Next word.
__device__ inline unsigned int simtrand(simtrandStatePhilox4_32_10_t* state) {
  const uint4& block = state->output;
  const unsigned words[4] = {block.x, block.y, block.z, block.w};
  const unsigned word = words[state->STATE & 3];
  if (++state->STATE == 4) {
    state->STATE = 0;
    simtrt::rng::philox_advance(state, 1);
  }
  return word;
}

/// Next four words.
__device__ inline uint4 simtrand4(simtrandStatePhilox4_32_10_t* state) {
  const uint4 a = state->output;
  simtrt::rng::philox_advance(state, 1);
  const uint4& b = state->output;
  switch (state->STATE) {
    case 1: return uint4{a.y, a.z, a.w, b.x};
    case 2: return uint4{a.z, a.w, b.x, b.y};
    case 3: return uint4{a.w, b.x, b.y, b.z};
    default: return a;
  }
}

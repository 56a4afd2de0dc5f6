// Sobol generators: quasi-random numbers of one dimension, in the order of the Gray code (I. Antonov
// and V. Saleev, "An economic method of computing LP-tau sequences", 1979). A scrambled generator
// adds a constant to all words, and its direction vectors are scrambled. Source of the state's
// members: CUDA 12.4, curand_kernel.h.
#pragma once

#include <simtrand.h>
#include <simtrt/kernel/qualifiers.h>

#include <cstdint>

/// `i` is the index of the next word, `x` the next word, and `c` the scramble constant.
#define SIMTRAND_SOBOL_STATE(State, Word, bits) \
  struct State {                                \
    Word i;                                     \
    Word x;                                     \
    Word c;                                     \
    Word direction_vectors[bits];               \
  };                                            \
  typedef struct State State##_t;

SIMTRAND_SOBOL_STATE(simtrandStateSobol32, unsigned int, 32)
SIMTRAND_SOBOL_STATE(simtrandStateScrambledSobol32, unsigned int, 32)
SIMTRAND_SOBOL_STATE(simtrandStateSobol64, unsigned long long, 64)
SIMTRAND_SOBOL_STATE(simtrandStateScrambledSobol64, unsigned long long, 64)

#undef SIMTRAND_SOBOL_STATE

namespace simtrt::rng {

/// Word of index `i`, without a scramble constant.
template <class Word>
Word sobol_word(const Word* direction_vectors, Word i) {
  Word word = 0;
  int bit = 0;
  for (Word gray = i ^ (i >> 1); gray != 0; gray >>= 1, ++bit) {
    if (gray & 1) {
      word ^= direction_vectors[bit];
    }
  }
  return word;
}

/// Number of the direction vector by which the words of the indices `i` and i + 1 differ. Past the
/// greatest index, it is the last one.
inline int sobol_step(unsigned int i) { return ~i == 0 ? 31 : __builtin_ctz(~i); }
inline int sobol_step(unsigned long long i) { return ~i == 0 ? 63 : __builtin_ctzll(~i); }

template <class State, class Word>
void sobol_start(State* state, const Word* direction_vectors, Word constant, Word offset) {
  constexpr int kBits = 8 * sizeof(Word);
  state->i = offset;
  state->c = constant;
  for (int bit = 0; bit < kBits; ++bit) {
    state->direction_vectors[bit] = direction_vectors[bit];
  }
  state->x = constant ^ sobol_word(state->direction_vectors, offset);
}

}  // namespace simtrt::rng

/// Starts at word `offset` of the dimension with these direction vectors.
__device__ inline void simtrand_init(simtrandDirectionVectors32_t direction_vectors,
                                     unsigned int offset, simtrandStateSobol32_t* state) {
  simtrt::rng::sobol_start(state, direction_vectors, 0u, offset);
}
__device__ inline void simtrand_init(simtrandDirectionVectors64_t direction_vectors,
                                     unsigned long long offset, simtrandStateSobol64_t* state) {
  simtrt::rng::sobol_start(state, direction_vectors, 0ull, offset);
}
__device__ inline void simtrand_init(simtrandDirectionVectors32_t direction_vectors,
                                     unsigned int scramble_c, unsigned int offset,
                                     simtrandStateScrambledSobol32_t* state) {
  simtrt::rng::sobol_start(state, direction_vectors, scramble_c, offset);
}
__device__ inline void simtrand_init(simtrandDirectionVectors64_t direction_vectors,
                                     unsigned long long scramble_c, unsigned long long offset,
                                     simtrandStateScrambledSobol64_t* state) {
  simtrt::rng::sobol_start(state, direction_vectors, scramble_c, offset);
}

// skipahead() advances by `n` words. simtrand() returns the next word.
#define SIMTRAND_SOBOL_FUNCTIONS(State, Word)                                     \
  __device__ inline void skipahead(Word n, State* state) {                        \
    state->i += n;                                                                \
    state->x = state->c;                                                          \
    state->x ^= simtrt::rng::sobol_word(state->direction_vectors, state->i);      \
  }                                                                               \
  __device__ inline Word simtrand(State* state) {                                 \
    const Word word = state->x;                                                   \
    state->x ^= state->direction_vectors[simtrt::rng::sobol_step(state->i)];      \
    ++state->i;                                                                   \
    return word;                                                                  \
  }

SIMTRAND_SOBOL_FUNCTIONS(simtrandStateSobol32_t, unsigned int)
SIMTRAND_SOBOL_FUNCTIONS(simtrandStateScrambledSobol32_t, unsigned int)
SIMTRAND_SOBOL_FUNCTIONS(simtrandStateSobol64_t, unsigned long long)
SIMTRAND_SOBOL_FUNCTIONS(simtrandStateScrambledSobol64_t, unsigned long long)

#undef SIMTRAND_SOBOL_FUNCTIONS

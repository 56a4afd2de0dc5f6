// MTGP32: M. Saito and M. Matsumoto, "Variants of Mersenne Twister Suitable for Graphic Processors",
// ACM Trans. Math. Softw. 39(2), 2013. The threads of a block, at most 256, share one state and
// compute one word each. Names and members: CUDA 12.4, curand_mtgp32.h and curand_mtgp32_kernel.h.
#pragma once

#include <simt_runtime.h>
#include <simtrand.h>
#include <simtrt/config.h>

#include <cstdint>

#define SIMTRAND_NUM_MTGP32_PARAMS 200

/// One set of parameters. Here poly_sha1, the digest of the characteristic polynomial, is empty.
struct mtgp32_params_fast {
  int mexp;
  int pos;
  int sh1;
  int sh2;
  unsigned int tbl[16];
  unsigned int tmp_tbl[16];
  unsigned int flt_tmp_tbl[16];
  unsigned int mask;
  unsigned char poly_sha1[21];
};
typedef struct mtgp32_params_fast mtgp32_params_fast_t;

/// All sets, for kernels.
struct mtgp32_kernel_params {
  unsigned int pos_tbl[SIMTRAND_NUM_MTGP32_PARAMS];
  unsigned int param_tbl[SIMTRAND_NUM_MTGP32_PARAMS][16];
  unsigned int temper_tbl[SIMTRAND_NUM_MTGP32_PARAMS][16];
  unsigned int single_temper_tbl[SIMTRAND_NUM_MTGP32_PARAMS][16];
  unsigned int sh1_tbl[SIMTRAND_NUM_MTGP32_PARAMS];
  unsigned int sh2_tbl[SIMTRAND_NUM_MTGP32_PARAMS];
  unsigned int mask[1];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

/// `s` is a ring of words, in which `offset` is the place of the oldest one; `pIdx` is the number of
/// the set of parameters.
struct simtrandStateMtgp32 {
  unsigned int s[1024];
  int offset;
  int pIdx;
  mtgp32_kernel_params_t* k;
};
typedef struct simtrandStateMtgp32 simtrandStateMtgp32_t;

namespace simtrt::rng {

/// Number of words on which a new word depends.
inline constexpr unsigned kMtgpSize = 351;
inline constexpr unsigned kMtgpRing = 1023;  // mask of places in the ring

/// Computes and stores the word that is `ahead` places after the next one. Returns it tempered.
inline std::uint32_t mtgp32_step(simtrandStateMtgp32_t* state, unsigned ahead) {
  const mtgp32_kernel_params_t& all = *state->k;
  const int set = state->pIdx;
  const unsigned position = all.pos_tbl[set];
  const unsigned place = static_cast<unsigned>(state->offset) + ahead;
  const auto at = [state](unsigned index) -> unsigned& { return state->s[index & kMtgpRing]; };
  std::uint32_t mixed = (at(place) & all.mask[0]) ^ at(place + 1);
  mixed ^= mixed << all.sh1_tbl[set];
  mixed ^= at(place + position) >> all.sh2_tbl[set];
  const std::uint32_t word = mixed ^ all.param_tbl[set][mixed & 15];
  std::uint32_t for_temper = at(place + position - 1);
  for_temper ^= for_temper >> 16;
  for_temper ^= for_temper >> 8;
  at(place + kMtgpSize) = word;
  return word ^ all.temper_tbl[set][for_temper & 15];
}

/// Ends the step of a block, after which the ring is `count` words further.
inline void mtgp32_advance(simtrandStateMtgp32_t* state, bool first, unsigned count) {
  __syncthreads();
  if (first) {
    state->offset = static_cast<int>((static_cast<unsigned>(state->offset) + count) & kMtgpRing);
  }
  __syncthreads();
}

}  // namespace simtrt::rng

/// Next word of the calling thread. All threads of the block make the call.
__device__ inline unsigned int simtrand(simtrandStateMtgp32_t* state) {
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned thread =
      blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y + threadIdx.x;
  const unsigned word = simtrt::rng::mtgp32_step(state, thread);
  simtrt::rng::mtgp32_advance(state, thread == 0, threads);
  return word;
}

/// Word `index` of the next `n` ones. All threads of the block make the call.
__device__ inline unsigned int simtrand_mtgp32_specific(simtrandStateMtgp32_t* state,
                                                        unsigned char index, unsigned char n) {
  const unsigned word = simtrt::rng::mtgp32_step(state, index);
  simtrt::rng::mtgp32_advance(state, index == 0, n);
  return word;
}

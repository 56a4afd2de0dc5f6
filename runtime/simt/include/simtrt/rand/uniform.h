// Conversion of words to numbers in (0, 1], with cuRAND's exact rounding (CUDA 12.4,
// curand_uniform.h).
#pragma once

#include <simtrt/rand/philox.h>
#include <simtrt/rand/xorwow.h>

namespace simtrt::rng {

/// Midpoint of one of the 2^32 equal intervals of [0, 1], rounded to float. The smallest result is
/// 2^-33; the largest words give 1.
inline float uniform(std::uint32_t word) { return static_cast<float>(word) * 0x1p-32f + 0x1p-33f; }

/// A multiple of 2^-32 in (0, 1].
inline double uniform_double(std::uint32_t word) { return word * 0x1p-32 + 0x1p-32; }

/// 53-bit integer from two words, composed as in cuRAND.
inline std::uint64_t mantissa(std::uint32_t low, std::uint32_t high) {
  return low ^ (std::uint64_t{high} << 21);
}

/// Midpoint of one of the 2^53 equal intervals of [0, 1], rounded to double.
inline double uniform_double(std::uint32_t low, std::uint32_t high) {
  return static_cast<double>(mantissa(low, high)) * 0x1p-53 + 0x1p-54;
}

}  // namespace simtrt::rng

/// Next number in (0, 1], from one word.
__device__ inline float simtrand_uniform(simtrandStatePhilox4_32_10_t* state) {
  return simtrt::rng::uniform(simtrand(state));
}
__device__ inline float simtrand_uniform(simtrandStateXORWOW_t* state) {
  return simtrt::rng::uniform(simtrand(state));
}

/// Next number in (0, 1]: from one word with Philox (thus a multiple of 2^-32), from two words with
/// XORWOW.
__device__ inline double simtrand_uniform_double(simtrandStatePhilox4_32_10_t* state) {
  return simtrt::rng::uniform_double(simtrand(state));
}
__device__ inline double simtrand_uniform_double(simtrandStateXORWOW_t* state) {
  const unsigned low = simtrand(state);
  const unsigned high = simtrand(state);
  return simtrt::rng::uniform_double(low, high);
}

/// Next two or four numbers. Each double consumes two words.
__device__ inline double2 simtrand_uniform2_double(simtrandStatePhilox4_32_10_t* state) {
  const uint4 words = simtrand4(state);
  return double2{simtrt::rng::uniform_double(words.x, words.y),
                 simtrt::rng::uniform_double(words.z, words.w)};
}
__device__ inline double4 simtrand_uniform4_double(simtrandStatePhilox4_32_10_t* state) {
  const double2 first = simtrand_uniform2_double(state);
  const double2 second = simtrand_uniform2_double(state);
  return double4{first.x, first.y, second.x, second.y};
}
__device__ inline float4 simtrand_uniform4(simtrandStatePhilox4_32_10_t* state) {
  const uint4 words = simtrand4(state);
  return float4{simtrt::rng::uniform(words.x), simtrt::rng::uniform(words.y),
                simtrt::rng::uniform(words.z), simtrt::rng::uniform(words.w)};
}

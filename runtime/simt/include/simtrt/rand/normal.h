// Normal and log-normal numbers by cuRAND's variant of the Box-Muller method (CUDA 12.4,
// curand_normal.h and curand_lognormal.h): the first number of a pair is the sine, and the
// multiply-adds that nvcc fuses by default are fused here too.
//
// The double results and the float radius sqrt(-2 log u) differ from a GPU's only by the C
// library's rounding of log, sin and cos, 1 or 2 units in the last place. For float, CUDA uses the
// GPU's approximations of sine and cosine, whose absolute error is at least 2^-21 (CUDA C++
// Programming Guide 12.4, "Intrinsic Functions", __sincosf). Here sine and cosine are accurate, so
// float numbers differ from a GPU's by about 1e-6 times the radius.
#pragma once

#include <simtrt/math/library.h>
#include <simtrt/rand/mrg32k3a.h>
#include <simtrt/rand/uniform.h>

#include <cmath>

namespace simtrt::rng {

/// Values of a state's boxmuller_flag: kind of the number in boxmuller_extra, which is the second
/// number of a pair.
enum Extra : int { kExtraNone = 0, kExtraNormal = 1, kExtraLogNormal = 2 };

/// Two independent normal numbers from two words.
inline float2 box_muller(std::uint32_t for_radius, std::uint32_t for_angle) {
  constexpr float kTurn = 0x1p-32f * 6.2831855f;
  const float radius = std::sqrt(-2.0f * std::log(uniform(for_radius)));
  const float angle = std::fma(static_cast<float>(for_angle), kTurn, kTurn / 2);
  return float2{std::sin(angle) * radius, std::cos(angle) * radius};
}

/// Two independent normal numbers from four words; the first two words determine the radius.
inline double2 box_muller_double(std::uint32_t radius_low, std::uint32_t radius_high,
                                 std::uint32_t angle_low, std::uint32_t angle_high) {
  const double radius = std::sqrt(-2.0 * std::log(uniform_double(radius_low, radius_high)));
  const double half_turns =
      static_cast<double>(mantissa(angle_low, angle_high)) * 0x1p-52 + 0x1p-53;
  double sine;
  double cosine;
  simtrt::sincospi(half_turns, &sine, &cosine);
  return double2{sine * radius, cosine * radius};
}

/// e^x, rounded once. Streams of numbers depend neither on the compiler plugin nor on the approximation with which it
/// replaces expf.
inline float exp_rounded_once(float x) { return static_cast<float>(std::exp(static_cast<double>(x))); }

inline float log_normal(float normal, float mean, float stddev) {
  return exp_rounded_once(std::fma(stddev, normal, mean));
}
inline double log_normal(double normal, double mean, double stddev) {
  return std::exp(std::fma(stddev, normal, mean));
}

template <class State>
float2 normal_pair(State* state) {
  const unsigned for_radius = simtrand(state);
  const unsigned for_angle = simtrand(state);
  return box_muller(for_radius, for_angle);
}

inline double2 normal_pair_double(simtrandStatePhilox4_32_10_t* state) {
  const uint4 words = simtrand4(state);
  return box_muller_double(words.x, words.y, words.z, words.w);
}
inline double2 normal_pair_double(simtrandStateXORWOW_t* state) {
  unsigned words[4];
  for (unsigned& word : words) {
    word = simtrand(state);
  }
  return box_muller_double(words[0], words[1], words[2], words[3]);
}

/// MRG32k3a computes the angle from a uniform number, not from a word.
inline float2 mrg32k3a_normal_pair(float for_radius, float for_angle) {
  const float radius = std::sqrt(-2.0f * std::log(for_radius));
  const float angle = for_angle * 6.2831855f;
  return float2{std::sin(angle) * radius, std::cos(angle) * radius};
}
inline double2 mrg32k3a_normal_pair(double for_radius, double for_angle) {
  const double radius = std::sqrt(-2.0 * std::log(for_radius));
  double sine;
  double cosine;
  simtrt::sincospi(for_angle * 2.0, &sine, &cosine);
  return double2{sine * radius, cosine * radius};
}
inline float2 normal_pair(simtrandStateMRG32k3a_t* state) {
  const float for_radius = simtrand_uniform(state);
  return mrg32k3a_normal_pair(for_radius, simtrand_uniform(state));
}
inline double2 normal_pair_double(simtrandStateMRG32k3a_t* state) {
  const double for_radius = simtrand_uniform_double(state);
  return mrg32k3a_normal_pair(for_radius, simtrand_uniform_double(state));
}

/// First number of a new pair, or the stored second number of the previous pair if that number has
/// the same kind.
template <class Number, class MakePair>
Number one_of_pair(Extra kind, int* flag, Number* extra, MakePair make_pair) {
  if (*flag == kind) {
    *flag = kExtraNone;
    return *extra;
  }
  const auto pair = make_pair();
  *flag = kind;
  *extra = pair.y;
  return pair.x;
}

}  // namespace simtrt::rng

// Functions for the generator states that can produce normal numbers. Numbers are produced in
// pairs, so only every second call consumes words.
#define SIMTRAND_NORMAL_FUNCTIONS(State)                                                          \
  __device__ inline float2 simtrand_normal2(State* state) {                                       \
    return simtrt::rng::normal_pair(state);                                                       \
  }                                                                                               \
  __device__ inline double2 simtrand_normal2_double(State* state) {                               \
    return simtrt::rng::normal_pair_double(state);                                                \
  }                                                                                               \
  __device__ inline float2 simtrand_log_normal2(State* state, float mean, float stddev) {         \
    const float2 normal = simtrand_normal2(state);                                                \
    return float2{simtrt::rng::log_normal(normal.x, mean, stddev),                                \
                  simtrt::rng::log_normal(normal.y, mean, stddev)};                               \
  }                                                                                               \
  __device__ inline double2 simtrand_log_normal2_double(State* state, double mean,                \
                                                        double stddev) {                          \
    const double2 normal = simtrand_normal2_double(state);                                        \
    return double2{simtrt::rng::log_normal(normal.x, mean, stddev),                               \
                   simtrt::rng::log_normal(normal.y, mean, stddev)};                              \
  }                                                                                               \
  __device__ inline float simtrand_normal(State* state) {                                         \
    return simtrt::rng::one_of_pair(simtrt::rng::kExtraNormal, &state->boxmuller_flag,            \
                                    &state->boxmuller_extra,                                      \
                                    [&] { return simtrand_normal2(state); });                     \
  }                                                                                               \
  __device__ inline double simtrand_normal_double(State* state) {                                 \
    return simtrt::rng::one_of_pair(simtrt::rng::kExtraNormal, &state->boxmuller_flag_double,     \
                                    &state->boxmuller_extra_double,                               \
                                    [&] { return simtrand_normal2_double(state); });              \
  }                                                                                               \
  __device__ inline float simtrand_log_normal(State* state, float mean, float stddev) {           \
    return simtrt::rng::one_of_pair(simtrt::rng::kExtraLogNormal, &state->boxmuller_flag,         \
                                    &state->boxmuller_extra,                                      \
                                    [&] { return simtrand_log_normal2(state, mean, stddev); });   \
  }                                                                                               \
  __device__ inline double simtrand_log_normal_double(State* state, double mean, double stddev) { \
    return simtrt::rng::one_of_pair(simtrt::rng::kExtraLogNormal, &state->boxmuller_flag_double,  \
                                    &state->boxmuller_extra_double, [&] {                         \
                                      return simtrand_log_normal2_double(state, mean, stddev);    \
                                    });                                                           \
  }

SIMTRAND_NORMAL_FUNCTIONS(simtrandStatePhilox4_32_10_t)
SIMTRAND_NORMAL_FUNCTIONS(simtrandStateXORWOW_t)
SIMTRAND_NORMAL_FUNCTIONS(simtrandStateMRG32k3a_t)

#undef SIMTRAND_NORMAL_FUNCTIONS

/// Two pairs of normal numbers: from four words for float, from eight words for double.
__device__ inline float4 simtrand_normal4(simtrandStatePhilox4_32_10_t* state) {
  const uint4 words = simtrand4(state);
  const float2 first = simtrt::rng::box_muller(words.x, words.y);
  const float2 second = simtrt::rng::box_muller(words.z, words.w);
  return float4{first.x, first.y, second.x, second.y};
}
__device__ inline double4 simtrand_normal4_double(simtrandStatePhilox4_32_10_t* state) {
  const double2 first = simtrand_normal2_double(state);
  const double2 second = simtrand_normal2_double(state);
  return double4{first.x, first.y, second.x, second.y};
}
__device__ inline float4 simtrand_log_normal4(simtrandStatePhilox4_32_10_t* state, float mean,
                                              float stddev) {
  const float4 normal = simtrand_normal4(state);
  return float4{simtrt::rng::log_normal(normal.x, mean, stddev),
                simtrt::rng::log_normal(normal.y, mean, stddev),
                simtrt::rng::log_normal(normal.z, mean, stddev),
                simtrt::rng::log_normal(normal.w, mean, stddev)};
}
__device__ inline double4 simtrand_log_normal4_double(simtrandStatePhilox4_32_10_t* state,
                                                      double mean, double stddev) {
  const double4 normal = simtrand_normal4_double(state);
  return double4{simtrt::rng::log_normal(normal.x, mean, stddev),
                 simtrt::rng::log_normal(normal.y, mean, stddev),
                 simtrt::rng::log_normal(normal.z, mean, stddev),
                 simtrt::rng::log_normal(normal.w, mean, stddev)};
}

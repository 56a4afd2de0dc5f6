#include "rand/threaded.h"

#include <simtrt/rand/mrg32k3a.h>

namespace simtrt::rng {
namespace {

struct Mrg32k3a {
  /// State of simtrandStateMRG32k3a without the stored results of the Box-Muller method.
  struct State {
    unsigned int s1[3];
    unsigned int s2[3];
  };

  static State start(std::uint64_t seed) {
    State state;
    mrg32k3a_start(state.s1, state.s2, seed);
    return state;
  }
  static void skip(State& state, std::uint64_t words) {
    mrg32k3a_skip(state.s1, state.s2, words, MrgDistance::kWord);
  }
  static void next_subsequence(State& state) {
    mrg32k3a_skip(state.s1, state.s2, 1, MrgDistance::kSubsequence);
  }

  static std::uint32_t word(State& state) {
    return mrg32k3a_word(mrg32k3a_step(state.s1, state.s2));
  }
  static double uniform_double(State& state) {
    return mrg32k3a_uniform(mrg32k3a_step(state.s1, state.s2));
  }
  static float uniform(State& state) { return static_cast<float>(uniform_double(state)); }
  static float2 normal_pair(State& state) {
    const float for_radius = uniform(state);
    return mrg32k3a_normal_pair(for_radius, uniform(state));
  }
  static double2 normal_pair_double(State& state) {
    const double for_radius = uniform_double(state);
    return mrg32k3a_normal_pair(for_radius, uniform_double(state));
  }
};

}  // namespace

std::unique_ptr<Engine> make_mrg32k3a_engine(std::size_t threads) {
  return std::make_unique<ThreadedEngine<Mrg32k3a>>(threads);
}

}  // namespace simtrt::rng

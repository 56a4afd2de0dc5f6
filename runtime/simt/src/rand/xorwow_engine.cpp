#include "rand/threaded.h"

namespace simtrt::rng {
namespace {

struct Xorwow {
  /// State of simtrandStateXORWOW without the stored result of the Box-Muller method: half the
  /// size.
  struct State {
    std::uint32_t d;
    unsigned int v[5];
  };

  static State start(std::uint64_t seed) {
    simtrandStateXORWOW state;
    simtrand_init(seed, 0, 0, &state);
    return small(state);
  }
  static void skip(State& state, std::uint64_t words) {
    xorwow_skip(state.v, words);
    state.d += kWeylStep * static_cast<std::uint32_t>(words);
  }
  static void next_subsequence(State& state) { xorwow_skip_subsequences(state.v, 1); }

  static std::uint32_t word(State& state) {
    simtrandStateXORWOW whole;
    whole.d = state.d;
    for (int i = 0; i < 5; ++i) {
      whole.v[i] = state.v[i];
    }
    const std::uint32_t result = simtrand(&whole);
    state = small(whole);
    return result;
  }
  static float uniform(State& state) { return rng::uniform(word(state)); }
  static double uniform_double(State& state) {
    const std::uint32_t low = word(state);
    return rng::uniform_double(low, word(state));
  }
  static float2 normal_pair(State& state) {
    const std::uint32_t for_radius = word(state);
    return box_muller(for_radius, word(state));
  }
  static double2 normal_pair_double(State& state) {
    std::uint32_t words[4];
    for (std::uint32_t& each : words) {
      each = word(state);
    }
    return box_muller_double(words[0], words[1], words[2], words[3]);
  }

 private:
  static State small(const simtrandStateXORWOW& state) {
    return {state.d, {state.v[0], state.v[1], state.v[2], state.v[3], state.v[4]}};
  }
};

}  // namespace

std::unique_ptr<Engine> make_xorwow_engine(std::size_t threads, bool seeds_each) {
  return std::make_unique<ThreadedEngine<Xorwow>>(threads, seeds_each);
}

}  // namespace simtrt::rng

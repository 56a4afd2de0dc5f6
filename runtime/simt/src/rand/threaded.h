// Engine of XORWOW and MRG32k3a. Many subsequences take turns; each corresponds to a thread of
// cuRAND's kernel. A result consumes the words that it needs from the subsequence whose turn it is.
#pragma once

#include "rand/discrete.h"
#include "rand/engine.h"

#include <simtrt/enqueue.h>
#include <simtrt/rand/normal.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace simtrt::rng {

/// `Source` defines a type State and these static functions: start(seed) returns a State;
/// skip(state, words), next_subsequence(state), word(state), uniform(state), uniform_double(state),
/// normal_pair(state) and normal_pair_double(state) work on a State.
///
/// With `seeds_each` (ordering SEEDED), each thread has a seed of its own in place of a subsequence.
template <class Source>
class ThreadedEngine final : public Engine {
 public:
  using State = typename Source::State;

  explicit ThreadedEngine(std::size_t threads, bool seeds_each = false)
      : seeds_each_(seeds_each), states_(threads), second_normals_(threads, kNoNormal) {}

  bool keeps_pairs() const override { return true; }

  void restart(std::uint64_t seed, std::uint64_t offset) override {
    turn_ = offset % states_.size();
    State origin = Source::start(seed);
    for (std::size_t thread = 0; thread < states_.size(); ++thread) {
      states_[thread] = seeds_each_ ? Source::start(seed + kSeedDistance * thread) : origin;
      Source::next_subsequence(origin);
    }
    for (std::size_t thread = 0; offset > 0 && thread < states_.size(); ++thread) {
      Source::skip(states_[thread], offset / states_.size() + (thread < turn_ ? 1 : 0));
    }
    std::fill(second_normals_.begin(), second_normals_.end(), kNoNormal);
  }

  void generate(const Request& request) override {
    const auto mean = static_cast<float>(request.mean);
    const auto stddev = static_cast<float>(request.stddev);
    switch (request.kind) {
      case Kind::kLongWords: return;  // rejected before
      case Kind::kWords:
        return one_each<unsigned>(request, [](State& state) { return Source::word(state); });
      case Kind::kUniform:
        return one_each<float>(request, [](State& state) { return Source::uniform(state); });
      case Kind::kUniformDouble:
        return one_each<double>(request,
                                [](State& state) { return Source::uniform_double(state); });
      case Kind::kPoisson:
        return poisson(request);
      case Kind::kNormal:
        return two_each<float>(request, &Source::normal_pair,
                               [=](float normal) { return std::fma(stddev, normal, mean); });
      case Kind::kLogNormal:
        return two_each<float>(request, &Source::normal_pair,
                               [=](float normal) { return log_normal(normal, mean, stddev); });
      case Kind::kNormalDouble:
        return two_each<double>(request, &Source::normal_pair_double, [&](double normal) {
          return std::fma(request.stddev, normal, request.mean);
        });
      case Kind::kLogNormalDouble:
        return two_each<double>(request, &Source::normal_pair_double, [&](double normal) {
          return log_normal(normal, request.mean, request.stddev);
        });
    }
  }

 private:
  /// Distance of the seeds of two threads with the ordering SEEDED.
  static constexpr std::uint64_t kSeedDistance = 3133713;
  static constexpr float kNoNormal = std::numeric_limits<float>::infinity();

  void poisson(const Request& request) {
    const PoissonDistribution distribution(request.mean);
    if (!distribution.is_normal()) {
      return one_each<unsigned>(request, [&](State& state) {
        return discrete_of_word(Source::word(state), distribution);
      });
    }
    auto* out = static_cast<unsigned*>(request.out);
    take_turns(request.count, [&](std::size_t turn, State& state) {
      out[turn] = poisson_of_normal(next_normal(state), request.mean);
    });
  }

  /// Next normal number of a thread: the second one of a pair is stored for its next turn.
  float next_normal(State& state) {
    float& second = second_normals_[static_cast<std::size_t>(&state - states_.data())];
    if (second != kNoNormal) {
      return std::exchange(second, kNoNormal);
    }
    const float2 pair = Source::normal_pair(state);
    second = pair.y;
    return pair.x;
  }

  template <class Number, class Make>
  void one_each(const Request& request, Make make) {
    auto* out = static_cast<Number*>(request.out);
    take_turns(request.count, [&](std::size_t turn, State& state) { out[turn] = make(state); });
  }

  template <class Number, class MakePair, class Shape>
  void two_each(const Request& request, MakePair make_pair, Shape shape) {
    auto* out = static_cast<Number*>(request.out);
    take_turns(request.count / 2, [&](std::size_t turn, State& state) {
      const auto pair = make_pair(state);
      out[2 * turn] = shape(pair.x);
      out[2 * turn + 1] = shape(pair.y);
    });
  }

  /// Calls take(turn, state of the subsequence in this turn) for `turns` turns. The first of them
  /// follows the last turn of the previous call.
  template <class Take>
  void take_turns(std::size_t turns, Take take) {
    const std::size_t threads = states_.size();
    parallel_for(std::min(turns, threads), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t round = 0; round < turns; round += threads) {
        for (std::size_t turn = round + begin; turn < std::min(round + end, turns); ++turn) {
          take(turn, states_[(turn_ + turn) % threads]);
        }
      }
    });
    turn_ = (turn_ + turns) % threads;
  }

  bool seeds_each_;
  std::vector<State> states_;
  std::vector<float> second_normals_;  // for Poisson numbers: stored second number of a pair
  std::size_t turn_ = 0;
};

}  // namespace simtrt::rng

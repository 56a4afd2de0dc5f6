// Philox engine. The subsequences take turns; a turn produces four results. If a result needs one
// word, a turn consumes one block; if it needs two words, two blocks. A turn begins with the first
// unused block of its subsequence.
#include "rand/discrete.h"
#include "rand/engine.h"

#include <simtrt/enqueue.h>
#include <simtrt/rand/normal.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace simtrt::rng {
namespace {

/// Number of subsequences that take turns. A turn produces four results.
constexpr std::size_t kThreads = 65536;
constexpr std::size_t kRound = 4 * kThreads;

template <class Number>
struct Four {
  Number numbers[4];
};

class PhiloxEngine final : public Engine {
 public:
  bool keeps_pairs() const override { return false; }

  void restart(std::uint64_t seed, std::uint64_t offset) override {
    key_ = uint2{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
    place_ = offset % kRound;
    const auto turn = static_cast<std::ptrdiff_t>(place_ / 4);
    blocks_.assign(kThreads, offset / kRound);
    std::for_each(blocks_.begin(), blocks_.begin() + turn, [](std::uint64_t& block) { ++block; });
  }

  void generate(const Request& request) override {
    const auto mean = static_cast<float>(request.mean);
    const auto stddev = static_cast<float>(request.stddev);
    switch (request.kind) {
      case Kind::kLongWords: return;  // rejected before
      case Kind::kWords:
        return of_one_block<unsigned>(request,
                                      [](uint4 w) { return Four<unsigned>{{w.x, w.y, w.z, w.w}}; });
      case Kind::kUniform:
        return of_one_block<float>(request, [](uint4 w) {
          return Four<float>{{uniform(w.x), uniform(w.y), uniform(w.z), uniform(w.w)}};
        });
      case Kind::kPoisson:
        return poisson(request);
      case Kind::kNormal:
        return normal(request, [=](float z) { return std::fma(stddev, z, mean); });
      case Kind::kLogNormal:
        return normal(request, [=](float z) { return log_normal(z, mean, stddev); });
      case Kind::kUniformDouble:
        return of_two_blocks(request, [](uint4 w) {
          return double2{uniform_double(w.x, w.y), uniform_double(w.z, w.w)};
        });
      case Kind::kNormalDouble:
        return normal_double(request,
                             [&](double z) { return std::fma(request.stddev, z, request.mean); });
      case Kind::kLogNormalDouble:
        return normal_double(request,
                             [&](double z) { return log_normal(z, request.mean, request.stddev); });
    }
  }

 private:
  uint4 block(std::size_t thread, std::uint64_t number) const {
    return simtrand_Philox4x32_10(
        uint4{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
              static_cast<std::uint32_t>(thread), 0},
        key_);
  }

  void poisson(const Request& request) {
    const PoissonDistribution distribution(request.mean);
    of_one_block<unsigned>(request, [&](uint4 w) {
      if (distribution.is_normal()) {
        const float2 first = box_muller(w.x, w.y);
        const float2 second = box_muller(w.z, w.w);
        const auto rounded = [&](float z) { return poisson_of_normal(z, request.mean); };
        return Four<unsigned>{
            {rounded(first.x), rounded(first.y), rounded(second.x), rounded(second.y)}};
      }
      const auto number = [&](unsigned word) { return discrete_of_word(word, distribution); };
      return Four<unsigned>{{number(w.x), number(w.y), number(w.z), number(w.w)}};
    });
  }

  template <class Shape>
  void normal(const Request& request, Shape shape) {
    of_one_block<float>(request, [shape](uint4 w) {
      const float2 first = box_muller(w.x, w.y);
      const float2 second = box_muller(w.z, w.w);
      return Four<float>{{shape(first.x), shape(first.y), shape(second.x), shape(second.y)}};
    });
  }

  template <class Shape>
  void normal_double(const Request& request, Shape shape) {
    of_two_blocks(request, [shape](uint4 w) {
      const double2 pair = box_muller_double(w.x, w.y, w.z, w.w);
      return double2{shape(pair.x), shape(pair.y)};
    });
  }

  template <class Number, class Make>
  void of_one_block(const Request& request, Make make) {
    turns<Number>(request, 1, [&](std::size_t thread, std::uint64_t number) {
      return make(block(thread, number));
    });
  }

  template <class MakeTwo>
  void of_two_blocks(const Request& request, MakeTwo make) {
    turns<double>(request, 2, [&](std::size_t thread, std::uint64_t number) {
      const double2 first = make(block(thread, number));
      const double2 second = make(block(thread, number + 1));
      return Four<double>{{first.x, first.y, second.x, second.y}};
    });
  }

  /// Writes the results of the request, and advances the position. Each turn that supplies some of
  /// the results computes make(thread, first block of the turn). If the request ends within a turn,
  /// the next request continues that turn.
  template <class Number, class Make>
  void turns(const Request& request, std::uint64_t blocks, Make make) {
    auto* out = static_cast<Number*>(request.out);
    const std::size_t begin_place = place_;
    const std::size_t end_place = place_ + request.count;
    const std::size_t first_turn = begin_place / 4;
    const std::size_t end_turn = (end_place + 3) / 4;
    const std::size_t threads = std::min(end_turn - first_turn, kThreads);
    parallel_for(threads, 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t round = first_turn; round < end_turn; round += kThreads) {
        for (std::size_t turn = round + begin; turn < std::min(round + end, end_turn); ++turn) {
          std::uint64_t& first_block = blocks_[turn % kThreads];
          const Four<Number> four = make(turn % kThreads, first_block);
          const std::size_t from = std::max(4 * turn, begin_place);
          const std::size_t to = std::min(4 * turn + 4, end_place);
          for (std::size_t place = from; place < to; ++place) {
            out[place - begin_place] = four.numbers[place % 4];
          }
          if (to == 4 * turn + 4) {
            first_block += blocks;
          }
        }
      }
    });
    place_ = end_place % kRound;
  }

  uint2 key_{};
  std::vector<std::uint64_t> blocks_;  // first unused block of each subsequence
  std::size_t place_ = 0;              // position of the next result in its round
};

}  // namespace

std::unique_ptr<Engine> make_philox_engine() { return std::make_unique<PhiloxEngine>(); }

}  // namespace simtrt::rng

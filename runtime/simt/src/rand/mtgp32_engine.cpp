// Engine of MTGP32. Many states take turns; each corresponds to a block of cuRAND's kernel and
// supplies 256 results in a turn. A result takes one word.
#include "rand/discrete.h"
#include "rand/engine.h"
#include "rand/mtgp32.h"

#include <simtrt/enqueue.h>
#include <simtrt/rand/one_word.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace simtrt::rng {
namespace {

constexpr std::size_t kTurn = 256;

/// From this mean on, a Poisson number is searched in the cumulative distribution.
constexpr double kSearchFrom = 32;
/// From this mean on, it is a rounded normal number.
constexpr double kRoundFrom = 10000;

class Mtgp32Engine final : public Engine {
 public:
  Mtgp32Engine(unsigned blocks, bool on_host)
      : on_host_(on_host),
        parameters_(std::make_unique<mtgp32_kernel_params_t>()),
        states_(blocks) {
    mtgp32_gather(mtgp32_parameters, *parameters_);
  }

  bool keeps_pairs() const override { return false; }

  void restart(std::uint64_t seed, std::uint64_t /*offset*/) override {
    for (unsigned block = 0; block < states_.size(); ++block) {
      simtrandStateMtgp32_t& state = states_[block];
      mtgp32_start(state.s, mtgp32_parameters[block], mtgp32_seed(seed, block));
      state.offset = 0;
      state.pIdx = static_cast<int>(block);
      state.k = parameters_.get();
    }
    place_ = 0;
  }

  void generate(const Request& request) override {
    const auto mean = static_cast<float>(request.mean);
    const auto stddev = static_cast<float>(request.stddev);
    switch (request.kind) {
      case Kind::kLongWords: return;  // rejected before
      case Kind::kWords: return write<unsigned>(request, [](unsigned word) { return word; });
      case Kind::kUniform:
        return write<float>(request, [](unsigned word) { return uniform(word); });
      case Kind::kUniformDouble:
        return write<double>(request, [](unsigned word) { return uniform_double(word); });
      case Kind::kNormal:
        return write<float>(
            request, [=](unsigned word) { return std::fma(stddev, normal_of_word(word), mean); });
      case Kind::kLogNormal:
        return write<float>(
            request, [=](unsigned word) { return log_normal(normal_of_word(word), mean, stddev); });
      case Kind::kNormalDouble:
        return write<double>(request, [&](unsigned word) {
          const double normal =
              on_host_ ? static_cast<double>(normal_of_word(word)) : normal_double_of_word(word);
          return std::fma(request.stddev, normal, request.mean);
        });
      case Kind::kLogNormalDouble:
        return write<double>(request, [&](unsigned word) {
          return log_normal(normal_double_of_word(word), request.mean, request.stddev);
        });
      case Kind::kPoisson: return poisson(request);
    }
  }

 private:
  void poisson(const Request& request) {
    if (request.mean >= kRoundFrom) {
      return write<unsigned>(request, [&](unsigned word) {
        return poisson_of_normal(normal_of_word(word), request.mean);
      });
    }
    if (request.mean < kSearchFrom) {
      const PoissonDistribution distribution(request.mean);
      return write<unsigned>(
          request, [&](unsigned word) { return discrete_of_word(word, distribution); });
    }
    write<unsigned>(request, [search = PoissonSearch(request.mean)](unsigned word) {
      return search(uniform_double(word));
    });
  }

  template <class Number, class Make>
  void write(const Request& request, Make make) {
    auto* out = static_cast<Number*>(request.out);
    const std::size_t blocks = states_.size();
    const std::size_t begin_place = place_;
    const std::size_t end_place = place_ + request.count;
    const std::size_t first_turn = begin_place / kTurn;
    const std::size_t end_turn = (end_place + kTurn - 1) / kTurn;
    parallel_for(std::min(end_turn - first_turn, blocks), 1, [&](std::size_t begin,
                                                                 std::size_t end) {
      for (std::size_t round = first_turn; round < end_turn; round += blocks) {
        for (std::size_t turn = round + begin; turn < std::min(round + end, end_turn); ++turn) {
          simtrandStateMtgp32_t& state = states_[turn % blocks];
          const std::size_t from = std::max(kTurn * turn, begin_place);
          const std::size_t to = std::min(kTurn * (turn + 1), end_place);
          for (std::size_t place = from; place < to; ++place) {
            out[place - begin_place] = make(mtgp32_step(&state, 0));
            state.offset = static_cast<int>((state.offset + 1) & kMtgpRing);
          }
        }
      }
    });
    place_ = end_place % (kTurn * blocks);
  }

  bool on_host_;  // true: normal doubles have the precision of float, as cuRAND's have
  std::unique_ptr<mtgp32_kernel_params_t> parameters_;
  std::vector<simtrandStateMtgp32_t> states_;
  std::size_t place_ = 0;  // position of the next result in its round
};

}  // namespace

std::unique_ptr<Engine> make_mtgp32_engine(unsigned blocks, bool on_host) {
  return std::make_unique<Mtgp32Engine>(blocks, on_host);
}

}  // namespace simtrt::rng

// Engine of MTGP32. Many states take turns; each corresponds to a block of cuRAND's kernel and
// supplies 256 results in a turn. A result takes one word.
#include "rand/mtgp32.h"
#include "rand/one_word_engine.h"

#include <simtrt/enqueue.h>

#include <algorithm>
#include <vector>

namespace simtrt::rng {
namespace {

constexpr std::size_t kTurn = 256;

class Mtgp32Engine final : public OneWordEngine<Mtgp32Engine, unsigned> {
 public:
  Mtgp32Engine(unsigned blocks, bool on_host)
      : on_host_(on_host),
        parameters_(std::make_unique<mtgp32_kernel_params_t>()),
        states_(blocks) {
    mtgp32_gather(mtgp32_parameters, *parameters_);
  }

  void restart(std::uint64_t seed, std::uint64_t /*offset*/) override {
    for (unsigned block = 0; block < states_.size(); ++block) {
      states_[block] = mtgp32_start(mtgp32_parameters[block], parameters_.get(), seed, block);
    }
    place_ = 0;
  }

 private:
  friend class OneWordEngine<Mtgp32Engine, unsigned>;

  static constexpr double kSearchFrom = 32;
  static constexpr double kRoundFrom = 10000;

  double normal_double(unsigned word) const {
    return on_host_ ? static_cast<double>(normal_of_word(word)) : normal_double_of_word(word);
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

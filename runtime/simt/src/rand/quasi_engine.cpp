// Engine of the Sobol generators. The numbers of one request are those of the first dimension, then
// those of the second, and so on.
#include "rand/direction_vectors.h"
#include "rand/one_word_engine.h"

#include <simtrt/enqueue.h>

#include <algorithm>

namespace simtrt::rng {
namespace {

template <class Word>
class QuasiEngine final : public OneWordEngine<QuasiEngine<Word>, Word> {
 public:
  explicit QuasiEngine(bool is_scrambled) : is_scrambled_(is_scrambled) {}

  void restart(std::uint64_t /*seed*/, std::uint64_t offset) override {
    point_ = static_cast<Word>(offset);
  }

 private:
  friend class OneWordEngine<QuasiEngine, Word>;

  static constexpr double kSearchFrom = sizeof(Word) == 4 ? 10 : 2;
  static constexpr double kRoundFrom = sizeof(Word) == 4 ? 10000 : 2000;
  static constexpr std::size_t kBits = 8 * sizeof(Word);

  template <class Number, class Make>
  void write(const Request& request, Make make) {
    auto* out = static_cast<Number*>(request.out);
    const std::size_t points = request.count / request.dimensions;
    const Word* all_vectors =
        (is_scrambled_ ? scrambled_direction_vectors<Word>() : direction_vectors<Word>()).data();
    const Word* constants = is_scrambled_ ? scramble_constants<Word>().data() : nullptr;
    parallel_for(request.count, 4096, [&](std::size_t begin, std::size_t end) {
      while (begin < end) {
        const std::size_t dimension = begin / points;
        const std::size_t to = std::min(end, (dimension + 1) * points);
        const Word* vectors = all_vectors + dimension * kBits;
        Word i = point_ + static_cast<Word>(begin % points);
        Word word = sobol_word(vectors, i) ^ (is_scrambled_ ? constants[dimension] : 0);
        for (; begin < to; ++begin, ++i) {
          out[begin] = make(word);
          word ^= vectors[sobol_step(i)];
        }
      }
    });
    point_ += static_cast<Word>(points);
  }

  bool is_scrambled_;
  Word point_ = 0;  // index of the next point
};

}  // namespace

std::unique_ptr<Engine> make_sobol32_engine(bool is_scrambled) {
  return std::make_unique<QuasiEngine<unsigned int>>(is_scrambled);
}
std::unique_ptr<Engine> make_sobol64_engine(bool is_scrambled) {
  return std::make_unique<QuasiEngine<unsigned long long>>(is_scrambled);
}

}  // namespace simtrt::rng

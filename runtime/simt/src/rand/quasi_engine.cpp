// Engine of the Sobol generators. The numbers of one request are those of the first dimension, then
// those of the second, and so on.
#include "rand/direction_vectors.h"
#include "rand/discrete.h"
#include "rand/engine.h"

#include <simtrt/enqueue.h>
#include <simtrt/rand/one_word.h>

#include <algorithm>
#include <cmath>

namespace simtrt::rng {
namespace {

template <class Word>
class QuasiEngine final : public Engine {
 public:
  explicit QuasiEngine(bool is_scrambled) : is_scrambled_(is_scrambled) {}

  bool keeps_pairs() const override { return false; }

  void restart(std::uint64_t /*seed*/, std::uint64_t offset) override {
    point_ = static_cast<Word>(offset);
  }

  void generate(const Request& request) override {
    const auto mean = static_cast<float>(request.mean);
    const auto stddev = static_cast<float>(request.stddev);
    switch (request.kind) {
      case Kind::kWords:
      case Kind::kLongWords: return write<Word>(request, [](Word word) { return word; });
      case Kind::kUniform:
        return write<float>(request, [](Word word) { return uniform_of_word(word); });
      case Kind::kUniformDouble:
        return write<double>(request, [](Word word) { return uniform_double_of_word(word); });
      case Kind::kNormal:
        return write<float>(
            request, [=](Word word) { return std::fma(stddev, normal_of_word(word), mean); });
      case Kind::kLogNormal:
        return write<float>(
            request, [=](Word word) { return log_normal(normal_of_word(word), mean, stddev); });
      case Kind::kNormalDouble:
        return write<double>(request, [&](Word word) {
          return std::fma(request.stddev, normal_double_of_word(word), request.mean);
        });
      case Kind::kLogNormalDouble:
        return write<double>(request, [&](Word word) {
          return log_normal(normal_double_of_word(word), request.mean, request.stddev);
        });
      case Kind::kPoisson:
        return poisson(request);
    }
  }

 private:
  /// From this mean on, a Poisson number is searched in the cumulative distribution.
  static constexpr double kSearchFrom = sizeof(Word) == 4 ? 10 : 2;

  /// From this mean on, it is a rounded normal number.
  static constexpr double kRoundFrom = sizeof(Word) == 4 ? 10000 : 2000;

  void poisson(const Request& request) {
    if (request.mean >= kRoundFrom) {
      return write<unsigned>(request, [&](Word word) {
        return poisson_of_normal(normal_of_word(word), request.mean);
      });
    }
    if (request.mean >= kSearchFrom) {
      return write<unsigned>(request, [search = PoissonSearch(request.mean)](Word word) {
        return search(uniform_double_of_word(word));
      });
    }
    if constexpr (sizeof(Word) == 8) {
      return write<unsigned>(
          request, [&](Word word) { return poisson_of_word(word, request.mean); });
    } else {
      const PoissonDistribution distribution(request.mean);
      write<unsigned>(request, [&](Word word) { return discrete_of_word(word, distribution); });
    }
  }

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

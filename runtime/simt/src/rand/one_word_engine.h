// Engine of the generators whose results take one word each: the Sobol generators and MTGP32.
#pragma once

#include "rand/discrete.h"
#include "rand/engine.h"

#include <simtrt/rand/one_word.h>

#include <cmath>

namespace simtrt::rng {

/// `Derived` defines the constants kSearchFrom and kRoundFrom, and the function
/// write<Number>(request, make), which stores make(word) for each word of a request. From the mean
/// kSearchFrom on, a Poisson number is searched in the cumulative distribution; from kRoundFrom on,
/// it is a rounded normal number.
template <class Derived, class Word>
class OneWordEngine : public Engine {
 public:
  bool keeps_pairs() const override { return false; }

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
          return std::fma(request.stddev, derived().normal_double(word), request.mean);
        });
      case Kind::kLogNormalDouble:
        return write<double>(request, [&](Word word) {
          return log_normal(normal_double_of_word(word), request.mean, request.stddev);
        });
      case Kind::kPoisson: return poisson(request);
    }
  }

 protected:
  /// Result of a request for normal doubles before it is scaled. A derived class may hide it.
  double normal_double(Word word) const { return normal_double_of_word(word); }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }

  template <class Number, class Make>
  void write(const Request& request, Make make) {
    derived().template write<Number>(request, make);
  }

  void poisson(const Request& request) {
    if (request.mean >= Derived::kRoundFrom) {
      return write<unsigned>(request, [&](Word word) {
        return poisson_of_normal(normal_of_word(word), request.mean);
      });
    }
    if (request.mean >= Derived::kSearchFrom) {
      const PoissonSearch search(request.mean);
      return write<unsigned>(
          request, [&](Word word) { return search(uniform_double_of_word(word)); });
    }
    if constexpr (sizeof(Word) == 8) {
      write<unsigned>(request, [&](Word word) { return poisson_of_word(word, request.mean); });
    } else {
      const PoissonDistribution distribution(request.mean);
      write<unsigned>(request, [&](Word word) { return discrete_of_word(word, distribution); });
    }
  }
};

}  // namespace simtrt::rng

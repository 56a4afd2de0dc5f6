// Engines of a simtrandGenerator_t: an engine knows the words that each result is made of.
//
// Ownership: a generator and its work on streams share ownership of the engine. Threads: one thread
// at a time uses an engine, under a mutex (host.cpp). Memory ordering: that mutex; there are no
// atomics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace simtrt::rng {

enum class Kind {
  kWords,
  kUniform,
  kUniformDouble,
  kNormal,
  kNormalDouble,
  kLogNormal,
  kLogNormalDouble,
  kPoisson,
};

/// True for the kinds that the Box-Muller method makes two of at a time.
inline bool comes_in_pairs(Kind kind) {
  return kind != Kind::kWords && kind != Kind::kUniform && kind != Kind::kUniformDouble &&
         kind != Kind::kPoisson;
}

/// `count` results for `out`, an array of the element type of `kind`. A Poisson's lambda is `mean`.
struct Request {
  Kind kind;
  void* out;
  std::size_t count;
  double mean = 0;
  double stddev = 1;
};

class Engine {
 public:
  virtual ~Engine() = default;

  /// True if the numbers of a pair belong to one offset, so that an odd count cannot be.
  virtual bool keeps_pairs() const = 0;
  /// The next result is the one at `offset` of the sequence of `seed`.
  virtual void restart(std::uint64_t seed, std::uint64_t offset) = 0;
  virtual void generate(const Request& request) = 0;
};

/// `threads` is how many subsequences the results are dealt to in turn.
std::unique_ptr<Engine> make_xorwow_engine(std::size_t threads);
std::unique_ptr<Engine> make_mrg32k3a_engine(std::size_t threads);
std::unique_ptr<Engine> make_philox_engine();

}  // namespace simtrt::rng

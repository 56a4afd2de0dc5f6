// Engines of a simtrandGenerator_t. An engine determines the random words from which each result is
// computed.
//
// Ownership: a generator and its submitted work share ownership of the engine.
// Threads: one thread at a time uses an engine, under a mutex (host.cpp).
// Memory ordering: this mutex protects the engine; there are no atomics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace simtrt::rng {

enum class Kind {
  kWords,
  kLongWords,
  kUniform,
  kUniformDouble,
  kNormal,
  kNormalDouble,
  kLogNormal,
  kLogNormalDouble,
  kPoisson,
};

/// True for kinds of numbers that the Box-Muller method produces in pairs.
inline bool comes_in_pairs(Kind kind) {
  return kind == Kind::kNormal || kind == Kind::kNormalDouble || kind == Kind::kLogNormal ||
         kind == Kind::kLogNormalDouble;
}

/// `count` results to write to `out`, an array of the element type of `kind`. For a Poisson
/// distribution, `mean` is lambda. `count` is a multiple of `dimensions`, which is 1 for
/// pseudo-random numbers.
struct Request {
  Kind kind;
  void* out;
  std::size_t count;
  double mean = 0;
  double stddev = 1;
  unsigned dimensions = 1;
};

class Engine {
 public:
  virtual ~Engine() = default;

  /// True if an offset counts pairs of normal numbers: an odd count is then invalid.
  virtual bool keeps_pairs() const = 0;
  /// Restarts the sequence of `seed`. The next result is the one with index `offset` in the
  /// sequence.
  virtual void restart(std::uint64_t seed, std::uint64_t offset) = 0;
  virtual void generate(const Request& request) = 0;
};

/// Create an engine. `threads` is the number of subsequences, which supply the results in turn. With
/// `seeds_each`, each has a seed of its own. `blocks` is the number of states of MTGP32; `on_host`
/// selects the results of generators in host memory.
std::unique_ptr<Engine> make_xorwow_engine(std::size_t threads, bool seeds_each);
std::unique_ptr<Engine> make_mrg32k3a_engine(std::size_t threads);
std::unique_ptr<Engine> make_philox_engine();
std::unique_ptr<Engine> make_mtgp32_engine(unsigned blocks, bool on_host);
std::unique_ptr<Engine> make_sobol32_engine(bool is_scrambled);
std::unique_ptr<Engine> make_sobol64_engine(bool is_scrambled);

}  // namespace simtrt::rng

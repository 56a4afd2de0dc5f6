// thrust::random::discard_block_engine: the first r of every p numbers of another engine.
// Interface: CUDA 12.4, thrust/random/discard_block_engine.h.
#pragma once

#include <simtrt/thrust/config.h>

#include <cstddef>

THRUST_NAMESPACE_BEGIN

namespace random {

template <class Engine, std::size_t p, std::size_t r>
class discard_block_engine {
 public:
  using base_type = Engine;
  using result_type = typename Engine::result_type;

  static constexpr std::size_t block_size = p;
  static constexpr std::size_t used_block = r;
  static constexpr result_type min = Engine::min;
  static constexpr result_type max = Engine::max;

  discard_block_engine() = default;
  explicit discard_block_engine(result_type seed) : engine_(seed) {}
  explicit discard_block_engine(const base_type& engine) : engine_(engine) {}

  void seed() {
    engine_.seed();
    used_ = 0;
  }
  void seed(result_type value) {
    engine_.seed(value);
    used_ = 0;
  }

  result_type operator()() {
    if (used_ >= r) {
      engine_.discard(p - used_);
      used_ = 0;
    }
    ++used_;
    return engine_();
  }

  void discard(unsigned long long count) {
    for (; count > 0; --count) (*this)();
  }

  const base_type& base() const { return engine_; }

  friend bool operator==(const discard_block_engine& x, const discard_block_engine& y) {
    return x.engine_ == y.engine_ && x.used_ == y.used_;
  }
  friend bool operator!=(const discard_block_engine& x, const discard_block_engine& y) {
    return !(x == y);
  }

 private:
  Engine engine_;
  std::size_t used_ = 0;
};

}  // namespace random

using random::discard_block_engine;

THRUST_NAMESPACE_END

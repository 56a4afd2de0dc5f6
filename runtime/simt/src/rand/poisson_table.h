// Poisson numbers by inversion, one random word for each number.
#pragma once

#include <cstdint>
#include <vector>

namespace simtrt::rng {

class PoissonTable {
 public:
  explicit PoissonTable(double lambda);

  /// Smallest number whose cumulative probability is at least uniform_double(word).
  unsigned operator()(std::uint32_t word) const;

 private:
  double lambda_;
  unsigned first_ = 0;              // number that corresponds to cumulative_[0]
  std::vector<double> cumulative_;  // empty if the normal distribution is used
};

}  // namespace simtrt::rng

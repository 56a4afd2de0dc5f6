// Poisson numbers by inversion: one word each, whatever the mean.
#pragma once

#include <cstdint>
#include <vector>

namespace simtrt::rng {

class PoissonTable {
 public:
  explicit PoissonTable(double lambda);

  /// The least number whose cumulative probability reaches uniform_double(word).
  unsigned operator()(std::uint32_t word) const;

 private:
  double lambda_;
  unsigned first_ = 0;              // the number that cumulative_[0] belongs to
  std::vector<double> cumulative_;  // empty where the normal distribution is taken instead
};

}  // namespace simtrt::rng

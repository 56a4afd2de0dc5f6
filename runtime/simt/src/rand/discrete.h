// Tables of Poisson distributions.
#pragma once

#include <simtrt/rand/discrete.h>

#include <vector>

namespace simtrt::rng {

/// From this mean on, Poisson numbers are rounded normal numbers.
inline constexpr double kPoissonNormalFrom = 2000;

/// Distribution with the mean `lambda`, as cuRAND 10.4 makes it.
class PoissonDistribution : public simtrandDiscreteDistribution_st {
 public:
  explicit PoissonDistribution(double lambda);
  PoissonDistribution(const PoissonDistribution&) = delete;
  PoissonDistribution& operator=(const PoissonDistribution&) = delete;

  bool is_normal() const { return length == 0; }

 private:
  /// Fills the table from the probabilities of the numbers from `shift` on.
  void fill(std::vector<double> left);

  std::vector<double> thresholds_;
  std::vector<unsigned int> others_;
};

/// Cumulative Poisson distribution with the mean `lambda`, searched for the number of a word.
class PoissonSearch {
 public:
  explicit PoissonSearch(double lambda);

  /// Least number whose cumulative probability is at least `uniform`.
  unsigned operator()(double uniform) const;

 private:
  unsigned first_;
  std::vector<double> cumulative_;
};

}  // namespace simtrt::rng

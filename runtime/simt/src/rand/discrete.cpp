#include "rand/discrete.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <utility>

namespace simtrt::rng {
namespace {

double poisson_probability(unsigned number, double lambda) {
  return std::exp(number * std::log(lambda) - lambda - std::lgamma(number + 1.0));
}

/// Least number from which on probabilities are not zero in double.
unsigned first_possible(double lambda) {
  auto number = static_cast<unsigned>(lambda);
  while (number > 0 && poisson_probability(number - 1, lambda) > 0) {
    --number;
  }
  return number;
}

/// Probabilities of the numbers from `first` on, as far as they are not zero in double.
std::vector<double> poisson_probabilities(unsigned first, double lambda) {
  std::vector<double> probabilities;
  for (unsigned number = first;; ++number) {
    const double probability = poisson_probability(number, lambda);
    if (number > lambda && probability == 0) {
      return probabilities;
    }
    probabilities.push_back(probability);
  }
}

}  // namespace

PoissonDistribution::PoissonDistribution(double lambda)
    : simtrandDiscreteDistribution_st{lambda, 0, 0, nullptr, nullptr} {
  if (lambda >= kPoissonNormalFrom) {
    return;
  }
  shift = first_possible(lambda);
  std::vector<double> probabilities = poisson_probabilities(shift, lambda);
  length = static_cast<unsigned>(probabilities.size());
  fill(std::move(probabilities));
  threshold = thresholds_.data();
  other = others_.data();
}

// Passes over the columns in ascending order, until all are full. A column that is too short gets
// the missing share from the greatest number whose share is wide enough. This number's own column
// may thereby become too short; the same pass fills it if the pass has yet to reach it.
void PoissonDistribution::fill(std::vector<double> left) {
  const double width = 1.0 / length;
  for (unsigned column = 0; column < length; ++column) {
    thresholds_.push_back((column + 1) * width);
    others_.push_back(column);
  }
  // The greatest word has the uniform number 1, whose column lies after the last one.
  thresholds_.push_back(0);
  others_.push_back(0);

  std::vector<char> filled(length, 0);
  unsigned donor = length;
  for (bool changes = true; changes;) {
    changes = false;
    for (unsigned column = 0; column < length; ++column) {
      if (filled[column] != 0 || left[column] >= width) continue;
      while (donor > 0 && (filled[donor - 1] != 0 || left[donor - 1] < width)) {
        --donor;
      }
      if (donor == 0) return;
      thresholds_[column] = left[column] + column * width;
      others_[column] = donor - 1;
      left[donor - 1] -= width - left[column];
      filled[column] = 1;
      changes = true;
    }
  }
}

PoissonSearch::PoissonSearch(double lambda)
    : first_(first_possible(lambda)), cumulative_(poisson_probabilities(first_, lambda)) {
  std::partial_sum(cumulative_.begin(), cumulative_.end(), cumulative_.begin());
}

unsigned PoissonSearch::operator()(double uniform) const {
  const auto found = std::lower_bound(cumulative_.begin(), cumulative_.end() - 1, uniform);
  return first_ + static_cast<unsigned>(found - cumulative_.begin());
}

}  // namespace simtrt::rng

simtrandStatus_t simtrandCreatePoissonDistribution(
    double lambda, simtrandDiscreteDistribution_t* discrete_distribution) try {
  if (discrete_distribution == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  if (!(lambda > 0 && lambda <= 400000)) {
    return SIMTRAND_STATUS_OUT_OF_RANGE;
  }
  *discrete_distribution = new simtrt::rng::PoissonDistribution(lambda);
  return SIMTRAND_STATUS_SUCCESS;
} catch (const std::bad_alloc&) {
  return SIMTRAND_STATUS_ALLOCATION_FAILED;
}

simtrandStatus_t simtrandDestroyDistribution(simtrandDiscreteDistribution_t discrete_distribution) {
  if (discrete_distribution == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  delete static_cast<simtrt::rng::PoissonDistribution*>(discrete_distribution);
  return SIMTRAND_STATUS_SUCCESS;
}

#include "rand/poisson_table.h"

#include <simtrt/math/library.h>
#include <simtrt/rand/poisson.h>

#include <algorithm>
#include <cmath>

namespace simtrt::rng {
namespace {

// From this mean on, the normal distribution with continuity correction is used: its error is below
// 1e-3, and it is faster.
constexpr double kNormalFrom = 20000;

// Half the size of the table. With 32-bit words, deviations beyond 7 standard deviations do not
// occur. Distributions with a small mean have a longer tail.
double reach(double lambda) { return 8 * std::sqrt(lambda) + 24; }

}  // namespace

PoissonTable::PoissonTable(double lambda) : lambda_(lambda) {
  if (lambda >= kNormalFrom) {
    return;
  }
  first_ = static_cast<unsigned>(std::max(0.0, lambda - reach(lambda)));
  const auto last = static_cast<unsigned>(lambda + reach(lambda));
  double sum = 0;
  for (unsigned number = first_; number <= last; ++number) {
    sum += std::exp(number * std::log(lambda) - lambda - log_factorial(static_cast<int>(number)));
    cumulative_.push_back(sum);
  }
}

unsigned PoissonTable::operator()(std::uint32_t word) const {
  if (cumulative_.empty()) {
    const double normal = simtrt::normcdfinv(word * 0x1p-32 + 0x1p-33);
    return poisson_of_normal(normal, lambda_);
  }
  const auto found =
      std::lower_bound(cumulative_.begin(), cumulative_.end() - 1, uniform_double(word));
  return first_ + static_cast<unsigned>(found - cumulative_.begin());
}

}  // namespace simtrt::rng

// Poisson numbers by the three methods of cuRAND's device API (CUDA 12.4, curand_poisson.h): for
// lambda < 64, a product of uniform numbers (D. Knuth, The Art of Computer Programming 2, 3.4.1);
// for lambda up to 4000, rejection; above, the normal distribution.
//
// Results of the product and of the normal distribution equal a GPU's, except where a last-bit
// difference of exp or of a normal number changes the result. Rejection uses cuRAND's method and
// words. Rejection compares floats, and a GPU approximates log and exp of floats: about one
// candidate in a thousand is accepted here and rejected on a GPU, or vice versa, and all later
// numbers then differ.
#pragma once

#include <simtrt/rand/normal.h>

#include <cmath>

namespace simtrt::rng {

template <class State>
unsigned poisson_by_product(State* state, float lambda) {
  unsigned factors = 0;
  float product = exp_rounded_once(lambda);
  do {
    ++factors;
    product *= simtrand_uniform(state);
  } while (product > 1.0f);
  return factors - 1;
}

/// The regularized lower incomplete gamma function P(a, x) for one large `a`, approximated by the
/// square of a logistic function, so that it can be inverted. Constants: CUDA 12.4,
/// curand_poisson.h.
class GammaApproximation {
 public:
  explicit GammaApproximation(float a)
      : a_(a),
        slope_(1.43248035075540910f / std::sqrt(a - 0.12400979329415655f) + 0.00025361074907033f),
        shift_(0.21096734870196546f / std::sqrt(a - 1.97381164089999420f) + 0.94201734077887530f) {}

  float operator()(float x) const {
    const float root = 1.0f + exp_rounded_once(slope_ * (a_ - x) - shift_);
    return 1.0f / (root * root);
  }

  float inverse(float probability) const {
    const float logit = std::log(1.0f / std::sqrt(probability) - 1.0f);
    return a_ - (shift_ + logit) * (1.0f / slope_);
  }

 private:
  float a_;
  float slope_;
  float shift_;
};

/// log(n!) for n >= 0
inline double log_factorial(int n) {
  constexpr double kFactorials[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320};
  if (n < 9) {
    return std::log(kFactorials[n > 0 ? n : 0]);
  }
  // Stirling's series; from here on its error is at most 1e-15.
  const double x = n + 1.0;
  const double square = x * x;
  const double correction =
      (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / square) / square) / square) / x;
  constexpr double kLogOfRootOf2Pi = 0.91893853320467274;
  return (x - 0.5) * std::log(x) - x + kLogOfRootOf2Pi + correction;
}

template <class State>
unsigned poisson_by_rejection(State* state, float lambda) {
  const GammaApproximation approximation(lambda);
  const float log_lambda = std::log(lambda);
  for (;;) {
    const float candidate = std::floor(approximation.inverse(simtrand_uniform(state)));
    const float bound = (approximation(candidate + 1.0f) - approximation(candidate)) * 1.3f;
    const float height = simtrand_uniform(state) * bound;
    // Probability of the candidate. For a negative candidate it is zero, and the bound rejects the
    // candidate.
    const float probability =
        exp_rounded_once(std::fma(candidate, log_lambda, -lambda) -
                         static_cast<float>(log_factorial(static_cast<int>(candidate))));
    if (height < probability && bound >= 1e-20) {
      return static_cast<unsigned>(candidate);
    }
  }
}

inline unsigned poisson_of_normal(double normal, double lambda) {
  return static_cast<unsigned>(std::fma(std::sqrt(lambda), normal, lambda) + 0.5);
}

inline uint4 poisson_of_normal4(const double4& normal, double lambda) {
  return uint4{poisson_of_normal(normal.x, lambda), poisson_of_normal(normal.y, lambda),
               poisson_of_normal(normal.z, lambda), poisson_of_normal(normal.w, lambda)};
}

template <class State>
unsigned poisson(State* state, double lambda) {
  if (lambda < 64) {
    return poisson_by_product(state, static_cast<float>(lambda));
  }
  if (lambda > 4000) {
    return poisson_of_normal(simtrand_normal_double(state), lambda);
  }
  return poisson_by_rejection(state, static_cast<float>(lambda));
}

}  // namespace simtrt::rng

/// Poisson number with mean `lambda`. Consumes a variable number of words.
__device__ inline unsigned int simtrand_poisson(simtrandStatePhilox4_32_10_t* state,
                                                double lambda) {
  return simtrt::rng::poisson(state, lambda);
}
__device__ inline unsigned int simtrand_poisson(simtrandStateXORWOW_t* state, double lambda) {
  return simtrt::rng::poisson(state, lambda);
}
__device__ inline unsigned int simtrand_poisson(simtrandStateMRG32k3a_t* state, double lambda) {
  return simtrt::rng::poisson(state, lambda);
}

/// Four Poisson numbers.
__device__ inline uint4 simtrand_poisson4(simtrandStatePhilox4_32_10_t* state, double lambda) {
  if (lambda > 4000) {
    return simtrt::rng::poisson_of_normal4(simtrand_normal4_double(state), lambda);
  }
  uint4 result;
  result.x = simtrt::rng::poisson(state, lambda);
  result.y = simtrt::rng::poisson(state, lambda);
  result.z = simtrt::rng::poisson(state, lambda);
  result.w = simtrt::rng::poisson(state, lambda);
  return result;
}

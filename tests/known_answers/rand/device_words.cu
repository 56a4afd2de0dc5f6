// Types of cuRAND, and functions of one word: uniform, normal (by the inverse of the cumulative distribution) and Poisson numbers of chosen words.
#include "discrete.h"

#include <type_traits>

namespace {

using namespace discrete;

struct UniformOf {
  __device__ float operator()(curandStateSobol32_t* state) const { return curand_uniform(state); }
};
struct UniformDoubleOf {
  __device__ double operator()(curandStateSobol32_t* state) const { return curand_uniform_double(state); }
};
struct NormalOf {
  __device__ float operator()(curandStateSobol32_t* state) const { return curand_normal(state); }
};
struct NormalDoubleOf {
  __device__ double operator()(curandStateSobol32_t* state) const { return curand_normal_double(state); }
};
struct LogNormalOf {
  __device__ float operator()(curandStateSobol32_t* state) const { return curand_log_normal(state, 0.5f, 0.25f); }
};
struct LogNormalDoubleOf {
  __device__ double operator()(curandStateSobol32_t* state) const { return curand_log_normal_double(state, 0.5, 0.25); }
};

template <class State>
void put_type(const char* name) {
  answers::exact(name, sizeof(State), alignof(State), std::is_trivially_copyable_v<State>, std::is_default_constructible_v<State>);
}

void types() {
  put_type<curandState>("state");
  put_type<curandState_t>("state_t");
  put_type<curandStateXORWOW>("xorwow");
  put_type<curandStateXORWOW_t>("xorwow_t");
  put_type<curandStateMRG32k3a>("mrg32k3a");
  put_type<curandStateMRG32k3a_t>("mrg32k3a_t");
  put_type<curandStatePhilox4_32_10>("philox");
  put_type<curandStatePhilox4_32_10_t>("philox_t");
  put_type<curandStateSobol32>("sobol32");
  put_type<curandStateSobol32_t>("sobol32_t");
  put_type<curandStateScrambledSobol32>("scrambled_sobol32");
  put_type<curandStateSobol64>("sobol64");
  put_type<curandStateSobol64_t>("sobol64_t");
  put_type<curandStateScrambledSobol64_t>("scrambled_sobol64");
  put_type<curandDirectionVectors32_t>("vectors32");
  put_type<curandDirectionVectors64_t>("vectors64");
  put_type<curandGenerator_t>("generator");
  put_type<curandDiscreteDistribution_t>("distribution");
  answers::exact("default", std::is_same_v<curandState, curandStateXORWOW>, std::is_same_v<curandState_t, curandStateXORWOW_t>);
  answers::exact("status", CURAND_STATUS_SUCCESS, CURAND_STATUS_VERSION_MISMATCH, CURAND_STATUS_NOT_INITIALIZED,
                 CURAND_STATUS_ALLOCATION_FAILED, CURAND_STATUS_TYPE_ERROR, CURAND_STATUS_OUT_OF_RANGE,
                 CURAND_STATUS_LENGTH_NOT_MULTIPLE, CURAND_STATUS_DOUBLE_PRECISION_REQUIRED, CURAND_STATUS_LAUNCH_FAILURE,
                 CURAND_STATUS_PREEXISTING_FAILURE, CURAND_STATUS_INITIALIZATION_FAILED, CURAND_STATUS_ARCH_MISMATCH,
                 CURAND_STATUS_INTERNAL_ERROR);
  answers::exact("generators", CURAND_RNG_TEST, CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                 CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_DEFAULT,
                 CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64,
                 CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
  answers::exact("orderings", CURAND_ORDERING_PSEUDO_BEST, CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED,
                 CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DYNAMIC, CURAND_ORDERING_QUASI_DEFAULT);
  answers::exact("sets", CURAND_DIRECTION_VECTORS_32_JOEKUO6, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6,
                 CURAND_DIRECTION_VECTORS_64_JOEKUO6, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
}

}  // namespace

int main() {
  types();
  const std::vector<unsigned> words = grid(200);
  const auto exact = [&](const char* name, const auto& numbers) { answers::exact_array(name, numbers.data(), int(numbers.size())); };
  const auto near = [&](const char* name, double tolerance, const auto& numbers) {
    answers::near_array(name, tolerance, numbers.data(), int(numbers.size()));
  };
  exact("uniform", numbers_of<float>(words, UniformOf{}));
  exact("uniform_double", numbers_of<double>(words, UniformDoubleOf{}));
  near("normal", 1e-5, numbers_of<float>(words, NormalOf{}));
  near("normal_double", 1e-13, numbers_of<double>(words, NormalDoubleOf{}));
  near("log_normal", 1e-5, numbers_of<float>(words, LogNormalOf{}));
  near("log_normal_double", 1e-13, numbers_of<double>(words, LogNormalDoubleOf{}));
  for (double lambda : {0.001, 0.1, 1.0, 2.5, 10.0, 63.0, 64.0, 100.0, 500.0, 999.0, 1000.0, 1001.0, 2000.0, 4000.0, 100000.0, 1e6, 1e9}) {
    const std::string name = "poisson." + std::to_string(lambda);
    const std::vector<unsigned> numbers = numbers_of<unsigned>(words, PoissonOf{lambda});
    answers::exact_array(name.c_str(), numbers.data(), int(numbers.size()));
    answers::exact((name + ".checksum").c_str(), checksum(numbers_of<unsigned>(grid(20000), PoissonOf{lambda})));
  }
}

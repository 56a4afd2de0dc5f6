// simtrand's Sobol generators, tables of distributions and MTGP32. tests/known_answers/rand compares
// many more of their numbers with a GPU's.
#include "kernel_test.h"

#include <simtrand_kernel.h>
#include <simtrand_mtgp32_host.h>

#include <algorithm>
#include <cmath>

inline doctest::String toString(simtrandStatus_t status) {
  return doctest::toString(static_cast<int>(status));
}

namespace {

class Generator {
 public:
  explicit Generator(simtrandRngType_t type, unsigned dimensions = 1) {
    REQUIRE_EQ(simtrandCreateGeneratorHost(&generator_, type), SIMTRAND_STATUS_SUCCESS);
    if (dimensions != 1) {
      REQUIRE_EQ(simtrandSetQuasiRandomGeneratorDimensions(generator_, dimensions),
                 SIMTRAND_STATUS_SUCCESS);
    }
  }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  ~Generator() { simtrandDestroyGenerator(generator_); }
  operator simtrandGenerator_t() const { return generator_; }

  std::vector<unsigned> words(std::size_t count) {
    std::vector<unsigned> result(count);
    REQUIRE_EQ(simtrandGenerate(generator_, result.data(), count), SIMTRAND_STATUS_SUCCESS);
    return result;
  }
  std::vector<double> uniform(std::size_t count) {
    std::vector<double> result(count);
    REQUIRE_EQ(simtrandGenerateUniformDouble(generator_, result.data(), count),
               SIMTRAND_STATUS_SUCCESS);
    return result;
  }

 private:
  simtrandGenerator_t generator_ = nullptr;
};

constexpr unsigned kHalf = 0x80000000u;
constexpr unsigned kQuarter = 0x40000000u;

}  // namespace

TEST_CASE("The first points of Sobol sequences are those of Joe and Kuo's program") {
  // Three dimensions, four points; the points of one dimension lie together.
  CHECK_EQ(Generator(SIMTRAND_RNG_QUASI_SOBOL32, 3).words(12),
           std::vector<unsigned>{0, kHalf, kHalf | kQuarter, kQuarter,  //
                                 0, kHalf, kQuarter, kHalf | kQuarter,  //
                                 0, kHalf, kQuarter, kHalf | kQuarter});
}

TEST_CASE("Every power of two of points fills its intervals evenly") {
  for (const auto type :
       {SIMTRAND_RNG_QUASI_SOBOL32, SIMTRAND_RNG_QUASI_SCRAMBLED_SOBOL32,
        SIMTRAND_RNG_QUASI_SOBOL64, SIMTRAND_RNG_QUASI_SCRAMBLED_SOBOL64}) {
    CAPTURE(type);
    constexpr unsigned kDimensions = 20000;
    constexpr unsigned kPoints = 16;
    const auto numbers = Generator(type, kDimensions).uniform(kPoints * kDimensions);
    for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
      unsigned intervals = 0;
      for (unsigned point = 0; point < kPoints; ++point) {
        const double number = numbers[dimension * kPoints + point];
        intervals |= 1u << std::min(static_cast<unsigned>(number * kPoints), kPoints - 1);
      }
      REQUIRE_EQ(intervals, 0xffffu);
    }
  }
}

TEST_CASE("A Sobol generator continues after calls, and starts at any offset") {
  const auto whole = Generator(SIMTRAND_RNG_QUASI_SOBOL32).words(10000);
  Generator split(SIMTRAND_RNG_QUASI_SOBOL32);
  auto joined = split.words(4097);
  const auto rest = split.words(10000 - 4097);
  joined.insert(joined.end(), rest.begin(), rest.end());
  CHECK(joined == whole);
  REQUIRE_EQ(simtrandSetGeneratorOffset(split, 777), SIMTRAND_STATUS_SUCCESS);
  CHECK_EQ(split.words(1).front(), whole[777]);

  simtrandDirectionVectors32_t* vectors = nullptr;
  REQUIRE_EQ(simtrandGetDirectionVectors32(&vectors, SIMTRAND_DIRECTION_VECTORS_32_JOEKUO6),
             SIMTRAND_STATUS_SUCCESS);
  simtrandStateSobol32_t state;
  simtrand_init(vectors[0], 5u, &state);
  skipahead(772u, &state);
  CHECK_EQ(simtrand(&state), whole[777]);
}

TEST_CASE("Wrong calls of Sobol generators give cuRAND's statuses") {
  Generator narrow(SIMTRAND_RNG_QUASI_SOBOL32, 3);
  Generator wide(SIMTRAND_RNG_QUASI_SCRAMBLED_SOBOL64);
  Generator pseudo(SIMTRAND_RNG_PSEUDO_MTGP32);
  unsigned words[3];
  unsigned long long wide_words[3];
  CHECK_EQ(simtrandGenerate(narrow, words, 2), SIMTRAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_EQ(simtrandGenerateLongLong(narrow, wide_words, 3), SIMTRAND_STATUS_TYPE_ERROR);
  CHECK_EQ(simtrandGenerate(wide, words, 3), SIMTRAND_STATUS_TYPE_ERROR);
  CHECK_EQ(simtrandGenerateLongLong(wide, wide_words, 3), SIMTRAND_STATUS_SUCCESS);
  CHECK_EQ(simtrandSetPseudoRandomGeneratorSeed(narrow, 1), SIMTRAND_STATUS_TYPE_ERROR);
  CHECK_EQ(simtrandSetQuasiRandomGeneratorDimensions(pseudo, 1), SIMTRAND_STATUS_TYPE_ERROR);
  CHECK_EQ(simtrandSetGeneratorOffset(pseudo, 1), SIMTRAND_STATUS_TYPE_ERROR);
  for (const unsigned dimensions : {0u, 20001u}) {
    CHECK_EQ(simtrandSetQuasiRandomGeneratorDimensions(narrow, dimensions),
             SIMTRAND_STATUS_OUT_OF_RANGE);
  }
}

TEST_CASE("MTGP32 gives cuRAND's words") {
  // Source: cuRAND 10.4 on an H200, tests/known_answers/rand/host_mtgp32.txt.
  CHECK_EQ(Generator(SIMTRAND_RNG_PSEUDO_MTGP32).words(4),
           std::vector<unsigned>{360948779, 1200908298, 2313932395u, 2218157478u});
}

TEST_CASE("A table of a Poisson distribution has its mean") {
  for (const double lambda : {0.001, 0.5, 30.0, 1999.0, 2000.0, 400000.0}) {
    CAPTURE(lambda);
    simtrandDiscreteDistribution_t distribution = nullptr;
    REQUIRE_EQ(simtrandCreatePoissonDistribution(lambda, &distribution), SIMTRAND_STATUS_SUCCESS);
    constexpr unsigned kCount = 1u << 14;
    double sum = 0;
    for (unsigned i = 0; i < kCount; ++i) {
      simtrandStateSobol32_t state{};
      state.x = i * (0xffffffffu / kCount) + 12345;
      sum += simtrand_discrete(&state, distribution);
    }
    CHECK(std::abs(sum / kCount - lambda) <= 0.01 * std::sqrt(lambda) + 0.001);
    CHECK_EQ(simtrandDestroyDistribution(distribution), SIMTRAND_STATUS_SUCCESS);
  }
}

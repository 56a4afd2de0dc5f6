// simtrand's host API, compared with the results of NVIDIA's cuRAND for the same calls: generators,
// orderings, offsets, statuses.
#include "kernel_test.h"

#include <simtrand.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

inline doctest::String toString(simtrandStatus_t status) {
  return doctest::toString(static_cast<int>(status));
}

#define CHECK_RAND(...) CHECK_EQ((__VA_ARGS__), SIMTRAND_STATUS_SUCCESS)
#define REQUIRE_RAND(...) REQUIRE_EQ((__VA_ARGS__), SIMTRAND_STATUS_SUCCESS)

namespace {

class Generator {
 public:
  explicit Generator(simtrandRngType_t type, unsigned long long seed = 42, bool on_host = true) {
    REQUIRE_RAND(on_host ? simtrandCreateGeneratorHost(&generator_, type)
                         : simtrandCreateGenerator(&generator_, type));
    REQUIRE_RAND(simtrandSetPseudoRandomGeneratorSeed(generator_, seed));
  }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  ~Generator() { simtrandDestroyGenerator(generator_); }
  operator simtrandGenerator_t() const { return generator_; }

  std::vector<unsigned> words(std::size_t count) {
    std::vector<unsigned> result(count);
    REQUIRE_RAND(simtrandGenerate(generator_, result.data(), count));
    return result;
  }
  std::vector<float> uniform(std::size_t count) {
    std::vector<float> result(count);
    REQUIRE_RAND(simtrandGenerateUniform(generator_, result.data(), count));
    return result;
  }
  std::vector<double> uniform_double(std::size_t count) {
    std::vector<double> result(count);
    REQUIRE_RAND(simtrandGenerateUniformDouble(generator_, result.data(), count));
    return result;
  }
  std::vector<float> normal(std::size_t count) {
    std::vector<float> result(count);
    REQUIRE_RAND(simtrandGenerateNormal(generator_, result.data(), count, 0.0f, 1.0f));
    return result;
  }
  std::vector<double> normal_double(std::size_t count) {
    std::vector<double> result(count);
    REQUIRE_RAND(simtrandGenerateNormalDouble(generator_, result.data(), count, 0.0, 1.0));
    return result;
  }
  std::vector<unsigned> poisson(std::size_t count, double lambda) {
    std::vector<unsigned> result(count);
    REQUIRE_RAND(simtrandGeneratePoisson(generator_, result.data(), count, lambda));
    return result;
  }

 private:
  simtrandGenerator_t generator_ = nullptr;
};

/// FNV-1a hash of all added bytes: one value represents several hundred thousand numbers.
class Digest {
 public:
  template <class T>
  Digest& add(const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) {
      value_ = (value_ ^ bytes[i]) * 1099511628211u;
    }
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

/// Results of cuRAND's host generators with seed 42, from curandCreateGeneratorHost in libcurand
/// 10.3.5.147 (CUDA 12.4, x86-64). NVIDIA documents that generators on devices return the same
/// numbers.
struct Expected {
  simtrandRngType_t type;
  simtrandOrdering_t ordering;
  std::uint64_t words;           // of 300001 words
  std::uint64_t uniform;         // of 1001 numbers
  std::uint64_t uniform_double;  // of 300001 numbers
  std::uint64_t mixed;           // of the words between calls of other kinds
  float normal[4];
  double normal_double[4];
  float log_normal[4];  // mean 0.5, standard deviation 1.5
};

const Expected kExpected[] = {
    {SIMTRAND_RNG_PSEUDO_XORWOW,
     SIMTRAND_ORDERING_PSEUDO_DEFAULT,
     0x0d328e3d161871ba,
     0xf5d054bb68337aa3,
     0xf105b0f482ddefac,
     0x2e93860e0e65b99d,
     {-0.715557694f, -2.19223595f, -1.16014385f, -1.5223043f},
     {-0.26978420501662492, -1.059298427380585, -0.69754877299799234, -0.72317050916748982},
     {0.563641667f, 0.0615224019f, 0.28932178f, 0.168056279f}},
    {SIMTRAND_RNG_PSEUDO_DEFAULT,
     SIMTRAND_ORDERING_PSEUDO_LEGACY,
     0x0d328e3d161871ba,
     0xf5d054bb68337aa3,
     0xf105b0f482ddefac,
     0x2e93860e0e65b99d,
     {-0.715557694f, -2.19223595f, -1.16014385f, -1.5223043f},
     {-0.26978420501662492, -1.059298427380585, -0.69754877299799234, -0.72317050916748982},
     {0.563641667f, 0.0615224019f, 0.28932178f, 0.168056279f}},
    {SIMTRAND_RNG_PSEUDO_MRG32K3A,
     SIMTRAND_ORDERING_PSEUDO_DEFAULT,
     0x8da6a929c107153b,
     0xded0b917bd8bb821,
     0x71e40810948d5a85,
     0x56029f7a184b4ea8,
     {-0.34960115f, 1.67471647f, -1.8935374f, -0.907630265f},
     {-0.34960123434786305, 1.674716480694727, -1.8935376714390226, -0.90762978598546684},
     {0.975893617f, 20.3295345f, 0.0962981656f, 0.422550887f}},
    {SIMTRAND_RNG_PSEUDO_MRG32K3A,
     SIMTRAND_ORDERING_PSEUDO_LEGACY,
     0xb33bf14f55acd74d,
     0xded0b917bd8bb821,
     0x3a7630a77ab543f2,
     0xb6a3a43ba617d72f,
     {-0.34960115f, 1.67471647f, -1.8935374f, -0.907630265f},
     {-0.34960123434786305, 1.674716480694727, -1.8935376714390226, -0.90762978598546684},
     {0.975893617f, 20.3295345f, 0.0962981656f, 0.422550887f}},
    {SIMTRAND_RNG_PSEUDO_PHILOX4_32_10,
     SIMTRAND_ORDERING_PSEUDO_BEST,
     0x897919c8e374274d,
     0xfaf831887e53f88a,
     0x6110859cc48ae901,
     0x9f12c917d410cedb,
     {0.194018871f, -0.97018981f, 1.92392659f, -1.23562121f},
     {1.0360235505368471, -0.6653743849976409, 0.42328043627196804, -1.4338887543449035},
     {2.20566344f, 0.384702593f, 29.5442753f, 0.258352131f}},
};

}  // namespace

TEST_CASE("Generators give cuRAND's numbers in cuRAND's order") {
  for (const Expected& expected : kExpected) {
    CAPTURE(expected.type);
    CAPTURE(expected.ordering);
    const auto with_fresh = [&](auto use) {
      Generator generator(expected.type);
      REQUIRE_RAND(simtrandSetGeneratorOrdering(generator, expected.ordering));
      return use(generator);
    };
    CHECK_EQ(with_fresh([](Generator& g) { return Digest().add(g.words(300001)).value(); }),
             expected.words);
    CHECK_EQ(with_fresh([](Generator& g) { return Digest().add(g.uniform(1001)).value(); }),
             expected.uniform);
    CHECK_EQ(
        with_fresh([](Generator& g) { return Digest().add(g.uniform_double(300001)).value(); }),
        expected.uniform_double);
    CHECK_EQ(with_fresh([](Generator& g) {
               Digest digest;
               digest.add(g.words(9));
               g.normal(100);
               digest.add(g.words(9));
               g.normal_double(300);
               digest.add(g.words(9));
               g.uniform_double(5);
               REQUIRE_RAND(simtrandSetGeneratorOffset(g, 123456789));
               return digest.add(g.words(9)).value();
             }),
             expected.mixed);
    const auto normal = with_fresh([](Generator& g) { return g.normal(4); });
    const auto normal_double = with_fresh([](Generator& g) { return g.normal_double(4); });
    const auto log_normal = with_fresh([](Generator& g) {
      std::vector<float> result(4);
      REQUIRE_RAND(simtrandGenerateLogNormal(g, result.data(), 4, 0.5f, 1.5f));
      return result;
    });
    for (int i = 0; i < 4; ++i) {
      CHECK_EQ(normal[i], doctest::Approx(expected.normal[i]).epsilon(1e-6));
      CHECK_EQ(normal_double[i], doctest::Approx(expected.normal_double[i]).epsilon(1e-14));
      CHECK_EQ(log_normal[i], doctest::Approx(expected.log_normal[i]).epsilon(2e-6));
    }
  }
}

TEST_CASE("The default seed is 0") {
  // First words. XORWOW: as in test_rand_device.cpp. Philox: Random123's known answer. MRG32k3a:
  // with the usual initial state, six times 12345, the first number of L'Ecuyer's testRngStreams is
  // 0.12701112204657714 (times 2^32).
  const std::pair<simtrandRngType_t, unsigned> first_words[] = {
      {SIMTRAND_RNG_PSEUDO_DEFAULT, 3179217846u},
      {SIMTRAND_RNG_PSEUDO_PHILOX4_32_10, 0x6627e8d5u},
      {SIMTRAND_RNG_PSEUDO_MRG32K3A, 0x2083cd07u},
  };
  CHECK_EQ(std::floor(0.12701112204657714 * 0x1p32), 0x2083cd07u);
  for (const auto& [type, word] : first_words) {
    simtrandGenerator_t generator;
    REQUIRE_RAND(simtrandCreateGeneratorHost(&generator, type));
    unsigned first = 0;
    CHECK_RAND(simtrandGenerate(generator, &first, 1));
    CHECK_EQ(first, word);
    CHECK_RAND(simtrandDestroyGenerator(generator));
  }
}

TEST_CASE("A generator continues after calls of any kind, and starts at any offset") {
  for (const auto type : {SIMTRAND_RNG_PSEUDO_XORWOW, SIMTRAND_RNG_PSEUDO_PHILOX4_32_10,
                          SIMTRAND_RNG_PSEUDO_MRG32K3A}) {
    CAPTURE(type);
    constexpr std::size_t kCount = 270000;  // more than one round of every kind
    Generator whole(type);
    const std::vector<unsigned> words = whole.words(kCount);
    Generator split(type);
    std::vector<unsigned> joined;
    for (std::size_t part = 1; joined.size() < kCount; part = part * 3 + 1) {
      const auto piece = split.words(std::min(part, kCount - joined.size()));
      joined.insert(joined.end(), piece.begin(), piece.end());
    }
    CHECK(joined == words);
    for (const std::size_t offset : {std::size_t{1}, std::size_t{4097}, std::size_t{262147}}) {
      REQUIRE_RAND(simtrandSetGeneratorOffset(split, offset));
      const auto piece = split.words(1000);
      CHECK(std::equal(piece.begin(), piece.end(), words.begin() + offset));
    }
  }
}

TEST_CASE("A new seed keeps the offset, as in cuRAND") {
  Generator generator(SIMTRAND_RNG_PSEUDO_XORWOW, 1);
  generator.words(4);
  REQUIRE_RAND(simtrandSetPseudoRandomGeneratorSeed(generator, 42));
  // Source: libcurand 10.3.5.147, seed 42, word 4 of the sequence.
  CHECK_EQ(generator.words(1).front(), 0x285f317e);
}

TEST_CASE("A device's generator works in the order of its stream") {
  TestStream stream;
  Generator on_device(SIMTRAND_RNG_PSEUDO_PHILOX4_32_10, 42, false);
  Generator on_host(SIMTRAND_RNG_PSEUDO_PHILOX4_32_10);
  REQUIRE_RAND(simtrandSetStream(on_device, stream));
  constexpr std::size_t kCount = 100000;
  DeviceArray<float> numbers(kCount, -1.0f);
  Gate gate;
  gate.hold(stream);
  CHECK_RAND(simtrandGenerateUniform(on_device, numbers.data(), kCount));
  CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
  CHECK_EQ(*static_cast<volatile float*>(numbers.data()), -1.0f);
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK(numbers.values() == on_host.uniform(kCount));
}

TEST_CASE("Work put on a stream outlives its generator") {
  TestStream stream;
  DeviceArray<unsigned> words(5000, 0u);
  Gate gate;
  {
    Generator generator(SIMTRAND_RNG_PSEUDO_XORWOW, 42, false);
    REQUIRE_RAND(simtrandSetStream(generator, stream));
    gate.hold(stream);
    CHECK_RAND(simtrandGenerate(generator, words.data(), 5000));
    CHECK_RAND(simtrandSetGeneratorOrdering(generator, SIMTRAND_ORDERING_PSEUDO_LEGACY));
  }
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK(words.values() == Generator(SIMTRAND_RNG_PSEUDO_XORWOW).words(5000));
}

TEST_CASE("Poisson numbers have their mean and variance and take one word each") {
  for (const double lambda : {0.1, 3.0, 500.0, 19999.0, 20000.0, 400000.0}) {
    CAPTURE(lambda);
    constexpr std::size_t kCount = 50000;
    Generator generator(SIMTRAND_RNG_PSEUDO_PHILOX4_32_10, 6);
    double sum = 0;
    double squares = 0;
    for (const unsigned number : generator.poisson(kCount, lambda)) {
      sum += number - lambda;
      squares += (number - lambda) * (number - lambda);
    }
    CHECK(std::abs(sum / kCount) <= 5 * std::sqrt(lambda / kCount));
    CHECK(std::abs(squares / kCount - lambda) <=
          5 * std::sqrt((lambda + 2 * lambda * lambda) / kCount));
    Generator words(SIMTRAND_RNG_PSEUDO_PHILOX4_32_10, 6);
    words.words(kCount);
    CHECK(generator.words(4) == words.words(4));
  }
}

TEST_CASE("Wrong calls give cuRAND's statuses") {
  simtrandGenerator_t none = nullptr;
  unsigned word = 0;
  float numbers[4] = {};
  double doubles[4] = {};
  CHECK_EQ(simtrandGenerate(none, &word, 1), SIMTRAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtrandGenerateSeeds(none), SIMTRAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtrandGeneratePoisson(none, &word, 1, -1.0), SIMTRAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtrandDestroyGenerator(none), SIMTRAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtrandSetStream(none, nullptr), SIMTRAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtrandSetPseudoRandomGeneratorSeed(none, 1), SIMTRAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtrandSetGeneratorOffset(none, 1), SIMTRAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtrandSetGeneratorOrdering(none, SIMTRAND_ORDERING_PSEUDO_BEST),
           SIMTRAND_STATUS_NOT_INITIALIZED);

  for (const auto type : {SIMTRAND_RNG_TEST, SIMTRAND_RNG_PSEUDO_MT19937}) {
    CHECK_EQ(simtrandCreateGenerator(&none, type), SIMTRAND_STATUS_TYPE_ERROR);
    CHECK_EQ(simtrandCreateGeneratorHost(&none, type), SIMTRAND_STATUS_TYPE_ERROR);
  }
  CHECK_EQ(none, nullptr);

  Generator xorwow(SIMTRAND_RNG_PSEUDO_XORWOW);
  CHECK_EQ(simtrandGenerateNormal(xorwow, numbers, 3, 0, 1), SIMTRAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_EQ(simtrandGenerateLogNormalDouble(xorwow, doubles, 3, 0, 1),
           SIMTRAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_RAND(simtrandGenerateNormal(xorwow, numbers, 0, 0, 1));
  CHECK_EQ(simtrandGenerate(xorwow, nullptr, 1), SIMTRAND_STATUS_OUT_OF_RANGE);
  CHECK_RAND(simtrandGenerate(xorwow, nullptr, 0));
  for (const double lambda : {-1.0, 0.0, 500000.0, std::nan("")}) {
    CHECK_EQ(simtrandGeneratePoisson(xorwow, &word, 1, lambda), SIMTRAND_STATUS_OUT_OF_RANGE);
  }
  for (const auto order : {SIMTRAND_ORDERING_PSEUDO_DYNAMIC, SIMTRAND_ORDERING_QUASI_DEFAULT}) {
    CHECK_EQ(simtrandSetGeneratorOrdering(xorwow, order), SIMTRAND_STATUS_OUT_OF_RANGE);
  }
  Generator philox(SIMTRAND_RNG_PSEUDO_PHILOX4_32_10);
  CHECK_EQ(simtrandSetGeneratorOrdering(philox, SIMTRAND_ORDERING_PSEUDO_SEEDED),
           SIMTRAND_STATUS_OUT_OF_RANGE);
  CHECK_RAND(simtrandGenerateNormal(philox, numbers, 3, 0, 1));
  CHECK_RAND(simtrandGenerateSeeds(philox));

  int value = 0;
  CHECK_RAND(simtrandGetVersion(&value));
  CHECK_EQ(value, 10305);
  CHECK_RAND(simtrandGetProperty(MINOR_VERSION, &value));
  CHECK_EQ(value, 3);
  CHECK_EQ(simtrandGetProperty(static_cast<libraryPropertyType>(7), &value),
           SIMTRAND_STATUS_OUT_OF_RANGE);
}

TEST_CASE("An invalid stream is rejected") {
  Generator generator(SIMTRAND_RNG_PSEUDO_PHILOX4_32_10, 42, false);
  int not_a_stream = 0;
  REQUIRE_RAND(simtrandSetStream(generator, reinterpret_cast<simtStream_t>(&not_a_stream)));
  DeviceArray<unsigned> words(4, 0u);
  CHECK_EQ(simtrandGenerate(generator, words.data(), 4), SIMTRAND_STATUS_LAUNCH_FAILURE);
  simtGetLastError();
}

// simtrand in kernels, compared with published values of the generators and of PyTorch on CUDA;
// other results are compared with their mathematical definition.
#include "kernel_test.h"

#include <simtrand_kernel.h>

#include <cmath>
#include <cstring>

namespace {

using Philox = simtrandStatePhilox4_32_10_t;
using Xorwow = simtrandStateXORWOW_t;

template <class State>
State started(unsigned long long seed, unsigned long long subsequence = 0,
              unsigned long long offset = 0) {
  State state;
  simtrand_init(seed, subsequence, offset, &state);
  return state;
}

std::vector<unsigned> words_of(uint4 four) { return {four.x, four.y, four.z, four.w}; }

/// Fills an array like PyTorch 2.6.0 (ATen/native/cuda/DistributionTemplates.h): each thread draws
/// four numbers at a time; they are stored one grid size apart.
template <class Draw>
__global__ void fill(int count, unsigned long long seed, float* out, Draw draw) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * gridDim.x;
  Philox state;
  simtrand_init(seed, index, 0, &state);
  for (int element = index; element < count; element += 4 * threads) {
    const float4 four = draw(&state);
    const float numbers[] = {four.x, four.y, four.z, four.w};
    for (int i = 0; i < 4; ++i) {
      if (element + i * threads < count) out[element + i * threads] = numbers[i];
    }
    __syncthreads();
  }
}

template <class Draw>
std::vector<float> filled(int count, Draw draw) {
  DeviceArray<float> out(count);
  SIMT_LAUNCH((fill<Draw>), (1), (256), (0), (nullptr), count, 0ull, out.data(), draw);
  REQUIRE_FINISHED();
  return out.values();
}

}  // namespace

TEST_CASE("Philox gives the known answers of Random123") {
  // Source: Random123 1.14.0, tests/kat_vectors, philox4x32 with 10 rounds.
  CHECK_EQ(words_of(simtrand_Philox4x32_10({0, 0, 0, 0}, {0, 0})),
           std::vector<unsigned>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr unsigned kOnes = 0xffffffff;
  CHECK_EQ(words_of(simtrand_Philox4x32_10({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes})),
           std::vector<unsigned>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK_EQ(words_of(simtrand_Philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                           {0xa4093822, 0x299f31d0})),
           std::vector<unsigned>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("Seed, subsequence and offset are Philox's key and the halves of its counter") {
  Philox state = started<Philox>(0x299f31d0a4093822, 0x0370734413198a2e);
  for (int i = 0; i < 4; ++i) {
    skipahead(0x85a308d3243f6a88, &state);  // four words a block
  }
  CHECK_EQ(words_of(simtrand4(&state)),
           std::vector<unsigned>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

  Philox last = started<Philox>(~0ull, ~0ull);
  for (int i = 0; i < 4; ++i) {
    skipahead(~0ull, &last);
  }
  CHECK_EQ(words_of(simtrand4(&last)),
           std::vector<unsigned>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
}

TEST_CASE("Words of Philox one by one, in fours and skipped to are the same") {
  std::vector<unsigned> words;
  Philox stepped = started<Philox>(7, 3);
  for (int i = 0; i < 64; ++i) words.push_back(simtrand(&stepped));
  for (int offset = 0; offset < 40; ++offset) {
    CAPTURE(offset);
    Philox at_offset = started<Philox>(7, 3, offset);
    CHECK_EQ(simtrand(&at_offset), words[offset]);
    Philox skipped = started<Philox>(7, 3, offset / 2);
    skipahead(offset - offset / 2, &skipped);
    for (int i = 0; i < 3; ++i) {
      const int first = offset + 4 * i;
      CHECK_EQ(words_of(simtrand4(&skipped)),
               std::vector<unsigned>(words.begin() + first, words.begin() + first + 4));
    }
  }
}

TEST_CASE("The carry of Philox's offset goes into the subsequence") {
  Philox state = started<Philox>(5);
  for (int i = 0; i < 4; ++i) {
    skipahead(~0ull, &state);
  }
  skipahead(4, &state);  // 2^66 words in all
  Philox next = started<Philox>(5, 1);
  CHECK_EQ(simtrand(&state), simtrand(&next));
}

TEST_CASE("XORWOW starts as cuRAND's") {
  // Source: first words after curand_init(seed, 0, 0), from PocketWorld's tests of COLMAP's patch
  // match.
  Xorwow zero = started<Xorwow>(0);
  Xorwow one = started<Xorwow>(1);
  Xorwow other = started<Xorwow>(512);
  CHECK_EQ(simtrand(&zero), 3179217846u);
  CHECK_EQ(simtrand(&one), 2898200796u);
  CHECK_EQ(simtrand(&other), 1627530550u);
  // Source: libcurand 10.3.5 of CUDA 12.4. Its XORWOW generator returns the first words of
  // subsequences 0, 1, 2, 3.
  const unsigned first_words[] = {0x11ece47f, 0x28ff4cc2, 0x6ba5a19e, 0x938d0a4a};
  for (int subsequence = 0; subsequence < 4; ++subsequence) {
    Xorwow state = started<Xorwow>(42, subsequence);
    CHECK_EQ(simtrand(&state), first_words[subsequence]);
  }
}

TEST_CASE("A skip of XORWOW equals as many steps") {
  Xorwow stepped = started<Xorwow>(9, 2);
  for (int steps = 0; steps <= 300; ++steps) {
    Xorwow skipped = started<Xorwow>(9, 2, steps);
    REQUIRE_EQ(skipped.d, stepped.d);
    REQUIRE_EQ(std::memcmp(skipped.v, stepped.v, sizeof skipped.v), 0);
    simtrand(&stepped);
  }
  // 32 times 2^62 words are one subsequence, and skips of subsequences add up.
  Xorwow by_words = started<Xorwow>(9);
  for (int i = 0; i < 32; ++i) skipahead(1ull << 62, &by_words);
  Xorwow by_sequence = started<Xorwow>(9, 1);
  CHECK_EQ(simtrand(&by_words), simtrand(&by_sequence));
  Xorwow far = started<Xorwow>(9, 0xfedcba9876543210);
  Xorwow near = started<Xorwow>(9, 0x0edcba9876543210);
  skipahead_sequence(0xf000000000000000, &near);
  CHECK_EQ(simtrand(&far), simtrand(&near));
}

TEST_CASE("Uniform numbers are exact and in (0, 1]") {
  CHECK_EQ(simtrt::rng::uniform(0u), 0x1p-33f);
  CHECK_EQ(simtrt::rng::uniform(0x80000000u), 0.5f);  // 2^-33 is lost in rounding
  CHECK_EQ(simtrt::rng::uniform(0xffffffffu), 1.0f);
  CHECK_EQ(simtrt::rng::uniform_double(0u), 0x1p-32);
  CHECK_EQ(simtrt::rng::uniform_double(0xffffffffu), 1.0);
  CHECK_EQ(simtrt::rng::uniform_double(0u, 0u), 0x1p-54);
  CHECK_EQ(simtrt::rng::uniform_double(1u, 0u), 0x1.8p-53);
  CHECK_EQ(simtrt::rng::uniform_double(0u, 0x80000000u), 0.5);  // 2^-54 is lost in rounding
  // Eleven bits of the two words overlap, and cancel for equal words.
  CHECK_EQ(simtrt::rng::uniform_double(0xffffffffu, 0xffffffffu), 1.0 - 0x1p-21 + 0x1p-32);

  // The first block of seed 0, known from Random123.
  Philox state = started<Philox>(0);
  CHECK_EQ(simtrand_uniform_double(&state), (0x6627e8d5 + 1.0) / 4294967296.0);
  state = started<Philox>(0);
  CHECK_EQ(simtrand_uniform2_double(&state).y,
           (static_cast<double>(0xbc57ac4cull ^ (0x9b00dbd8ull << 21)) + 0.5) / 0x1p53);
}

TEST_CASE("torch.rand and torch.randn of seed 0 are CUDA's") {
  // Source: torch.manual_seed(0); torch.rand(8, device="cuda"), and the same with randn(4), on
  // NVIDIA devices. The uniform numbers are also in TensorRT-LLM's tests of its functional rand.
  const std::vector<float> uniform =
      filled(8, [](Philox* state) { return simtrand_uniform4(state); });
  const float rand[] = {0.3990f, 0.5167f, 0.0249f, 0.9401f, 0.9459f, 0.7967f, 0.4150f, 0.8203f};
  for (int i = 0; i < 8; ++i) CHECK_EQ(std::round(uniform[i] * 1e4f), std::round(rand[i] * 1e4f));

  const std::vector<float> normal =
      filled(4, [](Philox* state) { return simtrand_normal4(state); });
  const float randn[] = {-0.9247f, -0.4253f, -2.6438f, 0.1452f};
  for (int i = 0; i < 4; ++i) CHECK_EQ(std::round(normal[i] * 1e4f), std::round(randn[i] * 1e4f));
}

TEST_CASE_TEMPLATE("Normal numbers are the Box-Muller method on the next words", State, Philox,
                   Xorwow) {
  const double kTurn = 2 * std::acos(-1.0);
  State state = started<State>(11, 4);
  State words = state;
  for (int i = 0; i < 1000; ++i) {
    const float2 pair = simtrand_normal2(&state);
    const double u = (simtrand(&words) + 0.5) / 0x1p32;
    const double angle = (simtrand(&words) + 0.5) / 0x1p32 * kTurn;
    const double radius = std::sqrt(-2 * std::log(u));
    // The error of a float angle below 2 pi is at most 2^-22; the relative error of the radius is
    // about 2^-23.
    CHECK(std::abs(pair.x - radius * std::sin(angle)) <= 1e-6 * (radius + 1));
    CHECK(std::abs(pair.y - radius * std::cos(angle)) <= 1e-6 * (radius + 1));
  }

  state = started<State>(11, 4);
  words = state;
  for (int i = 0; i < 1000; ++i) {
    const double2 pair = simtrand_normal2_double(&state);
    std::uint64_t word[4];
    for (std::uint64_t& each : word) each = simtrand(&words);
    const double u = (static_cast<double>(word[0] ^ (word[1] << 21)) + 0.5) / 0x1p53;
    const double angle = (static_cast<double>(word[2] ^ (word[3] << 21)) + 0.5) / 0x1p53 * kTurn;
    const double radius = std::sqrt(-2 * std::log(u));
    CHECK(std::abs(pair.x - radius * std::sin(angle)) <= 2e-15 * (radius + 1));
    CHECK(std::abs(pair.y - radius * std::cos(angle)) <= 2e-15 * (radius + 1));
  }
}

TEST_CASE_TEMPLATE("One normal number at a time is a pair in two calls", State, Philox, Xorwow) {
  State state = started<State>(3);
  State pairs = state;
  for (int i = 0; i < 5; ++i) {
    const float2 pair = simtrand_normal2(&pairs);
    CHECK_EQ(simtrand_normal(&state), pair.x);
    CHECK_EQ(simtrand_normal(&state), pair.y);
  }
  for (int i = 0; i < 5; ++i) {
    const double2 pair = simtrand_log_normal2_double(&pairs, 0.5, 1.5);
    CHECK_EQ(simtrand_log_normal_double(&state, 0.5, 1.5), pair.x);
    CHECK_EQ(simtrand_log_normal_double(&state, 0.5, 1.5), pair.y);
  }
}

TEST_CASE("Log-normal numbers are the exponentials of normal ones") {
  Philox state = started<Philox>(21);
  Philox normals = state;
  for (int i = 0; i < 100; ++i) {
    const double2 pair = simtrand_log_normal2_double(&state, 0.5, 1.5);
    const double2 normal = simtrand_normal2_double(&normals);
    CHECK_EQ(std::log(pair.x), doctest::Approx(0.5 + 1.5 * normal.x).epsilon(1e-13));
    CHECK_EQ(std::log(pair.y), doctest::Approx(0.5 + 1.5 * normal.y).epsilon(1e-13));
    const float4 four = simtrand_log_normal4(&state, 0.5f, 1.5f);
    const float4 normal4 = simtrand_normal4(&normals);
    CHECK_EQ(std::log(four.x), doctest::Approx(0.5f + 1.5f * normal4.x).epsilon(1e-5));
    CHECK_EQ(std::log(four.w), doctest::Approx(0.5f + 1.5f * normal4.w).epsilon(1e-5));
  }
}

TEST_CASE("A log-normal number does not use the stored number of a normal pair") {
  Philox state = started<Philox>(8);
  const float normal = simtrand_normal(&state);
  Philox fresh = started<Philox>(8, 0, 2);
  CHECK_EQ(simtrand_log_normal(&state, 0.0f, 1.0f), simtrand_log_normal(&fresh, 0.0f, 1.0f));
  CHECK_NE(normal, 0.0f);
}

TEST_CASE("Numbers in fours take the words that numbers in pairs take") {
  Philox fours = started<Philox>(30, 1, 3);
  Philox pairs = fours;
  const float4 normal = simtrand_normal4(&fours);
  const float2 first = simtrand_normal2(&pairs);
  const float2 second = simtrand_normal2(&pairs);
  CHECK_EQ(normal.x, first.x);
  CHECK_EQ(normal.y, first.y);
  CHECK_EQ(normal.z, second.x);
  CHECK_EQ(normal.w, second.y);
  const double4 normal_double = simtrand_normal4_double(&fours);
  simtrand_normal2_double(&pairs);
  CHECK_EQ(normal_double.w, simtrand_normal2_double(&pairs).y);
  const double4 uniform = simtrand_uniform4_double(&fours);
  CHECK_EQ(uniform.x, simtrand_uniform2_double(&pairs).x);
  CHECK_EQ(uniform.w, simtrand_uniform2_double(&pairs).y);
  const double4 log_normal = simtrand_log_normal4_double(&fours, 0.0, 1.0);
  CHECK_EQ(log_normal.x, simtrand_log_normal2_double(&pairs, 0.0, 1.0).x);
}

TEST_CASE("Poisson numbers below 64 count the factors of a product of uniform ones") {
  Philox state = started<Philox>(17);
  Philox uniforms = state;
  for (int i = 0; i < 200; ++i) {
    unsigned expected = 0;
    double sum = std::log(simtrand_uniform(&uniforms));
    while (sum > -10.0) {
      ++expected;
      sum += std::log(simtrand_uniform(&uniforms));
    }
    REQUIRE_EQ(simtrand_poisson(&state, 10.0), expected);
  }
}

TEST_CASE_TEMPLATE("Poisson numbers have the mean and the variance of their distribution", State,
                   Philox, Xorwow) {
  for (const double lambda : {0.5, 10.0, 63.0, 64.0, 1000.0, 4000.0, 5000.0}) {
    CAPTURE(lambda);
    constexpr int kCount = 20000;
    State state = started<State>(2, 6);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kCount; ++i) {
      const double deviation = simtrand_poisson(&state, lambda) - lambda;
      sum += deviation;
      squares += deviation * deviation;
    }
    // The mean must be within five standard errors. The fourth central moment is lambda + 3
    // lambda^2.
    CHECK(std::abs(sum / kCount) <= 5 * std::sqrt(lambda / kCount));
    CHECK(std::abs(squares / kCount - lambda) <=
          5 * std::sqrt((lambda + 2 * lambda * lambda) / kCount));
  }
}

TEST_CASE("Four Poisson numbers equal four single ones") {
  for (const double lambda : {3.0, 100.0}) {
    Philox fours = started<Philox>(12);
    Philox ones = fours;
    const uint4 four = simtrand_poisson4(&fours, lambda);
    for (const unsigned number : words_of(four)) {
      CHECK_EQ(simtrand_poisson(&ones, lambda), number);
    }
  }
  Philox fours = started<Philox>(12);
  Philox normals = fours;
  const uint4 four = simtrand_poisson4(&fours, 1e6);
  const double4 normal = simtrand_normal4_double(&normals);
  CHECK_EQ(four.w, static_cast<unsigned>(std::floor(1e6 + 1e3 * normal.w + 0.5)));
}

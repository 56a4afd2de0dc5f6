// simt_reduce.h: sums of the values of one thread.
#include "kernel_test.h"

#include <simt_reduce.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace {

/// A value with its place: the sum of two is the larger one, or the earlier of equal ones.
struct Largest {
  float value;
  std::uint32_t at;
};
Largest larger(const Largest& one, const Largest& other) {
  if (one.value != other.value) return one.value > other.value ? one : other;
  return one.at < other.at ? one : other;
}
constexpr Largest kNone{-INFINITY, ~0U};

const auto add = [](long sum, int value, std::uint32_t) { return sum + value; };
const auto place = [](const Largest& sum, float value, std::uint32_t at) { return larger(sum, {value, at}); };

std::vector<int> numbers(std::uint32_t count) {
  std::mt19937 random(count);
  std::vector<int> made(count);
  for (int& one : made) one = static_cast<int>(random() % 1000);
  return made;
}

}  // namespace

TEST_CASE("a row's sum has each value once") {
  for (std::uint32_t length = 0; length < 200; ++length) {
    const auto values = numbers(length);
    CHECK(simtrt::reduce_row(0L, values.data(), length, add, std::plus<>()) ==
          std::accumulate(values.begin(), values.end(), 0L));
  }
}

TEST_CASE("the largest value of a row is the first of equal ones") {
  for (const std::uint32_t length : {1U, 3U, 4U, 17U, 64U, 1001U}) {
    std::vector<float> values(length);
    for (std::uint32_t at = 0; at < length; ++at) values[at] = static_cast<float>(at % 7);
    const Largest found = simtrt::reduce_row(kNone, values.data(), length, place, larger);
    CHECK(found.value == std::min(6.0f, static_cast<float>(length - 1)));
    CHECK(found.at == std::min(6U, length - 1));
  }
}

TEST_CASE("threads share the whole vectors of a row") {
  for (const std::uint32_t threads : {1U, 4U, 32U, 33U}) {
    for (const std::uint32_t length : {0U, 3U, 4U, 64U, 127U, 128U, 131U, 4096U, 5000U}) {
      const auto values = numbers(length);
      long sum = 0;
      for (std::uint32_t thread = 0; thread < threads; ++thread) {
        long sums[4] = {};
        const std::uint32_t next =
            simtrt::reduce_neighbours(sums, 0L, values.data(), thread, threads, length, add, std::plus<>());
        CHECK(next * 4 + 3 >= length);  // PyTorch's loop has nothing left
        sum += sums[0] + sums[1] + sums[2] + sums[3];
      }
      CHECK(sum == std::accumulate(values.begin(), values.begin() + length / 4 * 4, 0L));
    }
  }
}

TEST_CASE("four threads share a short row of vectors, if it has so many") {
  CHECK(simtrt::vector_threads(3) == 3);
  CHECK(simtrt::vector_threads(1000) == 4);
  CHECK(simtrt::vector_threads(1 << 20) == 1 << 20);
}

TEST_CASE("the sum of a long row of floats has no larger error than a thread's in CUDA") {
  // CUDA's 512 threads have four sums each.
  const std::uint32_t length = 1 << 20;
  const std::vector<float> values(length, 0.1f);
  const auto add_float = [](float sum, float value, std::uint32_t) { return sum + value; };
  const double exact = 0.1f * static_cast<double>(length);
  double sum = 0;
  for (std::uint32_t thread = 0; thread < 64; ++thread) {
    float sums[4] = {};
    simtrt::reduce_neighbours(sums, 0.0f, values.data(), thread, 64U, length, add_float, std::plus<>());
    for (const float one : sums) sum += static_cast<double>(one);
  }
  CHECK(std::abs(sum - exact) / exact < 1e-5);
}

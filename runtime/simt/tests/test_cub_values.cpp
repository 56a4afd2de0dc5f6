// cub's histograms, iterators, traits and function objects.
#include "cub_test.h"

#include <cub/cub.cuh>

#include <limits>

namespace {

struct Halve {
  __device__ int operator()(int value) const { return value / 2; }
};

TEST_CASE("cub::DeviceHistogram: even bins, given bins, and channels of pixels in rows") {
  const int n = 10007;
  const std::vector<float> values = random_values<float>(n, -20, 120);
  const DeviceArray<float> in(values);
  const DeviceArray<int> counts(10, -1);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(temp, bytes, in.data(), counts.data(), 11, 0.0f,
                                               100.0f, n);
  });
  std::vector<int> expected(10);
  for (const float value : values) {
    if (value >= 0 && value < 100) ++expected[static_cast<int>(value) / 10];
  }
  CHECK_EQ(counts.values(), expected);

  const std::vector<float> levels = {-10, 0, 1, 50, 99};
  const DeviceArray<float> levels_in(levels);
  const DeviceArray<int> four(4, -1);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramRange(temp, bytes, in.data(), four.data(), 5,
                                                levels_in.data(), n);
  });
  expected.assign(4, 0);
  for (const float value : values) {
    for (int i = 0; i < 4; ++i) expected[i] += value >= levels[i] && value < levels[i + 1];
  }
  CHECK_EQ(four.values(), expected);

  // 5 rows of 7 pixels with 4 channels, of which 3 are counted; rows begin 32 bytes apart.
  const std::vector<unsigned char> pixels = random_values<unsigned char>(5 * 32, 0, 255);
  const DeviceArray<unsigned char> pixels_in(pixels);
  const DeviceArray<int> red(256), green(256), blue(256);
  int* histograms[3] = {red.data(), green.data(), blue.data()};
  int num_levels[3] = {257, 257, 257};
  int lower[3] = {0, 0, 0};
  int upper[3] = {256, 256, 256};
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceHistogram::MultiHistogramEven<4, 3>(
        temp, bytes, pixels_in.data(), histograms, num_levels, lower, upper, 7, 5, std::size_t(32));
  });
  std::vector<std::vector<int>> by_channel(3, std::vector<int>(256));
  for (int row = 0; row < 5; ++row) {
    for (int pixel = 0; pixel < 7; ++pixel) {
      for (int channel = 0; channel < 3; ++channel) {
        ++by_channel[channel][pixels[row * 32 + pixel * 4 + channel]];
      }
    }
  }
  CHECK_EQ(red.values(), by_channel[0]);
  CHECK_EQ(green.values(), by_channel[1]);
  CHECK_EQ(blue.values(), by_channel[2]);
}

TEST_CASE("cub's iterators: their values, and use as inputs of an algorithm") {
  const int values[] = {10, 11, 12, 13};
  cub::CountingInputIterator<int> counting(5);
  CHECK_EQ(counting[3], 8);
  CHECK_EQ(*(counting + 2), 7);
  cub::ConstantInputIterator<int> constant(4);
  CHECK_EQ(constant[100], 4);
  cub::TransformInputIterator<int, Halve, const int*> transformed(values, Halve());
  CHECK_EQ(transformed[3], 6);
  CHECK_EQ(*++transformed, 5);
  cub::ArgIndexInputIterator<const int*> indexed(values);
  CHECK_EQ(indexed[2].key, 2);
  CHECK_EQ(indexed[2].value, 12);
  CHECK_EQ((indexed + 3)->key, 3);
  cub::DiscardOutputIterator<> discard;
  discard[7] = 3;
  *++discard = 4;
  static_assert(std::is_same<std::iterator_traits<decltype(indexed)>::value_type,
                             cub::KeyValuePair<std::ptrdiff_t, int>>::value);

  // The sum of the halves of 0 to 9 is 20.
  cub::TransformInputIterator<int, Halve, cub::CountingInputIterator<int>> halves(
      cub::CountingInputIterator<int>(0), Halve());
  const DeviceArray<int> sum(1);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(temp, bytes, halves, sum.data(), 10);
  });
  CHECK_EQ(sum.values()[0], 20);
}

TEST_CASE("cub: logarithms, extremes of types, and functions of two values") {
  static_assert(cub::Log2<1>::VALUE == 0 && cub::Log2<8>::VALUE == 3 && cub::Log2<9>::VALUE == 4);
  static_assert(cub::PowerOfTwo<64>::VALUE && !cub::PowerOfTwo<48>::VALUE);
  static_assert(cub::Traits<float>::CATEGORY == cub::FLOATING_POINT);
  static_assert(cub::Traits<int>::MAX_KEY == 0x7FFFFFFFu &&
                cub::Traits<int>::LOWEST_KEY == 0x80000000u);
  CHECK_EQ(cub::Traits<short>::Max(), 32767);
  CHECK_EQ(cub::Traits<signed char>::Lowest(), -128);
  CHECK_EQ(__half2float(cub::Traits<__half>::Max()), 65504.0f);  // IEEE 754 binary16
  CHECK_EQ(cub::Traits<double>::Lowest(), std::numeric_limits<double>::lowest());
  CHECK_EQ(cub::Max()(3, 4.5), 4.5);
  CHECK_EQ(cub::Min()(3, 4), 3);
  CHECK_EQ(cub::Division()(9, 3), 3);
  CHECK(cub::Inequality()(1, 2));
}

}  // namespace

// cub's radix sorts against std::stable_sort.
#include "cub_test.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace {

/// Positions of `keys` in stable sorted order.
template <class Key, class Less>
std::vector<int> sorted_places(const std::vector<Key>& keys, Less less) {
  std::vector<int> places(keys.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](int a, int b) { return less(keys[a], keys[b]); });
  return places;
}

template <class Key>
void check_pairs(const std::vector<Key>& keys) {
  const int n = static_cast<int>(keys.size());
  std::vector<int> values(keys.size());
  std::iota(values.begin(), values.end(), 0);
  const DeviceArray<Key> keys_in(keys);
  const DeviceArray<Key> keys_out(n);
  const DeviceArray<int> values_in(values);
  const DeviceArray<int> values_out(n);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(temp, bytes, keys_in.data(), keys_out.data(),
                                           values_in.data(), values_out.data(), n);
  });
  CHECK_EQ(values_out.values(), sorted_places(keys, std::less<Key>()));
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairsDescending(temp, bytes, keys_in.data(), keys_out.data(),
                                                     values_in.data(), values_out.data(), n);
  });
  const std::vector<int> places = sorted_places(keys, std::greater<Key>());
  CHECK_EQ(values_out.values(), places);
  const std::vector<Key> sorted = keys_out.values();
  for (int i = 0; i < n; ++i) REQUIRE_EQ(sorted[i], keys[places[i]]);
}

TEST_CASE("cub::DeviceRadixSort: pairs of every type of key, stable, both ways") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    check_pairs(random_values<signed char>(n, -128, 127));
    check_pairs(random_values<unsigned short>(n, 0, 65535));
    check_pairs(random_values<int>(n, -5, 5));
    check_pairs(random_values<unsigned int>(n, 0, 0xFFFFFFFFLL));
    check_pairs(random_values<long long>(n, std::numeric_limits<long long>::min(),
                                         std::numeric_limits<long long>::max()));
    check_pairs(random_values<float>(n, -1000000, 1000000));
    check_pairs(random_values<double>(n, -50, 50));
  }
}

TEST_CASE("cub::DeviceRadixSort: infinities, NaNs and signed zeros") {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const DeviceArray<float> in(
      std::vector<float>{nan, 0.0f, -0.0f, inf, -nan, 1.0f, -0.0f, -inf, 0.0f});
  const DeviceArray<float> out(9);
  const DeviceArray<int> from(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  const DeviceArray<int> places(9);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(temp, bytes, in.data(), out.data(), from.data(),
                                           places.data(), 9);
  });
  // Expected order, by bits: negative NaNs before -inf, positive NaNs after inf; zeros are equal,
  // and keep their order and signs.
  CHECK_EQ(places.values(), std::vector<int>{4, 7, 1, 2, 6, 8, 5, 3, 0});
  CHECK(std::signbit(out.values()[3]));
  CHECK_FALSE(std::signbit(out.values()[5]));
}

TEST_CASE("cub::DeviceRadixSort: half and bfloat16 are ordered by value") {
  const int n = 3000;
  const std::vector<float> numbers = random_values<float>(n, -2000, 2000);
  std::vector<__half> halves;
  std::vector<__nv_bfloat16> bfloats;
  for (const float x : numbers) {
    halves.push_back(__float2half(x));
    bfloats.push_back(__float2bfloat16(x));
  }
  const DeviceArray<__half> half_in(halves), half_out(halves);
  const DeviceArray<__nv_bfloat16> bfloat_in(bfloats), bfloat_out(bfloats);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(temp, bytes, half_in.data(), half_out.data(), n);
  });
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(temp, bytes, bfloat_in.data(),
                                                    bfloat_out.data(), n);
  });
  const std::vector<__half> sorted_halves = half_out.values();
  const std::vector<__nv_bfloat16> sorted_bfloats = bfloat_out.values();
  std::vector<float> got_half, got_bfloat, want_half, want_bfloat;
  for (int i = 0; i < n; ++i) {
    got_half.push_back(__half2float(sorted_halves[i]));
    want_half.push_back(__half2float(halves[i]));
    got_bfloat.push_back(__bfloat162float(sorted_bfloats[i]));
    want_bfloat.push_back(__bfloat162float(bfloats[i]));
  }
  std::sort(want_half.begin(), want_half.end());
  std::sort(want_bfloat.begin(), want_bfloat.end(), std::greater<float>());
  CHECK_EQ(got_half, want_half);
  CHECK_EQ(got_bfloat, want_bfloat);
}

TEST_CASE("cub::DeviceRadixSort: only the requested bits determine the order") {
  const int n = 20000;
  const std::vector<unsigned int> keys = random_values<unsigned int>(n, 0, 0xFFFFFFFFLL);
  const DeviceArray<unsigned int> in(keys);
  const DeviceArray<unsigned int> out(n);
  for (const auto& [begin, end] : {std::pair<int, int>{4, 12}, {0, 1}, {13, 32}, {5, 5}}) {
    CAPTURE(begin);
    CAPTURE(end);
    const int first = begin;
    const unsigned int mask = begin == end ? 0 : ~0U >> (32 - (end - begin));
    in_two_phases([&, begin = begin, end = end](void* temp, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(temp, bytes, in.data(), out.data(), n, begin, end);
    });
    std::vector<unsigned int> expected = keys;
    std::stable_sort(expected.begin(), expected.end(), [&](unsigned int a, unsigned int b) {
      return (a >> first & mask) < (b >> first & mask);
    });
    CHECK_EQ(out.values(), expected);
  }
}

TEST_CASE("cub::DeviceRadixSort: a sort makes the other buffer of a double buffer current") {
  const DeviceArray<int> a(std::vector<int>{3, 1, 2});
  const DeviceArray<int> b(3);
  cub::DoubleBuffer<int> keys(a.data(), b.data());
  std::size_t bytes = 0;
  REQUIRE_OK(cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, 3));
  CHECK_EQ(keys.Current(), a.data());
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(temp, bytes, keys, 3);
  });
  CHECK_EQ(keys.Current(), b.data());
  CHECK_EQ(b.values(), std::vector<int>{1, 2, 3});
}

TEST_CASE("cub::DeviceSegmentedRadixSort: sorts each segment, and leaves the rest unchanged") {
  const int n = 4000;
  const std::vector<float> keys = random_values<float>(n, -100, 100);
  std::vector<int> values(keys.size());
  std::iota(values.begin(), values.end(), 0);
  // Gaps between the segments, and an empty one.
  const std::vector<int> begins = {0, 100, 101, 500, 1700, 3000};
  const std::vector<int> ends = {90, 101, 101, 1500, 2999, 4000};
  const DeviceArray<float> keys_in(keys), keys_out(n, -7.0f);
  const DeviceArray<int> values_in(values), values_out(n, -7);
  const DeviceArray<int> at(begins), to(ends);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceSegmentedRadixSort::SortPairsDescending(
        temp, bytes, keys_in.data(), keys_out.data(), values_in.data(), values_out.data(), n, 6,
        at.data(), to.data());
  });
  std::vector<float> expected_keys(keys.size(), -7.0f);
  std::vector<int> expected_values(keys.size(), -7);
  for (std::size_t s = 0; s < begins.size(); ++s) {
    const std::vector<float> part(keys.begin() + begins[s], keys.begin() + ends[s]);
    const std::vector<int> places = sorted_places(part, std::greater<float>());
    for (std::size_t i = 0; i < part.size(); ++i) {
      expected_keys[begins[s] + i] = part[places[i]];
      expected_values[begins[s] + i] = begins[s] + places[i];
    }
  }
  CHECK_EQ(keys_out.values(), expected_keys);
  CHECK_EQ(values_out.values(), expected_values);
}

template <int THREADS, int ITEMS>
__global__ void sort_block(const float* keys, float* out_keys, int* out_places, bool descending,
                           bool striped) {
  using Sort = cub::BlockRadixSort<float, THREADS, ITEMS, int>;
  __shared__ typename Sort::TempStorage storage;
  float key[ITEMS];
  int place[ITEMS];
  const int tile = blockIdx.x * THREADS * ITEMS;
  for (int i = 0; i < ITEMS; ++i) {
    place[i] = threadIdx.x * ITEMS + i;
    key[i] = keys[tile + place[i]];
  }
  if (striped && descending) {
    Sort(storage).SortDescendingBlockedToStriped(key, place);
  } else if (striped) {
    Sort(storage).SortBlockedToStriped(key, place);
  } else if (descending) {
    Sort(storage).SortDescending(key, place);
  } else {
    Sort(storage).Sort(key, place);
  }
  for (int i = 0; i < ITEMS; ++i) {
    const int at = tile + (striped ? i * THREADS + threadIdx.x : threadIdx.x * ITEMS + i);
    out_keys[at] = key[i];
    out_places[at] = place[i];
  }
}

template <int THREADS, int ITEMS>
void check_sort_block() {
  constexpr int kBlocks = 3;
  constexpr int kTile = THREADS * ITEMS;
  CAPTURE(THREADS);
  CAPTURE(ITEMS);
  const std::vector<float> keys = random_values<float>(kBlocks * kTile, -30, 30);
  const DeviceArray<float> in(keys);
  for (const bool descending : {false, true}) {
    for (const bool striped : {false, true}) {
      const DeviceArray<float> out(kBlocks * kTile);
      const DeviceArray<int> places(kBlocks * kTile);
      SIMT_LAUNCH((sort_block<THREADS, ITEMS>), (kBlocks), (THREADS), (0), (0), in.data(),
                  out.data(), places.data(), descending, striped);
      REQUIRE_FINISHED();
      const std::vector<int> got = places.values();
      const std::vector<float> got_keys = out.values();
      for (int b = 0; b < kBlocks; ++b) {
        const std::vector<float> tile(keys.begin() + b * kTile, keys.begin() + (b + 1) * kTile);
        const std::vector<int> expected = descending ? sorted_places(tile, std::greater<float>())
                                                     : sorted_places(tile, std::less<float>());
        CHECK_EQ(std::vector<int>(got.begin() + b * kTile, got.begin() + (b + 1) * kTile),
                 expected);
        for (int i = 0; i < kTile; ++i) REQUIRE_EQ(got_keys[b * kTile + i], tile[expected[i]]);
      }
    }
  }
}

TEST_CASE("cub::BlockRadixSort: pairs, both ways, blocked and striped") {
  check_sort_block<1, 1>();
  check_sort_block<32, 4>();
  check_sort_block<96, 5>();
  check_sort_block<256, 3>();
}

}  // namespace

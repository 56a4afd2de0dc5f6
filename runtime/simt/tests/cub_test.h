// Code shared by the tests of cub and thrust: edge-case sizes, random data, calls in two phases.
#pragma once

#include "kernel_test.h"

#include <cstdint>
#include <random>
#include <type_traits>

/// Numbers of items: none, one, near the size of a warp, near the size of a chunk of the
/// device-wide algorithms, and several chunks.
inline const std::vector<int> kAwkwardSizes = {0, 1, 2, 31, 33, 1000, 16383, 16384, 16385, 50021};

/// Random integers in [low, high]. They are the same in every run.
template <class T>
std::vector<T> random_values(int count, long long low, long long high, unsigned seed = 1) {
  std::mt19937_64 engine(seed);
  std::uniform_int_distribution<long long> distribution(low, high);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) value = static_cast<T>(distribution(engine));
  return values;
}

/// Calls `algorithm(temp_storage, temp_storage_bytes)` twice, as cub requires: to query the size,
/// and then with storage.
template <class Algorithm>
void in_two_phases(Algorithm algorithm) {
  std::size_t bytes = 0;
  REQUIRE_OK(algorithm(nullptr, bytes));
  REQUIRE_GT(bytes, 0);
  const DeviceArray<char> storage(bytes);
  REQUIRE_OK(algorithm(static_cast<void*>(storage.data()), bytes));
  REQUIRE_OK(simtDeviceSynchronize());
}

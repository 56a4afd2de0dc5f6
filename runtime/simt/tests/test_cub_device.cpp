// cub's device-wide algorithms against loops over the same data.
#include "cub_test.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace {

struct IsOdd {
  __device__ bool operator()(int value) { return value % 2 != 0; }
};

/// 2x2 matrices modulo a prime, so that the numbers stay small. Their product is associative, but
/// not commutative.
struct Matrix {
  std::uint64_t a, b, c, d;
  friend bool operator==(const Matrix& x, const Matrix& y) {
    return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
  }
};
struct Multiply {
  __host__ __device__ Matrix operator()(const Matrix& x, const Matrix& y) const {
    constexpr std::uint64_t kPrime = 1000003;
    return {(x.a * y.a + x.b * y.c) % kPrime, (x.a * y.b + x.b * y.d) % kPrime,
            (x.c * y.a + x.d * y.c) % kPrime, (x.c * y.b + x.d * y.d) % kPrime};
  }
};
std::vector<Matrix> random_matrices(int count) {
  const std::vector<std::uint64_t> numbers = random_values<std::uint64_t>(4 * count, 0, 1000002);
  std::vector<Matrix> matrices;
  for (int i = 0; i < count; ++i) {
    matrices.push_back(
        {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]});
  }
  return matrices;
}

TEST_CASE("cub::DeviceReduce: sum, extremes, and an operation that does not commute") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const std::vector<int> values = random_values<int>(n, -1000, 1000);
    const DeviceArray<int> in(values);
    const DeviceArray<long long> sum(1);
    const DeviceArray<int> extreme(1);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(temp, bytes, in.data(), sum.data(), n);
    });
    CHECK_EQ(sum.values()[0], std::accumulate(values.begin(), values.end(), 0LL));
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceReduce::Max(temp, bytes, in.data(), extreme.data(), n);
    });
    CHECK_EQ(extreme.values()[0], n == 0 ? std::numeric_limits<int>::lowest()
                                         : *std::max_element(values.begin(), values.end()));
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceReduce::Min(temp, bytes, in.data(), extreme.data(), n);
    });
    CHECK_EQ(extreme.values()[0], n == 0 ? std::numeric_limits<int>::max()
                                         : *std::min_element(values.begin(), values.end()));

    const std::vector<Matrix> matrices = random_matrices(n);
    const DeviceArray<Matrix> matrix_in(matrices);
    const DeviceArray<Matrix> product(1);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceReduce::Reduce(temp, bytes, matrix_in.data(), product.data(), n, Multiply(),
                                       Matrix{1, 0, 0, 1});
    });
    CHECK(product.values()[0] ==
          std::accumulate(matrices.begin(), matrices.end(), Matrix{1, 0, 0, 1}, Multiply()));
  }
}

TEST_CASE("cub::DeviceReduce: the first of equal extremes is found, with its index") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const std::vector<int> values = random_values<int>(n, 0, 50);
    const DeviceArray<int> in(values);
    const DeviceArray<cub::KeyValuePair<int, int>> out(1);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceReduce::ArgMin(temp, bytes, in.data(), out.data(), n);
    });
    const auto smallest = std::min_element(values.begin(), values.end());
    CHECK_EQ(out.values()[0].key, n == 0 ? 1 : smallest - values.begin());
    CHECK_EQ(out.values()[0].value, n == 0 ? std::numeric_limits<int>::max() : *smallest);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceReduce::ArgMax(temp, bytes, in.data(), out.data(), n);
    });
    const auto largest = std::max_element(values.begin(), values.end());
    CHECK_EQ(out.values()[0].key, n == 0 ? 1 : largest - values.begin());
    CHECK_EQ(out.values()[0].value, n == 0 ? std::numeric_limits<int>::lowest() : *largest);
  }
}

TEST_CASE("cub::DeviceReduce::ReduceByKey: one value for each run of keys") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const std::vector<int> keys = random_values<int>(n, 0, 3);
    const std::vector<int> values = random_values<int>(n, -10, 10, 2);
    std::vector<int> unique;
    std::vector<int> sums;
    for (int i = 0; i < n; ++i) {
      if (i == 0 || keys[i] != keys[i - 1]) {
        unique.push_back(keys[i]);
        sums.push_back(0);
      }
      sums.back() += values[i];
    }
    const DeviceArray<int> keys_in(keys);
    const DeviceArray<int> values_in(values);
    const DeviceArray<int> unique_out(n);
    const DeviceArray<int> sums_out(n);
    const DeviceArray<int> runs(1);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceReduce::ReduceByKey(temp, bytes, keys_in.data(), unique_out.data(),
                                            values_in.data(), sums_out.data(), runs.data(),
                                            cub::Sum(), n);
    });
    REQUIRE_EQ(runs.values()[0], unique.size());
    std::vector<int> got = unique_out.values();
    got.resize(unique.size());
    CHECK_EQ(got, unique);
    got = sums_out.values();
    got.resize(sums.size());
    CHECK_EQ(got, sums);
  }
}

TEST_CASE("cub::DeviceScan: sums, in place, and an operation that does not commute") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const std::vector<int> values = random_values<int>(n, -1000, 1000);
    std::vector<int> inclusive(values.size());
    std::vector<int> exclusive(values.size());
    std::partial_sum(values.begin(), values.end(), inclusive.begin());
    std::exclusive_scan(values.begin(), values.end(), exclusive.begin(), 0);

    const DeviceArray<int> in(values);
    const DeviceArray<int> out(n);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(temp, bytes, in.data(), out.data(), n);
    });
    CHECK_EQ(out.values(), inclusive);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(temp, bytes, in.data(), n);
    });
    CHECK_EQ(in.values(), exclusive);

    const std::vector<Matrix> matrices = random_matrices(n);
    std::vector<Matrix> products(matrices.size());
    const DeviceArray<Matrix> matrix_in(matrices);
    const DeviceArray<Matrix> matrix_out(matrices);
    std::inclusive_scan(matrices.begin(), matrices.end(), products.begin(), Multiply());
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScan(temp, bytes, matrix_in.data(), matrix_out.data(),
                                            Multiply(), n);
    });
    CHECK(matrix_out.values() == products);
    const Matrix init{2, 3, 5, 7};
    std::exclusive_scan(matrices.begin(), matrices.end(), products.begin(), init, Multiply());
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(temp, bytes, matrix_in.data(), Multiply(), init, n);
    });
    CHECK(matrix_in.values() == products);
  }
}

__global__ void write(int* place, int value) { *place = value; }

TEST_CASE("cub::DeviceScan: a future value is read in stream order") {
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreate(&stream));
  const DeviceArray<int> in(std::vector<int>{1, 2, 3});
  const DeviceArray<int> out(3);
  const DeviceArray<int> init(1);
  const DeviceArray<char> temp(64);
  std::size_t bytes = 64;
  Gate gate;
  gate.hold(stream);
  SIMT_LAUNCH((write), (1), (1), (0), (stream), init.data(), 100);
  CHECK_OK(cub::DeviceScan::ExclusiveScan(temp.data(), bytes, in.data(), out.data(),
                                          std::plus<int>(), cub::FutureValue<int>(init.data()), 3,
                                          stream));
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(out.values(), std::vector<int>{100, 101, 103});
  REQUIRE_OK(simtStreamDestroy(stream));
}

TEST_CASE("cub::DeviceScan by key: a scan for each run of keys") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const std::vector<int> keys = random_values<int>(n, 0, 2);
    const std::vector<int> values = random_values<int>(n, -10, 10, 2);
    std::vector<int> inclusive(values.size());
    std::vector<int> exclusive(values.size());
    for (int i = 0; i < n; ++i) {
      const bool first = i == 0 || keys[i] != keys[i - 1];
      inclusive[i] = values[i] + (first ? 0 : inclusive[i - 1]);
      exclusive[i] = first ? 7 : exclusive[i - 1] + values[i - 1];
    }
    const DeviceArray<int> keys_in(keys);
    const DeviceArray<int> data(values);
    const DeviceArray<int> out(n);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScanByKey(temp, bytes, keys_in.data(), data.data(),
                                                 out.data(), cub::Sum(), 7, n);
    });
    CHECK_EQ(out.values(), exclusive);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSumByKey(temp, bytes, keys_in.data(), data.data(),
                                                data.data(), n);
    });
    CHECK_EQ(data.values(), inclusive);
  }
}

TEST_CASE("cub::DeviceSelect: by flag, by predicate, and items unlike their predecessor") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const std::vector<int> values = random_values<int>(n, 0, 3);
    const std::vector<unsigned char> flags = random_values<unsigned char>(n, 0, 1, 2);
    std::vector<int> flagged;
    std::vector<int> odd;
    std::vector<int> unique;
    std::vector<int> places;
    for (int i = 0; i < n; ++i) {
      if (flags[i] != 0) flagged.push_back(values[i]);
      if (values[i] % 2 != 0) odd.push_back(values[i]);
      if (i == 0 || values[i] != values[i - 1]) {
        unique.push_back(values[i]);
        places.push_back(i);
      }
    }
    const DeviceArray<int> in(values);
    const DeviceArray<unsigned char> flags_in(flags);
    const DeviceArray<int> out(n);
    const DeviceArray<int> out_places(n);
    const DeviceArray<int> count(1);
    const auto selected = [&](const DeviceArray<int>& items) {
      std::vector<int> result = items.values();
      result.resize(static_cast<std::size_t>(count.values()[0]));
      return result;
    };
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceSelect::Flagged(temp, bytes, in.data(), flags_in.data(), out.data(),
                                        count.data(), n);
    });
    CHECK_EQ(selected(out), flagged);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceSelect::If(temp, bytes, in.data(), out.data(), count.data(), n, IsOdd());
    });
    CHECK_EQ(selected(out), odd);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceSelect::Unique(temp, bytes, in.data(), out.data(), count.data(), n);
    });
    CHECK_EQ(selected(out), unique);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceSelect::UniqueByKey(temp, bytes, in.data(),
                                            cub::CountingInputIterator<int>(0), out.data(),
                                            out_places.data(), count.data(), n);
    });
    CHECK_EQ(selected(out), unique);
    CHECK_EQ(selected(out_places), places);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceSelect::If(temp, bytes, in.data(), count.data(), n, IsOdd());
    });
    CHECK_EQ(selected(in), odd);
  }
}

TEST_CASE("cub::DeviceRunLengthEncode: runs, and runs of more than one") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const std::vector<int> values = random_values<int>(n, 0, 2);
    std::vector<int> items, lengths, offsets, long_lengths;
    for (int i = 0, end = 0; i < n; i = end) {
      while (end < n && values[end] == values[i]) ++end;
      items.push_back(values[i]);
      lengths.push_back(end - i);
      if (end - i > 1) {
        offsets.push_back(i);
        long_lengths.push_back(end - i);
      }
    }
    const DeviceArray<int> in(values);
    const DeviceArray<int> out(n);
    const DeviceArray<int> out_lengths(n);
    const DeviceArray<int> count(1);
    const auto runs = [&](const DeviceArray<int>& data) {
      std::vector<int> result = data.values();
      result.resize(static_cast<std::size_t>(count.values()[0]));
      return result;
    };
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceRunLengthEncode::Encode(temp, bytes, in.data(), out.data(),
                                                out_lengths.data(), count.data(), n);
    });
    CHECK_EQ(runs(out), items);
    CHECK_EQ(runs(out_lengths), lengths);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceRunLengthEncode::NonTrivialRuns(temp, bytes, in.data(), out.data(),
                                                        out_lengths.data(), count.data(), n);
    });
    CHECK_EQ(runs(out), offsets);
    CHECK_EQ(runs(out_lengths), long_lengths);
  }
}

TEST_CASE("cub::DeviceSegmentedReduce: segments of all lengths, some empty") {
  const int n = 5000;
  const std::vector<float> values = random_values<float>(n, -100, 100);
  std::vector<int> offsets = random_values<int>(300, 0, n, 2);
  offsets[17] = offsets[18];
  std::sort(offsets.begin(), offsets.end());
  const int segments = static_cast<int>(offsets.size()) - 1;
  const DeviceArray<float> in(values);
  const DeviceArray<int> at(offsets);
  const DeviceArray<float> out(segments);
  const DeviceArray<cub::KeyValuePair<int, float>> out_pairs(segments);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(temp, bytes, in.data(), out.data(), segments, at.data(),
                                           at.data() + 1);
  });
  const std::vector<float> sums = out.values();
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Reduce(temp, bytes, in.data(), out.data(), segments,
                                              at.data(), at.data() + 1, cub::Max(), -1000.0f);
  });
  const std::vector<float> largest = out.values();
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::ArgMin(temp, bytes, in.data(), out_pairs.data(), segments,
                                              at.data(), at.data() + 1);
  });
  const std::vector<cub::KeyValuePair<int, float>> smallest = out_pairs.values();
  for (int i = 0; i < segments; ++i) {
    CAPTURE(i);
    const auto begin = values.begin() + offsets[i];
    const auto end = values.begin() + offsets[i + 1];
    CHECK_EQ(sums[i], std::accumulate(begin, end, 0.0f));  // whole numbers: exact in any order
    CHECK_EQ(largest[i], begin == end ? -1000.0f : *std::max_element(begin, end));
    CHECK_EQ(smallest[i].key, begin == end ? 1 : std::min_element(begin, end) - begin);
    CHECK_EQ(smallest[i].value,
             begin == end ? std::numeric_limits<float>::max() : *std::min_element(begin, end));
  }
}

TEST_CASE("cub: too little temporary storage is an error") {
  const DeviceArray<int> data(1);
  std::size_t bytes = 0;
  CHECK_EQ(cub::DeviceReduce::Sum(data.data(), bytes, data.data(), data.data(), 1),
           simtErrorInvalidValue);
}

}  // namespace

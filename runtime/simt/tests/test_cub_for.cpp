// cub's device-wide loops, and its copies of many buffers.
#include "cub_test.h"

#include <cub/cub.cuh>

#include <numeric>

namespace {

struct SetToSquare {
  long long* values;
  __device__ void operator()(int i) { values[i] = 1LL * i * i; }
};

struct Double {
  __device__ void operator()(int& value) { value *= 2; }
};

/// Adds values to a sum. The argument is a copy.
struct AddTo {
  unsigned long long* sum;
  __device__ void operator()(int value) { atomicAdd(sum, static_cast<unsigned long long>(value)); }
};

/// Buffers in one array: their beginnings and lengths.
struct Pieces {
  std::vector<int> begins, lengths;
  int total = 0;
};
Pieces random_pieces(int count) {
  Pieces pieces;
  pieces.lengths = random_values<int>(count, 0, 300);
  for (const int length : pieces.lengths) {
    pieces.begins.push_back(pieces.total);
    pieces.total += length;
  }
  return pieces;
}

/// Pointers to the beginnings, and to the beginnings from the end of another array.
template <class T>
std::vector<T*> pointers(const Pieces& pieces, T* data, bool reversed) {
  std::vector<T*> result;
  for (std::size_t i = 0; i < pieces.begins.size(); ++i) {
    const int begin = reversed ? pieces.total - pieces.begins[i] - pieces.lengths[i] : pieces.begins[i];
    result.push_back(data + begin);
  }
  return result;
}

TEST_CASE("cub::DeviceFor::Bulk: each index once, with and without storage") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    std::vector<long long> squares(n);
    for (int i = 0; i < n; ++i) squares[i] = 1LL * i * i;
    const DeviceArray<long long> direct(n), stored(n);
    REQUIRE_OK(cub::DeviceFor::Bulk(n, SetToSquare{direct.data()}));
    CHECK_EQ(direct.values(), squares);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceFor::Bulk(temp, bytes, n, SetToSquare{stored.data()});
    });
    CHECK_EQ(stored.values(), squares);
  }
}

TEST_CASE("cub::DeviceFor::ForEach and ForEachN: the function changes the items") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const std::vector<int> values = random_values<int>(n, -1000, 1000);
    const DeviceArray<int> data(values);
    std::vector<int> expected = values;
    for (int& value : expected) value *= 16;
    REQUIRE_OK(cub::DeviceFor::ForEach(data.data(), data.data() + n, Double{}));
    REQUIRE_OK(cub::DeviceFor::ForEachN(data.data(), n, Double{}));
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceFor::ForEach(temp, bytes, data.data(), data.data() + n, Double{});
    });
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceFor::ForEachN(temp, bytes, data.data(), n, Double{});
    });
    CHECK_EQ(data.values(), expected);
  }
}

TEST_CASE("cub::DeviceFor::ForEachCopy and ForEachCopyN: also items of an iterator without memory") {
  const int n = 50021;
  const std::vector<int> values = random_values<int>(n, 0, 1000);
  const DeviceArray<int> data(values);
  const DeviceArray<unsigned long long> sums(4);
  REQUIRE_OK(
      cub::DeviceFor::ForEachCopy(data.data(), data.data() + n, AddTo{sums.data()}));
  REQUIRE_OK(cub::DeviceFor::ForEachCopyN(cub::CountingInputIterator<int>(1), n,
                                          AddTo{sums.data() + 1}));
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceFor::ForEachCopy(temp, bytes, data.data(), data.data() + n,
                                       AddTo{sums.data() + 2});
  });
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceFor::ForEachCopyN(temp, bytes, data.data(), n, AddTo{sums.data() + 3});
  });
  const unsigned long long sum = std::accumulate(values.begin(), values.end(), 0ULL);
  CHECK_EQ(sums.values(),
           std::vector<unsigned long long>{sum, 1ULL * n * (n + 1) / 2, sum, sum});
}

TEST_CASE("cub::DeviceMemcpy::Batched: buffers of all lengths, some empty") {
  for (const int count : {0, 1, 200}) {
    CAPTURE(count);
    const Pieces pieces = random_pieces(count);
    const std::vector<char> bytes_in = random_values<char>(pieces.total, 0, 127);
    const DeviceArray<char> in(bytes_in), out(pieces.total);
    const DeviceArray<char*> from(pointers(pieces, in.data(), false));
    const DeviceArray<char*> to(pointers(pieces, out.data(), true));
    const DeviceArray<int> sizes(pieces.lengths);
    in_two_phases([&](void* temp, std::size_t& bytes) {
      return cub::DeviceMemcpy::Batched(temp, bytes, from.data(), to.data(), sizes.data(), count);
    });
    std::vector<char> expected;
    for (int i = count - 1; i >= 0; --i) {
      const auto first = bytes_in.begin() + pieces.begins[i];
      expected.insert(expected.end(), first, first + pieces.lengths[i]);
    }
    CHECK_EQ(out.values(), expected);
  }
}

TEST_CASE("cub::DeviceCopy::Batched: ranges of items, with conversion of their type") {
  const int count = 100;
  const Pieces pieces = random_pieces(count);
  const std::vector<int> items = random_values<int>(pieces.total, -1000, 1000);
  const DeviceArray<int> in(items);
  const DeviceArray<double> out(pieces.total);
  const DeviceArray<int*> from(pointers(pieces, in.data(), false));
  const DeviceArray<double*> to(pointers(pieces, out.data(), false));
  const DeviceArray<int> sizes(pieces.lengths);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceCopy::Batched(temp, bytes, from.data(), to.data(), sizes.data(), count);
  });
  CHECK_EQ(out.values(), std::vector<double>(items.begin(), items.end()));
}

TEST_CASE("cub::DeviceFor and DeviceMemcpy: a captured stream runs them at each launch of the graph") {
  const DeviceArray<int> data(std::vector<int>{1, 2, 3}), copy(3);
  const DeviceArray<int*> from(std::vector<int*>{data.data()}), to(std::vector<int*>{copy.data()});
  const DeviceArray<int> sizes(std::vector<int>{12});
  const DeviceArray<char> storage(1);
  std::size_t bytes = 1;
  const TestStream stream;
  simtGraph_t graph;
  simtGraphExec_t launchable;
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeThreadLocal));
  REQUIRE_OK(cub::DeviceFor::ForEachN(data.data(), 3, Double{}, stream));
  REQUIRE_OK(cub::DeviceMemcpy::Batched(storage.data(), bytes, from.data(), to.data(), sizes.data(),
                                        1, stream));
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  REQUIRE_OK(simtGraphInstantiate(&launchable, graph, 0));
  for (int launch = 0; launch < 2; ++launch) REQUIRE_OK(simtGraphLaunch(launchable, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(copy.values(), std::vector<int>{4, 8, 12});
  REQUIRE_OK(simtGraphExecDestroy(launchable));
  REQUIRE_OK(simtGraphDestroy(graph));
}

TEST_CASE("cub::DeviceFor, DeviceCopy, DeviceMemcpy: too little temporary storage is an error") {
  const DeviceArray<int> data(1);
  const DeviceArray<int*> pointer(1);
  std::size_t bytes = 0;
  CHECK_EQ(cub::DeviceFor::ForEachN(data.data(), bytes, data.data(), 1, Double{}),
           simtErrorInvalidValue);
  CHECK_EQ(cub::DeviceMemcpy::Batched(data.data(), bytes, pointer.data(), pointer.data(),
                                      data.data(), 1),
           simtErrorInvalidValue);
  CHECK_EQ(
      cub::DeviceCopy::Batched(data.data(), bytes, pointer.data(), pointer.data(), data.data(), 1),
      simtErrorInvalidValue);
}

}  // namespace

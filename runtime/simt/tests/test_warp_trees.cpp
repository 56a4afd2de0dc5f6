// Reductions of a warp by one exchange give the bits of the shuffles that they replace.
#include "kernel_test.h"

#include <simt_warp_trees.h>

#include <random>

namespace {

constexpr int kLanes = warpSize;
constexpr simtrt::lanemask_t kAll = simtrt::kAllLanes;

/// A value of 16 bytes, whose combination depends on the order.
struct Mean {
  double mean;
  int count;
};

__device__ float combined(float a, float b) { return a + 0.5F * b; }
__device__ double combined(double a, double b) { return a + 0.5 * b; }
__device__ Mean combined(Mean a, Mean b) { return {a.mean * 0.75 + b.mean, a.count + 2 * b.count}; }

bool same(float a, float b) { return a == b; }
bool same(double a, double b) { return a == b; }
bool same(Mean a, Mean b) { return a.mean == b.mean && a.count == b.count; }

template <class T>
__device__ T shuffled_down(T value, unsigned offset) {
  return __shfl_down_sync(kAll, value, offset);
}
__device__ Mean shuffled_down(Mean value, unsigned offset) {
  return {__shfl_down_sync(kAll, value.mean, offset), __shfl_down_sync(kAll, value.count, offset)};
}

template <class T>
__global__ void down(const T* in, T* trees, T* shuffles) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T value = in[i];
  trees[i] = simtrt::warp_tree_down(value, [](T a, T b) { return combined(a, b); });
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) value = combined(value, shuffled_down(value, offset));
  shuffles[i] = value;
}

template <int width, class T>
__global__ void butterfly(const T* in, T* trees, T* shuffles) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T value = in[i];
  trees[i] = simtrt::warp_tree_xor<width>(value, [](T a, T b) { return combined(a, b); });
  for (int offset = width / 2; offset > 0; offset /= 2) {
    value = combined(value, __shfl_xor_sync(kAll, value, offset, width));
  }
  shuffles[i] = value;
}

std::vector<double> numbers(std::size_t count) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(count);
  for (double& value : values) value = uniform(generator);
  return values;
}

template <class T>
std::vector<T> as(const std::vector<double>& values) {
  if constexpr (std::is_same_v<T, Mean>) {
    std::vector<Mean> made;
    for (const double value : values) made.push_back({value, static_cast<int>(1000 * value)});
    return made;
  } else {
    return {values.begin(), values.end()};
  }
}

template <class T>
void check_down(unsigned threads) {
  const DeviceArray<T> in(as<T>(numbers(2 * threads))), trees(2 * threads), shuffles(2 * threads);
  SIMT_LAUNCH((down<T>), (2), (threads), (0), (0), in.data(), trees.data(), shuffles.data());
  REQUIRE_FINISHED();
  const std::vector<T> found = trees.values(), expected = shuffles.values();
  // Only lane 0 has the sum of the shuffles; all lanes have it from the tree.
  for (unsigned thread = 0; thread < 2 * threads; ++thread) {
    const unsigned of_block = thread % threads;
    const unsigned first = thread - of_block + of_block / kLanes * kLanes;
    CHECK(same(found[thread], expected[first]));
  }
}

template <int width, class T>
void check_butterfly(unsigned threads) {
  const DeviceArray<T> in(as<T>(numbers(2 * threads))), trees(2 * threads), shuffles(2 * threads);
  SIMT_LAUNCH((butterfly<width, T>), (2), (threads), (0), (0), in.data(), trees.data(), shuffles.data());
  REQUIRE_FINISHED();
  CHECK_EQ(trees.values(), shuffles.values());
}

TEST_CASE("a tree has the bits of __shfl_down_sync, for values of one word and of several") {
  for (const unsigned threads : {static_cast<unsigned>(kLanes), 4U * kLanes}) {
    check_down<float>(threads);
    check_down<double>(threads);
    check_down<Mean>(threads);
  }
}

TEST_CASE("a block of one thread keeps its value") {
  const DeviceArray<float> in(std::vector<float>{0.25F}), trees(1), shuffles(1);
  SIMT_LAUNCH((down<float>), (1), (1), (0), (0), in.data(), trees.data(), shuffles.data());
  REQUIRE_FINISHED();
  CHECK_EQ(trees.values(), in.values());
}

TEST_CASE("a tree has the bits of __shfl_xor_sync in each lane, for each width") {
  const unsigned warps = 3U * kLanes;
  check_butterfly<1, float>(warps);
  check_butterfly<2, float>(warps);
  check_butterfly<4, double>(warps);
  check_butterfly<8, float>(warps);
  check_butterfly<16, double>(warps);
  check_butterfly<32, float>(warps);
}

TEST_CASE("lanes that are not there do not change the tree of the others") {
  check_butterfly<4, float>(static_cast<unsigned>(kLanes) + 8);
  check_butterfly<32, float>(20);
}

TEST_CASE("trees of one warp follow each other, and other warps run between") {
  check_butterfly<32, float>(8U * kLanes);
}

}  // namespace

// Shuffles: scans, reductions, segments. CUDA C++ Programming Guide, "Warp Shuffle Functions".
#include "kernel_test.h"

#include <simt_fp16.h>

#include <numeric>

namespace {

constexpr int kLanes = warpSize;
constexpr simtrt::lanemask_t kAll = simtrt::kAllLanes;

std::vector<int> counted(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

template <class T>
__global__ void scan_warps(const T* in, T* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = static_cast<int>(threadIdx.x) % warpSize;
  T value = in[i];
  for (int delta = 1; delta < warpSize; delta *= 2) {
    const T below = __shfl_up_sync(kAll, value, static_cast<unsigned>(delta));
    if (lane >= delta) value += below;
  }
  out[i] = value;
}

template <class T>
void check_scan() {
  const std::size_t warps = 6, count = warps * static_cast<std::size_t>(kLanes);
  std::vector<T> values(count), expected(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i % 5);
  const DeviceArray<T> in(values), out(count);
  SIMT_LAUNCH((scan_warps), (3), (2 * kLanes), (0), (0), in.data(), out.data());
  REQUIRE_FINISHED();
  for (std::size_t warp = 0; warp < warps; ++warp) {
    const auto begin = static_cast<std::ptrdiff_t>(warp) * kLanes;
    std::partial_sum(values.begin() + begin, values.begin() + begin + kLanes,
                     expected.begin() + begin);
  }
  CHECK_EQ(out.values(), expected);
}

TEST_CASE("scans of warps by __shfl_up_sync, of every type") {
  check_scan<int>();
  check_scan<unsigned>();
  check_scan<long>();
  check_scan<unsigned long>();
  check_scan<long long>();
  check_scan<unsigned long long>();
  check_scan<float>();
  check_scan<double>();
}

__global__ void reduce_down(const long long* in, long long* sum) {
  long long value = in[threadIdx.x];
  for (int delta = warpSize / 2; delta > 0; delta /= 2) {
    value += __shfl_down_sync(kAll, value, static_cast<unsigned>(delta));
  }
  if (threadIdx.x == 0) *sum = value;
}

TEST_CASE("a reduction by __shfl_down_sync, of values wider than 32 bits") {
  std::vector<long long> values;
  for (long long i = 0; i < kLanes; ++i) values.push_back(i << 33);
  const DeviceArray<long long> in(values), sum(1);
  SIMT_LAUNCH((reduce_down), (1), (kLanes), (0), (0), in.data(), sum.data());
  REQUIRE_FINISHED();
  CHECK_EQ(sum.values()[0], static_cast<long long>(kLanes) * (kLanes - 1) / 2 * (1LL << 33));
}

__global__ void reduce_butterfly(const double* in, double* out) {
  double value = in[threadIdx.x];
  for (int lanes = warpSize / 2; lanes > 0; lanes /= 2)
    value += __shfl_xor_sync(kAll, value, lanes);
  out[threadIdx.x] = value;
}

TEST_CASE("after a butterfly of __shfl_xor_sync every lane has the sum") {
  std::vector<double> values(static_cast<std::size_t>(kLanes));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.25 * static_cast<double>(i);
  const DeviceArray<double> in(values), out(values.size());
  SIMT_LAUNCH((reduce_butterfly), (1), (kLanes), (0), (0), in.data(), out.data());
  REQUIRE_FINISHED();
  const double sum = 0.25 * kLanes * (kLanes - 1) / 2;
  CHECK_EQ(out.values(), std::vector<double>(values.size(), sum));
}

// -- segments narrower than a warp

enum class Shuffle { kIndex, kUp, kDown, kXor };

__global__ void shuffle(Shuffle kind, int argument, int width, int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const auto delta = static_cast<unsigned>(argument);
  switch (kind) {
    case Shuffle::kIndex: out[lane] = __shfl_sync(kAll, lane, argument, width); break;
    case Shuffle::kUp: out[lane] = __shfl_up_sync(kAll, lane, delta, width); break;
    case Shuffle::kDown: out[lane] = __shfl_down_sync(kAll, lane, delta, width); break;
    case Shuffle::kXor: out[lane] = __shfl_xor_sync(kAll, lane, argument, width); break;
  }
}

/// Lane from which `lane` reads, according to the Programming Guide.
int source(Shuffle kind, int lane, int argument, int width) {
  const int begin = lane / width * width;
  switch (kind) {
    // "If srcLane is outside the range [0:width-1], the value returned corresponds to the value of
    // var held by the srcLane modulo width (i.e. within the same subsection)."
    case Shuffle::kIndex: return begin + ((argument % width) + width) % width;
    // "Will not wrap around the value of width, so effectively the lower (upper) delta lanes will
    // be unchanged."
    case Shuffle::kUp: return lane - argument >= begin ? lane - argument : lane;
    case Shuffle::kDown: return lane + argument < begin + width ? lane + argument : lane;
    // "each group of width consecutive threads are able to access elements from earlier groups of
    // threads, however if they attempt to access elements from later groups of threads their own
    // value of var will be returned."
    case Shuffle::kXor: return (lane ^ argument) < begin + width ? lane ^ argument : lane;
  }
  return -1;
}

TEST_CASE("shuffles within segments of a warp") {
  const DeviceArray<int> out(static_cast<std::size_t>(kLanes));
  for (const Shuffle kind : {Shuffle::kIndex, Shuffle::kUp, Shuffle::kDown, Shuffle::kXor}) {
    for (int width = 1; width <= kLanes; width *= 2) {
      for (const int argument : {0, 1, 2, 3, 7, 8, 15, 16, 31}) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(width);
        CAPTURE(argument);
        SIMT_LAUNCH((shuffle), (1), (kLanes), (0), (0), kind, argument, width, out.data());
        REQUIRE_FINISHED();
        std::vector<int> expected;
        for (int lane = 0; lane < kLanes; ++lane) {
          expected.push_back(source(kind, lane, argument, width));
        }
        CHECK_EQ(out.values(), expected);
      }
    }
  }
}

TEST_CASE("__shfl_sync wraps lanes below 0 and beyond the segment") {
  const DeviceArray<int> out(static_cast<std::size_t>(kLanes));
  for (const int argument : {-1, -9, kLanes, kLanes + 5, 1000}) {
    for (const int width : {4, 8, kLanes}) {
      SIMT_LAUNCH((shuffle), (1), (kLanes), (0), (0), Shuffle::kIndex, argument, width, out.data());
      REQUIRE_FINISHED();
      for (int lane = 0; lane < kLanes; ++lane) {
        CHECK_EQ(out.values()[static_cast<std::size_t>(lane)],
                 source(Shuffle::kIndex, lane, argument, width));
      }
    }
  }
}

__global__ void broadcast(float* out) {
  const float value = static_cast<float>(threadIdx.x) + 0.5f;
  out[threadIdx.x] = __shfl_sync(kAll, value, static_cast<int>(threadIdx.x / 8));
}

TEST_CASE("every lane may read from a different lane") {
  const DeviceArray<float> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((broadcast), (1), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(kLanes); ++lane) {
    CHECK_EQ(out.values()[lane], static_cast<float>(lane / 8) + 0.5f);
  }
}

__global__ void scan_halves(float* out) {
  __half value = __float2half(static_cast<float>(threadIdx.x));
  value = __shfl_down_sync(kAll, value, 1);
  out[threadIdx.x] = __half2float(value);
}

TEST_CASE("a half is shuffled like any value") {
  const DeviceArray<float> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((scan_halves), (1), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[4], 5.0f);
  CHECK_EQ(out.values().back(), static_cast<float>(kLanes - 1));
}

// -- masks

// The two halves of a warp execute different shuffles, in loops of different length.
__global__ void halves_apart(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const int half = warpSize / 2;
  const simtrt::lanemask_t low = kAll >> half;
  int value = lane;
  if (lane < half) {
    for (int delta = half / 2; delta > 0; delta /= 2) value += __shfl_xor_sync(low, value, delta);
  } else {
    value = __shfl_sync(~low, value, warpSize - 1);
  }
  out[lane] = value;
}

TEST_CASE("disjoint masks do not wait for one another") {
  const DeviceArray<int> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((halves_apart), (1), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  const int half = kLanes / 2;
  std::vector<int> expected(static_cast<std::size_t>(half), half * (half - 1) / 2);
  expected.resize(static_cast<std::size_t>(kLanes), kLanes - 1);
  CHECK_EQ(out.values(), expected);
}

__global__ void sum_of_block(int* out) {
  int value = 1;
  for (int delta = warpSize / 2; delta > 0; delta /= 2) {
    const int other = __shfl_down_sync(kAll, value, static_cast<unsigned>(delta));
    if (threadIdx.x + static_cast<unsigned>(delta) < blockDim.x) value += other;
  }
  if (threadIdx.x == 0) *out = value;
}

// In PyTorch's reductions, the mask contains all lanes of a warp, even if the last warp of the
// block has fewer lanes.
TEST_CASE("the last warp of a block may have fewer lanes than its mask names") {
  const DeviceArray<int> out(1);
  SIMT_LAUNCH((sum_of_block), (1), (8), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 8);
}

__global__ void rotate_often(int times, int* out) {
  int value = static_cast<int>(threadIdx.x);
  const int next = static_cast<int>(threadIdx.x % static_cast<unsigned>(warpSize)) + 1;
  for (int i = 0; i < times; ++i) value = __shfl_sync(kAll, value, next);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

TEST_CASE("warps of one block shuffle on their own, many times") {
  const std::size_t threads = 4 * static_cast<std::size_t>(kLanes);
  const DeviceArray<int> out(3 * threads);
  SIMT_LAUNCH((rotate_often), (3), (threads), (0), (0), 10 * kLanes, out.data());
  REQUIRE_FINISHED();
  // After a whole number of rotations, every value is in its original lane.
  std::vector<int> expected;
  for (int block = 0; block < 3; ++block) {
    for (int value : counted(threads)) expected.push_back(value);
  }
  CHECK_EQ(out.values(), expected);
}

// As the last step of NVIDIA's sample `reduction` (reduce7): the lanes of the mask read lanes that take another branch.
__global__ void sum_of_first_lanes(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const simtrt::lanemask_t mask = __ballot_sync(kAll, lane < 8);
  int value = lane + 1;
  if (lane < 8) {
    for (unsigned delta = warpSize / 2; delta > 0; delta /= 2) value += __shfl_down_sync(mask, value, delta);
  }
  out[lane] = value;
}

TEST_CASE("a lane outside of the mask gives 0") {
  const DeviceArray<int> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((sum_of_first_lanes), (1), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 36);
}

}  // namespace

// Exchange between the lanes of a warp through volatile shared memory, without a barrier. On a GPU, lanes that take the same
// branch execute a store together; programs written before __syncwarp depend on this.
#include "kernel_test.h"

namespace {

constexpr unsigned kLanes = warpSize;
constexpr unsigned kWarps = 3;

std::vector<int> numbers(unsigned count) {
  std::vector<int> values;
  for (unsigned i = 0; i < count; ++i) values.push_back(static_cast<int>(i * i % 97));
  return values;
}

// A scan of each warp in dynamic shared memory; the first half of a warp's part contains zeros.
__global__ void scan_warps(const int* in, int* out) {
  volatile int* const part = SIMT_DYNAMIC_SHARED(int) + threadIdx.x / warpSize * 2 * warpSize;
  const unsigned place = threadIdx.x % warpSize + warpSize;
  part[place - warpSize] = 0;
  part[place] = in[threadIdx.x];
  for (int distance = 1; distance < warpSize; distance *= 2) part[place] += part[place - distance];
  out[threadIdx.x] = part[place];
}

TEST_CASE("lanes scan numbers in volatile shared memory") {
  const unsigned threads = kWarps * kLanes;
  const std::vector<int> values = numbers(threads);
  const DeviceArray<int> in(values), out(static_cast<std::size_t>(threads));
  SIMT_LAUNCH((scan_warps), (1), (threads), (2 * threads * sizeof(int)), (0), in.data(), out.data());
  REQUIRE_FINISHED();
  std::vector<int> expected;
  for (unsigned i = 0; i < threads; ++i)
    expected.push_back(values[i] + (i % kLanes == 0 ? 0 : expected.back()));
  CHECK_EQ(out.values(), expected);
}

template <class T>
__device__ void reduce_tail(volatile T* s, unsigned t) {
  for (unsigned distance = warpSize; distance > 0; distance /= 2) s[t] += s[t + distance];
}

// Only the first warp reduces, and of a warp only the lanes for which the element exists.
__global__ void reduce_block(const int* in, int* out, unsigned lanes) {
  __shared__ int s[4 * warpSize];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  s[t + 2 * warpSize] = 0;
  __syncthreads();
  if (t < lanes) reduce_tail(s, t);
  __syncthreads();
  if (t == 0) *out = s[0];
}

TEST_CASE("the first warp of a block reduces numbers in static shared memory") {
  const unsigned threads = 2 * kLanes;
  const std::vector<int> values = numbers(threads);
  const DeviceArray<int> in(values), out(1);
  int sum = 0;
  for (const int value : values) sum += value;
  SIMT_LAUNCH((reduce_block), (1), (threads), (0), (0), in.data(), out.data(), kLanes);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], sum);
}

// The lanes of two branches store to the same variable; lanes of the second branch return early.
__global__ void store_in_branches(int* out) {
  volatile __shared__ int s[warpSize];
  const unsigned lane = threadIdx.x;
  s[lane] = 1;
  if (lane % 2 == 0) {
    s[lane] = s[(lane + 2) % warpSize] + 1;
    out[lane] = s[(lane + 2) % warpSize];
  } else {
    out[lane] = s[lane];
    if (lane > 5) return;
    s[lane] = 7;
  }
}

TEST_CASE("lanes in different branches do not wait for each other") {
  const DeviceArray<int> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((store_in_branches), (2), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  const std::vector<int> values = out.values();
  for (unsigned lane = 0; lane < kLanes; ++lane) CHECK_EQ(values[lane], lane % 2 == 0 ? 2 : 1);
}

// The threads of the second warp wait in a loop for a flag that a lane of the first warp stores.
__global__ void wait_for_flag(int* out) {
  volatile __shared__ int flag;
  if (threadIdx.x == 3) flag = 5;
  if (threadIdx.x >= warpSize) {
    while (flag != 5) {
    }
    out[threadIdx.x - warpSize] = flag;
  }
}

TEST_CASE("a lane that stores alone does not wait for other warps") {
  const DeviceArray<int> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((wait_for_flag), (1), (2 * kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<int>(static_cast<std::size_t>(kLanes), 5));
}

TEST_CASE("stores to volatile memory of the host have no effect on other threads") {
  const auto memory = std::make_unique<volatile int[]>(4);
  memory[2] = 3;
  CHECK_EQ(memory[2], 3);
}

}  // namespace

// Atomic functions. CUDA C++ Programming Guide, "Atomic Functions".
#include "kernel_test.h"

#include <simt_bf16.h>
#include <simt_fp16.h>

#include <algorithm>
#include <climits>
#include <numeric>

namespace {

constexpr int kBins = 16;
constexpr int kBlocks = 12, kThreads = 100, kEach = 5;
constexpr int kTotal = kBlocks * kThreads * kEach;

__device__ int bin_of(int i) { return (i * i + i / 3) % kBins; }

template <class T>
__global__ void histogram(T one, T* counts) {
  for (int k = 0; k < kEach; ++k) {
    const int i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) * kEach) + k;
    atomicAdd(&counts[bin_of(i)], one);
  }
}

std::vector<int> expected_histogram() {
  std::vector<int> counts(kBins);
  for (int i = 0; i < kTotal; ++i) ++counts[static_cast<std::size_t>(bin_of(i))];
  return counts;
}

template <class T>
void check_histogram(T zero, T one, float (*number)(T)) {
  const DeviceArray<T> counts(kBins, zero);
  SIMT_LAUNCH((histogram<T>), (kBlocks), (kThreads), (0), (0), one, counts.data());
  REQUIRE_FINISHED();
  const std::vector<T> got = counts.values();
  const std::vector<int> expected = expected_histogram();
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    CHECK_EQ(number(got[bin]), static_cast<float>(expected[bin]));
  }
}

template <class T>
float as_float(T value) {
  return static_cast<float>(value);
}

TEST_CASE("atomicAdd of every type counts without loss, over all blocks") {
  check_histogram<int>(0, 1, as_float);
  check_histogram<unsigned>(0, 1, as_float);
  check_histogram<unsigned long long>(0, 1, as_float);
  check_histogram<float>(0, 1, as_float);
  check_histogram<double>(0, 1, as_float);
  // Counts stay below 2048, up to which half represents every integer.
  check_histogram<__half>(__float2half(0), __float2half(1),
                          [](__half x) { return __half2float(x); });
}

__global__ void add_bfloat16(__nv_bfloat16* sum) { atomicAdd(sum, __float2bfloat16(1.0f)); }

TEST_CASE("atomicAdd of bfloat16") {
  const DeviceArray<__nv_bfloat16> sum(1, __float2bfloat16(0.0f));
  // bfloat16 represents every integer up to 256.
  SIMT_LAUNCH((add_bfloat16), (4), (50), (0), (0), sum.data());
  REQUIRE_FINISHED();
  CHECK_EQ(__bfloat162float(sum.values()[0]), 200.0f);
}

__global__ void add_pairs(__half2* sum) { atomicAdd(sum, __floats2half2_rn(1.0f, 0.5f)); }

TEST_CASE("atomicAdd of two halves") {
  const DeviceArray<__half2> sum(1, __floats2half2_rn(0.0f, 0.0f));
  SIMT_LAUNCH((add_pairs), (4), (50), (0), (0), sum.data());
  REQUIRE_FINISHED();
  const float2 got = __half22float2(sum.values()[0]);
  CHECK_EQ(got.x, 200.0f);
  CHECK_EQ(got.y, 100.0f);
}

template <class T>
__global__ void take_numbers(T* next, T* taken) {
  taken[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, T(1));
}

template <class T>
void check_numbers() {
  const std::size_t count = kBlocks * kThreads;
  const DeviceArray<T> next(1), taken(count);
  SIMT_LAUNCH((take_numbers<T>), (kBlocks), (kThreads), (0), (0), next.data(), taken.data());
  REQUIRE_FINISHED();
  std::vector<T> got = taken.values(), expected(count);
  std::sort(got.begin(), got.end());
  std::iota(expected.begin(), expected.end(), T(0));
  CHECK_EQ(got, expected);
}

TEST_CASE("atomicAdd returns the old value: each number occurs once") {
  check_numbers<int>();
  check_numbers<unsigned long long>();
  check_numbers<float>();
  check_numbers<double>();
}

// -- functions other than atomicAdd: one result of each

template <class T>
struct Words {
  T sub, exchange, least, largest, both, either, odd;
};

template <class T>
__global__ void apply(Words<T>* words) {
  const T i = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicSub(&words->sub, T(1));
  atomicExch(&words->exchange, i);
  atomicMin(&words->least, static_cast<T>(i + 7));
  atomicMax(&words->largest, i);
  atomicAnd(&words->both, static_cast<T>(~(T(1) << i % 8)));
  atomicOr(&words->either, static_cast<T>(T(1) << i % 20));
  atomicXor(&words->odd, static_cast<T>(i & 3));
}

template <class T>
void check_words() {
  Words<T> begin{};
  begin.sub = 5000;
  begin.least = 1000;
  begin.both = 0xfff;
  const DeviceArray<Words<T>> words(1, begin);
  const int threads = kBlocks * kThreads;
  SIMT_LAUNCH((apply<T>), (kBlocks), (kThreads), (0), (0), words.data());
  REQUIRE_FINISHED();
  const Words<T> got = words.values()[0];
  CHECK_EQ(got.sub, static_cast<T>(5000 - threads));
  CHECK(got.exchange < static_cast<T>(threads));
  CHECK_EQ(got.least, 7);
  CHECK_EQ(got.largest, static_cast<T>(threads - 1));
  CHECK_EQ(got.both, 0xf00);
  CHECK_EQ(got.either, (1 << 20) - 1);
  CHECK_EQ(got.odd, 0);  // 300 times each of 0, 1, 2 and 3
}

template <class T>
__global__ void apply_to_wide(T* words) {
  const T i = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicExch(&words[0], i << 32);
  atomicMin(&words[1], i << 33);
  atomicMax(&words[2], i << 33);
  atomicAnd(&words[3], ~(T(1) << (40 + i % 8)));
  atomicOr(&words[4], T(1) << (40 + i % 8));
  atomicXor(&words[5], i << 40);
}

TEST_CASE("sub, exch, min, max, and, or, xor of 32 bits") {
  check_words<int>();
  check_words<unsigned>();
}

TEST_CASE("exch, min, max, and, or, xor of 64 bits") {
  using T = unsigned long long;
  const T all = ~T(0);
  const DeviceArray<T> words(std::vector<T>{0, all, 0, all, 0, 0});
  SIMT_LAUNCH((apply_to_wide<T>), (4), (64), (0), (0), words.data());
  REQUIRE_FINISHED();
  const std::vector<T> got = words.values();
  CHECK_EQ(got[0] % (T(1) << 32), 0);
  CHECK_LT(got[0], T(256) << 32);
  CHECK_EQ(got[1], 0);
  CHECK_EQ(got[2], T(255) << 33);
  CHECK_EQ(got[3], all & ~(T(0xff) << 40));
  CHECK_EQ(got[4], T(0xff) << 40);
  CHECK_EQ(got[5], 0);
}

constexpr long long kWide = 1LL << 32;

__global__ void signed_extremes(int* ints, long long* wide) {
  const int i = static_cast<int>(threadIdx.x) - 50;
  atomicMin(&ints[0], i);
  atomicMax(&ints[1], i);
  atomicMin(&wide[0], i * kWide);
  atomicMax(&wide[1], i * kWide);
}

TEST_CASE("min and max of signed and unsigned numbers") {
  const DeviceArray<int> ints(std::vector<int>{INT_MAX, INT_MIN});
  const DeviceArray<long long> wide(std::vector<long long>{LLONG_MAX, LLONG_MIN});
  SIMT_LAUNCH((signed_extremes), (1), (101), (0), (0), ints.data(), wide.data());
  REQUIRE_FINISHED();
  CHECK_EQ(ints.values(), std::vector<int>{-50, 50});
  CHECK_EQ(wide.values(), std::vector<long long>{-50 * kWide, 50 * kWide});
}

__global__ void exchange_floats(float* values, float* old) {
  old[0] = atomicExch(&values[0], 2.5f);
  old[1] = atomicExch(&values[0], -1.0f);
}

TEST_CASE("atomicExch of float") {
  const DeviceArray<float> values(1, 7.0f), old(2);
  SIMT_LAUNCH((exchange_floats), (1), (1), (0), (0), values.data(), old.data());
  REQUIRE_FINISHED();
  CHECK_EQ(old.values(), std::vector<float>{7.0f, 2.5f});
  CHECK_EQ(values.values()[0], -1.0f);
}

// atomicInc: ((old >= val) ? 0 : (old + 1)); atomicDec: (((old == 0) || (old > val)) ? val : (old -
// 1)).
__global__ void wrap(unsigned* words, unsigned* old) {
  for (int i = 0; i < 7; ++i) old[i] = atomicInc(&words[0], 4);
  for (int i = 0; i < 7; ++i) old[7 + i] = atomicDec(&words[1], 4);
  words[2] = 9;
  old[14] = atomicDec(&words[2], 4);
}

TEST_CASE("atomicInc and atomicDec wrap at their bound") {
  const DeviceArray<unsigned> words(3), old(15);
  SIMT_LAUNCH((wrap), (1), (1), (0), (0), words.data(), old.data());
  REQUIRE_FINISHED();
  CHECK_EQ(old.values(), std::vector<unsigned>{0, 1, 2, 3, 4, 0, 1, 0, 4, 3, 2, 1, 0, 4, 9});
  CHECK_EQ(words.values(), std::vector<unsigned>{2, 3, 4});
}

// -- compare and swap

template <class T>
__global__ void multiply_by_swaps(T* product) {
  T seen = *product;
  for (;;) {
    const T before = atomicCAS(product, seen, static_cast<T>(seen * 3));
    if (before == seen) return;
    seen = before;
  }
}

template <class T>
void check_swaps() {
  const DeviceArray<T> product(1, T(1));
  SIMT_LAUNCH((multiply_by_swaps<T>), (6), (20), (0), (0), product.data());
  REQUIRE_FINISHED();
  T expected = 1;
  for (int i = 0; i < 120; ++i) expected = static_cast<T>(expected * 3u);
  CHECK_EQ(product.values()[0], expected);
}

TEST_CASE("a loop of atomicCAS makes any operation atomic") {
  check_swaps<unsigned>();
  check_swaps<unsigned long long>();
  check_swaps<unsigned short>();
}

__global__ void add_under_lock(int* lock, volatile int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum = *sum + 1;
  __threadfence();
  atomicExch(lock, 0);
}

TEST_CASE("a lock of atomicCAS and atomicExch") {
  const DeviceArray<int> lock(1), sum(1);
  SIMT_LAUNCH((add_under_lock), (20), (50), (0), (0), lock.data(), sum.data());
  REQUIRE_FINISHED();
  CHECK_EQ(sum.values()[0], 1000);
}

// -- scopes

__global__ void scoped(int* counts) {
  __shared__ int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  atomicAdd_block(&of_block, 1);
  atomicAdd_system(&counts[0], 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax_system(&counts[1], of_block);
}

TEST_CASE("atomics of the block and of the system") {
  const DeviceArray<int> counts(2);
  SIMT_LAUNCH((scoped), (5), (70), (0), (0), counts.data());
  REQUIRE_FINISHED();
  CHECK_EQ(counts.values(), std::vector<int>{350, 70});
}

__global__ void count_in_pinned(unsigned* counter) { atomicAdd_system(counter, 1u); }

TEST_CASE("atomics on pinned memory of the host") {
  unsigned* counter;
  REQUIRE_OK(simtMallocHost(&counter, sizeof *counter));
  *counter = 0;
  SIMT_LAUNCH((count_in_pinned), (10), (64), (0), (0), counter);
  REQUIRE_FINISHED();
  CHECK_EQ(*counter, 640);
  CHECK_OK(simtFreeHost(counter));
}

}  // namespace

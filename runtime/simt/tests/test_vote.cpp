// Votes, matches, reductions and __activemask. CUDA C++ Programming Guide, "Warp Vote Functions",
// "Warp Match Functions" and "Warp Reduce Functions".
#include "kernel_test.h"

#include <map>

namespace {

constexpr int kLanes = warpSize;
constexpr simtrt::lanemask_t kAll = simtrt::kAllLanes;
using Mask = simtrt::lanemask_t;

Mask bit(int lane) { return Mask{1} << lane; }

struct Votes {
  Mask ballot;
  int all, any, uniform;
};

__global__ void vote(int modulus, int limit, Votes* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const bool aye = lane % modulus < limit;
  out[lane] = {__ballot_sync(kAll, aye), __all_sync(kAll, aye), __any_sync(kAll, aye),
               __uni_sync(kAll, aye)};
}

TEST_CASE("votes of a whole warp") {
  const DeviceArray<Votes> out(static_cast<std::size_t>(kLanes));
  struct Question {
    int modulus, limit;
  };
  for (const auto& [modulus, limit] : {Question{2, 1}, {3, 2}, {32, 1}, {1, 0}, {1, 1}, {32, 31}}) {
    SIMT_LAUNCH((vote), (1), (kLanes), (0), (0), modulus, limit, out.data());
    REQUIRE_FINISHED();
    Mask expected = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (lane % modulus < limit) expected |= bit(lane);
    }
    for (const Votes& votes : out.values()) {
      CHECK_EQ(votes.ballot, expected);
      CHECK_EQ(votes.all != 0, expected == kAll);
      CHECK_EQ(votes.any != 0, expected != 0);
      CHECK_EQ(votes.uniform != 0, expected == 0 || expected == kAll);
    }
  }
}

__global__ void vote_in_parts(Mask* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const Mask quarter = Mask{0xff} << (lane / 8 * 8);
  out[lane] = __ballot_sync(quarter, lane % 8 == lane / 8);
}

TEST_CASE("a ballot has bits of its mask only") {
  const DeviceArray<Mask> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((vote_in_parts), (1), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  const std::vector<Mask> got = out.values();
  for (int lane = 0; lane < kLanes; ++lane) {
    CHECK_EQ(got[static_cast<std::size_t>(lane)], bit(lane / 8 * 8 + lane / 8));
  }
}

// -- matches

template <class T>
__global__ void match(const T* values, Mask* any, Mask* all, int* agreed) {
  const unsigned lane = threadIdx.x;
  any[lane] = __match_any_sync(kAll, values[lane]);
  all[lane] = __match_all_sync(kAll, values[lane], &agreed[lane]);
}

template <class T>
void check_match(const std::vector<T>& values) {
  const DeviceArray<T> in(values);
  const DeviceArray<Mask> any(values.size()), all(values.size());
  const DeviceArray<int> agreed(values.size());
  SIMT_LAUNCH((match<T>), (1), (kLanes), (0), (0), in.data(), any.data(), all.data(),
              agreed.data());
  REQUIRE_FINISHED();
  std::map<T, Mask> groups;
  for (int lane = 0; lane < kLanes; ++lane) {
    groups[values[static_cast<std::size_t>(lane)]] |= bit(lane);
  }
  const bool same = groups.size() == 1;
  for (std::size_t lane = 0; lane < values.size(); ++lane) {
    CHECK_EQ(any.values()[lane], groups[values[lane]]);
    CHECK_EQ(all.values()[lane], same ? kAll : 0);
    CHECK_EQ(agreed.values()[lane] != 0, same);
  }
}

TEST_CASE("matches group lanes by their value") {
  std::vector<int> ints;
  std::vector<unsigned long long> wide;
  std::vector<float> floats;
  for (int lane = 0; lane < kLanes; ++lane) {
    ints.push_back(lane * 7 % 5);
    wide.push_back(static_cast<unsigned long long>(lane % 3) << 40);
    floats.push_back(0.5f * static_cast<float>(lane / 4));
  }
  check_match(ints);
  check_match(wide);
  check_match(floats);
  check_match(std::vector<int>(static_cast<std::size_t>(kLanes), 42));
  check_match(std::vector<double>(static_cast<std::size_t>(kLanes), 0.1));
}

// -- reductions

struct Reduced {
  unsigned sum, least, largest, both, either, odd;
  int signed_sum, signed_least, signed_largest;
};

__global__ void reduce(Reduced* out) {
  const unsigned lane = threadIdx.x;
  const unsigned bits = 0xf0u | 1u << lane % 4;
  const int number = static_cast<int>(lane) - 10;
  out[lane] = {__reduce_add_sync(kAll, lane),   __reduce_min_sync(kAll, lane + 3),
               __reduce_max_sync(kAll, lane),   __reduce_and_sync(kAll, bits),
               __reduce_or_sync(kAll, bits),    __reduce_xor_sync(kAll, lane == 5 ? 9u : 0u),
               __reduce_add_sync(kAll, number), __reduce_min_sync(kAll, number),
               __reduce_max_sync(kAll, number)};
}

TEST_CASE("reductions of a warp") {
  const DeviceArray<Reduced> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((reduce), (1), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  const int sum = kLanes * (kLanes - 1) / 2;
  for (const Reduced& got : out.values()) {
    CHECK_EQ(got.sum, sum);
    CHECK_EQ(got.least, 3);
    CHECK_EQ(got.largest, kLanes - 1);
    CHECK_EQ(got.both, 0xf0);
    CHECK_EQ(got.either, 0xff);
    CHECK_EQ(got.odd, 9);
    CHECK_EQ(got.signed_sum, sum - 10 * kLanes);
    CHECK_EQ(got.signed_least, -10);
    CHECK_EQ(got.signed_largest, kLanes - 11);
  }
}

// -- __activemask

__global__ void active_in_branches(Mask* out) {
  const unsigned lane = threadIdx.x;
  if (lane % 3 == 0) {
    out[lane] = __activemask();
  } else if (lane % 3 == 1) {
    out[lane] = __activemask();
  } else {
    out[lane] = 0;
  }
}

TEST_CASE("__activemask holds the lanes of the branch") {
  const DeviceArray<Mask> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((active_in_branches), (1), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  Mask branch[2] = {};
  for (int lane = 0; lane < kLanes; ++lane) {
    if (lane % 3 < 2) branch[lane % 3] |= bit(lane);
  }
  const std::vector<Mask> got = out.values();
  for (int lane = 0; lane < kLanes; ++lane) {
    CHECK_EQ(got[static_cast<std::size_t>(lane)], lane % 3 < 2 ? branch[lane % 3] : 0);
  }
}

// "Opportunistic Warp-level Programming" (NVIDIA's developer blog, "Using CUDA Warp-Level
// Primitives", 2018): one lane adds for all active lanes.
__device__ int add_together(int* counter) {
  const Mask mask = __activemask();
  const int leader = __ffsll(static_cast<long long>(mask)) - 1;
  const int lane = static_cast<int>(threadIdx.x) % warpSize;
  int begin = 0;
  if (lane == leader) begin = atomicAdd(counter, __popcll(mask));
  begin = __shfl_sync(mask, begin, leader);
  return begin + __popcll(mask & (bit(lane) - 1));
}

__global__ void filter(const int* in, int n, int* out, int* count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  if (in[i] % 3 == 0) out[add_together(count)] = in[i];
}

TEST_CASE("lanes that run together add with one atomic") {
  const int n = 1000;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i * i % 101;
  const DeviceArray<int> in(values), out(n, -1), count(1);
  SIMT_LAUNCH((filter), (8), (128), (0), (0), in.data(), n, out.data(), count.data());
  REQUIRE_FINISHED();
  std::map<int, int> expected, got;
  int kept = 0;
  for (const int value : values) {
    if (value % 3 == 0) ++expected[value], ++kept;
  }
  CHECK_EQ(count.values()[0], kept);
  const std::vector<int> filtered = out.values();
  for (int i = 0; i < kept; ++i) ++got[filtered[static_cast<std::size_t>(i)]];
  const bool same = got == expected;
  CHECK(same);
}

__global__ void active_in_loop(int* rounds) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int round = 0; round < lane % 4; ++round) {
    const Mask mask = __activemask();
    atomicAdd(&rounds[round], (mask >> lane & 1) != 0 ? 1 : 1000);
  }
}

TEST_CASE("__activemask holds the caller, in loops of different lengths") {
  const DeviceArray<int> rounds(3);
  SIMT_LAUNCH((active_in_loop), (1), (kLanes), (0), (0), rounds.data());
  REQUIRE_FINISHED();
  CHECK_EQ(rounds.values(), std::vector<int>{kLanes / 4 * 3, kLanes / 4 * 2, kLanes / 4});
}

}  // namespace

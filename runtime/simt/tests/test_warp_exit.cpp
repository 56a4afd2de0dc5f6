// Warps in which some lanes return early. From Volta on, a collective waits only for those lanes of
// its mask that have not exited (CUDA C++ Programming Guide, "Independent Thread Scheduling" and
// "Warp Vote Functions").
#include "kernel_test.h"

namespace {

constexpr int kLanes = warpSize;
constexpr simtrt::lanemask_t kAll = simtrt::kAllLanes;
using Mask = simtrt::lanemask_t;

__global__ void leave_then_vote(int stay, Mask* out) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane >= stay) return;
  out[lane] = __ballot_sync(kAll, 1);
}

TEST_CASE("lanes that have returned have no vote") {
  for (int stay = 1; stay < kLanes; ++stay) {
    CAPTURE(stay);
    const DeviceArray<Mask> out(static_cast<std::size_t>(stay));
    SIMT_LAUNCH((leave_then_vote), (1), (kLanes), (0), (0), stay, out.data());
    REQUIRE_FINISHED();
    CHECK_EQ(out.values(),
             std::vector<Mask>(static_cast<std::size_t>(stay), (Mask{1} << stay) - 1));
  }
}

__global__ void first_lanes_leave(Mask* out, int* sums) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane < 5) return;
  out[lane] = __ballot_sync(kAll, lane % 2);
  sums[lane] = __reduce_add_sync(kAll, 1u);
}

TEST_CASE("the first lanes may be those that return") {
  const DeviceArray<Mask> out(static_cast<std::size_t>(kLanes));
  const DeviceArray<int> sums(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((first_lanes_leave), (1), (kLanes), (0), (0), out.data(), sums.data());
  REQUIRE_FINISHED();
  Mask odd = 0;
  for (int lane = 5; lane < kLanes; lane += 2) odd |= Mask{1} << lane;
  CHECK_EQ(out.values()[5], odd);
  CHECK_EQ(out.values().back(), odd);
  CHECK_EQ(sums.values()[20], kLanes - 5);
}

// Lane i returns after i rounds. The sum of a round is the number of remaining lanes.
__global__ void leave_in_turn(unsigned* sums) {
  const unsigned lane = threadIdx.x;
  for (unsigned round = 0; round < lane; ++round) {
    const unsigned left = __reduce_add_sync(kAll, 1u);
    if (lane == static_cast<unsigned>(warpSize) - 1) sums[round] = left;
  }
}

TEST_CASE("lanes that leave a loop one by one") {
  const DeviceArray<unsigned> sums(static_cast<std::size_t>(kLanes - 1));
  SIMT_LAUNCH((leave_in_turn), (1), (kLanes), (0), (0), sums.data());
  REQUIRE_FINISHED();
  std::vector<unsigned> expected;
  for (int left = kLanes - 1; left > 0; --left) expected.push_back(static_cast<unsigned>(left));
  CHECK_EQ(sums.values(), expected);
}

__global__ void leave_between_shuffles(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = __shfl_xor_sync(kAll, lane, 1);
  if (lane >= warpSize / 2) return;
  value += __shfl_xor_sync(kAll >> warpSize / 2, value, 2);
  __syncwarp();
  out[lane] = value;
}

TEST_CASE("half of a warp returns between two shuffles") {
  const std::size_t half = static_cast<std::size_t>(kLanes) / 2;
  const DeviceArray<int> out(half);
  SIMT_LAUNCH((leave_between_shuffles), (1), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  for (int lane = 0; lane < static_cast<int>(half); ++lane) {
    CHECK_EQ(out.values()[static_cast<std::size_t>(lane)], (lane ^ 1) + (lane ^ 2 ^ 1));
  }
}

__global__ void whole_warps_leave(int* out) {
  __shared__ int sums[4];
  const int warp = static_cast<int>(threadIdx.x) / warpSize;
  if (warp == 1) return;
  const unsigned sum = __reduce_add_sync(kAll, static_cast<unsigned>(warp) + 1);
  if (threadIdx.x % static_cast<unsigned>(warpSize) == 0) sums[warp] = static_cast<int>(sum);
  __syncthreads();
  if (threadIdx.x == 0) *out = sums[0] + sums[2] + sums[3];
}

TEST_CASE("a whole warp returns, the others go on with shuffles and barriers") {
  const DeviceArray<int> out(1);
  SIMT_LAUNCH((whole_warps_leave), (1), (4 * kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], (1 + 3 + 4) * kLanes);
}

__global__ void wait_for_one_that_leaves(int* out) {
  // All other lanes already wait at the vote when lane 0 returns.
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) __syncwarp(1);
    return;
  }
  out[threadIdx.x] = __popcll(__ballot_sync(kAll, 1));
}

TEST_CASE("a vote that waits goes on when the missing lane returns") {
  const DeviceArray<int> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((wait_for_one_that_leaves), (1), (kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[1], kLanes - 1);
}

__global__ void barrier_goes_on(int* out) {
  // Warp 0 waits at the barrier. Warp 1 executes a vote, and returns without reaching the barrier.
  if (threadIdx.x >= static_cast<unsigned>(warpSize)) {
    __ballot_sync(kAll, 1);
    return;
  }
  out[threadIdx.x] = __syncthreads_count(1);
}

TEST_CASE("a barrier that waits goes on when the missing warp returns") {
  const DeviceArray<int> out(static_cast<std::size_t>(kLanes));
  SIMT_LAUNCH((barrier_goes_on), (1), (2 * kLanes), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<int>(static_cast<std::size_t>(kLanes), kLanes));
}

__global__ void partial_warp(Mask* ballot, int* sum) {
  const Mask here = __ballot_sync(kAll, 1);
  if (threadIdx.x == blockDim.x - 1) {
    *ballot = here;
  }
  int value = static_cast<int>(threadIdx.x);
  value = __shfl_sync(kAll, value, 0);
  atomicAdd(sum, value);
}

TEST_CASE("a last warp that is not full") {
  const int rest = 7;
  const DeviceArray<Mask> ballot(1);
  const DeviceArray<int> sum(1);
  SIMT_LAUNCH((partial_warp), (1), (kLanes + rest), (0), (0), ballot.data(), sum.data());
  REQUIRE_FINISHED();
  CHECK_EQ(ballot.values()[0], (Mask{1} << rest) - 1);
  CHECK_EQ(sum.values()[0], rest * kLanes);
}

}  // namespace

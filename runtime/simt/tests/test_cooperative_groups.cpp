// Groups of threads. CUDA C++ Programming Guide, "Cooperative Groups". test_launch.cpp tests the
// group of the whole grid.
#include "kernel_test.h"

#include <simt_cooperative_groups.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

constexpr int kLanes = warpSize;

struct Member {
  unsigned size, rank, tiles, tile;
  int sum, first, above, mirrored;
  int inclusive, exclusive, largest;
};

template <unsigned kSize>
__global__ void join_tiles(Member* members) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<kSize> tile = cg::tiled_partition<kSize>(block);
  const int mine = static_cast<int>(block.thread_rank());
  int sum = mine;
  for (unsigned delta = tile.size() / 2; delta > 0; delta /= 2) sum += tile.shfl_xor(sum, delta);
  members[mine] = {tile.size(),
                   tile.thread_rank(),
                   tile.meta_group_size(),
                   tile.meta_group_rank(),
                   sum,
                   tile.shfl(mine, 0),
                   tile.shfl_down(mine, 1),
                   tile.shfl(mine, static_cast<int>(tile.size() - 1 - tile.thread_rank())),
                   cg::inclusive_scan(tile, mine, cg::plus<int>()),
                   cg::exclusive_scan(tile, mine),
                   cg::reduce(tile, mine % 5, cg::greater<int>())};
}

template <unsigned kSize>
void check_tiles() {
  const int threads = 2 * kLanes, size = static_cast<int>(kSize);
  const DeviceArray<Member> members(static_cast<std::size_t>(threads));
  SIMT_LAUNCH((join_tiles<kSize>), (1), (dim3(8, static_cast<unsigned>(threads) / 8)), (0), (0),
              members.data());
  REQUIRE_FINISHED();
  const std::vector<Member> all = members.values();
  for (int i = 0; i < threads; ++i) {
    const Member& got = all[static_cast<std::size_t>(i)];
    const int begin = i / size * size, last = begin + size - 1;
    CHECK_EQ(got.size, kSize);
    CHECK_EQ(got.rank, i - begin);
    CHECK_EQ(got.tiles, threads / size);
    CHECK_EQ(got.tile, i / size);
    CHECK_EQ(got.sum, (begin + last) * size / 2);
    CHECK_EQ(got.first, begin);
    CHECK_EQ(got.above, i < last ? i + 1 : i);
    CHECK_EQ(got.mirrored, last - (i - begin));
    int before = 0, largest = 0;
    for (int other = begin; other < i; ++other) before += other;
    for (int other = begin; other <= last; ++other) largest = std::max(largest, other % 5);
    CHECK_EQ(got.inclusive, before + i);
    CHECK_EQ(got.exclusive, before);
    CHECK_EQ(got.largest, largest);
  }
}

TEST_CASE("tiles of a block: ranks, shuffles, scans and reductions") {
  check_tiles<2>();
  check_tiles<4>();
  check_tiles<8>();
  check_tiles<16>();
  check_tiles<32>();
}

// "Discovery pattern": the guide's example of coalesced_threads().
__device__ int add_together(int* counter) {
  const cg::coalesced_group group = cg::coalesced_threads();
  int begin = 0;
  if (group.thread_rank() == 0) begin = atomicAdd(counter, static_cast<int>(group.size()));
  return group.shfl(begin, 0) + static_cast<int>(group.thread_rank());
}

__global__ void keep_thirds(int* counter, int* kept) {
  const int i = static_cast<int>(threadIdx.x);
  if (i % 3 == 0) kept[add_together(counter)] = i;
}

TEST_CASE("coalesced_threads: the threads that run together") {
  const int threads = 3 * kLanes;
  const DeviceArray<int> counter(1), kept(static_cast<std::size_t>(kLanes), -1);
  SIMT_LAUNCH((keep_thirds), (1), (threads), (0), (0), counter.data(), kept.data());
  REQUIRE_FINISHED();
  CHECK_EQ(counter.values()[0], kLanes);
  std::vector<int> got = kept.values(), expected;
  std::sort(got.begin(), got.end());
  for (int i = 0; i < threads; i += 3) expected.push_back(i);
  CHECK_EQ(got, expected);
}

__global__ void part(unsigned* sizes, unsigned* ranks, unsigned* labelled) {
  const unsigned i = threadIdx.x;
  const auto warp = cg::tiled_partition<warpSize>(cg::this_thread_block());
  const cg::coalesced_group half = cg::binary_partition(warp, i % 4 == 0);
  sizes[i] = half.size();
  ranks[i] = half.thread_rank();
  const cg::coalesced_group same = cg::labeled_partition(warp, static_cast<int>(i % 4));
  labelled[i] = same.size() * 100 + static_cast<unsigned>(__popcll(same.ballot(i < 8)));
}

TEST_CASE("groups partitioned by a predicate and by a label") {
  const auto lanes = static_cast<std::size_t>(kLanes);
  const DeviceArray<unsigned> sizes(lanes), ranks(lanes), labelled(lanes);
  SIMT_LAUNCH((part), (1), (kLanes), (0), (0), sizes.data(), ranks.data(), labelled.data());
  REQUIRE_FINISHED();
  unsigned fourths = 0, others = 0;
  for (std::size_t i = 0; i < lanes; ++i) {
    const bool fourth = i % 4 == 0;
    CHECK_EQ(sizes.values()[i], fourth ? kLanes / 4 : kLanes - kLanes / 4);
    CHECK_EQ(ranks.values()[i], fourth ? fourths++ : others++);
    CHECK_EQ(labelled.values()[i], kLanes / 4 * 100 + 2);
  }
}

__device__ int sum_of(const cg::thread_group& group, int* values, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    values[rank] = value;
    group.sync();
    if (rank < half) value += values[rank + half];
    group.sync();
  }
  return value;
}

__global__ void sum_groups(int* sums) {
  __shared__ int of_block[128], of_tiles[128];
  const cg::thread_block block = cg::this_thread_block();
  const int total = sum_of(block, of_block, static_cast<int>(block.thread_rank()));
  const cg::thread_group tile = cg::tiled_partition(block, 16);
  const int part = sum_of(tile, of_tiles + block.thread_rank() / 16 * 16, 1);
  const cg::thread_group quarter = cg::tiled_partition(cg::tiled_partition(tile, 8), 4);
  const int least = sum_of(quarter, of_tiles + block.thread_rank() / 4 * 4, 1);
  if (block.thread_rank() == 0) {
    sums[0] = total;
    sums[1] = part;
    sums[2] = least;
  }
}

// The guide's first example: one function for groups of any kind.
TEST_CASE("a sum over a block and over tiles of it, by one function") {
  const DeviceArray<int> sums(3);
  SIMT_LAUNCH((sum_groups), (1), (128), (0), (0), sums.data());
  REQUIRE_FINISHED();
  CHECK_EQ(sums.values(), std::vector<int>{128 * 127 / 2, 16, 4});
}

}  // namespace

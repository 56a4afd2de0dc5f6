// Tiles of several warps. CUDA C++ Programming Guide, "Cooperative Groups", section "Thread Block Tile".
#include "kernel_test.h"

#include <simt_cooperative_groups.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

struct Pair {
  long long a, b;
};

struct Member {
  unsigned size, rank, tiles, tile;
  int sum, largest, first, any, all;
  long long pair;
  int inner_sum;
};

template <unsigned kSize>
__global__ void join_block_tiles(Member* members) {
  __shared__ cg::block_tile_memory<256> scratch;
  const cg::thread_block block = cg::this_thread_block(scratch);
  const auto tile = cg::tiled_partition<kSize>(block);
  const auto warp = cg::tiled_partition<32>(tile);
  const int mine = static_cast<int>(block.thread_rank());
  const Pair pair{mine, -mine};
  members[mine] = {tile.size(),
                   tile.thread_rank(),
                   tile.meta_group_size(),
                   tile.meta_group_rank(),
                   cg::reduce(tile, mine, cg::plus<int>()),
                   cg::reduce(tile, mine * 7 % 101, cg::greater<int>()),
                   tile.shfl(mine, 1),
                   tile.any(mine == 70),
                   tile.all(mine >= 64),
                   tile.shfl(pair, 2).b,
                   cg::reduce(warp, mine, cg::plus<int>()) + static_cast<int>(warp.meta_group_rank() * 100000)};
}

template <unsigned kSize>
void check_tiles(unsigned threads) {
  const DeviceArray<Member> device(threads);
  SIMT_LAUNCH((join_block_tiles<kSize>), (1), (threads), (0), (0), device.data());
  REQUIRE_FINISHED();
  const std::vector<Member> members = device.values();
  for (unsigned i = 0; i < threads; ++i) {
    CAPTURE(i);
    const Member& member = members[i];
    const unsigned tile = i / kSize, begin = tile * kSize, end = std::min(begin + kSize, threads);
    CHECK(member.size == kSize);
    CHECK(member.rank == i % kSize);
    CHECK(member.tiles == (threads + kSize - 1) / kSize);
    CHECK(member.tile == tile);
    int sum = 0, largest = 0;
    for (unsigned other = begin; other < end; ++other) {
      sum += static_cast<int>(other);
      largest = std::max(largest, static_cast<int>(other * 7 % 101));
    }
    CHECK(member.sum == sum);
    CHECK(member.largest == largest);
    CHECK(member.first == static_cast<int>(begin + 1));
    CHECK(member.any == (begin <= 70 && 70 < end));
    CHECK(member.all == (begin >= 64));
    CHECK(member.pair == -static_cast<long long>(begin + 2));
    const unsigned warp = i / 32 * 32;
    CHECK(member.inner_sum == static_cast<int>(32 * warp + 496 + (i % kSize) / 32 * 100000));
  }
}

}  // namespace

TEST_CASE("tiles of several warps") {
  check_tiles<64>(256);
  check_tiles<128>(256);
  check_tiles<256>(256);
}

TEST_CASE("the last tile of a block may have fewer warps") { check_tiles<128>(128 + simtrt::kWarpSize); }

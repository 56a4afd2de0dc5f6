// Cooperative groups: tiles of all sizes, partitions, coalesced groups, reductions, scans, ranks, copies, single calls.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "device/log.h"

using answers::Log;
namespace cg = cooperative_groups;

template <unsigned size>
__device__ void tile(Log& log, const char* const (&names)[15]) {
  const int t = threadIdx.x;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<size>(block);
  log.all(names[0], tile.thread_rank());
  log.all(names[1], tile.meta_group_rank() * 100 + tile.meta_group_size());
  log.all(names[2], tile.shfl(t, 1));
  log.all(names[3], tile.shfl_up(t, 1));
  log.all(names[4], tile.shfl_down(t, 2));
  log.all(names[5], tile.shfl_xor(t, 1));
  log.all_bits(names[6], tile.ballot(t % 3 == 0));
  log.all(names[7], tile.any(t == 5) + 2 * tile.all(t >= 4));
  log.all_bits(names[8], tile.match_any(t / 3));
  log.all(names[9], cg::reduce(tile, t, cg::plus<int>()));
  log.all(names[10], cg::reduce(tile, (t * 7) % 11, cg::greater<int>()) * 100 + cg::reduce(tile, (t * 7) % 11, cg::less<int>()));
  log.all(names[11], cg::inclusive_scan(tile, t));
  log.all(names[12], cg::exclusive_scan(tile, t + 1, cg::plus<int>()));
  log.all(names[13], cg::exclusive_scan(tile, t));
  log.all(names[14], int(tile.size()) * 100 + int(tile.num_threads()));
  tile.sync();
}
#define NAMES(n) {n ".rank", n ".meta", n ".shfl", n ".up", n ".down", n ".xor", n ".ballot", n ".votes", n ".match", n ".sum", n ".minmax", n ".inclusive", n ".exclusive", n ".exclusive_default", n ".size"}

__global__ void tiles(Log log) {
  const char* const n1[15] = NAMES("tile1");
  const char* const n2[15] = NAMES("tile2");
  const char* const n4[15] = NAMES("tile4");
  const char* const n8[15] = NAMES("tile8");
  const char* const n16[15] = NAMES("tile16");
  const char* const n32[15] = NAMES("tile32");
  tile<1>(log, n1);
  tile<2>(log, n2);
  tile<4>(log, n4);
  tile<8>(log, n8);
  tile<16>(log, n16);
  tile<32>(log, n32);
}

__global__ void partitions(Log log) {
  const int t = threadIdx.x;
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto dynamic = cg::tiled_partition(block, 8);
  log.all("dynamic.rank", dynamic.thread_rank());
  log.all("dynamic.size", dynamic.size());
  dynamic.sync();
  auto halves = cg::binary_partition(warp, t % 3 == 0);
  log.all("binary.size", halves.size());
  log.all("binary.rank", halves.thread_rank());
  log.all("binary.meta", halves.meta_group_rank() * 100 + halves.meta_group_size());
  log.all("binary.sum", cg::reduce(halves, t, cg::plus<int>()));
  log.all("binary.shfl", halves.shfl(t, 1));
  log.all("binary.up", halves.shfl_up(t, 1));
  log.all("binary.down", halves.shfl_down(t, 1));
  log.all_bits("binary.ballot", halves.ballot(t % 2));
  log.all("binary.scan", cg::inclusive_scan(halves, t));
  auto labels = cg::labeled_partition(warp, t % 5);
  log.all("labeled.size", labels.size());
  log.all("labeled.rank", labels.thread_rank());
  log.all("labeled.meta", labels.meta_group_rank() * 100 + labels.meta_group_size());
  log.all("labeled.max", cg::reduce(labels, t, cg::greater<int>()));
  log.all("labeled.any", labels.any(t == 7));
  log.all_bits("labeled.match", labels.match_any(t / 10));
  int rank = -1, size = -1, sum = -1, first = -1, meta = -1;
  if (t % 4 == 1) {
    auto active = cg::coalesced_threads();
    rank = active.thread_rank();
    size = active.size();
    first = active.shfl(t, 0);
    sum = cg::reduce(active, t, cg::plus<int>());
    meta = active.meta_group_rank() * 100 + active.meta_group_size();
    active.sync();
  }
  __syncwarp();
  log.all("coalesced.rank", rank);
  log.all("coalesced.size", size);
  log.all("coalesced.first", first);
  log.all("coalesced.sum", sum);
  log.all("coalesced.meta", meta);
  log.all("reduce.xor", cg::reduce(warp, t * t, cg::bit_xor<int>()));
  log.all("reduce.and", cg::reduce(warp, t | 64, cg::bit_and<int>()));
  log.all("reduce.or", cg::reduce(warp, t, cg::bit_or<int>()));
  log.all("reduce.float", cg::reduce(warp, t * 0.5f, cg::plus<float>()));
  log.all("reduce.lambda", cg::reduce(warp, t + 1, [](int a, int b) { return (a * b) % 1000003; }));
  log.all("scan.max", cg::inclusive_scan(warp, (t * 13) % 32, cg::greater<int>()));
  const int below = cg::exclusive_scan(warp, (t * 13) % 32, cg::greater<int>());
  log.all("scan.exclusive_max", t ? below : -1);
}

__global__ void blocks(Log log, int* source, int* counts) {
  __shared__ int copy[64];
  const int t = threadIdx.x;
  auto block = cg::this_thread_block();
  log.all("block.rank", block.thread_rank());
  log.all("block.size", block.size() + block.num_threads() + block.group_dim().x);
  log.all("block.index", block.thread_index().x + block.group_index().x + block.dim_threads().x);
  cg::memcpy_async(block, copy, source, sizeof(int) * 64);
  cg::wait(block);
  log.all("memcpy_async", copy[63 - t]);
  block.sync();
  log.all("after_sync", copy[t]);
}

__global__ void grids(int* out) {
  auto grid = cg::this_grid();
  out[grid.thread_rank()] = int(grid.block_rank()) * 1000 + int(grid.num_blocks()) * 100 + int(grid.size());
  grid.sync();
  const int other = out[(grid.thread_rank() + 40) % grid.size()];
  grid.sync();
  out[grid.thread_rank()] += other * 10 + int(grid.is_valid());
}

int main() {
  Log log = answers::new_log();
  tiles<<<1, 64>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  partitions<<<1, 32>>>(log);
  answers::print_log(log);
  int *source = nullptr, *out = nullptr;
  if (cudaMallocManaged(&source, 256) != cudaSuccess || cudaMallocManaged(&out, 1024) != cudaSuccess) return 1;
  for (int i = 0; i < 64; i++) source[i] = i * i;
  log = answers::new_log();
  blocks<<<1, 64>>>(log, source, out);
  answers::print_log(log);
  void* arguments[] = {&out};
  answers::exact("grid.launch", int(cudaLaunchCooperativeKernel((void*)grids, dim3(4), dim3(16), arguments, 0, nullptr)));
  answers::exact("grid.status", int(cudaDeviceSynchronize()));
  answers::exact_array("grid.out", out, 64);
}

// Cooperative groups: tiles of tiles, calls by one thread, updates of atomics, split barriers.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>

#include "device/log.h"

using answers::Log;
namespace cg = cooperative_groups;

__global__ void nested(Log log, int* places) {
  const int t = threadIdx.x;
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(warp);
  auto two = cg::tiled_partition<2>(eight);
  log.all("eight.rank", eight.thread_rank());
  log.all("eight.meta", eight.meta_group_rank() * 100 + eight.meta_group_size());
  log.all("two.meta", two.meta_group_rank() * 100 + two.meta_group_size());
  log.all("two.sum", cg::reduce(two, t, cg::plus<int>()));
  auto active = cg::coalesced_threads();
  auto part = cg::tiled_partition(active, 4);
  log.all("part.rank", part.thread_rank());
  log.all("part.size", part.size());
  log.all("part.meta", part.meta_group_rank() * 100 + part.meta_group_size());
  log.all("part.shfl", part.shfl(t, 2));
  int rank = -1, sum = -1;
  if (t % 3 != 0) {
    auto some = cg::coalesced_threads();
    auto fours = cg::tiled_partition(some, 4);
    rank = fours.thread_rank() * 100 + fours.size();
    sum = cg::reduce(fours, t, cg::plus<int>());
    atomicAdd(&places[0], int(some.thread_rank() == 0));
  }
  __syncwarp();
  log.all("fours.rank", rank);
  log.all("fours.sum", sum);
  int calls = 0;
  cg::invoke_one(eight, [&] { atomicAdd(&places[1], 1); });
  const int value = cg::invoke_one_broadcast(eight, [&] { return 77; });
  log.all("invoke_one_broadcast", value + calls);
  cuda::atomic_ref<int, cuda::thread_scope_block> total(places[2]);
  cg::reduce_update_async(warp, total, t, cg::plus<int>());
  cg::reduce_store_async(eight, &places[8 + t / 8], t, cg::greater<int>());
  block.sync();
  log.all("reduce_update_async", places[2]);
  log.all("reduce_store_async", places[8 + t / 8]);
  log.all("invoke_one", places[1]);
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  log.all("inclusive_update", cg::inclusive_scan_update(eight, total, 1) >= 1);
  log.all("float_scan", cg::inclusive_scan(warp, t * 0.25f));
  struct Two { int a, b; };
  const Two moved = warp.shfl(Two{t, -t}, 9);
  log.all("shfl_struct", moved.a * 100 + moved.b);
  struct Large { double a[3]; };
  const Large large = eight.shfl_xor(Large{{t * 1.0, t * 2.0, t * 3.0}}, 1);
  log.all("shfl_large", large.a[0] + large.a[1] * 10 + large.a[2] * 100);
}

__global__ void shapes(Log log) {
  auto block = cg::this_thread_block();
  auto grid = cg::this_grid();
  const auto index = block.thread_index();
  if (blockIdx.x == 1 && blockIdx.y == 1) {
    // Lines are made by threads 0 to 7 of the first row only.
    if (threadIdx.y == 0 && threadIdx.z == 0) {
      log.all("block_rank", int(grid.block_rank()));
      log.all("thread_rank", int(grid.thread_rank()));
      log.all("grid_size", int(grid.size()));
      log.all("index", int(index.x + 10 * block.group_index().y + 100 * grid.group_dim().x + 1000 * grid.dim_blocks().y));
      log.all("rank_of_index", int(block.thread_rank()));
    }
  }
}

int main() {
  int* places = nullptr;
  if (cudaMallocManaged(&places, 256) != cudaSuccess) return 1;
  for (int i = 0; i < 64; i++) places[i] = 0;
  Log log = answers::new_log();
  nested<<<1, 32>>>(log, places);
  answers::print_log(log);
  answers::exact_array("places", places, 2);
  log = answers::new_log();
  shapes<<<dim3(2, 3), dim3(8, 2, 2)>>>(log);
  answers::print_log(log);
}

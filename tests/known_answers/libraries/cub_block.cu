// BlockReduce, BlockScan, BlockLoad, BlockStore, BlockExchange, BlockRadixSort, WarpReduce and WarpScan of CUB.
// nvcc: -O0
#include <cub/cub.cuh>

#include "device_array.h"

using answers::Array;
using answers::Exact;

struct Compose {
  __host__ __device__ unsigned operator()(unsigned f, unsigned g) const {
    unsigned a = f & 255, b = f >> 8 & 255, c = g & 255, d = g >> 8 & 255;
    return (a * c % 251) | (c * b + d) % 251 << 8;
  }
};

template <int Threads, cub::BlockReduceAlgorithm Algorithm>
__global__ void reduce(const int* x, int* out) {
  using Reduce = cub::BlockReduce<int, Threads, Algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  int items[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]};
  int sum = Reduce(storage).Sum(items);
  __syncthreads();
  int part = Reduce(storage).Sum(items[0], 19);
  __syncthreads();
  int top = Reduce(storage).Reduce(items[1], [](int a, int b) { return a > b ? a : b; });
  if (threadIdx.x == 0) out[0] = sum, out[1] = part, out[2] = top;
}

template <int Threads, cub::BlockScanAlgorithm Algorithm>
__global__ void scan(const int* x, int* out) {
  using Scan = cub::BlockScan<unsigned, Threads, Algorithm>;
  __shared__ typename Scan::TempStorage storage;
  unsigned items[2] = {unsigned(x[2 * threadIdx.x]), unsigned(x[2 * threadIdx.x + 1])}, result[2], total;
  Scan(storage).InclusiveScan(items, result, Compose(), total);
  __syncthreads();
  out[2 * threadIdx.x] = result[0];
  out[2 * threadIdx.x + 1] = result[1];
  unsigned sum, before;
  Scan(storage).ExclusiveSum(items[0], before, sum);
  out[2 * Threads + threadIdx.x] = before;
  if (threadIdx.x == 3) out[3 * Threads] = total, out[3 * Threads + 1] = sum;
}

template <int Threads, cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store>
__global__ void move(int* x, int* out, int valid) {
  using Loader = cub::BlockLoad<int, Threads, 3, Load>;
  using Storer = cub::BlockStore<int, Threads, 3, Store>;
  __shared__ union {
    typename Loader::TempStorage load;
    typename Storer::TempStorage store;
  } storage;
  int items[3];
  Loader(storage.load).Load(x, items, valid, -1);
  for (int i = 0; i < 3; i++) items[i] = items[i] * 1000 + threadIdx.x * 3 + i;
  __syncthreads();
  Storer(storage.store).Store(out, items, valid - 2);
}

template <int Threads>
__global__ void exchange(int* out) {
  using Exchange = cub::BlockExchange<int, Threads, 2>;
  __shared__ typename Exchange::TempStorage storage;
  int items[2], result[2];
  auto put = [&](int place) {
    for (int i = 0; i < 2; i++) out[(place * Threads + threadIdx.x) * 2 + i] = result[i];
    __syncthreads();
    for (int i = 0; i < 2; i++) items[i] = threadIdx.x * 2 + i;
  };
  for (int i = 0; i < 2; i++) items[i] = threadIdx.x * 2 + i;
  Exchange(storage).StripedToBlocked(items, result);
  put(0);
  Exchange(storage).BlockedToStriped(items, result);
  put(1);
  Exchange(storage).WarpStripedToBlocked(items, result);
  put(2);
  Exchange(storage).BlockedToWarpStriped(items, result);
  put(3);
  int ranks[2];
  for (int i = 0; i < 2; i++) ranks[i] = (threadIdx.x * 2 + i) * 5 % (2 * Threads);
  Exchange(storage).ScatterToBlocked(items, result, ranks);
  put(4);
  Exchange(storage).ScatterToStriped(items, result, ranks);
  put(5);
}

template <int Threads>
__global__ void sort(const int* x, int* out) {
  using Sort = cub::BlockRadixSort<int, Threads, 2, int>;
  __shared__ typename Sort::TempStorage storage;
  int keys[2], places[2];
  auto load = [&] {
    for (int i = 0; i < 2; i++) places[i] = threadIdx.x * 2 + i, keys[i] = x[places[i]];
    __syncthreads();
  };
  auto put = [&](int place) {
    for (int i = 0; i < 2; i++) out[place * 2 * Threads + threadIdx.x * 2 + i] = keys[i] * 1000 + places[i];
    load();
  };
  load();
  Sort(storage).Sort(keys, places);
  put(0);
  Sort(storage).SortDescending(keys, places);
  put(1);
  Sort(storage).Sort(keys, places, 1, 3);
  put(2);
  Sort(storage).SortBlockedToStriped(keys, places);
  put(3);
  Sort(storage).SortDescendingBlockedToStriped(keys, places, 0, 2);
  put(4);
}

template <int Width>
__global__ void warps(const int* x, int* out) {
  using Reduce = cub::WarpReduce<int, Width>;
  using Scan = cub::WarpScan<int, Width>;
  __shared__ typename Reduce::TempStorage reduce[64 / Width];
  __shared__ typename Scan::TempStorage scan[64 / Width];
  const int warp = threadIdx.x / Width, lane = threadIdx.x % Width, value = x[threadIdx.x];
  int sum = Reduce(reduce[warp]).Sum(value);
  __syncwarp();
  int part = Reduce(reduce[warp]).Sum(value, Width / 2 + 1);
  __syncwarp();
  int head = Reduce(reduce[warp]).HeadSegmentedSum(value, threadIdx.x % 5 == 0);
  __syncwarp();
  int tail = Reduce(reduce[warp]).TailSegmentedSum(value, threadIdx.x % 5 == 0);
  __syncwarp();
  int inclusive, exclusive, total;
  Scan(scan[warp]).InclusiveSum(value, inclusive, total);
  __syncwarp();
  Scan(scan[warp]).ExclusiveScan(value, exclusive, 100, [](int a, int b) { return a < b ? a : b; });
  __syncwarp();
  int from = Scan(scan[warp]).Broadcast(value, Width - 1);
  int* row = out + threadIdx.x * 8;
  row[0] = lane ? 0 : sum, row[1] = lane ? 0 : part, row[2] = lane && threadIdx.x % 5 ? 0 : head;
  row[3] = lane && (threadIdx.x - 1) % 5 ? 0 : tail, row[4] = inclusive, row[5] = total, row[6] = exclusive, row[7] = from;
}

template <class Launch>
void show(const char* name, int count, Launch launch) {
  Array<int> out(count, -7);
  launch(out.data);
  Exact{(std::string(name) + "_status").c_str(), cudaGetLastError(), cudaDeviceSynchronize()};
  answers::put(name, out);
}

int main() {
  std::vector<int> host(128);
  for (int i = 0; i < 128; i++) host[i] = i * i * 37 % 101;
  Array<int> x(host);
  show("reduce_raking", 3, [&](int* out) { reduce<64, cub::BLOCK_REDUCE_RAKING><<<1, 64>>>(x.data, out); });
  show("reduce_commutative", 3, [&](int* out) { reduce<64, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY><<<1, 64>>>(x.data, out); });
  show("reduce_warps", 3, [&](int* out) { reduce<50, cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, 50>>>(x.data, out); });
  show("scan_raking", 194, [&](int* out) { scan<64, cub::BLOCK_SCAN_RAKING><<<1, 64>>>(x.data, out); });
  show("scan_memoize", 194, [&](int* out) { scan<64, cub::BLOCK_SCAN_RAKING_MEMOIZE><<<1, 64>>>(x.data, out); });
  show("scan_warps", 194, [&](int* out) { scan<64, cub::BLOCK_SCAN_WARP_SCANS><<<1, 64>>>(x.data, out); });
  show("direct", 96, [&](int* out) { move<32, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT><<<1, 32>>>(x.data, out, 90); });
  show("striped", 96, [&](int* out) { move<32, cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED><<<1, 32>>>(x.data, out, 90); });
  show("vectorize", 96, [&](int* out) { move<32, cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE><<<1, 32>>>(x.data, out, 90); });
  show("transpose", 96, [&](int* out) { move<32, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE><<<1, 32>>>(x.data, out, 90); });
  show("warp_transpose", 96, [&](int* out) { move<32, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE><<<1, 32>>>(x.data, out, 90); });
  show("exchange", 768, [&](int* out) { exchange<64><<<1, 64>>>(out); });
  show("sort", 640, [&](int* out) { sort<64><<<1, 64>>>(x.data, out); });
  show("warps_32", 512, [&](int* out) { warps<32><<<1, 64>>>(x.data, out); });
  show("warps_8", 512, [&](int* out) { warps<8><<<1, 64>>>(x.data, out); });
  return 0;
}

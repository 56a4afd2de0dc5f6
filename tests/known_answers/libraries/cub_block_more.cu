// BlockDiscontinuity, BlockAdjacentDifference, BlockHistogram, BlockShuffle, BlockMergeSort, WarpMergeSort.
// nvcc: -O0
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

#include "device_array.h"

using answers::Array;
using answers::Exact;

struct Differ {
  __device__ bool operator()(int a, int b) const { return a / 10 != b / 10; }
};
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};
struct ByTens {
  __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

__global__ void discontinuities(const int* x, int* out) {
  using Flags = cub::BlockDiscontinuity<int, 32>;
  __shared__ typename Flags::TempStorage storage;
  int items[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]}, heads[2], tails[2];
  auto put = [&](int place) {
    for (int i = 0; i < 2; i++) out[place * 64 + threadIdx.x * 2 + i] = heads[i] * 10 + tails[i];
    __syncthreads();
  };
  heads[0] = heads[1] = tails[0] = tails[1] = 0;
  Flags(storage).FlagHeads(heads, items, Differ());
  put(0);
  Flags(storage).FlagHeads(heads, items, Differ(), x[0]);
  put(1);
  Flags(storage).FlagTails(tails, items, Differ());
  put(2);
  Flags(storage).FlagHeadsAndTails(heads, tails, items, Differ());
  put(3);
}

__global__ void differences(const int* x, int* out) {
  using Difference = cub::BlockAdjacentDifference<int, 32>;
  __shared__ typename Difference::TempStorage storage;
  int items[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]}, result[2];
  auto put = [&](int place) {
    for (int i = 0; i < 2; i++) out[place * 64 + threadIdx.x * 2 + i] = result[i];
    __syncthreads();
  };
  Difference(storage).SubtractLeft(items, result, Minus());
  put(0);
  Difference(storage).SubtractLeft(items, result, Minus(), 7);
  put(1);
  Difference(storage).SubtractRight(items, result, Minus());
  put(2);
  Difference(storage).SubtractLeftPartialTile(items, result, Minus(), 21);
  put(3);
  Difference(storage).SubtractRightPartialTile(items, result, Minus(), 21);
  put(4);
}

template <cub::BlockHistogramAlgorithm Algorithm>
__global__ void histogram(const int* x, int* out) {
  using Histogram = cub::BlockHistogram<unsigned char, 32, 2, 16, Algorithm>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ int counts[16];
  unsigned char items[2] = {static_cast<unsigned char>(x[2 * threadIdx.x] & 15), static_cast<unsigned char>(x[2 * threadIdx.x + 1] & 15)};
  Histogram(storage).Histogram(items, counts);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = counts[threadIdx.x];
  __syncthreads();
  Histogram(storage).Composite(items, counts);
  __syncthreads();
  if (threadIdx.x < 16) out[16 + threadIdx.x] = counts[threadIdx.x];
}

__global__ void shuffles(const int* x, int* out) {
  using Shuffle = cub::BlockShuffle<int, 32>;
  __shared__ typename Shuffle::TempStorage storage;
  int value = x[threadIdx.x], result = -1;
  Shuffle(storage).Offset(value, result, -3);
  out[threadIdx.x] = result;
  __syncthreads();
  Shuffle(storage).Rotate(value, result, 5);
  out[32 + threadIdx.x] = result;
  __syncthreads();
  int items[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]}, moved[2] = {-1, -1};
  Shuffle(storage).Up(items, moved);
  out[64 + 2 * threadIdx.x] = threadIdx.x ? moved[0] : 0, out[65 + 2 * threadIdx.x] = moved[1];
  __syncthreads();
  Shuffle(storage).Down(items, moved);
  out[128 + 2 * threadIdx.x] = moved[0], out[129 + 2 * threadIdx.x] = threadIdx.x < 31 ? moved[1] : 0;
}

__global__ void sorts(const int* x, int* out) {
  using Block = cub::BlockMergeSort<int, 32, 2, int>;
  using Warp = cub::WarpMergeSort<int, 2, 16, int>;
  __shared__ typename Block::TempStorage block;
  __shared__ typename Warp::TempStorage warp[2];
  int keys[2], places[2];
  auto load = [&] {
    for (int i = 0; i < 2; i++) places[i] = threadIdx.x * 2 + i, keys[i] = x[places[i]];
    __syncthreads();
  };
  auto put = [&](int place) {
    for (int i = 0; i < 2; i++) out[place * 64 + threadIdx.x * 2 + i] = keys[i] * 1000 + places[i];
    load();
  };
  load();
  Block(block).StableSort(keys, places, ByTens());
  put(0);
  Block(block).StableSort(keys, places, ByTens(), 40, 1000);
  put(1);
  Warp(warp[threadIdx.x / 16]).StableSort(keys, places, ByTens());
  put(2);
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
  show("discontinuities", 256, [&](int* out) { discontinuities<<<1, 32>>>(x.data, out); });
  show("differences", 320, [&](int* out) { differences<<<1, 32>>>(x.data, out); });
  show("histogram_sort", 32, [&](int* out) { histogram<cub::BLOCK_HISTO_SORT><<<1, 32>>>(x.data, out); });
  show("histogram_atomic", 32, [&](int* out) { histogram<cub::BLOCK_HISTO_ATOMIC><<<1, 32>>>(x.data, out); });
  show("shuffles", 192, [&](int* out) { shuffles<<<1, 32>>>(x.data, out); });
  Array<int> sorted(192);
  sorts<<<1, 32>>>(x.data, sorted.data);
  Exact{"sorts_status", cudaGetLastError(), cudaDeviceSynchronize()};
  std::vector<int> keys = sorted.host();
  keys.erase(keys.begin() + 104, keys.begin() + 128);  // behind the valid keys of the second sort
  answers::exact_array("sorts", keys.data(), static_cast<int>(keys.size()));
  return 0;
}

// cub's warp-wide algorithms within kernels, for whole warps and parts of them.
#include "cub_test.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

namespace {

constexpr int kThreads = 96;

template <int WIDTH>
__global__ void reduce_warps(const long long* in, const int* flags, int valid, long long* out) {
  using Reduce = cub::WarpReduce<long long, WIDTH>;
  __shared__ typename Reduce::TempStorage storage[kThreads / WIDTH];
  Reduce reduce(storage[threadIdx.x / WIDTH]);
  const long long mine = in[threadIdx.x];
  const int flag = flags[threadIdx.x];
  out[threadIdx.x] = reduce.Sum(mine);
  out[kThreads + threadIdx.x] = reduce.Reduce(mine, cub::Max());
  out[2 * kThreads + threadIdx.x] = reduce.Sum(mine, valid);
  out[3 * kThreads + threadIdx.x] = reduce.HeadSegmentedSum(mine, flag);
  out[4 * kThreads + threadIdx.x] = reduce.TailSegmentedSum(mine, flag);
}

template <int WIDTH>
void check_reduce() {
  CAPTURE(WIDTH);
  const std::vector<long long> values =
      random_values<long long>(kThreads, -1000000000000, 1000000000000);
  const std::vector<int> flags = random_values<int>(kThreads, 0, 1, 2);
  const int valid = (WIDTH + 1) / 2;
  const DeviceArray<long long> in(values), out(5 * kThreads);
  const DeviceArray<int> flags_in(flags);
  SIMT_LAUNCH((reduce_warps<WIDTH>), (1), (kThreads), (0), (0), in.data(), flags_in.data(), valid,
              out.data());
  REQUIRE_FINISHED();
  const std::vector<long long> got = out.values();
  for (int warp = 0; warp < kThreads; warp += WIDTH) {
    CAPTURE(warp);
    const auto begin = values.begin() + warp;
    CHECK_EQ(got[warp], std::accumulate(begin, begin + WIDTH, 0LL));
    CHECK_EQ(got[kThreads + warp], *std::max_element(begin, begin + WIDTH));
    CHECK_EQ(got[2 * kThreads + warp], std::accumulate(begin, begin + valid, 0LL));
    for (int lane = 0; lane < WIDTH; ++lane) {
      long long head = 0, tail = 0;
      for (int i = lane; i < WIDTH && (i == lane || flags[warp + i] == 0); ++i) head += begin[i];
      for (int i = lane; i < WIDTH; ++i) {
        tail += begin[i];
        if (flags[warp + i] != 0) break;
      }
      if (lane == 0 || flags[warp + lane] != 0) CHECK_EQ(got[3 * kThreads + warp + lane], head);
      if (lane == 0 || flags[warp + lane - 1] != 0) CHECK_EQ(got[4 * kThreads + warp + lane], tail);
    }
  }
}

TEST_CASE("cub::WarpReduce: whole warps and logical ones, the first lanes, segments") {
  check_reduce<32>();
  check_reduce<16>();
  check_reduce<4>();
  check_reduce<1>();
}

/// Value of three words, more than one shuffle can transfer. Concatenation of digits is not
/// commutative.
struct Digits {
  unsigned long long value;
  unsigned long long scale;
  int count;
};
struct Concatenate {
  __host__ __device__ Digits operator()(const Digits& a, const Digits& b) const {
    return {a.value * b.scale + b.value, a.scale * b.scale, a.count + b.count};
  }
};
bool operator==(const Digits& a, const Digits& b) {
  return a.value == b.value && a.scale == b.scale && a.count == b.count;
}

template <int WIDTH>
__global__ void scan_warps(const Digits* in, Digits* out) {
  using Scan = cub::WarpScan<Digits, WIDTH>;
  __shared__ typename Scan::TempStorage storage[kThreads / WIDTH];
  Scan scan(storage[threadIdx.x / WIDTH]);
  const Digits mine = in[threadIdx.x];
  const Digits init{9, 10, 1};
  Digits inclusive, exclusive, aggregate, seeded;
  scan.InclusiveScan(mine, inclusive, Concatenate(), aggregate);
  exclusive = {};
  scan.ExclusiveScan(mine, exclusive, Concatenate());
  scan.ExclusiveScan(mine, seeded, init, Concatenate());
  out[threadIdx.x] = inclusive;
  out[kThreads + threadIdx.x] = exclusive;
  out[2 * kThreads + threadIdx.x] = seeded;
  out[3 * kThreads + threadIdx.x] = aggregate;
  out[4 * kThreads + threadIdx.x] = scan.Broadcast(mine, WIDTH / 2);
}

template <int WIDTH>
void check_scan() {
  CAPTURE(WIDTH);
  std::vector<Digits> values;
  for (const int digit : random_values<int>(kThreads, 0, 9)) {
    values.push_back({static_cast<unsigned long long>(digit), 10, 1});
  }
  const DeviceArray<Digits> in(values), out(5 * kThreads);
  SIMT_LAUNCH((scan_warps<WIDTH>), (1), (kThreads), (0), (0), in.data(), out.data());
  REQUIRE_FINISHED();
  const std::vector<Digits> got = out.values();
  for (int i = 0; i < kThreads; ++i) {
    CAPTURE(i);
    const int warp = i / WIDTH * WIDTH;
    const auto fold = [&](int end, Digits init, int begin) {
      return std::accumulate(values.begin() + begin, values.begin() + end, init, Concatenate());
    };
    CHECK(got[i] == fold(i + 1, values[warp], warp + 1));
    CHECK(got[kThreads + i] == (i == warp ? Digits{} : fold(i, values[warp], warp + 1)));
    CHECK(got[2 * kThreads + i] == fold(i, Digits{9, 10, 1}, warp));
    CHECK(got[3 * kThreads + i] == fold(warp + WIDTH, values[warp], warp + 1));
    CHECK(got[4 * kThreads + i] == values[warp + WIDTH / 2]);
  }
}

TEST_CASE("cub::WarpScan: whole warps and logical ones, values larger than a shuffle carries") {
  check_scan<32>();
  check_scan<8>();
  check_scan<2>();
}

template <int WIDTH, int ITEMS>
__global__ void sort_warps(const float* keys, float* out_keys, int* out_places, int valid) {
  using LoadKeys = cub::WarpLoad<float, ITEMS, cub::WARP_LOAD_TRANSPOSE, WIDTH>;
  using Sort = cub::WarpMergeSort<float, ITEMS, WIDTH, int>;
  using StoreKeys = cub::WarpStore<float, ITEMS, cub::WARP_STORE_TRANSPOSE, WIDTH>;
  using StorePlaces = cub::WarpStore<int, ITEMS, cub::WARP_STORE_STRIPED, WIDTH>;
  __shared__ union {
    typename LoadKeys::TempStorage load;
    typename Sort::TempStorage sort;
    typename StoreKeys::TempStorage store;
  } storage[kThreads / WIDTH];
  const int warp = threadIdx.x / WIDTH;
  const int lane = threadIdx.x % WIDTH;
  const int tile = warp * WIDTH * ITEMS;
  float key[ITEMS];
  int place[ITEMS];
  LoadKeys(storage[warp].load).Load(keys + tile, key, valid, -1.0f);
  __syncwarp();
  for (int i = 0; i < ITEMS; ++i) place[i] = lane * ITEMS + i;
  Sort(storage[warp].sort)
      .StableSort(key, place, [](float a, float b) { return a > b; }, valid, -1.0f);
  __syncwarp();
  StoreKeys(storage[warp].store).Store(out_keys + tile, key);
  // Rearranges the items from blocked to striped without cub, so that the test detects an error of
  // the striped store.
  int striped[ITEMS];
  __shared__ int all[kThreads * ITEMS];
  for (int i = 0; i < ITEMS; ++i) all[tile + lane * ITEMS + i] = place[i];
  __syncwarp();
  for (int i = 0; i < ITEMS; ++i) striped[i] = all[tile + i * WIDTH + lane];
  StorePlaces().Store(out_places + tile, striped);
}

template <int WIDTH, int ITEMS>
void check_sort() {
  CAPTURE(WIDTH);
  constexpr int kTile = WIDTH * ITEMS;
  const std::vector<float> keys = random_values<float>(kThreads * ITEMS, 0, 20);
  for (const int valid : {1, kTile / 2, kTile}) {
    CAPTURE(valid);
    const DeviceArray<float> in(keys), out(kThreads * ITEMS);
    const DeviceArray<int> places(kThreads * ITEMS);
    SIMT_LAUNCH((sort_warps<WIDTH, ITEMS>), (1), (kThreads), (0), (0), in.data(), out.data(),
                places.data(), valid);
    REQUIRE_FINISHED();
    const std::vector<float> got = out.values();
    const std::vector<int> got_places = places.values();
    for (int tile = 0; tile < kThreads * ITEMS; tile += kTile) {
      std::vector<int> order(static_cast<std::size_t>(valid));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return keys[tile + a] > keys[tile + b]; });
      for (int i = 0; i < kTile; ++i) {
        REQUIRE_EQ(got[tile + i], i < valid ? keys[tile + order[i]] : -1.0f);
        if (i < valid) REQUIRE_EQ(got_places[tile + i], order[i]);
      }
    }
  }
}

TEST_CASE(
    "cub::WarpMergeSort with WarpLoad and WarpStore: stable, with values, whole tiles and parts") {
  check_sort<32, 4>();
  check_sort<32, 1>();
  check_sort<16, 3>();
  check_sort<8, 2>();
}

__global__ void lane_ids(unsigned* lanes, int* ranks) {
  const int rank = cub::RowMajorTid(4, 3, 5);
  lanes[rank] = cub::LaneId();
  ranks[rank] = static_cast<int>(threadIdx.x + 4 * threadIdx.y + 12 * threadIdx.z);
}

TEST_CASE("cub::LaneId and RowMajorTid: x is fastest") {
  const DeviceArray<unsigned> lanes(60);
  const DeviceArray<int> ranks(60);
  SIMT_LAUNCH((lane_ids), (1), (dim3(4, 3, 5)), (0), (0), lanes.data(), ranks.data());
  REQUIRE_FINISHED();
  const std::vector<unsigned> got = lanes.values();
  const std::vector<int> got_ranks = ranks.values();
  for (int i = 0; i < 60; ++i) {
    CHECK_EQ(got[i], i % warpSize);
    CHECK_EQ(got_ranks[i], i);
  }
}

}  // namespace

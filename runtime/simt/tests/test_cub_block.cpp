// cub's block-wide algorithms within kernels, with blocks of several sizes and shapes.
#include "cub_test.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

namespace {

/// Rank of the calling thread in its block; x varies fastest.
__device__ int rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

struct Larger {
  __device__ int operator()(int a, int b) { return a > b ? a : b; }
};

/// x -> factor x + offset: composition is associative and does not commute. Wraps around as
/// unsigned numbers do.
struct Step {
  unsigned factor;
  unsigned offset;
};
struct Compose {
  __host__ __device__ Step operator()(const Step& a, const Step& b) const {
    return {a.factor * b.factor, a.offset * b.factor + b.offset};
  }
};
bool operator==(const Step& a, const Step& b) {
  return a.factor == b.factor && a.offset == b.offset;
}

template <int X, int Y, int Z>
__global__ void reduce_block(const int* in, int valid, int* out) {
  using Reduce = cub::BlockReduce<int, X, cub::BLOCK_REDUCE_RAKING, Y, Z>;
  __shared__ typename Reduce::TempStorage storage;
  const int mine = in[blockIdx.x * X * Y * Z + rank()];
  int pair[2] = {mine, 2 * mine};
  const int sum = Reduce(storage).Sum(mine);
  __syncthreads();
  const int largest = Reduce(storage).Reduce(mine, Larger());
  __syncthreads();
  const int some = Reduce(storage).Sum(mine, valid);
  const int twice = cub::BlockReduce<int, X, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Y, Z>().Sum(pair);
  if (rank() == 0) {
    out[4 * blockIdx.x] = sum;
    out[4 * blockIdx.x + 1] = largest;
    out[4 * blockIdx.x + 2] = some;
    out[4 * blockIdx.x + 3] = twice;
  }
}

/// Loads a tile through `storage`, and writes vectors to the bytes behind it, like kernels that
/// divide dynamic shared memory by sizeof(TempStorage).
template <class Load>
__global__ void vectors_behind_storage(const int* in, int4* out) {
  char (&memory)[] = SIMT_DYNAMIC_SHARED(char);
  int items[4];
  Load(*reinterpret_cast<typename Load::TempStorage*>(memory)).Load(in, items);
  auto* behind = reinterpret_cast<int4*>(memory + sizeof(typename Load::TempStorage));
  behind[threadIdx.x] = make_int4(items[0], items[1], items[2], items[3]);
  out[threadIdx.x] = behind[threadIdx.x];
}

template <class Load>
void check_vectors_behind_storage() {
  const std::vector<int> values = random_values<int>(4 * 64, -100, 100);
  const DeviceArray<int> in(values);
  const DeviceArray<int4> out(64);
  const std::size_t bytes = sizeof(typename Load::TempStorage) + 64 * sizeof(int4);
  SIMT_LAUNCH((vectors_behind_storage<Load>), (1), (64), (bytes), (0), in.data(), out.data());
  REQUIRE_FINISHED();
  const std::vector<int4> result = out.values();
  for (int i = 0; i < 64; ++i) CHECK_EQ(result[i].w, values[4 * i + 3]);
}

template <class Algorithm>
constexpr bool holds_vectors() {
  using Storage = typename Algorithm::TempStorage;
  return alignof(Storage) % 16 == 0 && sizeof(Storage) % 16 == 0;
}

template <int X, int Y, int Z>
void check_reduce() {
  constexpr int kThreads = X * Y * Z;
  constexpr int kBlocks = 5;
  CAPTURE(kThreads);
  const std::vector<int> values = random_values<int>(kBlocks * kThreads, -100, 100);
  const int valid = (kThreads + 1) / 2;
  const DeviceArray<int> in(values);
  const DeviceArray<int> out(4 * kBlocks);
  SIMT_LAUNCH((reduce_block<X, Y, Z>), (kBlocks), (dim3(X, Y, Z)), (0), (0), in.data(), valid,
              out.data());
  REQUIRE_FINISHED();
  const std::vector<int> got = out.values();
  for (int b = 0; b < kBlocks; ++b) {
    const auto begin = values.begin() + b * kThreads;
    CHECK_EQ(got[4 * b], std::accumulate(begin, begin + kThreads, 0));
    CHECK_EQ(got[4 * b + 1], *std::max_element(begin, begin + kThreads));
    CHECK_EQ(got[4 * b + 2], std::accumulate(begin, begin + valid, 0));
    CHECK_EQ(got[4 * b + 3], 3 * got[4 * b]);
  }
}

// cub/block/block_exchange.cuh aligns its storage to 16 bytes; programs rely on this alignment for
// their other data in shared memory.
TEST_CASE("storage is aligned for vectors, and as large as a tile that goes through it") {
  static_assert(holds_vectors<cub::BlockLoad<char, 3, 1>>());
  static_assert(holds_vectors<cub::BlockStore<char, 3, 1, cub::BLOCK_STORE_VECTORIZE>>());
  static_assert(holds_vectors<cub::BlockLoad<short, 33, 3, cub::BLOCK_LOAD_TRANSPOSE>>());
  static_assert(holds_vectors<cub::BlockScan<char, 33>>());
  static_assert(holds_vectors<cub::BlockReduce<char, 33>>());
  static_assert(holds_vectors<cub::BlockExchange<char, 33, 3>>());
  static_assert(holds_vectors<cub::BlockRadixSort<short, 33, 3>>());
  static_assert(holds_vectors<cub::WarpReduce<char>>());
  static_assert(holds_vectors<cub::WarpScan<char, 4>>());
  static_assert(holds_vectors<cub::WarpMergeSort<char, 3>>());
  using Load = cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<double, 64, 4, cub::BLOCK_STORE_TRANSPOSE>;
  using Sliced = cub::BlockStore<double, 256, 4, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>;
  static_assert(sizeof(Load::TempStorage) >= 64 * 4 * sizeof(int));
  static_assert(sizeof(Store::TempStorage) >= 64 * 4 * sizeof(double));
  static_assert(sizeof(Sliced::TempStorage) == simtrt::kWarpSize * 4 * sizeof(double));
  static_assert(sizeof(cub::WarpLoad<int, 4, cub::WARP_LOAD_TRANSPOSE>::TempStorage) >=
                simtrt::kWarpSize * 4 * sizeof(int));
  check_vectors_behind_storage<cub::BlockLoad<int, 64, 4>>();
  check_vectors_behind_storage<Load>();
}

TEST_CASE(
    "cub::BlockReduce: sums and others, of all threads or the first ones, in 1 to 3 dimensions") {
  check_reduce<1, 1, 1>();
  check_reduce<32, 1, 1>();
  check_reduce<48, 1, 1>();
  check_reduce<16, 16, 1>();
  check_reduce<7, 5, 3>();
  check_reduce<1024, 1, 1>();
}

/// Kinds of scans, as template arguments of the kernel below.
enum ScanKind { kInclusive, kExclusive, kExclusiveInit, kInclusivePrefix, kExclusivePrefix };

struct RunningPrefix {
  Step running;
  __device__ Step operator()(Step aggregate) {
    const Step before = running;
    running = Compose()(running, aggregate);
    return before;
  }
};

template <int X, int Y, int ITEMS, cub::BlockScanAlgorithm ALGORITHM>
__global__ void scan_block(const Step* in, Step* out, Step* aggregates, int tiles, ScanKind kind) {
  using Scan = cub::BlockScan<Step, X, ALGORITHM, Y>;
  __shared__ typename Scan::TempStorage storage;
  RunningPrefix prefix{{1, 3}};
  for (int tile = 0; tile < tiles; ++tile) {
    const int at = (tile * X * Y + rank()) * ITEMS;
    Step items[ITEMS];
    for (int i = 0; i < ITEMS; ++i) items[i] = in[at + i];
    Step aggregate{0, 0};
    // Without an initial value, an exclusive scan does not write its first output.
    switch (kind) {
      case kInclusive: Scan(storage).InclusiveScan(items, items, Compose(), aggregate); break;
      case kExclusive: {
        Step results[ITEMS] = {};
        Scan(storage).ExclusiveScan(items, results, Compose(), aggregate);
        for (int i = 0; i < ITEMS; ++i) items[i] = results[i];
        break;
      }
      case kExclusiveInit:
        Scan(storage).ExclusiveScan(items, items, Step{5, 7}, Compose(), aggregate);
        break;
      case kInclusivePrefix: Scan(storage).InclusiveScan(items, items, Compose(), prefix); break;
      case kExclusivePrefix: Scan(storage).ExclusiveScan(items, items, Compose(), prefix); break;
    }
    for (int i = 0; i < ITEMS; ++i) out[at + i] = items[i];
    if (rank() == X * Y - 1) aggregates[tile] = aggregate;
    __syncthreads();
  }
}

template <int X, int Y, int ITEMS, cub::BlockScanAlgorithm ALGORITHM>
void check_scan() {
  constexpr int kTiles = 3;
  constexpr int kTile = X * Y * ITEMS;
  CAPTURE(kTile);
  const std::vector<unsigned> numbers = random_values<unsigned>(2 * kTiles * kTile, 0, 1000);
  std::vector<Step> steps;
  for (int i = 0; i < kTiles * kTile; ++i)
    steps.push_back({2 * numbers[2 * i] + 1, numbers[2 * i + 1]});
  const DeviceArray<Step> in(steps);
  for (const ScanKind kind :
       {kInclusive, kExclusive, kExclusiveInit, kInclusivePrefix, kExclusivePrefix}) {
    CAPTURE(kind);
    const DeviceArray<Step> out(kTiles * kTile);
    const DeviceArray<Step> aggregates(kTiles);
    SIMT_LAUNCH((scan_block<X, Y, ITEMS, ALGORITHM>), (1), (dim3(X, Y)), (0), (0), in.data(),
                out.data(), aggregates.data(), kTiles, kind);
    REQUIRE_FINISHED();
    const bool over_tiles = kind == kInclusivePrefix || kind == kExclusivePrefix;
    const bool inclusive = kind == kInclusive || kind == kInclusivePrefix;
    std::vector<Step> expected;
    Step running{};
    for (int i = 0; i < kTiles * kTile; ++i) {
      bool begins = i % kTile == 0;
      if (over_tiles) {
        if (i == 0) running = {1, 3};
        begins = false;
      } else if (begins && kind == kExclusiveInit) {
        running = {5, 7};
        begins = false;
      }
      if (!inclusive) expected.push_back(begins ? Step{} : running);
      running = begins ? steps[i] : Compose()(running, steps[i]);
      if (inclusive) expected.push_back(running);
    }
    CHECK(out.values() == expected);
    if (!over_tiles) {
      const std::vector<Step> got = aggregates.values();
      for (int t = 0; t < kTiles; ++t) {
        CHECK(got[t] == std::accumulate(steps.begin() + t * kTile + 1,
                                        steps.begin() + (t + 1) * kTile, steps[t * kTile],
                                        Compose()));
      }
    }
  }
}

TEST_CASE("cub::BlockScan: every kind, with one item and several, over tiles with a prefix") {
  check_scan<1, 1, 1, cub::BLOCK_SCAN_RAKING>();
  check_scan<32, 1, 1, cub::BLOCK_SCAN_WARP_SCANS>();
  check_scan<33, 1, 3, cub::BLOCK_SCAN_RAKING_MEMOIZE>();
  check_scan<16, 8, 4, cub::BLOCK_SCAN_WARP_SCANS>();
  check_scan<512, 1, 2, cub::BLOCK_SCAN_RAKING>();
}

__global__ void scan_counts(const unsigned* in, unsigned* out, unsigned* total) {
  using Scan = cub::BlockScan<unsigned, 128>;
  __shared__ typename Scan::TempStorage storage;
  unsigned before = 0;
  unsigned sum = 0;
  Scan(storage).ExclusiveSum(in[threadIdx.x], before, sum);
  out[threadIdx.x] = before;
  if (threadIdx.x == 0) *total = sum;
}

TEST_CASE("cub::BlockScan::ExclusiveSum: one value a thread, with the sum of all") {
  const std::vector<unsigned> values = random_values<unsigned>(128, 0, 9);
  const DeviceArray<unsigned> in(values), out(128), total(1);
  SIMT_LAUNCH((scan_counts), (1), (128), (0), (0), in.data(), out.data(), total.data());
  REQUIRE_FINISHED();
  std::vector<unsigned> expected(128);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0u);
  CHECK_EQ(out.values(), expected);
  CHECK_EQ(total.values()[0], std::accumulate(values.begin(), values.end(), 0u));
}

/// Adds to each valid item its position in the tile. Writes an unexpected value to data[0] if the
/// load has not set the items after the valid ones to the fill value -5.
template <int THREADS, int ITEMS, cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE>
__global__ void add_index(int* data, int valid) {
  using Load = cub::BlockLoad<int, THREADS, ITEMS, LOAD>;
  using Store = cub::BlockStore<int, THREADS, ITEMS, STORE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  int items[ITEMS];
  Load(storage.load).Load(data, items, valid, -5);
  __syncthreads();
  for (int i = 0; i < ITEMS; ++i) {
    const bool striped = LOAD == cub::BLOCK_LOAD_STRIPED;
    items[i] += striped ? i * THREADS + threadIdx.x : threadIdx.x * ITEMS + i;
  }
  if (valid > 0) Store(storage.store).Store(data, items, valid);
  // The load sets the items behind the valid ones to the fill value.
  for (int i = 0; i < ITEMS; ++i) {
    const bool striped = LOAD == cub::BLOCK_LOAD_STRIPED;
    const int at = striped ? i * THREADS + threadIdx.x : threadIdx.x * ITEMS + i;
    if (at >= valid && items[i] != at - 5) data[0] = -12345;
  }
}

template <int THREADS, int ITEMS, cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE>
void check_load_store() {
  constexpr int kTile = THREADS * ITEMS;
  CAPTURE(LOAD);
  for (const int valid : {0, 1, kTile / 2, kTile - 1, kTile}) {
    CAPTURE(valid);
    const std::vector<int> values = random_values<int>(kTile, 0, 1000);
    const DeviceArray<int> data(values);
    SIMT_LAUNCH((add_index<THREADS, ITEMS, LOAD, STORE>), (1), (THREADS), (0), (0), data.data(),
                valid);
    REQUIRE_FINISHED();
    std::vector<int> expected = values;
    for (int i = 0; i < valid; ++i) expected[i] += i;
    CHECK_EQ(data.values(), expected);
  }
}

TEST_CASE("cub::BlockLoad and BlockStore: every algorithm, whole tiles and parts") {
  check_load_store<64, 5, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>();
  check_load_store<64, 5, cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>();
  check_load_store<64, 4, cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>();
  check_load_store<50, 5, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>();
  check_load_store<64, 5, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>();
  check_load_store<64, 3, cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
                   cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>();
}

/// Each transposing load reads the whole tile before a thread writes to it.
__global__ void reverse_in_place(int* data) {
  using Load = cub::BlockLoad<int, 64, 2, cub::BLOCK_LOAD_TRANSPOSE>;
  __shared__ typename Load::TempStorage storage;
  int items[2];
  Load(storage).Load(data, items);
  data[127 - 2 * threadIdx.x] = items[0];
  data[126 - 2 * threadIdx.x] = items[1];
}

TEST_CASE("cub::BlockLoad: a transposing load is complete before its input is overwritten") {
  std::vector<int> values = random_values<int>(128, 0, 1000);
  const DeviceArray<int> data(values);
  SIMT_LAUNCH((reverse_in_place), (1), (64), (0), (0), data.data());
  REQUIRE_FINISHED();
  std::reverse(values.begin(), values.end());
  CHECK_EQ(data.values(), values);
}

enum ExchangeKind {
  kStripedToBlocked,
  kBlockedToStriped,
  kWarpStriped,
  kScatterBlocked,
  kScatterStriped,
  kGuarded
};

template <int THREADS, int ITEMS>
__global__ void exchange(const int* ranks, int* out, ExchangeKind kind) {
  using Exchange = cub::BlockExchange<int, THREADS, ITEMS>;
  __shared__ typename Exchange::TempStorage storage;
  const int first = threadIdx.x * ITEMS;
  int items[ITEMS], rank[ITEMS];
  for (int i = 0; i < ITEMS; ++i) {
    // The value of each item is its position in the arrangement before the exchange.
    items[i] = kind == kStripedToBlocked ? i * THREADS + static_cast<int>(threadIdx.x) : first + i;
    rank[i] = ranks[first + i];
  }
  switch (kind) {
    case kStripedToBlocked: Exchange(storage).StripedToBlocked(items); break;
    case kBlockedToStriped: Exchange(storage).BlockedToStriped(items); break;
    case kWarpStriped:
      Exchange(storage).BlockedToWarpStriped(items, items);
      __syncthreads();
      Exchange(storage).WarpStripedToBlocked(items, items);
      break;
    case kScatterBlocked: Exchange(storage).ScatterToBlocked(items, rank); break;
    case kScatterStriped: Exchange(storage).ScatterToStriped(items, rank); break;
    case kGuarded:
      if (threadIdx.x == 0) rank[0] = -1;
      Exchange(storage).ScatterToStripedGuarded(items, rank);
      break;
  }
  const bool striped = kind == kBlockedToStriped || kind == kScatterStriped || kind == kGuarded;
  for (int i = 0; i < ITEMS; ++i) out[striped ? i * THREADS + threadIdx.x : first + i] = items[i];
}

TEST_CASE("cub::BlockExchange: arrangements and scatters") {
  constexpr int kThreads = 96, kItems = 3, kTile = kThreads * kItems;
  std::vector<int> identity(kTile), ranks(kTile), inverse(kTile);
  std::iota(identity.begin(), identity.end(), 0);
  ranks = identity;
  std::shuffle(ranks.begin(), ranks.end(), std::mt19937(3));
  for (int i = 0; i < kTile; ++i) inverse[ranks[i]] = i;
  const DeviceArray<int> rank_in(ranks);
  for (const ExchangeKind kind : {kStripedToBlocked, kBlockedToStriped, kWarpStriped,
                                  kScatterBlocked, kScatterStriped, kGuarded}) {
    CAPTURE(kind);
    const DeviceArray<int> out(kTile);
    SIMT_LAUNCH((exchange<kThreads, kItems>), (1), (kThreads), (0), (0), rank_in.data(), out.data(),
                kind);
    REQUIRE_FINISHED();
    std::vector<int> got = out.values();
    if (kind == kGuarded) got[ranks[0]] = 0;  // no item was written there
    CHECK_EQ(got, kind < kScatterBlocked ? identity : inverse);
  }
}

}  // namespace

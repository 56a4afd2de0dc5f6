// Parts of cub below its algorithms: shuffles, caches, arrangements, layouts, allocator, devices.
#include "cub_test.h"

#include <cub/cub.cuh>

#include <numeric>

namespace {

constexpr int kThreads = 64;

struct Wide {
  int number;
  double values[3];
};

template <int WIDTH>
__global__ void exchange(Wide* up, Wide* down, Wide* one) {
  const auto mask = cub::WarpMask<WIDTH>(cub::LaneId() / WIDTH);
  const int thread = static_cast<int>(threadIdx.x);
  const Wide mine{thread, {1.0 * thread, 2.0 * thread, 3.0 * thread}};
  up[thread] = cub::ShuffleUp<WIDTH>(mine, 1, 0, mask);
  down[thread] = cub::ShuffleDown<WIDTH>(mine, 2, WIDTH - 1, mask);
  one[thread] = cub::ShuffleIndex<WIDTH>(mine, 3, mask);
}

template <int WIDTH>
void check_exchange() {
  CAPTURE(WIDTH);
  const DeviceArray<Wide> up(kThreads), down(kThreads), one(kThreads);
  SIMT_LAUNCH((exchange<WIDTH>), (1), (kThreads), (0), (0), up.data(), down.data(), one.data());
  REQUIRE_FINISHED();
  for (int i = 0; i < kThreads; ++i) {
    const int first = i / WIDTH * WIDTH;
    const int below = i == first ? i : i - 1;
    const int above = i + 2 < first + WIDTH ? i + 2 : i;
    CHECK_EQ(up.values()[i].number, below);
    CHECK_EQ(up.values()[i].values[2], 3.0 * below);
    CHECK_EQ(down.values()[i].number, above);
    CHECK_EQ(one.values()[i].values[1], 2.0 * (first + 3));
  }
}

TEST_CASE("cub's shuffles: values of any size, whole warps and parts of them") {
  check_exchange<32>();
  check_exchange<8>();
}

__global__ void bits(unsigned* out) {
  if (threadIdx.x != 5) return;
  out[0] = cub::LaneMaskLt();
  out[1] = cub::LaneMaskGe();
  out[2] = cub::BFE(0xABCD1234u, 8, 8);
  cub::BFI(out[3], 0xFFFFFFFFu, 0x12u, 8, 8);
  out[4] = static_cast<unsigned>(cub::PRMT(0x33221100u, 0x77665544u, 0x5140u));
  out[5] = cub::SHL_ADD(3, 4, 1) + cub::SHR_ADD(64, 3, 1) + cub::IADD3(1, 2, 3);
  out[6] = static_cast<unsigned>(cub::BFE(0xFFull << 40, 40, 4));
}

TEST_CASE("cub's operations on bits and masks of lanes") {
  const DeviceArray<unsigned> out(7);
  SIMT_LAUNCH((bits), (1), (32), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 0x1Fu);
  CHECK_EQ(out.values()[1], ~0x1Fu);
  CHECK_EQ(out.values()[2], 0x12u);
  CHECK_EQ(out.values()[3], 0xFFFF12FFu);
  CHECK_EQ(out.values()[4], 0x55114400u);
  CHECK_EQ(out.values()[5], 49u + 9u + 6u);
  CHECK_EQ(out.values()[6], 0xFu);
}

__global__ void matches(unsigned* out) {
  out[threadIdx.x] = cub::MatchAny<2>(threadIdx.x);
}

TEST_CASE("cub::MatchAny compares the low bits of a label") {
  const DeviceArray<unsigned> out(32);
  SIMT_LAUNCH((matches), (1), (32), (0), (0), out.data());
  REQUIRE_FINISHED();
  for (int i = 0; i < 32; ++i) CHECK_EQ(out.values()[i], 0x11111111u << (i % 4));
}

constexpr int kRaking = simtrt::kWarpSize;
constexpr int kRaked = 3 * kRaking;

__global__ void rake(const int* in, int* sums) {
  using Layout = cub::BlockRakingLayout<int, kRaked>;
  static_assert(Layout::UNGUARDED && Layout::RAKING_THREADS == kRaking && Layout::SEGMENT_LENGTH == 3,
                "each lane of a warp has one segment");
  __shared__ Layout::TempStorage storage;
  *Layout::PlacementPtr(storage, threadIdx.x) = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= Layout::RAKING_THREADS) return;
  const int* segment = Layout::RakingPtr(storage, threadIdx.x);
  sums[threadIdx.x] = std::accumulate(segment, segment + Layout::SEGMENT_LENGTH, 0);
}

TEST_CASE("cub::BlockRakingLayout: the threads of a warp read the items of a block in order") {
  const std::vector<int> values = random_values<int>(kRaked, -9, 9);
  const DeviceArray<int> in(values), sums(kRaking);
  SIMT_LAUNCH((rake), (1), (kRaked), (0), (0), in.data(), sums.data());
  REQUIRE_FINISHED();
  for (int i = 0; i < kRaking; ++i) {
    CHECK_EQ(sums.values()[i], values[3 * i] + values[3 * i + 1] + values[3 * i + 2]);
  }
}

__global__ void arrange(const int* in, int valid, int* out) {
  int items[2];
  const int thread = static_cast<int>(threadIdx.x);
  cub::CacheModifiedInputIterator<cub::LOAD_CG, int> cached(in);
  cub::LoadDirectBlocked(thread, cached, items, valid, -1);
  cub::StoreDirectBlocked(thread, out, items);
  cub::LoadDirectStriped<kThreads>(thread, in, items, valid, -2);
  cub::StoreDirectStriped<kThreads>(thread, out + 2 * kThreads, items);
  cub::LoadDirectWarpStriped(thread, in, items, valid, -3);
  cub::StoreDirectWarpStriped(thread, out + 4 * kThreads, items, 2 * kThreads);
  cub::LoadDirectStriped<kThreads>(thread, in, items);
  cub::CacheModifiedOutputIterator<cub::STORE_CS, int> target(out + 6 * kThreads);
  cub::StoreDirectBlocked(thread, target, items, 3);
}

TEST_CASE("cub's direct loads and stores: arrangements, incomplete tiles, caches") {
  std::vector<int> values(2 * kThreads);
  std::iota(values.begin(), values.end(), 100);
  const int valid = 2 * kThreads - 5;
  const DeviceArray<int> in(values), out(8 * kThreads);
  SIMT_LAUNCH((arrange), (1), (kThreads), (0), (0), in.data(), valid, out.data());
  REQUIRE_FINISHED();
  const std::vector<int> got = out.values();
  for (int i = 0; i < 2 * kThreads; ++i) {
    for (int tile = 0; tile < 3; ++tile) {
      CHECK_EQ(got[tile * 2 * kThreads + i], i < valid ? values[i] : -1 - tile);
    }
  }
  CHECK_EQ(got[6 * kThreads], values[0]);
  CHECK_EQ(got[6 * kThreads + 1], values[kThreads]);
  CHECK_EQ(got[6 * kThreads + 2], values[1]);
  CHECK_EQ(got[6 * kThreads + 3], 0);
}

__global__ void caches(int* memory) {
  const int value = cub::ThreadLoad<cub::LOAD_LDG>(memory) + cub::ThreadLoad<cub::LOAD_VOLATILE>(memory + 1);
  cub::ThreadStore<cub::STORE_VOLATILE>(memory + 2, value);
  cub::ThreadStore<cub::STORE_CG>(memory + 3, value + 1);
}

TEST_CASE("cub::ThreadLoad and cub::ThreadStore access memory with every modifier") {
  const DeviceArray<int> memory(std::vector<int>{3, 4, 0, 0});
  SIMT_LAUNCH((caches), (1), (1), (0), (0), memory.data());
  REQUIRE_FINISHED();
  CHECK_EQ(memory.values(), std::vector<int>{3, 4, 7, 8});
}

TEST_CASE("cub's operators that are made of other operators") {
  using Pair = cub::KeyValuePair<int, int>;
  CHECK_EQ(cub::SwizzleScanOp<cub::Difference>(cub::Difference())(3, 10), 7);
  CHECK_EQ(cub::MakeBinaryFlip(cub::Difference())(3, 10), 7);
  CHECK_EQ(cub::CastOp<int>()(2.75), 2);
  cub::ReduceByKeyOp<cub::Sum> by_key;
  CHECK_EQ(by_key(Pair(1, 5), Pair(1, 6)).value, 11);
  CHECK_EQ(by_key(Pair(1, 5), Pair(2, 6)).value, 6);
  cub::ReduceBySegmentOp<cub::Sum> by_segment;
  CHECK_EQ(by_segment(Pair(1, 5), Pair(0, 6)).value, 11);
  CHECK_EQ(by_segment(Pair(1, 5), Pair(1, 6)).value, 6);
  CHECK_EQ(by_segment(Pair(1, 5), Pair(1, 6)).key, 2);
}

TEST_CASE("cub::CachingDeviceAllocator: memory in the order of a stream, of any device") {
  cub::CachingDeviceAllocator allocator(8, 3, 7, 1 << 20);
  simtStream_t stream = nullptr;
  REQUIRE_OK(simtStreamCreate(&stream));
  int* numbers = nullptr;
  REQUIRE_OK(allocator.DeviceAllocate(reinterpret_cast<void**>(&numbers), 4 * sizeof(int), stream));
  REQUIRE_OK(simtMemsetAsync(numbers, 1, 4 * sizeof(int), stream));
  int first = 0;
  REQUIRE_OK(simtMemcpyAsync(&first, numbers, sizeof(int), simtMemcpyDefault, stream));
  REQUIRE_OK(allocator.DeviceFree(numbers));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(first, 0x01010101);

  void* on_device_0 = nullptr;
  REQUIRE_OK(allocator.DeviceAllocate(0, &on_device_0, 100));
  REQUIRE_OK(allocator.DeviceFree(0, on_device_0));
  void* pointer = &first;
  CHECK_EQ(allocator.DeviceAllocate(99, &pointer, 100), simtErrorInvalidDevice);
  CHECK_EQ(pointer, nullptr);
  static_cast<void>(simtGetLastError());
  REQUIRE_OK(allocator.FreeAllCached());
  REQUIRE_OK(simtStreamDestroy(stream));
}

TEST_CASE("cub's facts about devices and macros") {
  int version = 0;
  REQUIRE_OK(cub::PtxVersion(version));
  CHECK_EQ(version, 700);
  CHECK_GE(cub::DeviceCount(), 1);
  CHECK_EQ(cub::CurrentDevice(), 0);
  CHECK_EQ(CUB_QUOTIENT_CEILING(7, 3), 3);
  CHECK_EQ(CUB_ROUND_UP_NEAREST(7, 4), 8);
  CHECK_EQ(CUB_ROUND_DOWN_NEAREST(7, 4), 4);
  CHECK_EQ(CUB_PTX_WARP_THREADS, 32);
}

}  // namespace

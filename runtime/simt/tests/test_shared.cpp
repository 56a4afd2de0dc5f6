// Static and dynamic shared memory, and the built-in variables of a thread's position. CUDA C++
// Programming Guide, "Thread Hierarchy" and "__shared__".
#include "kernel_test.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <tuple>

namespace {

template <class T>
__global__ void reduce_in_shared(const T* in, int n, T* sums) {
  __shared__ T values[1024];
  T mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n);
       i += gridDim.x * blockDim.x) {
    mine += in[i];
  }
  values[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = values[0];
}

template <class T>
T sum_by_blocks(int n, unsigned threads, unsigned blocks) {
  std::vector<T> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), T(1));
  const DeviceArray<T> in(values);
  const DeviceArray<T> sums(blocks);
  SIMT_LAUNCH((reduce_in_shared<T>), (blocks), (threads), (0), (0), in.data(), n, sums.data());
  REQUIRE_FINISHED();
  const std::vector<T> parts = sums.values();
  return std::accumulate(parts.begin(), parts.end(), T(0));
}

TEST_CASE("a reduction over shared memory, by blocks of every power of two") {
  for (unsigned threads = 1; threads <= 1024; threads *= 2) {
    CAPTURE(threads);
    CHECK_EQ(sum_by_blocks<int>(5000, threads, 3), 5000 * 5001 / 2);
  }
  CHECK_EQ(sum_by_blocks<double>(5000, 128, 7), 5000 * 5001 / 2);
}

__global__ void own_copy(int* wrong) {
  __shared__ unsigned owner;
  __shared__ int rounds[4];
  if (threadIdx.x == 0) owner = blockIdx.x;
  if (threadIdx.x < 4) rounds[threadIdx.x] = static_cast<int>(blockIdx.x);
  for (int round = 0; round < 4; ++round) {
    __syncthreads();
    if (owner != blockIdx.x || rounds[round] != static_cast<int>(blockIdx.x)) atomicAdd(wrong, 1);
  }
}

TEST_CASE("each block has its own copy of static shared memory") {
  const DeviceArray<int> wrong(1);
  SIMT_LAUNCH((own_copy), (500), (33), (0), (0), wrong.data());
  REQUIRE_FINISHED();
  CHECK_EQ(wrong.values()[0], 0);
}

struct Pair {
  short key;
  double value;
};

__device__ Pair* pairs_of_block() {
  __shared__ Pair pairs[8];
  return pairs;
}

__global__ void through_a_function(double* out) {
  __shared__ double grid[2][3];
  Pair* pairs = pairs_of_block();
  if (threadIdx.x < 8) pairs[threadIdx.x] = {static_cast<short>(threadIdx.x), 0.5 * threadIdx.x};
  if (threadIdx.x < 6) grid[threadIdx.x / 3][threadIdx.x % 3] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    double sum = 0;
    for (int i = 0; i < 8; ++i) sum += pairs[i].key * pairs[i].value;
    for (int i = 0; i < 6; ++i) sum += grid[i % 2][i / 2];
    *out = sum;
  }
}

TEST_CASE("shared arrays of structures, of two dimensions, and inside a device function") {
  const DeviceArray<double> out(1);
  SIMT_LAUNCH((through_a_function), (1), (16), (0), (0), out.data());
  REQUIRE_FINISHED();
  // The sum of i * i / 2 for i < 8, and of 0 to 5.
  CHECK_EQ(out.values()[0], 70.0 + 15.0);
}

template <int kTag>
__global__ void tagged(int* seen) {
  __shared__ int tag;
  if (threadIdx.x == 0) tag = kTag;
  __syncthreads();
  atomicAdd(&seen[kTag], tag == kTag);
}

TEST_CASE("kernels of one template do not share memory, though they run at the same time") {
  const DeviceArray<int> seen(2);
  simtStream_t other;
  REQUIRE_OK(simtStreamCreateWithFlags(&other, simtStreamNonBlocking));
  SIMT_LAUNCH((tagged<0>), (40), (32), (0), (0), seen.data());
  SIMT_LAUNCH((tagged<1>), (40), (32), (0), (other), seen.data());
  REQUIRE_FINISHED();
  CHECK_EQ(seen.values(), std::vector<int>{40 * 32, 40 * 32});
  CHECK_OK(simtStreamDestroy(other));
}

// -- dynamic shared memory

__global__ void reverse_in_dynamic(int* values) {
  int (&tile)[] = SIMT_DYNAMIC_SHARED(int);
  tile[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  values[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

TEST_CASE("dynamic shared memory") {
  std::vector<int> values(4 * 96);
  std::iota(values.begin(), values.end(), 0);
  const DeviceArray<int> data(values);
  SIMT_LAUNCH((reverse_in_dynamic), (4), (96), (96 * sizeof(int)), (0), data.data());
  REQUIRE_FINISHED();
  for (int block = 0; block < 4; ++block) {
    std::reverse(values.begin() + block * 96, values.begin() + (block + 1) * 96);
  }
  CHECK_EQ(data.values(), values);
}

// PyTorch's layer_norm casts the address of the array, so `&name` must be the address of the
// memory.
__global__ void one_memory(std::uintptr_t* addresses) {
  float (&floats)[] = SIMT_DYNAMIC_SHARED(float);
  char (&bytes)[] = SIMT_DYNAMIC_SHARED(char);
  __shared__ char separate[64];
  addresses[0] = reinterpret_cast<std::uintptr_t>(floats);
  addresses[1] = reinterpret_cast<std::uintptr_t>(bytes);
  addresses[2] = reinterpret_cast<std::uintptr_t>(&bytes);
  addresses[3] = reinterpret_cast<std::uintptr_t>(separate);
}

TEST_CASE("all dynamic shared arrays of a kernel are the same memory, aligned, apart from static") {
  const DeviceArray<std::uintptr_t> addresses(4);
  SIMT_LAUNCH((one_memory), (1), (1), (256), (0), addresses.data());
  REQUIRE_FINISHED();
  const std::vector<std::uintptr_t> at = addresses.values();
  CHECK_EQ(at[0], at[1]);
  CHECK_EQ(at[0], at[2]);
  CHECK_EQ(at[0] % 1024, 0);
  const bool apart = at[3] + 64 <= at[0] || at[0] + 256 <= at[3];
  CHECK(apart);
}

__global__ void fill_all(int words, int* wrong) {
  int (&memory)[] = SIMT_DYNAMIC_SHARED(int);
  for (int i = static_cast<int>(threadIdx.x); i < words; i += static_cast<int>(blockDim.x)) {
    memory[i] = i ^ static_cast<int>(blockIdx.x);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < words; i += static_cast<int>(blockDim.x)) {
    if (memory[words - 1 - i] != ((words - 1 - i) ^ static_cast<int>(blockIdx.x)))
      atomicAdd(wrong, 1);
  }
}

TEST_CASE("48 KiB of dynamic shared memory, in blocks of different sizes one after another") {
  const DeviceArray<int> wrong(1);
  for (const int bytes : {48 * 1024, 4, 20 * 1024}) {
    SIMT_LAUNCH((fill_all), (20), (64), (bytes), (0), bytes / 4, wrong.data());
  }
  REQUIRE_FINISHED();
  CHECK_EQ(wrong.values()[0], 0);
}

// -- a tiled product

constexpr int kTile = 8;

__global__ void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * kTile + y;
  const int column = static_cast<int>(blockIdx.x) * kTile + x;
  float sum = 0;
  for (int begin = 0; begin < inner; begin += kTile) {
    tile_a[y][x] = row < rows && begin + x < inner ? a[row * inner + begin + x] : 0;
    tile_b[y][x] = begin + y < inner && column < columns ? b[(begin + y) * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

TEST_CASE("a tiled matrix product of two-dimensional blocks") {
  const int rows = 19, inner = 30, columns = 25;
  std::vector<float> a(rows * inner), b(inner * columns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 11) - 5;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;
  const DeviceArray<float> device_a(a), device_b(b), device_c(rows * columns);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  SIMT_LAUNCH((matmul), (grid), (dim3(kTile, kTile)), (0), (0), device_a.data(), device_b.data(),
              device_c.data(), rows, inner, columns);
  REQUIRE_FINISHED();
  std::vector<float> expected(rows * columns, 0);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      for (int k = 0; k < inner; ++k) {
        expected[static_cast<std::size_t>(row * columns + column)] +=
            a[static_cast<std::size_t>(row * inner + k)] *
            b[static_cast<std::size_t>(k * columns + column)];
      }
    }
  }
  CHECK_EQ(device_c.values(), expected);
}

// -- addresses of 32 bits. PTX ISA, "Generic Addressing": shared memory is a window of the address
// space. Addresses in the window (`cvta.to.shared`) have 32 bits, and the compiler computes with 32
// bits if it knows that an address is in the window.

template <class T>
__global__ void reverse_by_complement(T* out, unsigned count) {
  T (&memory)[] = SIMT_DYNAMIC_SHARED(T);
  T* end = memory + count;
  const unsigned thread = threadIdx.x;
  end[~thread] = static_cast<T>(thread + 1);
  __syncthreads();
  out[thread] = memory[thread];
}

template <class T>
void check_reverse_by_complement() {
  const DeviceArray<T> out(64);
  SIMT_LAUNCH((reverse_by_complement<T>), (3), (64), (64 * sizeof(T)), (0), out.data(), 64u);
  REQUIRE_FINISHED();
  const std::vector<T> values = out.values();
  for (int i = 0; i < 64; ++i) CHECK_EQ(values[static_cast<std::size_t>(i)], static_cast<T>(64 - i));
}

// Not under sanitizers: they check an address before the access can raise the signal that the
// runtime handles.
TEST_CASE("an unsigned index of shared memory wraps around as addresses of 32 bits do") {
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  check_reverse_by_complement<unsigned char>();
  check_reverse_by_complement<short>();
  check_reverse_by_complement<int>();
  check_reverse_by_complement<double>();
  check_reverse_by_complement<int>();
#endif
}

// -- positions of threads

struct Place {
  uint3 thread, block;
  dim3 threads, blocks;
};

__global__ void note_place(Place* places) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned size = blockDim.x * blockDim.y * blockDim.z;
  // With this barrier, the runtime starts the later threads of the block on other fibers.
  if (block % 2 == 1) __syncthreads();
  places[block * size + thread] = {threadIdx, blockIdx, blockDim, gridDim};
}

TEST_CASE("every thread of a three-dimensional grid of three-dimensional blocks runs once") {
  const dim3 blocks(3, 2, 5), threads(5, 3, 4);
  const std::size_t count = 3 * 2 * 5 * 5 * 3 * 4;
  const DeviceArray<Place> places(count);
  SIMT_LAUNCH((note_place), (blocks), (threads), (0), (0), places.data());
  REQUIRE_FINISHED();
  std::set<std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned, unsigned>> seen;
  for (const Place& place : places.values()) {
    CHECK(place.thread.x < 5);
    CHECK(place.thread.y < 3);
    CHECK(place.thread.z < 4);
    CHECK(place.block.x < 3);
    CHECK(place.block.y < 2);
    CHECK(place.block.z < 5);
    CHECK_EQ(place.threads.y, 3);
    CHECK_EQ(place.blocks.z, 5);
    seen.emplace(place.thread.x, place.thread.y, place.thread.z, place.block.x, place.block.y,
                 place.block.z);
  }
  CHECK_EQ(seen.size(), count);
}

TEST_CASE("a grid of many small blocks, in y and z as well") {
  const DeviceArray<Place> places(65535);
  SIMT_LAUNCH((note_place), (dim3(1, 1, 65535)), (1), (0), (0), places.data());
  REQUIRE_FINISHED();
  CHECK_EQ(places.values()[65534].block.z, 65534);
  SIMT_LAUNCH((note_place), (dim3(1, 65535)), (1), (0), (0), places.data());
  REQUIRE_FINISHED();
  CHECK_EQ(places.values()[65534].block.y, 65534);
}

}  // namespace

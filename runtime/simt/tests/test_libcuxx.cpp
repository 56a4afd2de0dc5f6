// Atomics, barriers, pipelines and copies of libcu++, cuda_pipeline.h and cooperative groups. CUDA
// C++ Programming Guide, "Asynchronous Barrier", "Asynchronous Data Copies".
#include "kernel_test.h"

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/bit>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <simt_cooperative_groups.h>
#include <simt_pipeline.h>

#include <numeric>
#include <thread>

namespace cg = cooperative_groups;

namespace {

constexpr int kThreads = 64, kBatches = 7;
using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

std::vector<int> counting(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

__global__ void add_atomically(cuda::atomic<int, cuda::thread_scope_device>* sum, float* total,
                               unsigned* greatest) {
  const int mine = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  sum->fetch_add(mine, cuda::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_device>(*total).fetch_add(0.5f);
  cuda::atomic_ref<unsigned>(*greatest).fetch_max(static_cast<unsigned>(mine));
}

TEST_CASE("atomics of libcu++ add integers and floats of all blocks") {
  const DeviceArray<int> sum(1);
  const DeviceArray<float> total(1);
  const DeviceArray<unsigned> greatest(1);
  SIMT_LAUNCH((add_atomically), (8), (kThreads), (0), (0),
              reinterpret_cast<cuda::atomic<int, cuda::thread_scope_device>*>(sum.data()),
              total.data(), greatest.data());
  REQUIRE_FINISHED();
  const int count = 8 * kThreads;
  CHECK_EQ(sum.values()[0], count * (count - 1) / 2);
  CHECK_EQ(total.values()[0], 0.5f * static_cast<float>(count));
  CHECK_EQ(greatest.values()[0], static_cast<unsigned>(count - 1));
}

TEST_CASE("the operators of an atomic return the new or the old value") {
  cuda::std::atomic<int> value{5};
  CHECK_EQ(value++, 5);
  CHECK_EQ(++value, 7);
  CHECK_EQ(value -= 3, 4);
  CHECK_EQ(value |= 3, 7);
  int expected = 1;
  CHECK_FALSE(value.compare_exchange_strong(expected, 9));
  CHECK_EQ(expected, 7);
  CHECK(value.compare_exchange_strong(expected, 9));
  CHECK_EQ(value.exchange(2), 9);
  CHECK_EQ(static_cast<int>(value), 2);
}

__global__ void rotate(const int* in, int* out, int rounds) {
  __shared__ BlockBarrier barrier;
  __shared__ int values[kThreads];
  const int mine = static_cast<int>(threadIdx.x);
  if (mine == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int value = in[mine];
  for (int round = 0; round < rounds; ++round) {
    values[mine] = value;
    barrier.arrive_and_wait();
    value = values[(mine + 1) % kThreads];
    barrier.wait(barrier.arrive());
  }
  out[mine] = value;
}

TEST_CASE("the function object identity returns its argument") {
  int value = 3;
  CHECK_EQ(&cuda::std::identity()(value), &value);
  CHECK_EQ(cuda::std::identity()(4), 4);
}

TEST_CASE("operations of a volatile atomic") {
  volatile cuda::atomic<int> value(3);
  CHECK_EQ(value.load(cuda::memory_order_acquire), 3);
  value.store(5);
  CHECK_EQ(value.fetch_add(2), 5);
  CHECK_EQ(++value, 8);
  CHECK_EQ((value = 4), 4);
  int expected = 4;
  CHECK(value.compare_exchange_strong(expected, 9));
  CHECK_EQ(static_cast<int>(value), 9);
  int plain = 1;
  const volatile cuda::atomic_ref<int> reference(plain);
  CHECK_EQ(reference.exchange(7), 1);
  CHECK_EQ(plain, 7);
}

TEST_CASE("a barrier in shared memory separates rounds") {
  const DeviceArray<int> in(counting(kThreads)), out(kThreads);
  SIMT_LAUNCH((rotate), (1), (kThreads), (0), (0), in.data(), out.data(), 5);
  REQUIRE_FINISHED();
  for (int i = 0; i < kThreads; ++i)
    CHECK_EQ(out.values()[static_cast<std::size_t>(i)], (i + 5) % kThreads + 1);
}

__global__ void copy_with_barrier(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ int values[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, values, in, cuda::aligned_size_t<4>(sizeof values), barrier);
  barrier.arrive_and_wait();
  out[block.thread_rank()] = values[kThreads - 1 - block.thread_rank()];
}

__global__ void copy_with_group(const int* in, int* out) {
  __shared__ int values[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, values, in, sizeof values);
  cg::wait(block);
  out[block.thread_rank()] = values[kThreads - 1 - block.thread_rank()];
}

__global__ void copy_with_primitives(const int* in, int* out) {
  __shared__ int values[kThreads];
  __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}

TEST_CASE("asynchronous copies to shared memory, by barrier, group and primitives") {
  const DeviceArray<int> in(counting(kThreads));
  for (int form = 0; form < 3; ++form) {
    const DeviceArray<int> out(kThreads);
    if (form == 0) SIMT_LAUNCH((copy_with_barrier), (2), (kThreads), (0), (0), in.data(), out.data());
    if (form == 1) SIMT_LAUNCH((copy_with_group), (2), (kThreads), (0), (0), in.data(), out.data());
    if (form == 2)
      SIMT_LAUNCH((copy_with_primitives), (2), (kThreads), (0), (0), in.data(), out.data());
    REQUIRE_FINISHED();
    for (int i = 0; i < kThreads; ++i)
      CHECK_EQ(out.values()[static_cast<std::size_t>(i)], kThreads - i);
  }
}

template <bool kSpecialised>
__global__ void sum_in_stages(const int* in, int* sums) {
  constexpr unsigned kStages = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int stages[kStages][kThreads];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned mine = block.thread_rank(), half = kThreads / 2;
  auto pipe = kSpecialised ? cuda::make_pipeline(block, &state, half)
                           : cuda::make_pipeline(block, &state);
  const bool produces = !kSpecialised || mine < half;
  const bool consumes = !kSpecialised || mine >= half;
  int sum = 0;
  const auto fill = [&](int batch) {
    pipe.producer_acquire();
    for (unsigned i = mine; i < kThreads; i += kSpecialised ? half : kThreads)
      cuda::memcpy_async(&stages[batch % kStages][i], &in[batch * kThreads + static_cast<int>(i)],
                         sizeof(int), pipe);
    pipe.producer_commit();
  };
  const auto use = [&](int batch) {
    pipe.consumer_wait();
    for (int i = 0; i < kThreads; ++i) sum += stages[batch % kStages][i];
    pipe.consumer_release();
  };
  if (kSpecialised) {
    for (int batch = 0; batch < kBatches; ++batch) {
      if (produces) fill(batch);
      if (consumes) use(batch);
    }
  } else {
    fill(0);
    for (int batch = 0; batch < kBatches; ++batch) {
      if (batch + 1 < kBatches) fill(batch + 1);
      use(batch);
    }
  }
  sums[mine] = sum;
}

TEST_CASE("a pipeline with two stages, unified and with producers and consumers") {
  const int count = kThreads * kBatches, sum = count * (count + 1) / 2;
  const DeviceArray<int> in(counting(count)), unified(kThreads), specialised(kThreads);
  SIMT_LAUNCH((sum_in_stages<false>), (1), (kThreads), (0), (0), in.data(), unified.data());
  SIMT_LAUNCH((sum_in_stages<true>), (1), (kThreads), (0), (0), in.data(), specialised.data());
  REQUIRE_FINISHED();
  for (std::size_t i = 0; i < kThreads; ++i) {
    CHECK_EQ(unified.values()[i], sum);
    CHECK_EQ(specialised.values()[i], i < kThreads / 2 ? 0 : sum);
  }
}

__global__ void leave_early(int* arrived) {
  __shared__ BlockBarrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x % 2 == 0) {
    barrier.arrive_and_drop();
    return;
  }
  for (int round = 0; round < 3; ++round) barrier.arrive_and_wait();
  atomicAdd(arrived, 1);
}

TEST_CASE("threads that drop out of a barrier are no longer waited for") {
  const DeviceArray<int> arrived(1);
  SIMT_LAUNCH((leave_early), (1), (kThreads), (0), (0), arrived.data());
  REQUIRE_FINISHED();
  CHECK_EQ(arrived.values()[0], kThreads / 2);
}

__global__ void hand_over(cuda::binary_semaphore<cuda::thread_scope_device>* filled,
                          cuda::latch<cuda::thread_scope_device>* done, int* box, int* got) {
  if (threadIdx.x == 0) {
    filled->acquire();
    *got = *box;
  } else if (threadIdx.x == 1) {
    *box = 42;
    filled->release();
  }
  done->arrive_and_wait();
}

TEST_CASE("a semaphore and a latch of threads of one block") {
  const DeviceArray<int> box(1), got(1);
  cuda::binary_semaphore<cuda::thread_scope_device> filled(0);
  cuda::latch<cuda::thread_scope_device> done(4);
  SIMT_LAUNCH((hand_over), (1), (4), (0), (0), &filled, &done, box.data(), got.data());
  REQUIRE_FINISHED();
  CHECK_EQ(got.values()[0], 42);
}

TEST_CASE("host threads wait at a barrier with a completion function") {
  int phases = 0;
  const auto count = [&phases] { ++phases; };
  cuda::barrier<cuda::thread_scope_system, decltype(count)> barrier(2, count);
  std::thread other([&] {
    for (int i = 0; i < 3; ++i) barrier.arrive_and_wait();
  });
  for (int i = 0; i < 3; ++i) barrier.arrive_and_wait();
  other.join();
  CHECK_EQ(phases, 3);
}

__global__ void meet_at_mbarrier(int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int values[kThreads];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}

TEST_CASE("barriers of cuda_awbarrier_primitives.h") {
  const DeviceArray<int> out(kThreads);
  SIMT_LAUNCH((meet_at_mbarrier), (1), (kThreads), (0), (0), out.data());
  REQUIRE_FINISHED();
  for (int i = 0; i < kThreads; ++i)
    CHECK_EQ(out.values()[static_cast<std::size_t>(i)], kThreads - 1 - i);
}

struct Wide {
  double a, b, c;
};

__global__ void use_collectives(cuda::atomic<int>* total, int* starts, double* wide) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int mine = static_cast<int>(threadIdx.x);
  starts[mine] = cg::exclusive_scan_update(tile, *total, 1);
  const Wide from = tile.shfl(Wide{1.0 * mine, 2.0 * mine, 3.0 * mine}, 3);
  wide[mine] = from.a + from.b + from.c;
}

TEST_CASE("scans that update an atomic, and shuffles of wide values") {
  const DeviceArray<int> total(1), starts(16);
  const DeviceArray<double> wide(16);
  SIMT_LAUNCH((use_collectives), (1), (16), (0), (0),
              reinterpret_cast<cuda::atomic<int>*>(total.data()), starts.data(), wide.data());
  REQUIRE_FINISHED();
  CHECK_EQ(total.values()[0], 16);
  std::vector<int> seen = starts.values();
  for (int i = 1; i < 8; ++i) CHECK_EQ(seen[static_cast<std::size_t>(i)], seen[0] + i);
  CHECK_EQ(seen[0] + seen[8], 8);
  CHECK_EQ(wide.values()[0], 18.0);
  CHECK_EQ(wide.values()[9], 66.0);
}

TEST_CASE("cuda::std is the C++ library, with members of C++20") {
  const cuda::std::tuple<int, float> pair{1, 2.5f};
  CHECK_EQ(cuda::std::get<1>(pair), 2.5f);
  CHECK_EQ(cuda::std::numeric_limits<short>::max(), 32767);
  CHECK_EQ(cuda::std::popcount(0xF0u), 4);
  CHECK_EQ(cuda::std::countl_zero(std::uint8_t{1}), 7);
  CHECK_EQ(cuda::std::bit_ceil(17u), 32u);
  CHECK_EQ(cuda::std::bit_cast<unsigned>(1.0f), 0x3F800000u);
  int values[] = {1, 2, 3};
  CHECK_EQ(cuda::std::span<int>(values).subspan(1).size(), 2u);
  CHECK(cuda::std::is_same_v<cuda::std::remove_cvref_t<const int&>, int>);
  CHECK_EQ(cuda::proclaim_return_type<double>([](int x) { return x / 2; })(5), 2.0);
}

}  // namespace

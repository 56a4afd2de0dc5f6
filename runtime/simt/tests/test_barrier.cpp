// Barriers of a block. Source: CUDA C++ Programming Guide, "Synchronization Functions". Source for
// threads that have returned: Volta Tuning Guide, "Independent Thread Scheduling": from Volta on, a
// barrier "will not succeed until reached by all non-exited threads in the block".
#include "kernel_test.h"

#include <numeric>

namespace {

__global__ void ring(int* out, int rounds) {
  __shared__ int values[1024];
  const unsigned next = (threadIdx.x + 1) % blockDim.x;
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    const int value = values[next];
    __syncthreads();
    values[threadIdx.x] = value;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[threadIdx.x];
}

TEST_CASE("values travel around a ring, a barrier at each step") {
  for (const int threads : {1, 2, 31, 32, 33, 256, 1024}) {
    CAPTURE(threads);
    const auto count = static_cast<std::size_t>(threads);
    const DeviceArray<int> out(3 * count);
    const int rounds = 57;
    SIMT_LAUNCH((ring), (3), (threads), (0), (0), out.data(), rounds);
    REQUIRE_FINISHED();
    std::vector<int> expected;
    for (int i = 0; i < 3 * threads; ++i) expected.push_back((i % threads + rounds) % threads);
    CHECK_EQ(out.values(), expected);
  }
}

struct Answers {
  int count, all, any;
};

__global__ void ask(int limit, Answers* out) {
  const int i = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y);
  const int count = __syncthreads_count(i < limit);
  const int all = __syncthreads_and(i < limit);
  const int any = __syncthreads_or(i < limit);
  out[i] = {count, all, any};
}

TEST_CASE("barriers that count, and and or") {
  const int threads = 90;
  const DeviceArray<Answers> out(threads);
  for (const int limit : {0, 1, 45, 89, 90}) {
    SIMT_LAUNCH((ask), (1), (dim3(30, 3)), (0), (0), limit, out.data());
    REQUIRE_FINISHED();
    for (const Answers& got : out.values()) {
      CHECK_EQ(got.count, limit);
      CHECK_EQ(got.all != 0, limit == threads);
      CHECK_EQ(got.any != 0, limit > 0);
    }
  }
}

__global__ void any_number_is_true(int* counts) {
  counts[threadIdx.x] = __syncthreads_count(static_cast<int>(threadIdx.x % 3) * -7);
}

TEST_CASE("a predicate is true when it is not zero, and counts once") {
  const DeviceArray<int> counts(9);
  SIMT_LAUNCH((any_number_is_true), (1), (9), (0), (0), counts.data());
  REQUIRE_FINISHED();
  CHECK_EQ(counts.values(), std::vector<int>(9, 6));
}

// -- threads that return before other threads of the block

// Thread i reaches the barriers of i rounds, and then returns.
__global__ void leave_one_by_one(int* present) {
  for (unsigned round = 0; round < threadIdx.x; ++round) {
    const int here = __syncthreads_count(1);
    if (threadIdx.x == blockDim.x - 1) present[round] = here;
  }
}

TEST_CASE("a barrier waits for the threads that have not returned") {
  for (const int threads : {2, 40, 200}) {
    CAPTURE(threads);
    const DeviceArray<int> present(static_cast<std::size_t>(threads - 1));
    SIMT_LAUNCH((leave_one_by_one), (1), (threads), (0), (0), present.data());
    REQUIRE_FINISHED();
    std::vector<int> expected(static_cast<std::size_t>(threads - 1));
    for (int round = 0; round < threads - 1; ++round) {
      expected[static_cast<std::size_t>(round)] = threads - 1 - round;
    }
    CHECK_EQ(present.values(), expected);
  }
}

__global__ void last_threads_leave_first(int n, int* out) {
  __shared__ int values[256];
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  values[i] = i;
  __syncthreads();
  out[i] = values[n - 1 - i];
}

TEST_CASE("threads beyond the data return before the barrier") {
  for (const int n : {1, 31, 100, 255}) {
    CAPTURE(n);
    const DeviceArray<int> out(static_cast<std::size_t>(n));
    SIMT_LAUNCH((last_threads_leave_first), (1), (256), (0), (0), n, out.data());
    REQUIRE_FINISHED();
    std::vector<int> expected(static_cast<std::size_t>(n));
    std::iota(expected.rbegin(), expected.rend(), 0);
    CHECK_EQ(out.values(), expected);
  }
}

__global__ void sites_apart(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = static_cast<int>(threadIdx.x) * 3;
  // From Volta on, a barrier counts the arrivals of threads, so threads may arrive from different
  // lines of the code.
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = values[63 - threadIdx.x];
}

TEST_CASE("warps of one block may be at different barriers in the source") {
  const DeviceArray<int> out(64);
  SIMT_LAUNCH((sites_apart), (1), (64), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 63 * 3);
  CHECK_EQ(out.values()[63], 0);
}

// -- variables of a thread across a barrier

__device__ int depth_sum(int depth) {
  volatile int here = depth * static_cast<int>(threadIdx.x);
  __syncthreads();
  return depth == 0 ? here : here + depth_sum(depth - 1);
}

struct Places {
  uint3 thread, block;
};

__global__ void keep(int* sums, Places* places) {
  double locals[16];
  for (int i = 0; i < 16; ++i) locals[i] = i * static_cast<double>(threadIdx.x);
  const int sum = depth_sum(10);
  for (int i = 0; i < 16; ++i)
    sums[threadIdx.x] += locals[i] == i * static_cast<double>(threadIdx.x);
  sums[threadIdx.x] += sum;
  places[threadIdx.x] = {threadIdx, blockIdx};
}

TEST_CASE("locals, recursion and built-in variables survive a barrier") {
  const DeviceArray<int> sums(50);
  const DeviceArray<Places> places(50);
  SIMT_LAUNCH((keep), (1), (50), (0), (0), sums.data(), places.data());
  REQUIRE_FINISHED();
  for (int i = 0; i < 50; ++i) {
    const auto at = static_cast<std::size_t>(i);
    CHECK_EQ(sums.values()[at], 16 + 55 * i);
    CHECK_EQ(places.values()[at].thread.x, i);
  }
}

// -- fences: the last block adds up the results of all blocks (example in CUDA C++ Programming
// Guide, "Memory Fence Functions")

__global__ void sum_in_one_launch(const int* in, int n, volatile int* parts, unsigned* done,
                                  int* sum) {
  __shared__ int values[128];
  __shared__ bool is_last;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < static_cast<unsigned>(n) ? in[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = values[0];
    __threadfence();
    is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) total += parts[block];
    *sum = total;
  }
}

TEST_CASE("the last block sees what the others wrote before their fence") {
  const int n = 10'000;
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 1);
  const DeviceArray<int> in(values), parts(79), sum(1);
  const DeviceArray<unsigned> done(1);
  SIMT_LAUNCH((sum_in_one_launch), (79), (128), (0), (0), in.data(), n, parts.data(), done.data(),
              sum.data());
  REQUIRE_FINISHED();
  CHECK_EQ(sum.values()[0], n * (n + 1) / 2);
}

}  // namespace

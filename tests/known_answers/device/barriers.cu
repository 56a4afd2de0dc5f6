// Barriers of a block: counts, votes, early exits, named barriers by PTX, cuda::barrier, pipelines, latches, semaphores.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <new>
#include <utility>

#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include "device/log.h"

using answers::Log;

__global__ void counts(Log log) {
  const int t = threadIdx.x;
  log.all("count", __syncthreads_count(t % 3 == 0));
  log.all("count_values", __syncthreads_count(t * 4));
  log.all("and", __syncthreads_and(t < 64));
  log.all("and_not", __syncthreads_and(t != 40));
  log.all("or", __syncthreads_or(t == 63));
  log.all("or_not", __syncthreads_or(t > 63));
  log.all("or_value", __syncthreads_or(t == 3 ? 256 : 0));
}

// Threads that have returned do not take part in later barriers.
__global__ void early(int* out) {
  const int t = threadIdx.x;
  __shared__ int values[64];
  values[t] = t;
  __syncthreads();
  if (t >= 45) return;
  out[t] = values[63 - t];
  __syncthreads();
  values[t] = out[t] * 2;
  __syncthreads();
  out[t] += values[44 - t];
  out[64 + t] = __syncthreads_count(t < 10);
}

__global__ void fences(int* out) {
  __shared__ volatile int values[32];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 5; i++) {
    values[t] = t + i;
    __syncwarp();
    sum += values[(t + 1) % 32];
    __syncwarp();
  }
  out[t] = sum;
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  int old = values[31 - t];
  __syncwarp();
  if (t % 2) {
    values[t] = -t;
    __syncwarp(0xaaaaaaaau);
    old = values[t == 31 ? 1 : t + 2];
    __syncwarp(0xaaaaaaaau);
  }
  out[32 + t] = old;
}

__global__ void of_libcu(int* out, int* more) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier first;
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t == 0) init(&first, blockDim.x);
  __syncthreads();
  values[t] = t;
  first.arrive_and_wait();
  out[t] = values[63 - t];
  auto token = first.arrive();
  first.wait(std::move(token));
  values[t] = out[t] + 1;
  if (t < 32) {
    first.arrive_and_wait();
    out[t] += values[t + 32] * 100;
  } else {
    first.arrive_and_drop();
  }
  __syncthreads();
  if (t < 32) {
    first.arrive_and_wait();
    more[t] = 1;
  }
  more[64] = int(barrier::max() > 1000);
  __syncthreads();
  __shared__ cuda::barrier<cuda::thread_scope_block> copied;
  if (t == 0) init(&copied, 64);
  __syncthreads();
  auto block = cooperative_groups::this_thread_block();
  cuda::memcpy_async(block, values, more + 128, sizeof(int) * 64, copied);
  copied.arrive_and_wait();
  more[t] = values[t];
  __syncthreads();
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, 4>;
  alignas(Latch) __shared__ unsigned char latch_memory[sizeof(Latch)];
  alignas(Semaphore) __shared__ unsigned char semaphore_memory[sizeof(Semaphore)];
  Latch& gate = reinterpret_cast<Latch&>(latch_memory);
  Semaphore& permits = reinterpret_cast<Semaphore&>(semaphore_memory);
  if (t == 0) {
    new (latch_memory) Latch(64);
    new (semaphore_memory) Semaphore(2);
  }
  __syncthreads();
  values[t] = t * 2;
  gate.arrive_and_wait();
  more[65] = values[5] + int(gate.try_wait());
  if (t % 32 == 0) {
    permits.acquire();
    atomicAdd(&more[66], 1);
    permits.release();
  }
  __syncthreads();
  if (t == 0) {
    const int first_try = permits.try_acquire(), second_try = permits.try_acquire(), third_try = permits.try_acquire();
    more[67] = first_try * 100 + second_try * 10 + third_try;
  }
}

__global__ void pipelines(const int* in, int* out) {
  __shared__ int stages[2][32];
  const int t = threadIdx.x;
  for (int i = 0; i < 2; i++) {
    __pipeline_memcpy_async(&stages[i][t], &in[i * 32 + t], sizeof(int));
    __pipeline_commit();
  }
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    __pipeline_wait_prior(1);
    __syncthreads();
    sum = sum * 3 + stages[i % 2][31 - t];
    __syncthreads();
    if (i + 2 < 4) __pipeline_memcpy_async(&stages[i % 2][t], &in[(i + 2) * 32 + t], sizeof(int));
    __pipeline_commit();
  }
  out[t] = sum;
  alignas(16) __shared__ int zeroed[8];
  if (t == 0) __pipeline_memcpy_async(zeroed, in + 4, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (t < 4) out[32 + t] = zeroed[t];
}

__global__ void block_pipeline(const int* in, int* out) {
  __shared__ int stages[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  int sum = 0;
  for (int compute = 0, fetch = 0; compute < 4; compute++) {
    for (; fetch < 4 && fetch < compute + 2; fetch++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stages[fetch % 2], in + fetch * 32, sizeof(int) * 32, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 5 + stages[compute % 2][31 - t];
    pipe.consumer_release();
  }
  out[t] = sum;
}

int main() {
  Log log = answers::new_log();
  counts<<<1, 64>>>(log);
  answers::print_log(log);
  int *a = nullptr, *b = nullptr;
  if (cudaMallocManaged(&a, 1024) != cudaSuccess || cudaMallocManaged(&b, 1024) != cudaSuccess) return 1;
  auto clear = [&] {
    for (int i = 0; i < 256; i++) a[i] = 0, b[i] = i * i % 97;
  };
  clear();
  early<<<1, 64>>>(a);
  answers::exact("early.status", int(cudaDeviceSynchronize()));
  answers::exact_array("early", a, 128);
  clear();
  fences<<<1, 32>>>(a);
  answers::exact("fences.status", int(cudaDeviceSynchronize()));
  answers::exact_array("fences", a, 64);
  clear();
  pipelines<<<1, 32>>>(b, a);
  answers::exact("pipelines.status", int(cudaDeviceSynchronize()));
  answers::exact_array("pipelines", a, 36);
  clear();
  block_pipeline<<<1, 32>>>(b, a);
  answers::exact("block_pipeline.status", int(cudaDeviceSynchronize()));
  answers::exact_array("block_pipeline", a, 32);
  clear();
  for (int i = 0; i < 128; i++) b[i] = 0;
  of_libcu<<<1, 64>>>(a, b);
  answers::exact("of_libcu.status", int(cudaDeviceSynchronize()));
  answers::exact_array("of_libcu", a, 64);
  answers::exact_array("of_libcu.more", b, 68);
}

// Product of half matrices on tensor cores: each warp computes one tile of 16 by 16 elements. A
// pipeline of two stages copies the next tiles to shared memory while the warps multiply.
#include "check.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <mma.h>

#include <vector>

namespace cg = cooperative_groups;
using namespace nvcuda;

constexpr int kTile = 16;
constexpr int kStages = 2;

/// c = a * b for square row-major matrices of n elements a side; n is a multiple of kTile. A block is
/// one warp.
__global__ void multiply(const half* a, const half* b, float* c, int n) {
  alignas(32) __shared__ half tiles[kStages][2][kTile * kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, steps = n / kTile;

  wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sum;
  wmma::fill_fragment(sum, 0.0f);

  for (int step = 0, next = 0; step < steps; ++step) {
    for (; next < steps && next < step + kStages; ++next) {
      half(&stage)[2][kTile * kTile] = tiles[next % kStages];
      pipeline.producer_acquire();
      for (int i = 0; i < kTile; ++i) {
        const size_t bytes = kTile * sizeof(half);
        const half* from_a = &a[(row + i) * n + next * kTile];
        const half* from_b = &b[(next * kTile + i) * n + column];
        cuda::memcpy_async(block, &stage[0][i * kTile], from_a, bytes, pipeline);
        cuda::memcpy_async(block, &stage[1][i * kTile], from_b, bytes, pipeline);
      }
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    block.sync();
    wmma::load_matrix_sync(part_a, tiles[step % kStages][0], kTile);
    wmma::load_matrix_sync(part_b, tiles[step % kStages][1], kTile);
    wmma::mma_sync(sum, part_a, part_b, sum);
    pipeline.consumer_release();
  }
  wmma::store_matrix_sync(&c[row * n + column], sum, n, wmma::mem_row_major);
}

int main() {
  const int n = 96;
  half *a, *b;
  float* c;
  CHECK(cudaMallocManaged(&a, n * n * sizeof(half)));
  CHECK(cudaMallocManaged(&b, n * n * sizeof(half)));
  CHECK(cudaMallocManaged(&c, n * n * sizeof(float)));
  const auto value_a = [](int row, int column) { return float((row + 2 * column) % 5 - 2); };
  const auto value_b = [](int row, int column) { return float((3 * row + column) % 7 - 3); };
  for (int i = 0; i < n * n; ++i) {
    a[i] = __float2half(value_a(i / n, i % n));
    b[i] = __float2half(value_b(i / n, i % n));
  }

  multiply<<<dim3(n / kTile, n / kTile), 32>>>(a, b, c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  bool ok = true;
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;  // small integers: exact in any order
      for (int i = 0; i < n; ++i) sum += value_a(row, i) * value_b(i, column);
      ok = ok && c[row * n + column] == sum;
    }
  }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  return report("wmma_pipeline", ok, std::to_string(n) + " by " + std::to_string(n) + " elements");
}

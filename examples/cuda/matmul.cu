// Tiled matrix multiplication: a block reads each tile from global memory once and reuses it in
// shared memory.
#include "check.h"

#include <vector>

/// c (rows x columns) = a (rows x inner) * b (inner x columns), all stored by rows.
template <int kTile, typename T>
__global__ void matmul(const T* a, const T* b, T* c, int rows, int inner, int columns) {
  __shared__ T tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;

  T sum = 0;
  for (int begin = 0; begin < inner; begin += kTile) {
    const int across = begin + threadIdx.x, down = begin + threadIdx.y;
    const bool has_a = row < rows && across < inner, has_b = down < inner && column < columns;
    tile_a[threadIdx.y][threadIdx.x] = has_a ? a[row * inner + across] : T(0);
    tile_b[threadIdx.y][threadIdx.x] = has_b ? b[down * columns + column] : T(0);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

template <int kTile, typename T>
bool product_is_right(int rows, int inner, int columns) {
  std::vector<T> a(rows * inner), b(inner * columns), c(rows * columns);
  // Small integers, so that no sum is rounded.
  for (int i = 0; i < rows * inner; ++i) a[i] = static_cast<T>(i % 13 - 6);
  for (int i = 0; i < inner * columns; ++i) b[i] = static_cast<T>(i % 7 - 3);

  T *device_a, *device_b, *device_c;
  CHECK(cudaMalloc(&device_a, a.size() * sizeof(T)));
  CHECK(cudaMalloc(&device_b, b.size() * sizeof(T)));
  CHECK(cudaMalloc(&device_c, c.size() * sizeof(T)));
  CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice));
  const dim3 grid(parts(columns, kTile), parts(rows, kTile));
  matmul<kTile><<<grid, dim3(kTile, kTile)>>>(device_a, device_b, device_c, rows, inner, columns);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), device_c, c.size() * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));

  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      T expected = 0;
      for (int k = 0; k < inner; ++k) expected += a[row * inner + k] * b[k * columns + column];
      if (c[row * columns + column] != expected) return false;
    }
  }
  return true;
}

int main() {
  const bool ok =
      product_is_right<16, float>(100, 70, 130) && product_is_right<8, double>(33, 64, 17);
  return report("matmul", ok, "float in tiles of 16, double in tiles of 8");
}

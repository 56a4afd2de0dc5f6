// Matrix transpose, tile by tile through shared memory, so that global reads and writes are both
// coalesced. One padding column of the tile avoids bank conflicts of shared memory.
#include "check.h"

#include <vector>

constexpr int kTile = 32;
constexpr int kRowsAtOnce = 8;

__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];

  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int step = 0; step < kTile; step += kRowsAtOnce) {
    if (column < columns && row + step < rows) {
      tile[threadIdx.y + step][threadIdx.x] = in[(row + step) * columns + column];
    }
  }
  __syncthreads();

  // Write the tile to the position mirrored at the diagonal; threads along x write along a row.
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int step = 0; step < kTile; step += kRowsAtOnce) {
    if (column < rows && row + step < columns) {
      out[(row + step) * rows + column] = tile[threadIdx.x][threadIdx.y + step];
    }
  }
}

int main() {
  const int rows = 301, columns = 517;
  const size_t pitch = columns * sizeof(float);
  std::vector<float> in(rows * columns), out(rows * columns);
  for (int i = 0; i < rows * columns; ++i) in[i] = static_cast<float>(i);

  float *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, rows * pitch));
  CHECK(cudaMalloc(&device_out, rows * pitch));
  CHECK(cudaMemcpy(device_in, in.data(), rows * pitch, cudaMemcpyHostToDevice));

  const dim3 block(kTile, kRowsAtOnce);
  const dim3 grid(parts(columns, kTile), parts(rows, kTile));
  transpose<<<grid, block>>>(device_in, device_out, rows, columns);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), device_out, rows * pitch, cudaMemcpyDeviceToHost));

  bool ok = true;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      ok = ok && out[column * rows + row] == in[row * columns + column];
    }
  }

  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  return report("transpose", ok, std::to_string(rows) + " x " + std::to_string(columns));
}

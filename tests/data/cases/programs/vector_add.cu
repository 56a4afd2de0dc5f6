// Adds two vectors on the device and checks the sum on the host.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                      \
  do {                                                                   \
    cudaError_t status = (call);                                         \
    if (status != cudaSuccess) {                                         \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

__global__ void add(const float* a, const float* b, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const int n = 1 << 16;
  const size_t bytes = n * sizeof(float);
  std::vector<float> a(n, 1.5f), b(n, 2.25f), sum(n);
  float *da = nullptr, *db = nullptr, *dsum = nullptr;
  CHECK(cudaMalloc(&da, bytes));
  CHECK(cudaMalloc(&db, bytes));
  CHECK(cudaMalloc(&dsum, bytes));
  CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(da, db, dsum, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sum.data(), dsum, bytes, cudaMemcpyDeviceToHost));
  for (float x : sum) {
    if (x != 3.75f) return 1;
  }
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaFree(dsum));
  std::puts("the sums are right");
  return 0;
}

// Named barriers of a block by inline PTX: arrival without waiting, counts, reductions.
#include "answers.h"

__global__ void named(int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t < 32) {
    values[t] = t * 3;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = values[t - 32];
  }
  asm volatile("barrier.sync 2;" ::: "memory");
  unsigned count = 0;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 20; bar.red.popc.u32 %0, 3, p; }" : "=r"(count) : "r"(t));
  if (t < 32) out[t] = count;
}

int main() {
  int* a = nullptr;
  if (cudaMallocManaged(&a, 1024) != cudaSuccess) return 1;
  for (int i = 0; i < 64; i++) a[i] = 0;
  named<<<1, 64>>>(a);
  answers::exact("named.status", int(cudaDeviceSynchronize()));
  answers::exact_array("named", a, 64);
}

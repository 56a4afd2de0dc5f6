// Sums of many numbers of 16 bits by cub and thrust. Their partial sums keep results near the exact ones; one sum after the
// other would stop growing at 2048 (half) or 256 (bfloat16).

#include "answers.h"

#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstdlib>
#include <string>
#include <vector>

template <class Work>
void twice(const char* what, Work work) {
  std::size_t bytes = 0;
  cudaError_t status = work(nullptr, bytes);
  void* space = nullptr;
  if (status == cudaSuccess) status = cudaMalloc(&space, bytes);
  if (status == cudaSuccess) status = work(space, bytes);
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  cudaFree(space);
  if (status != cudaSuccess) {
    std::printf("%s: error %d\n", what, static_cast<int>(status));
    std::exit(1);
  }
}

template <class T>
void ones(const char* type, int count) {
  thrust::device_vector<T> in(count, T(1.f)), out(count), sum(1);
  const T* from = thrust::raw_pointer_cast(in.data());
  T* to = thrust::raw_pointer_cast(out.data());
  T* total = thrust::raw_pointer_cast(sum.data());
  const std::string name = std::string(type) + "_" + std::to_string(count);
  const auto value = [&](int at) { return static_cast<float>(static_cast<T>(out[at])); };
  twice("scan", [&](void* space, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(space, bytes, from, to, count);
  });
  answers::near((name + "_scan").c_str(), 0.05, value(count / 2), value(count - 1));
  twice("exclusive scan", [&](void* space, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(space, bytes, from, to, count);
  });
  answers::near((name + "_exclusive").c_str(), 0.05, value(count / 2), value(count - 1));
  twice("sum", [&](void* space, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(space, bytes, from, total, count);
  });
  answers::near((name + "_sum").c_str(), 0.02, static_cast<float>(static_cast<T>(sum[0])));
  thrust::inclusive_scan(in.begin(), in.end(), out.begin());
  answers::near((name + "_thrust_scan").c_str(), 0.05, value(count / 2), value(count - 1));
  answers::near((name + "_thrust_reduce").c_str(), 0.02,
                static_cast<float>(thrust::reduce(in.begin(), in.end(), T(0.f))));
}

int main() {
  for (const int count : {100, 1000, 5000, 30000}) {
    ones<__half>("half", count);
    ones<__nv_bfloat16>("bfloat16", count);
  }
}

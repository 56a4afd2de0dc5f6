// DeviceReduce, DeviceScan, DeviceSegmentedReduce of CUB: values, ties of ArgMin, empty inputs, and the protocol of storage.
// nvcc: -O0
#include <cub/cub.cuh>

#include <limits>
#include <string>

#include "cub_twice.h"

using answers::Exact;
using answers::show;
using answers::twice;
using thrust::raw_pointer_cast;

struct Longest {
  __host__ __device__ int operator()(int a, int b) const { return a % 100 > b % 100 ? a : b; }
};
struct Compose {  // 2x2 matrices modulo 251 in bytes: composition does not commute
  __host__ __device__ unsigned operator()(unsigned f, unsigned g) const {
    unsigned a = f & 255, b = f >> 8 & 255, c = g & 255, d = g >> 8 & 255;
    return (a * c % 251) | (c * b + d) % 251 << 8;
  }
};

template <class T>
using Pair = cub::KeyValuePair<int, T>;

void reductions(const int* x, int n) {
  thrust::device_vector<int> out(1, -5);
  int* y = raw_pointer_cast(out.data());
  twice("sum_status", [&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, x, y, n); });
  show("sum", out);
  twice("max_status", [&](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, x, y, n); });
  show("max", out);
  twice("min_status", [&](void* t, size_t& b) { return cub::DeviceReduce::Min(t, b, x, y, n); });
  show("min", out);
  twice("reduce_status", [&](void* t, size_t& b) { return cub::DeviceReduce::Reduce(t, b, x, y, n, Longest(), 17); });
  show("reduce", out);
  out[0] = -5;
  twice("sum_empty_status", [&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, x, y, 0); });
  show("sum_empty", out);
  out[0] = -5;
  twice("reduce_empty_status", [&](void* t, size_t& b) { return cub::DeviceReduce::Reduce(t, b, x, y, 0, Longest(), 17); });
  show("reduce_empty", out);
  out[0] = -5;
  twice("max_empty_status", [&](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, x, y, 0); });
  show("max_empty", out);
  out[0] = -5;
  twice("min_empty_status", [&](void* t, size_t& b) { return cub::DeviceReduce::Min(t, b, x, y, 0); });
  show("min_empty", out);
}

template <class T>
void extrema(const char* name, std::vector<T> host) {
  thrust::device_vector<T> x(host.begin(), host.end());
  thrust::device_vector<Pair<T>> out(1);
  std::string line = name;
  auto put = [&](const char* what) {
    Pair<T> pair = out[0];
    Exact{(line + what).c_str(), pair.key, pair.value};
  };
  const T* in = raw_pointer_cast(x.data());
  Pair<T>* y = raw_pointer_cast(out.data());
  const int n = static_cast<int>(host.size());
  twice((line + "_argmin_status").c_str(), [&](void* t, size_t& b) { return cub::DeviceReduce::ArgMin(t, b, in, y, n); });
  put("_argmin");
  twice((line + "_argmax_status").c_str(), [&](void* t, size_t& b) { return cub::DeviceReduce::ArgMax(t, b, in, y, n); });
  put("_argmax");
}

void scans(const int* x, int n) {
  thrust::device_vector<int> out(n, -5);
  int* y = raw_pointer_cast(out.data());
  twice("inclusive_sum_status", [&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, x, y, n); });
  answers::show_digest("inclusive_sum", out);
  twice("exclusive_sum_status", [&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, x, y, n); });
  show("exclusive_sum", out, 10);
  answers::show_digest("exclusive_sum_all", out);
  twice("inclusive_scan_status", [&](void* t, size_t& b) { return cub::DeviceScan::InclusiveScan(t, b, x, y, Longest(), n); });
  answers::show_digest("inclusive_scan", out);
  twice("exclusive_scan_status", [&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveScan(t, b, x, y, Longest(), 98, n); });
  answers::show_digest("exclusive_scan", out);
  thrust::fill(out.begin(), out.end(), -5);
  twice("empty_scan_status", [&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, x, y, 0); });
  show("empty_scan", out, 2);
  thrust::device_vector<unsigned> maps(n), composed(n);
  std::vector<unsigned> host = answers::integers<unsigned>(n, 3, 251 * 256);
  maps.assign(host.begin(), host.end());
  twice("compose_status", [&](void* t, size_t& b) {
    return cub::DeviceScan::InclusiveScan(t, b, raw_pointer_cast(maps.data()), raw_pointer_cast(composed.data()), Compose(), n);
  });
  answers::show_digest("compose", composed);
  std::vector<int> keys(n);
  for (int i = 0; i < n; i++) keys[i] = i / 37;
  thrust::device_vector<int> k(keys.begin(), keys.end());
  const int* kp = raw_pointer_cast(k.data());
  twice("by_key_status", [&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSumByKey(t, b, kp, x, y, n); });
  answers::show_digest("by_key", out);
  twice("by_key_exclusive_status", [&](void* t, size_t& b) {
    return cub::DeviceScan::ExclusiveScanByKey(t, b, kp, x, y, Longest(), 50, n);
  });
  answers::show_digest("by_key_exclusive", out);
}

void segments(const int* x) {
  std::vector<int> host = {0, 5, 5, 40, 41, 300};
  thrust::device_vector<int> offsets(host.begin(), host.end()), out(5);
  const int* o = raw_pointer_cast(offsets.data());
  int* y = raw_pointer_cast(out.data());
  twice("segments_sum_status", [&](void* t, size_t& b) { return cub::DeviceSegmentedReduce::Sum(t, b, x, y, 5, o, o + 1); });
  show("segments_sum", out);
  twice("segments_max_status", [&](void* t, size_t& b) { return cub::DeviceSegmentedReduce::Max(t, b, x, y, 5, o, o + 1); });
  show("segments_max", out);
  twice("segments_reduce_status", [&](void* t, size_t& b) {
    return cub::DeviceSegmentedReduce::Reduce(t, b, x, y, 5, o, o + 1, Longest(), 7);
  });
  show("segments_reduce", out);
  thrust::device_vector<Pair<int>> pairs(5);
  twice("segments_argmin_status", [&](void* t, size_t& b) {
    return cub::DeviceSegmentedReduce::ArgMin(t, b, x, raw_pointer_cast(pairs.data()), 5, o, o + 1);
  });
  for (int i = 0; i < 5; i++) {
    Pair<int> pair = pairs[i];
    Exact{("segments_argmin_" + std::to_string(i)).c_str(), pair.key, pair.value};
  }
}

int main() {
  std::vector<int> host = answers::integers<int>(3001, 77, 1000, -400);
  thrust::device_vector<int> x(host.begin(), host.end());
  const int* in = raw_pointer_cast(x.data());
  reductions(in, 3001);
  extrema<int>("ties", {5, 1, 9, 1, 9, 1, 9, 3});
  extrema<int>("many_ties", std::vector<int>(5000, 4));
  extrema<float>("zeros", {0.0f, -0.0f, 0.0f, -0.0f});
  extrema<float>("nan", {1.0f, std::numeric_limits<float>::quiet_NaN(), -3.0f, 7.0f});
  extrema<double>("infinite", {-1.0, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()});
  extrema<int>("empty", {});
  scans(in, 3001);
  segments(in);
  size_t too_small = 1;
  thrust::device_vector<char> storage(1 << 16);
  thrust::device_vector<int> out(1, -5);
  Exact{"small_storage", cub::DeviceReduce::Sum(raw_pointer_cast(storage.data()), too_small, in, raw_pointer_cast(out.data()), 3001),
        cudaGetLastError(), too_small == 1};
  show("small_storage_result", out);
  return 0;
}

// Further device-wide algorithms of CUB: partitions, merge sorts, segmented sorts, differences.
// nvcc: -O0
#include <cub/cub.cuh>
#include <thrust/sequence.h>

#include "cub_twice.h"

using answers::raw;
using answers::show;
using answers::twice;

struct Below {
  int bound;
  __host__ __device__ bool operator()(int x) const { return x < bound; }
};
struct ByTens {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};
struct Difference {
  __host__ __device__ int operator()(int a, int b) const { return a - b; }
};

void partitions(thrust::device_vector<int>& x) {
  const int n = static_cast<int>(x.size());
  thrust::device_vector<int> out(n), large(n), rest(n), count(2, -1);
  std::vector<char> host = answers::integers<char>(n, 4, 2);
  thrust::device_vector<char> flags(host.begin(), host.end());
  twice("flagged_status", [&](void* t, size_t& b) { return cub::DevicePartition::Flagged(t, b, raw(x), raw(flags), raw(out), raw(count), n); });
  show("flagged", out);
  show("flagged_count", count);
  twice("if_status", [&](void* t, size_t& b) { return cub::DevicePartition::If(t, b, raw(x), raw(out), raw(count), n, Below{30}); });
  show("if", out);
  show("if_count", count);
  twice("three_status", [&](void* t, size_t& b) {
    return cub::DevicePartition::If(t, b, raw(x), raw(out), raw(large), raw(rest), raw(count), n, Below{20}, Below{60});
  });
  show("three_count", count);
  show("three_first", out, int(count[0]));
  show("three_second", large, int(count[1]));
  show("three_rest", rest, n - int(count[0]) - int(count[1]));
}

void sorts(thrust::device_vector<int>& x) {
  const int n = static_cast<int>(x.size());
  thrust::device_vector<int> keys = x, values(n), out(n, -1), moved(n, -1);
  thrust::sequence(values.begin(), values.end());
  twice("merge_sort_status", [&](void* t, size_t& b) {
    return cub::DeviceMergeSort::StableSortPairs(t, b, raw(keys), raw(values), n, ByTens());
  });
  show("merge_sort_keys", keys);
  show("merge_sort_values", values);
  thrust::sequence(values.begin(), values.end());
  std::vector<int> bounds = {0, 10, 10, 12, 40, n};
  thrust::device_vector<int> offsets(bounds.begin(), bounds.end());
  twice("segmented_status", [&](void* t, size_t& b) {
    return cub::DeviceSegmentedSort::StableSortPairs(t, b, raw(x), raw(out), raw(values), raw(moved), n, 5, raw(offsets), raw(offsets) + 1);
  });
  show("segmented_keys", out);
  show("segmented_values", moved);
  twice("segmented_down_status", [&](void* t, size_t& b) {
    return cub::DeviceSegmentedSort::SortKeysDescending(t, b, raw(x), raw(out), n, 5, raw(offsets), raw(offsets) + 1);
  });
  show("segmented_down", out);
}

void differences(thrust::device_vector<int>& x) {
  const int n = static_cast<int>(x.size());
  thrust::device_vector<int> y(n);
  twice("subtract_left_status", [&](void* t, size_t& b) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(t, b, raw(x), raw(y), n, Difference());
  });
  show("subtract_left", y);
  twice("subtract_right_status", [&](void* t, size_t& b) {
    return cub::DeviceAdjacentDifference::SubtractRightCopy(t, b, raw(x), raw(y), n, Difference());
  });
  show("subtract_right", y);
}

int main() {
  std::vector<int> host = answers::integers<int>(70, 51, 100);
  thrust::device_vector<int> x(host.begin(), host.end());
  partitions(x);
  sorts(x);
  differences(x);
  return 0;
}

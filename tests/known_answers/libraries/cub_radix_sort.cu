// DeviceRadixSort and DeviceSegmentedRadixSort of CUB: ranges of bits, both orders, special values, double buffers.
// nvcc: -O0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cub/cub.cuh>

#include <string>

#include "cub_twice.h"

using answers::Exact;
using answers::raw;
using answers::show;
using answers::twice;

template <class T, class Bits>
void special(const char* name, std::vector<Bits> bits) {
  const int n = static_cast<int>(bits.size());
  std::vector<T> host(n);
  std::memcpy(static_cast<void*>(host.data()), bits.data(), n * sizeof(T));
  std::vector<int> order(n);
  for (int i = 0; i < n; i++) order[i] = i;
  thrust::device_vector<T> keys(host.begin(), host.end()), sorted(n);
  thrust::device_vector<int> places(order.begin(), order.end()), moved(n);
  std::string line = name;
  twice((line + "_status").c_str(), [&](void* t, size_t& b) {
    return cub::DeviceRadixSort::SortPairs(t, b, raw(keys), raw(sorted), raw(places), raw(moved), n);
  });
  answers::show_bits((line + "_keys").c_str(), sorted, Bits());
  show((line + "_places").c_str(), moved);
  twice((line + "_down_status").c_str(), [&](void* t, size_t& b) {
    return cub::DeviceRadixSort::SortPairsDescending(t, b, raw(keys), raw(sorted), raw(places), raw(moved), n);
  });
  answers::show_bits((line + "_down_keys").c_str(), sorted, Bits());
  show((line + "_down_places").c_str(), moved);
}

template <class T>
void bit_ranges(const char* name) {
  std::vector<T> host = answers::integers<T>(40, 15, 1 << 16, -20000);
  thrust::device_vector<T> keys(host.begin(), host.end()), sorted(40);
  std::string line = name;
  const int top = 8 * sizeof(T);
  const int ranges[][2] = {{0, 4}, {4, 8}, {3, 3}, {top - 1, top}, {0, top}};
  for (const auto& range : ranges) {
    const int first = range[0], last = range[1];
    std::string what = line + "_bits_" + std::to_string(first) + "_" + std::to_string(last);
    twice((what + "_status").c_str(), [&](void* t, size_t& b) {
      return cub::DeviceRadixSort::SortKeys(t, b, raw(keys), raw(sorted), 40, first, last);
    });
    show(what.c_str(), sorted);
    twice((what + "_down_status").c_str(), [&](void* t, size_t& b) {
      return cub::DeviceRadixSort::SortKeysDescending(t, b, raw(keys), raw(sorted), 40, first, last);
    });
    show((what + "_down").c_str(), sorted);
  }
}

void segments() {
  std::vector<int> host = answers::integers<int>(50, 19, 1000, -500), bounds = {0, 10, 10, 11, 30, 50};
  std::vector<int> order(50);
  for (int i = 0; i < 50; i++) order[i] = i;
  thrust::device_vector<int> keys(host.begin(), host.end()), sorted(50, -1), places(order.begin(), order.end()), moved(50, -1);
  thrust::device_vector<int> offsets(bounds.begin(), bounds.end());
  twice("segments_status", [&](void* t, size_t& b) {
    return cub::DeviceSegmentedRadixSort::SortPairs(t, b, raw(keys), raw(sorted), raw(places), raw(moved), 50, 5, raw(offsets),
                                                    raw(offsets) + 1);
  });
  show("segments_keys", sorted);
  show("segments_values", moved);
  twice("segments_down_status", [&](void* t, size_t& b) {
    return cub::DeviceSegmentedRadixSort::SortKeysDescending(t, b, raw(keys), raw(sorted), 50, 5, raw(offsets), raw(offsets) + 1, 2, 6);
  });
  show("segments_down_bits_2_6", sorted);
}

void double_buffers() {
  std::vector<unsigned> host = answers::integers<unsigned>(5000, 23, 1 << 24);
  thrust::device_vector<unsigned> first(host.begin(), host.end()), second(5000);
  cub::DoubleBuffer<unsigned> keys(raw(first), raw(second));
  twice("buffer_status", [&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, keys, 5000); });
  std::vector<unsigned> back(5000);
  Exact{"buffer_copy", cudaMemcpy(back.data(), keys.Current(), 5000 * sizeof(unsigned), cudaMemcpyDeviceToHost)};
  answers::digest("buffer", back.data(), 5000 * sizeof(unsigned));
  Exact{"buffer_selector_valid", keys.selector == 0 || keys.selector == 1, keys.Current() != keys.Alternate()};
  twice("empty_status", [&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, keys, 0); });
}

int main() {
  special<float, uint32_t>("float", {0x7fc00000, 0x3f800000, 0x80000000, 0, 0x80000000, 0xffc00000, 0xff800000, 0x7f800000,
                                     0xbf800000, 1, 0x80000001, 0, 0x7f800001, 0xffffffff, 0x7fffffff});
  special<double, uint64_t>("double", {0x7ff8000000000000, 0x8000000000000000, 0, 0x8000000000000000, 0xfff8000000000000,
                                       0xfff0000000000000, 0x7ff0000000000000, 1, 0x8000000000000001, 0});
  special<__half, uint16_t>("half", {0x7e00, 0x3c00, 0x8000, 0, 0x8000, 0xfe00, 0xfc00, 0x7c00, 1, 0x8001, 0});
  special<__nv_bfloat16, uint16_t>("bf16", {0x7fc0, 0x3f80, 0x8000, 0, 0x8000, 0xffc0, 0xff80, 0x7f80, 1, 0x8001, 0});
  special<int8_t, uint8_t>("int8", {0x80, 0x7f, 0, 0xff, 1, 0x80, 0xff});
  bit_ranges<int>("int");
  bit_ranges<uint16_t>("uint16");
  bit_ranges<long long>("long_long");
  bit_ranges<float>("float");
  segments();
  double_buffers();
  return 0;
}

// Sorts of thrust: all types and orders, stability, NaN and signed zeros, tuples, keys with values, is_sorted.
// nvcc: -O0
#include <cuda_fp16.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/tuple.h>

#include <cstdint>
#include <limits>
#include <string>

#include "thrust_common.h"

using answers::show;

template <class T>
void sort_integers(const char* type) {
  std::vector<T> host = answers::integers<T>(300, 7, 1u << 24, -4000000);
  host[3] = std::numeric_limits<T>::max();
  host[5] = std::numeric_limits<T>::min();
  host[8] = 0;
  thrust::device_vector<T> up(host.begin(), host.end()), down = up;
  thrust::sort(up.begin(), up.end());
  thrust::sort(down.begin(), down.end(), thrust::greater<T>());
  std::string name = std::string("sort_") + type;
  answers::show_digest((name + "_up").c_str(), up);
  answers::show_digest((name + "_down").c_str(), down);
  show((name + "_first").c_str(), up, 5);
  show((name + "_last").c_str(), down, 5);
}

struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

struct Less {
  __host__ __device__ bool operator()(float a, float b) const { return a < b; }
};

struct Particle {
  int cell;
  float mass;
};

struct ByCell {
  __host__ __device__ bool operator()(const Particle& a, const Particle& b) const { return a.cell < b.cell; }
};

template <class T, class Bits>
void sort_special(const char* type, std::vector<Bits> bits) {
  std::vector<T> host(bits.size());
  std::memcpy(static_cast<void*>(host.data()), bits.data(), bits.size() * sizeof(T));
  thrust::device_vector<T> keys(host.begin(), host.end()), down = keys, stable = keys;
  thrust::device_vector<int> order(host.size()), order_down(host.size());
  thrust::sequence(order.begin(), order.end());
  thrust::sequence(order_down.begin(), order_down.end());
  thrust::sort_by_key(keys.begin(), keys.end(), order.begin());
  thrust::sort_by_key(down.begin(), down.end(), order_down.begin(), thrust::greater<T>());
  thrust::stable_sort(stable.begin(), stable.end());
  std::string name = std::string("special_") + type;
  answers::show_bits((name + "_up").c_str(), keys, Bits());
  show((name + "_up_order").c_str(), order);
  answers::show_bits((name + "_down").c_str(), down, Bits());
  show((name + "_down_order").c_str(), order_down);
  answers::show_bits((name + "_stable").c_str(), stable, Bits());
}

int main() {
  sort_integers<int8_t>("int8");
  sort_integers<uint8_t>("uint8");
  sort_integers<int16_t>("int16");
  sort_integers<uint16_t>("uint16");
  sort_integers<int>("int");
  sort_integers<unsigned>("unsigned");
  sort_integers<long long>("long_long");
  sort_integers<unsigned long long>("unsigned_long_long");

  // Zeros of both signs keep their order in a radix sort of CUB; NaN stands by its bits.
  sort_special<float, uint32_t>("float", {0x7fc00000, 0x3f800000, 0x80000000, 0, 0x80000000, 0xffc00000, 0xff800000,
                                          0x7f800000, 0xbf800000, 1, 0x80000001, 0, 0x7f800001, 0x40000000});
  sort_special<double, uint64_t>("double",
                                 {0x7ff8000000000000, 0x3ff0000000000000, 0x8000000000000000, 0, 0x8000000000000000,
                                  0xfff8000000000000, 0xfff0000000000000, 0x7ff0000000000000, 1, 0x8000000000000001});
  sort_special<__half, uint16_t>("half", {0x3c00, 0x8000, 0, 0x8000, 0xfc00, 0x7c00, 0xbc00, 1, 0x8001, 0x4000});
  {
    std::vector<float> host = {3, -0.0f, 1, 0.0f, -2, -0.0f};
    thrust::device_vector<float> keys(host.begin(), host.end());
    thrust::stable_sort(keys.begin(), keys.end(), Less());
    answers::show_bits("comparison_sort_zeros", keys, uint32_t());
  }
  {
    std::vector<int> host = answers::integers<int>(40, 3, 1000);
    thrust::device_vector<int> keys(host.begin(), host.end()), values(40), more = keys;
    thrust::sequence(values.begin(), values.end());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin(), ByLastDigit());
    show("by_last_digit_keys", keys);
    show("by_last_digit_values", values);
    thrust::stable_sort(thrust::device, more.begin(), more.end(), ByLastDigit());
    show("by_last_digit_stable", more);
    show("is_sorted", thrust::device_vector<int>{
                          thrust::is_sorted(more.begin(), more.end()),
                          thrust::is_sorted(more.begin(), more.end(), ByLastDigit()),
                          thrust::is_sorted(more.begin(), more.begin()),
                          static_cast<int>(thrust::is_sorted_until(more.begin(), more.end()) - more.begin()),
                          static_cast<int>(thrust::is_sorted_until(more.begin(), more.end(), ByLastDigit()) - more.begin())});
  }
  {
    thrust::host_vector<Particle> host(200);
    answers::Sequence sequence{11};
    for (int i = 0; i < 200; i++) host[i] = {static_cast<int>(sequence.next() % 7), static_cast<float>(i)};
    thrust::device_vector<Particle> particles = host;
    thrust::stable_sort(particles.begin(), particles.end(), ByCell());
    answers::show_digest("particles", particles);
  }
  {
    std::vector<int> a = answers::integers<int>(64, 5, 4), b = answers::integers<int>(64, 6, 5);
    thrust::device_vector<int> first(a.begin(), a.end()), second(b.begin(), b.end()), place(64);
    thrust::sequence(place.begin(), place.end());
    auto begin = thrust::make_zip_iterator(thrust::make_tuple(first.begin(), second.begin()));
    thrust::stable_sort_by_key(begin, begin + 64, place.begin());
    show("tuple_first", first);
    show("tuple_second", second);
    show("tuple_place", place);
    thrust::sort(thrust::make_reverse_iterator(place.end()), thrust::make_reverse_iterator(place.begin()));
    show("reversed", place, 6);
  }
  {
    std::vector<bool> none;
    thrust::device_vector<int> empty, one(1, 5);
    thrust::sort(empty.begin(), empty.end());
    thrust::sort(one.begin(), one.end());
    show("one", one);
    std::vector<int> host = answers::integers<int>(100003, 9, 1 << 20);
    thrust::device_vector<int> many(host.begin(), host.end()), order(host.size());
    thrust::sequence(order.begin(), order.end());
    thrust::stable_sort_by_key(many.begin(), many.end(), order.begin());
    answers::show_digest("many_keys", many);
    answers::show_digest("many_order", order);
    thrust::host_vector<int> by_host(host.begin(), host.end());
    thrust::sort(by_host.begin(), by_host.end(), thrust::greater<int>());
    answers::digest("host_down", by_host.data(), by_host.size() * sizeof(int));
  }
  return 0;
}

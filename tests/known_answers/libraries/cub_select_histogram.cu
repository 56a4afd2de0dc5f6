// DeviceSelect, DeviceRunLengthEncode and DeviceHistogram of CUB: order of results, runs, samples outside of all bins.
// nvcc: -O0
#include <cub/cub.cuh>

#include <thrust/fill.h>
#include <thrust/sequence.h>

#include <limits>
#include <string>

#include "cub_twice.h"

using answers::raw;
using answers::show;
using answers::twice;

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};

void selections(thrust::device_vector<int>& x) {
  const int n = static_cast<int>(x.size());
  thrust::device_vector<int> out(n, -9), count(1, -1), values(n, -9);
  auto put = [&](const char* name) {
    std::string line = name;
    show((line + "_count").c_str(), count);
    show(line.c_str(), out);
    thrust::fill(out.begin(), out.end(), -9);
    count[0] = -1;
  };
  std::vector<char> host = answers::integers<char>(n, 8, 3);
  thrust::device_vector<char> flags(host.begin(), host.end());
  twice("flagged_status", [&](void* t, size_t& b) { return cub::DeviceSelect::Flagged(t, b, raw(x), raw(flags), raw(out), raw(count), n); });
  put("flagged");
  twice("if_status", [&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, raw(x), raw(out), raw(count), n, IsOdd()); });
  put("if");
  twice("unique_status", [&](void* t, size_t& b) { return cub::DeviceSelect::Unique(t, b, raw(x), raw(out), raw(count), n); });
  put("unique");
  thrust::device_vector<int> places(n);
  thrust::sequence(places.begin(), places.end());
  twice("unique_by_key_status", [&](void* t, size_t& b) {
    return cub::DeviceSelect::UniqueByKey(t, b, raw(x), raw(places), raw(out), raw(values), raw(count), n);
  });
  put("unique_by_key");
  show("unique_by_key_values", values);
  twice("none_status", [&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, raw(x), raw(out), raw(count), 0, IsOdd()); });
  show("none_count", count);
  thrust::device_vector<int> same = x;
  twice("in_place_status", [&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, raw(same), raw(count), n, IsOdd()); });
  show("in_place", same, int(count[0]));
}

void runs(thrust::device_vector<int>& x) {
  const int n = static_cast<int>(x.size());
  thrust::device_vector<int> unique(n, -9), lengths(n, -9), offsets(n, -9), count(1);
  twice("encode_status", [&](void* t, size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(t, b, raw(x), raw(unique), raw(lengths), raw(count), n);
  });
  show("encode_count", count);
  show("encode_values", unique);
  show("encode_lengths", lengths);
  thrust::fill(lengths.begin(), lengths.end(), -9);
  twice("runs_status", [&](void* t, size_t& b) {
    return cub::DeviceRunLengthEncode::NonTrivialRuns(t, b, raw(x), raw(offsets), raw(lengths), raw(count), n);
  });
  show("runs_count", count);
  show("runs_offsets", offsets, int(count[0]));
  show("runs_lengths", lengths, int(count[0]));
  float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> host = {nan, nan, 0.0f, -0.0f, 1, 1};
  thrust::device_vector<float> f(host.begin(), host.end()), g(6);
  twice("encode_nan_status", [&](void* t, size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(t, b, raw(f), raw(g), raw(lengths), raw(count), 6);
  });
  show("encode_nan_count", count);
  show("encode_nan_lengths", lengths, int(count[0]));
}

template <class Sample, class Level>
void even(const char* name, std::vector<Sample> host, Level lower, Level upper, int bins) {
  thrust::device_vector<Sample> samples(host.begin(), host.end());
  thrust::device_vector<int> histogram(bins, -1);
  std::string line = name;
  twice((line + "_status").c_str(), [&](void* t, size_t& b) {
    return cub::DeviceHistogram::HistogramEven(t, b, raw(samples), raw(histogram), bins + 1, lower, upper, int(host.size()));
  });
  show(name, histogram);
}

template <class Sample, class Level>
void range(const char* name, std::vector<Sample> host, std::vector<Level> levels) {
  thrust::device_vector<Sample> samples(host.begin(), host.end());
  thrust::device_vector<Level> edges(levels.begin(), levels.end());
  thrust::device_vector<int> histogram(levels.size() - 1, -1);
  std::string line = name;
  twice((line + "_status").c_str(), [&](void* t, size_t& b) {
    return cub::DeviceHistogram::HistogramRange(t, b, raw(samples), raw(histogram), int(levels.size()), raw(edges), int(host.size()));
  });
  show(name, histogram);
}

void histograms() {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  even<float, float>("even_float", {0, 1, 1.5f, 2, 3.999f, 4, -0.001f, 9, inf, -inf, nan, -0.0f}, 0, 4, 4);
  even<float, float>("even_thirds", {0, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f, 1.0f, 0.33333334f, 0.6666667f}, 0, 1, 3);
  even<double, double>("even_double", {-1, -0.5, 0, 0.25, 0.99, 1, 2}, -1, 1, 5);
  even<int, int>("even_int", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, 100}, 0, 10, 3);
  even<unsigned char, int>("even_bytes", {0, 63, 64, 127, 128, 191, 192, 255}, 0, 256, 4);
  even<int, int>("even_wide", {-2000000000, -1, 0, 1999999999, 2000000000}, -2000000000, 2000000000, 4);
  even<long long, long long>("even_long", {-5, 0, 4999999999, 5000000000, 9999999999, 10000000000}, 0ll, 10000000000ll, 2);
  range<float, float>("range_float", {0, 1, 2, 3, 5, 8, 13, -1, nan, inf, 0.9999999f}, {0, 1, 2, 5, 8});
  range<int, int>("range_int", {-10, -9, 0, 5, 5, 6, 7, 20, 21}, {-10, 0, 5, 6, 20});
  // Four channels in one array, of which three are counted, two rows with a gap
  std::vector<unsigned char> host(64);
  for (int i = 0; i < 64; i++) host[i] = static_cast<unsigned char>(i * 37);
  thrust::device_vector<unsigned char> pixels(host.begin(), host.end());
  thrust::device_vector<int> a(4), b(8), c(2);
  int* outputs[3] = {raw(a), raw(b), raw(c)};
  int levels[3] = {5, 9, 3}, lower[3] = {0, 0, 128}, upper[3] = {256, 256, 256};
  twice("multi_status", [&](void* t, size_t& bytes) {
    return cub::DeviceHistogram::MultiHistogramEven<4, 3>(t, bytes, raw(pixels), outputs, levels, lower, upper, 7, 2, size_t(32));
  });
  show("multi_first", a);
  show("multi_second", b);
  show("multi_third", c);
}

int main() {
  std::vector<int> host = answers::integers<int>(60, 5, 3);
  thrust::device_vector<int> x(host.begin(), host.end());
  selections(x);
  runs(x);
  histograms();
  return 0;
}

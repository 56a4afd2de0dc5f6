// thrust's vectors, pointers, policies and streams, numbers and functions.
#include "cub_test.h"

#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_malloc.h>
#include <thrust/device_new.h>
#include <thrust/device_delete.h>
#include <thrust/device_free.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/memory.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/tuple.h>

#include <cmath>
#include <complex>
#include <stdexcept>

namespace {

struct CountingAllocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t size) { return new char[size]; }
  void deallocate(char* memory, std::size_t) { delete[] memory; }
};

__global__ void set_all(int* values, int count, int value) {
  for (int i = 0; i < count; ++i) values[i] = value;
}

TEST_CASE("thrust::cuda::par runs in the order of its stream") {
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreateWithFlags(&stream, simtStreamNonBlocking));
  const DeviceArray<int> data(1000);
  CountingAllocator allocator;
  SIMT_LAUNCH((set_all), (1), (1), (0), (stream), data.data(), 1000, 3);
  const auto policy = thrust::cuda::par(allocator).on(stream);
  thrust::device_ptr<int> begin(data.data());
  CHECK_EQ(thrust::reduce(policy, begin, begin + 1000), 3000);
  thrust::sequence(thrust::cuda::par.on(stream), begin, begin + 1000);
  CHECK_EQ(thrust::reduce(policy, data.data(), data.data() + 1000, 0), 499500);
  thrust::fill(thrust::cuda::par_nosync.on(stream), begin, begin + 1000, 2);
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(data.values()[999], 2);
  REQUIRE_OK(simtStreamDestroy(stream));
}

TEST_CASE(
    "thrust::device and algorithms of device_vectors come after kernels of the default stream") {
  thrust::device_vector<int> data(5000);
  int* const raw = thrust::raw_pointer_cast(data.data());
  SIMT_LAUNCH((set_all), (1), (1), (0), (0), raw, 5000, 7);
  CHECK_EQ(thrust::count(thrust::device, raw, raw + 5000, 7), 5000);
  SIMT_LAUNCH((set_all), (1), (1), (0), (0), raw, 5000, 8);
  CHECK_EQ(static_cast<int>(data[4999]), 8);
  SIMT_LAUNCH((set_all), (1), (1), (0), (0), raw, 5000, 9);
  thrust::host_vector<int> host = data;
  CHECK_EQ(host[4999], 9);
}

TEST_CASE("thrust: a stream that is captured cannot be waited for") {
  simtStream_t stream;
  REQUIRE_OK(simtStreamCreateWithFlags(&stream, simtStreamNonBlocking));
  const DeviceArray<int> data(1);
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeRelaxed));
  CHECK_THROWS_AS(thrust::fill(thrust::cuda::par.on(stream), data.data(), data.data() + 1, 1),
                  std::runtime_error);
  simtGraph_t graph = nullptr;
  static_cast<void>(simtStreamEndCapture(stream, &graph));
  if (graph != nullptr) REQUIRE_OK(simtGraphDestroy(graph));
  static_cast<void>(simtGetLastError());
  REQUIRE_OK(simtStreamDestroy(stream));
}

TEST_CASE("thrust: a function's exception reaches the caller, and the device stays usable") {
  thrust::device_vector<int> data(3);
  CHECK_THROWS_AS(
      thrust::for_each(data.begin(), data.end(), [](int) { throw std::domain_error("no"); }),
      std::domain_error);
  CHECK_OK(simtDeviceSynchronize());
}

__global__ void scan_in_kernel(int* values, int count, int* sum) {
  thrust::inclusive_scan(thrust::seq, values, values + count, values);
  *sum = thrust::reduce(thrust::device, values, values + count);
  thrust::device_ptr<int> p(values);
  p[0] = 100;
}

TEST_CASE("thrust in a kernel runs on its thread") {
  const DeviceArray<int> data(std::vector<int>{1, 2, 3});
  const DeviceArray<int> sum(1);
  SIMT_LAUNCH((scan_in_kernel), (1), (1), (0), (0), data.data(), 3, sum.data());
  REQUIRE_FINISHED();
  CHECK_EQ(data.values(), std::vector<int>{100, 3, 6});
  CHECK_EQ(sum.values()[0], 10);
}

TEST_CASE("thrust::device_vector holds memory of the device and behaves as a vector") {
  thrust::device_vector<int> v(3, 5);
  simtPointerAttributes attributes;
  REQUIRE_OK(simtPointerGetAttributes(&attributes, thrust::raw_pointer_cast(v.data())));
  CHECK_EQ(attributes.type, simtMemoryTypeDevice);

  v.push_back(6);
  v[0] = 4;
  v[1] += 10;
  CHECK_EQ(v.size(), 4);
  CHECK_EQ(static_cast<int>(v.front()), 4);
  CHECK_EQ(static_cast<int>(v.back()), 6);
  v.insert(v.begin() + 1, 9);
  v.erase(v.begin() + 2);
  const std::vector<int> expected = {4, 9, 5, 6};
  std::vector<int> got(v.size());
  thrust::copy(v.begin(), v.end(), got.begin());
  CHECK_EQ(got, expected);
  CHECK(v == thrust::device_vector<int>(expected));
  CHECK(v != thrust::device_vector<int>(expected.begin(), expected.begin() + 3));

  thrust::device_vector<int> copy = v;
  copy.resize(6, 1);
  CHECK_EQ(thrust::reduce(copy.begin(), copy.end()), 26);
  copy.resize(1);
  copy.shrink_to_fit();
  CHECK_EQ(copy.capacity(), 1);
  thrust::device_vector<int> moved = std::move(v);
  CHECK_EQ(moved.size(), 4);
  moved.clear();
  CHECK(moved.empty());
  const thrust::device_vector<int> zeros(100);
  CHECK_EQ(thrust::count(zeros.begin(), zeros.end(), 0), 100);
  const thrust::host_vector<bool> flags(3, true);
  CHECK(flags[2]);
}

TEST_CASE("thrust: pointers and references of the device") {
  thrust::device_ptr<int> p = thrust::device_malloc<int>(4);
  thrust::fill(p, p + 4, 2);
  CHECK_EQ(static_cast<int>(*p), 2);
  *p = 11;
  p[3] = p[0];
  CHECK_EQ(static_cast<int>(p[3]), 11);
  CHECK_EQ((p + 4) - p, 4);
  CHECK(p != nullptr);
  CHECK_EQ(thrust::raw_pointer_cast(&p[2]), p.get() + 2);
  thrust::raw_reference_cast(p[1]) = 77;
  CHECK_EQ(p.get()[1], 77);
  thrust::device_free(p);
  thrust::device_ptr<double> d = thrust::device_new<double>(2);
  CHECK_EQ(static_cast<double>(d[1]), 0.0);
  thrust::device_delete(d, 2);
  const auto by_policy = thrust::malloc<int>(thrust::device, 3);
  thrust::free(thrust::device, by_policy);
  CHECK_THROWS_AS(thrust::device_malloc<int>(std::size_t(-1)), std::bad_alloc);
}

TEST_CASE("thrust: pairs and tuples") {
  int a = 0;
  double b = 0;
  thrust::tie(a, b) = thrust::make_pair(3, 4.5);
  CHECK_EQ(a, 3);
  CHECK_EQ(b, 4.5);
  const thrust::tuple<int, char, float> t(1, 'x', 2.5f);
  CHECK_EQ(thrust::get<2>(t), 2.5f);
  static_assert(thrust::tuple_size<decltype(t)>::value == 3);
  static_assert(
      std::is_same<thrust::tuple_element<1, thrust::tuple<int, char>>::type, char>::value);
  int c = 5;
  thrust::swap(a, c);
  CHECK_EQ(a, 5);
}

TEST_CASE("thrust: function objects and placeholders") {
  using namespace thrust::placeholders;
  CHECK_EQ(thrust::plus<int>()(1, 2), 3);
  CHECK_EQ(thrust::multiplies<>()(3, 2.5), 7.5);
  CHECK_EQ(thrust::maximum<int>()(4, 9), 9);
  CHECK_EQ(thrust::minimum<>()(4, 9), 4);
  CHECK_EQ(thrust::project2nd<int, int>()(4, 9), 9);
  CHECK_EQ(thrust::identity<int>()(4), 4);
  CHECK(thrust::not2(thrust::less<int>())(4, 4));
  CHECK_EQ(((_1 - 3) * _2)(10, 4), 28);
  CHECK((_1 > 2 && _1 < 5)(3));
  CHECK_FALSE((!(_1 == 3))(3));
  static_assert(std::is_same<thrust::plus<float>::result_type, float>::value);
}

TEST_CASE("thrust::complex agrees with std::complex") {
  const thrust::complex<double> z(1.5, -2.0);
  const thrust::complex<double> w(0.25, 3.0);
  const std::complex<double> sz(1.5, -2.0);
  const std::complex<double> sw(0.25, 3.0);
  CHECK(std::complex<double>(z * w) == sz * sw);
  CHECK(std::complex<double>(z / w) == sz / sw);
  CHECK(std::complex<double>(z + 1.0f) == sz + 1.0);
  CHECK(std::abs(std::complex<double>(thrust::exp(z)) - std::exp(sz)) < 1e-14);
  CHECK(std::abs(std::complex<double>(thrust::pow(z, 2)) - sz * sz) < 1e-14);
  CHECK(thrust::conj(z) == thrust::complex<double>(1.5, 2.0));
  CHECK_EQ(thrust::abs(z), 2.5);
  CHECK_EQ(thrust::norm(z), 6.25);
  CHECK_EQ(thrust::arg(z), std::arg(sz));
  CHECK_EQ(thrust::polar(2.0, 0.0).real(), 2.0);
  static_assert(sizeof(thrust::complex<float>) == 8 && alignof(thrust::complex<float>) == 8);
  static_assert(std::is_trivially_copyable<thrust::complex<float>>::value);
}

TEST_CASE("thrust: random numbers") {
  // ISO C++, [rand.predef], states the 10000th number of minstd_rand0 and minstd_rand with the
  // default seed.
  thrust::minstd_rand0 old_engine;
  thrust::default_random_engine engine;
  old_engine.discard(9999);
  engine.discard(9999);
  CHECK_EQ(old_engine(), 1043618065u);
  CHECK_EQ(engine(), 399268537u);

  thrust::minstd_rand stepped(7), skipped(7);
  for (int i = 0; i < 1000; ++i) stepped();
  skipped.discard(1000);
  CHECK(stepped == skipped);
  thrust::random::discard_block_engine<thrust::minstd_rand, 4, 2> sparse;
  thrust::minstd_rand all;
  sparse();
  sparse();
  all.discard(4);
  CHECK_EQ(sparse(), all());

  thrust::uniform_real_distribution<float> real(-2, 4);
  thrust::uniform_int_distribution<int> dice(1, 6);
  thrust::random::normal_distribution<double> normal(10, 3);
  double sum = 0;
  double squares = 0;
  int faces[7] = {};
  const int count = 60000;
  for (int i = 0; i < count; ++i) {
    const float x = real(engine);
    REQUIRE(x >= -2);
    REQUIRE(x < 4);
    ++faces[dice(engine)];
    const double y = normal(engine);
    sum += y;
    squares += (y - 10) * (y - 10);
  }
  // Tolerances are five standard deviations: of a mean, of a variance and of a binomial count.
  CHECK(std::abs(sum / count - 10) < 5 * 3 / std::sqrt(count));
  CHECK(std::abs(squares / count - 9) < 5 * 9 * std::sqrt(2.0 / count));
  for (int face = 1; face <= 6; ++face) {
    CHECK(std::abs(faces[face] - count / 6) < 5 * std::sqrt(count * 5.0 / 36));
  }
}

}  // namespace

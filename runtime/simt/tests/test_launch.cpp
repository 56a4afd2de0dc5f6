// All forms of launches in PyTorch and in ordinary CUDA programs. CUDA C++ Programming Guide,
// "Execution Configuration" and "__global__ Function Parameters".
#include "kernel_test.h"

#include <simt_cooperative_groups.h>

#include <array>
#include <cstdint>

namespace kernels {

template <class T, int kStep>
__global__ void fill(T* out, T value) {
  out[threadIdx.x] = static_cast<T>(value + kStep * static_cast<int>(threadIdx.x));
}

template <class In, class Out>
__global__ void convert(const In* in, Out* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = static_cast<Out>(in[i]);
}

template <class T, class Op>
__global__ void map(T* values, Op op) {
  values[threadIdx.x] = op(values[threadIdx.x]);
}

}  // namespace kernels

namespace {

using kernels::convert;
using kernels::fill;
using kernels::map;

__global__ void write(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

__global__ void many(int* out, char a, short b, int c, long d, long long e, float f, double g,
                     unsigned char h, unsigned short i, unsigned j, unsigned long k, bool l,
                     const int* m, std::size_t n, int8_t o, std::nullptr_t) {
  *out = a + b + c + static_cast<int>(d) + static_cast<int>(e) + static_cast<int>(f) +
         static_cast<int>(g) + h + i + static_cast<int>(j) + static_cast<int>(k) + l + *m +
         static_cast<int>(n) + o;
}

TEST_CASE("template arguments with commas, in the kernel and in its configuration") {
  const DeviceArray<float> out(3);
  SIMT_LAUNCH((fill<float, 2>), (dim3(1, 1, 1)), (dim3(3, 1)), (0), (0), out.data(), 10.0f);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<float>{10, 12, 14});
}

TEST_CASE("template arguments that are deduced") {
  const DeviceArray<int> in(std::vector<int>{1, 2, 3});
  const DeviceArray<double> out(3);
  SIMT_LAUNCH((convert), (1), (32), (0), (0), in.data(), out.data(), 3);
  SIMT_LAUNCH((kernels::convert<int>), (1), (32), (0), (0), in.data(), out.data(), 3);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<double>{1, 2, 3});
}

struct Scale {
  float factor;
  __host__ __device__ float operator()(float x) const { return factor * x; }
};

TEST_CASE("functors and lambdas as arguments") {
  const DeviceArray<float> values(std::vector<float>{1, 2, 3});
  SIMT_LAUNCH((map), (1), (3), (0), (0), values.data(), Scale{3});
  const float offset = 0.5f;
  SIMT_LAUNCH((map), (1), (3), (0), (0), values.data(),
              [=] __device__(float x) { return x + offset; });
  auto twice = [] __host__ __device__(float x) { return x + x; };
  SIMT_LAUNCH((map), (1), (3), (0), (0), values.data(), twice);
  REQUIRE_FINISHED();
  CHECK_EQ(values.values(), std::vector<float>{7, 13, 19});
}

TEST_CASE("a pointer to a kernel") {
  const DeviceArray<int> out(4);
  auto kernel = &write;
  SIMT_LAUNCH((kernel), (2), (2), (0), (0), out.data(), 6);
  void (*const chosen)(float*, float) = fill<float, 1>;
  const DeviceArray<float> floats(2);
  SIMT_LAUNCH((*chosen), (1), (2), (0), (0), floats.data(), 0.0f);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<int>(4, 6));
  CHECK_EQ(floats.values(), std::vector<float>{0, 1});
}

TEST_CASE("arguments of many types, converted as in a call") {
  const DeviceArray<int> out(1), five(1, 5);
  SIMT_LAUNCH((many), (1), (1), (0), (0), out.data(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, true,
              five.data(), 12, 13, nullptr);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 13 * 14 / 2 + 1 + 5);
}

// -- structures by value

struct Large {
  std::array<int, 1022> numbers;
  int* out;
};
static_assert(sizeof(Large) == 4096, "as large as arguments of a kernel may be");

__global__ void sum_large(Large large) {
  int sum = 0;
  for (const int number : large.numbers) sum += number;
  large.numbers[0] = 0;  // a copy of each thread's own
  atomicAdd(large.out, sum);
}

TEST_CASE("a structure of 4096 bytes, copied when the launch is made") {
  const DeviceArray<int> out(1);
  TestStream stream;
  Gate gate;
  gate.hold(stream);
  Large large;
  large.numbers.fill(1);
  large.out = out.data();
  SIMT_LAUNCH((sum_large), (2), (5), (0), (stream), large);
  large.numbers.fill(1'000'000);
  gate.open();
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 10 * 1022);
}

// PyTorch's elementwise kernels have parameters of such an array type.
template <class T, int kSize>
struct Pointers {
  T* data[kSize];
  T* operator[](int i) const { return data[i]; }
};

template <int kInputs, class Op>
__global__ void elementwise(int n, Op op, Pointers<float, kInputs + 1> pointers) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) pointers[0][i] = op(pointers[1][i], pointers[2][i]);
}

TEST_CASE("an array of pointers by value") {
  const DeviceArray<float> out(100), a(100, 2.0f), b(100, 0.5f);
  const Pointers<float, 3> pointers{{out.data(), a.data(), b.data()}};
  SIMT_LAUNCH((elementwise<2>), (4), (32), (0), (0), 100,
              [] __device__(float x, float y) { return x * y + 1; }, pointers);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<float>(100, 2.0f));
}

// -- launches at different places in a program

template <class T>
struct Launcher {
  int blocks;
  void run(T* out, T value) const {
    SIMT_LAUNCH((fill<T, 0>), (blocks), (4), (0), (0), out, value);
  }
};

#define RUN_WRITE(out, value) SIMT_LAUNCH((write), (1), (4), (0), (0), out, value)

TEST_CASE("launches in member functions of templates, in lambdas, in macros, and after an if") {
  const DeviceArray<short> shorts(4);
  Launcher<short>{1}.run(shorts.data(), 9);
  CHECK_EQ(shorts.values(), std::vector<short>(4, 9));

  const DeviceArray<int> out(4);
  const auto launch = [&](int value) {
    SIMT_LAUNCH((write), (1), (4), (0), (0), out.data(), value);
  };
  launch(3);
  CHECK_EQ(out.values(), std::vector<int>(4, 3));
  if (out.bytes() == 0)
    RUN_WRITE(out.data(), 1);
  else
    RUN_WRITE(out.data(), 2);
  CHECK_EQ(out.values(), std::vector<int>(4, 2));
  REQUIRE_FINISHED();
}

TEST_CASE("configurations of every integer type, evaluated once") {
  const DeviceArray<int> out(8);
  int calls = 0;
  const auto blocks = [&] { return ++calls, static_cast<std::int64_t>(2); };
  const std::size_t bytes = 0;
  const unsigned char threads = 4;
  SIMT_LAUNCH((write), (static_cast<unsigned>(blocks())), (threads), (bytes), (nullptr), out.data(),
              ++calls);
  REQUIRE_FINISHED();
  CHECK_EQ(calls, 2);
  CHECK_EQ(out.values(), std::vector<int>(8, 2));
}

template <class T>
__global__ void add_optional(T* out, T value, const T* more) {
  out[threadIdx.x] += value + (more != nullptr ? *more : T(0));
}
__global__ void is_null(int* out, const void* pointer, void (*function)(), float real) {
  *out = pointer == nullptr && function == nullptr && real == 0;
}
__global__ void count_long(int* out, long number) { *out = number == 0 ? 1 : 2; }

TEST_CASE("NULL and 0 are null pointers for pointers, and numbers for numbers") {
  const DeviceArray<int> out(2);
  SIMT_LAUNCH((is_null), (1), (1), (0), (0), out.data(), NULL, 0, 0);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 1);
  SIMT_LAUNCH((count_long), (1), (1), (0), (0), out.data(), NULL);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 1);
  // The kernel's template arguments are explicit, or deduced from the other arguments.
  SIMT_LAUNCH((add_optional<int>), (1), (2), (0), (0), out.data(), 4, NULL);
  SIMT_LAUNCH((add_optional), (1), (1), (0), (0), out.data(), 10, out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<int>{5 + 10 + 5, 4});
}

__managed__ int managed_values[4];

TEST_CASE("an array is a pointer to its first element") {
  SIMT_LAUNCH((write), (1), (4), (0), (0), managed_values, 7);
  SIMT_LAUNCH((convert), (1), (3), (0), (0), managed_values, managed_values, 2);
  SIMT_LAUNCH((fill<int, 5>), (1), (1), (0), (0), managed_values, 1);
  REQUIRE_FINISHED();
  CHECK_EQ(managed_values[0], 1);
  CHECK_EQ(managed_values[3], 7);
}

template <class T>
__global__ void choose(T* out, T value, const int* more, float* other) {
  *out = more == nullptr && other == nullptr ? value : T(0);
}

TEST_CASE("NULL for a kernel with deduced template arguments") {
  const DeviceArray<float> out(1);
  SIMT_LAUNCH((choose), (1), (1), (0), (0), out.data(), 2.5f, NULL, NULL);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 2.5f);
  SIMT_LAUNCH((choose), (1), (1), (0), (0), out.data(), 3.5f, 0, 0);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 3.5f);
}

struct Celsius {
  static inline int made = 0;
  Celsius(double degrees) : degrees(degrees) { ++made; }
  double degrees;
};
__global__ void store_degrees(double* out, Celsius value, int) { out[threadIdx.x] = value.degrees; }
__global__ void with_default(int* out, int value = 7, const int* more = nullptr) {
  *out = value + (more != nullptr);
}

__global__ void pointer_and_default(int* out, const int* more, int value = 4) {
  *out = more == nullptr ? value : 0;
}

TEST_CASE("arguments are converted once, at the launch") {
  const DeviceArray<double> out(4);
  SIMT_LAUNCH((store_degrees), (1), (4), (0), (0), out.data(), 21.5, 1.0);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<double>(4, 21.5));
  CHECK_EQ(Celsius::made, 1);
}

/// Owns memory, and converts to the pointer that a kernel takes.
struct Owner {
  explicit Owner(int* pointer) : pointer(pointer) {}
  Owner(const Owner&) = delete;
  operator int*() const { return pointer; }
  int* pointer;
};

TEST_CASE("an argument without a copy constructor that converts to a pointer") {
  const DeviceArray<int> out(3);
  const Owner owner(out.data());
  SIMT_LAUNCH((write), (1), (3), (0), (0), owner, 8);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<int>(3, 8));
}

TEST_CASE("default arguments of a kernel") {
  const DeviceArray<int> out(1);
  SIMT_LAUNCH((with_default), (1), (1), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 7);
  SIMT_LAUNCH((pointer_and_default), (1), (1), (0), (0), out.data(), NULL);
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 4);
}

__global__ void no_arguments() {}

TEST_CASE("a kernel without arguments, and an empty body") {
  SIMT_LAUNCH((no_arguments), (100), (100), (0), (0));
  REQUIRE_FINISHED();
}

__global__ void __launch_bounds__(64, 2) bounded(long long* cycles) {
  const long long begin = clock64();
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

TEST_CASE("launch bounds, and a clock that runs") {
  const DeviceArray<long long> cycles(1, -1);
  SIMT_LAUNCH((bounded), (1), (64), (0), (0), cycles.data());
  REQUIRE_FINISHED();
  CHECK(cycles.values()[0] > 0);
}

// -- launches by address

__global__ void add_pair(int* out, int a, short b) { atomicAdd(out, a + b); }

TEST_CASE("simtLaunchKernel takes the addresses of arguments") {
  const DeviceArray<int> out(1);
  int* pointer = out.data();
  int a = 40;
  short b = 2;
  void* arguments[] = {&pointer, &a, &b};
  CHECK_OK(simtLaunchKernel(add_pair, dim3(2), dim3(3), arguments, 0, nullptr));
  a = 0;
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 6 * 42);
  // After the cast, only the address identifies the kernel.
  CHECK_OK(simtLaunchKernel(reinterpret_cast<const void*>(add_pair), dim3(1), dim3(1), arguments));
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 6 * 42 + 2);
}

__global__ void turn_by_grid(int* values, int rounds) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const unsigned size = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    const int value = values[(i + 1) % size];
    grid.sync();
    values[i] = value;
    grid.sync();
  }
}

TEST_CASE("a cooperative launch meets the whole grid") {
  const int blocks = 4, threads = 8, rounds = 5;
  std::vector<int> numbers(blocks * threads);
  for (int i = 0; i < blocks * threads; ++i) numbers[static_cast<std::size_t>(i)] = i;
  const DeviceArray<int> values(numbers);
  int* pointer = values.data();
  int count = rounds;
  void* arguments[] = {&pointer, &count};
  CHECK_OK(simtLaunchCooperativeKernel(turn_by_grid, dim3(blocks), dim3(threads), arguments, 0,
                                       nullptr));
  REQUIRE_FINISHED();
  for (int& number : numbers) number = (number + rounds) % (blocks * threads);
  CHECK_EQ(values.values(), numbers);
  CHECK_OK(simtLaunchCooperativeKernel(reinterpret_cast<const void*>(turn_by_grid), dim3(blocks),
                                       dim3(threads), arguments));
  REQUIRE_FINISHED();
  for (int& number : numbers) number = (number + rounds) % (blocks * threads);
  CHECK_EQ(values.values(), numbers);
}

}  // namespace

// Static shared memory in every form of a declaration, with the compiler's plugin and without it.
// CUDA C++ Programming Guide, "__shared__".
#include "kernel_test.h"

#include <cstdint>
#include <thread>
#include <type_traits>
#include <utility>

namespace {

/// Number of errors that the kernel counts in its first argument, in many blocks of many threads.
template <class Kernel>
int wrong_in(Kernel launch) {
  const DeviceArray<int> wrong(1);
  launch(wrong.data());
  REQUIRE_FINISHED();
  return wrong.values()[0];
}

#define CHECK_KERNEL(kernel)                                                                    \
  CHECK_EQ(                                                                                     \
      wrong_in([](int* wrong) { SIMT_LAUNCH((kernel), (40), (64), (0), (0), wrong); }), 0)

#define EXPECT(...)                          \
  do {                                       \
    if (!(__VA_ARGS__)) atomicAdd(wrong, 1); \
  } while (0)

__device__ bool is_first() { return threadIdx.x == 0; }

// -- places of a declaration

__shared__ int of_namespace[64];
static __shared__ int of_unit;

__device__ int* shared_of_function() {
  static __shared__ int value;
  return &value;
}

template <class T>
__device__ T* shared_of_template() {
  __shared__ T values[64];
  return values;
}

struct Holder {
  __device__ static int& value() {
    __shared__ int inside;
    return inside;
  }
};

__global__ void declared_everywhere(int* wrong) {
  auto of_lambda = []() -> short* {
    __shared__ short values[64];
    return values;
  };
  const int i = static_cast<int>(threadIdx.x);
  of_namespace[i] = i + 1;
  shared_of_template<char>()[i] = static_cast<char>(i + 2);
  shared_of_template<double>()[i] = i + 3;
  of_lambda()[i] = static_cast<short>(i + 4);
  if (is_first()) {
    const int block = static_cast<int>(blockIdx.x);
    of_unit = block + 5;
    *shared_of_function() = block + 6;
    Holder::value() = block + 7;
  }
  __syncthreads();
  const int other = 63 - i, block = static_cast<int>(blockIdx.x);
  EXPECT(of_namespace[other] == other + 1);
  EXPECT(shared_of_template<char>()[other] == other + 2);
  EXPECT(shared_of_template<double>()[other] == other + 3);
  EXPECT(of_lambda()[other] == other + 4);
  EXPECT(of_unit == block + 5);
  EXPECT(*shared_of_function() == block + 6);
  EXPECT(Holder::value() == block + 7);
}

TEST_CASE("static shared memory of namespaces, functions, templates, classes and lambdas") {
  CHECK_KERNEL(declared_everywhere);
}

// -- types of declared variables

struct Constructed {
  float re, im;
  constexpr Constructed() : re(0), im(0) {}
};

struct WithValue {
  int value = 7;
};

struct Nested {
  short key;
  struct {
    double values[3];
  } inner[2];
};

__global__ void of_every_type(int* wrong) {
  __shared__ union {
    float number;
    unsigned bits;
  } either;
  __shared__ Nested nested[2];
  __shared__ Constructed pairs[3];
  __shared__ Nested* pointer;
  __shared__ int (*rows)[4];
  __shared__ int matrix[3][4];
  __shared__ bool done;
  if (is_first()) {
    either.number = 1.0f;
    nested[1].inner[1].values[2] = blockIdx.x;
    nested[0] = nested[1];
    pairs[2].im = 2.5f;
    pairs[1] = pairs[2];
    pointer = &nested[1];
    rows = &matrix[1];
    matrix[1][3] = 5;
    done = true;
  }
  __syncthreads();
  EXPECT(either.bits == 0x3f800000u);
  EXPECT(nested[0].inner[1].values[2] == blockIdx.x);
  EXPECT(pointer->inner[1].values[2] == blockIdx.x);
  EXPECT(pairs[1].im == 2.5f && pairs[1].re == pairs[2].re);
  EXPECT((*rows)[3] == 5);
  EXPECT(done);
}

TEST_CASE("static shared memory of every type") { CHECK_KERNEL(of_every_type); }

// CUDA permits no initialiser of a shared variable. Here, a shared variable with an initialiser has
// the initialiser's value.
__global__ void with_initial_value(int* wrong) {
  __shared__ WithValue values[2];
  EXPECT(values[0].value == 7 && values[1].value == 7);
}

TEST_CASE("an initial value of static shared memory") { CHECK_KERNEL(with_initial_value); }

__global__ void aligned(int* wrong) {
  __shared__ char before;
  __shared__ __align__(16) char by_attribute[3];
  alignas(128) __shared__ char by_keyword[5];
  __shared__ struct __align__(32) { char bytes[32]; } by_type[2];
  __shared__ double4 vectors[2];
  before = 1;
  const auto remainder = [](const volatile void* address, unsigned alignment) {
    return reinterpret_cast<std::uintptr_t>(address) % alignment;
  };
  EXPECT(remainder(by_attribute, 16) == 0);
  EXPECT(remainder(by_keyword, 128) == 0);
  EXPECT(remainder(by_type, 32) == 0);
  EXPECT(remainder(vectors, alignof(double4)) == 0);
  EXPECT(before == 1);
}

TEST_CASE("static shared memory is aligned as declared") {
  CHECK_KERNEL(aligned);
}

// -- forms of access to a variable

__device__ int sum_of(const int (&values)[64]) {
  int sum = 0;
  for (const int value : values) sum += value;
  return sum;
}

SIMT_NOINLINE __device__ void add_to(int* value, int more) { *value += more; }

__device__ std::pair<int*, int*> addresses_of_parts() {
  __shared__ struct {
    int first;
    int rest[3];
  } parts;
  return {&parts.first, &parts.rest[2]};
}

__global__ void named_in_every_way(int* wrong) {
  __shared__ int values[64];
  __shared__ volatile int spun;
  volatile __shared__ int counted;
  static_assert(sizeof(values) == 64 * sizeof(int));
  static_assert(std::is_same_v<decltype(values), int[64]>);
  int(&reference)[64] = values;
  int* const last = &values[63];
  int* const end = values + 64;
  reference[threadIdx.x] = 1;
  __syncthreads();
  EXPECT(sum_of(values) == 64);
  EXPECT(last + 1 == end && end - values == 64);
  __syncthreads();
  if (is_first()) {
    add_to(&values[5], 4);
    add_to(last, 2);
    spun = 3;
    counted = 0;
    for (int i = 0; i < 3; ++i) counted = counted + 1;
    *addresses_of_parts().first = 8;
    *addresses_of_parts().second = 9;
  }
  __syncthreads();
  EXPECT(values[5] == 5 && values[63] == 3);
  EXPECT(spun == 3 && counted == 3);
  EXPECT(*addresses_of_parts().first == 8 && *addresses_of_parts().second == 9);
  atomicAdd(&values[1], 1);
  __syncthreads();
  EXPECT(values[1] == 65);
}

TEST_CASE("static shared memory by reference, by pointer, by parts, and by an atomic") {
  CHECK_KERNEL(named_in_every_way);
}

__global__ void in_one_branch(int* wrong) {
  if (blockIdx.x % 2 == 0) {
    __shared__ unsigned even;
    if (is_first()) even = blockIdx.x;
    __syncthreads();
    EXPECT(even == blockIdx.x);
  } else {
    __shared__ unsigned odd[2];
    if (is_first()) odd[1] = blockIdx.x;
    __syncthreads();
    EXPECT(odd[1] == blockIdx.x);
  }
}

TEST_CASE("static shared memory that is declared in a branch") { CHECK_KERNEL(in_one_branch); }

// -- one copy for each block

__host__ __device__ int* counter() {
  __shared__ int value;
  return &value;
}

TEST_CASE("a thread of the host has its own copy, which begins with zeros") {
  *counter() = 1;
  int of_other = -1;
  std::thread([&] { of_other = (*counter())++; }).join();
  CHECK_EQ(of_other, 0);
  CHECK_EQ(*counter(), 1);
}

// -- addresses of 32 bits, as those of dynamic shared memory (test_shared.cpp)

template <class T>
__global__ void reverse_by_complement(T* out) {
  __shared__ T values[64];
  T* end = values + blockDim.x;
  const unsigned thread = threadIdx.x;
  end[~thread] = static_cast<T>(thread + 1);
  __syncthreads();
  out[thread] = values[thread];
}

template <class T>
void check_reverse_by_complement() {
  const DeviceArray<T> out(64);
  SIMT_LAUNCH((reverse_by_complement<T>), (3), (64), (0), (0), out.data());
  REQUIRE_FINISHED();
  const std::vector<T> values = out.values();
  for (int i = 0; i < 64; ++i) CHECK_EQ(values[static_cast<std::size_t>(i)], static_cast<T>(64 - i));
}

TEST_CASE("an unsigned index of static shared memory wraps around as addresses of 32 bits do") {
#if SIMT_SHARED_IN_WORKER && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  check_reverse_by_complement<unsigned char>();
  check_reverse_by_complement<short>();
  check_reverse_by_complement<int>();
  check_reverse_by_complement<double>();
#endif  // thread_local variables do not wrap around, nor do addresses under a sanitizer
}

}  // namespace

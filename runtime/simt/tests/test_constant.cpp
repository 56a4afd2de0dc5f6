// Variables of the device: __constant__, __device__, __managed__, and their symbols. CUDA C++
// Programming Guide, "Variable Memory Space Specifiers" and "Device Memory"; CUDA Runtime API,
// "Memory Management".
#include "kernel_test.h"

__constant__ float weights[4] = {1, 2, 3, 4};
__constant__ int scale;
__device__ int counter = 5;
__device__ double table[3][2];
__managed__ int shared_with_host = 7;
static __device__ unsigned hits[8];

struct Settings {
  int begin;
  float step;
};
__constant__ Settings settings;

namespace {

template <class T>
__device__ T generation = T(1);

__global__ void weigh(float* out) {
  out[threadIdx.x] = weights[threadIdx.x] * static_cast<float>(scale);
}
__global__ void count(int amount) { atomicAdd(&counter, amount); }
__global__ void read_settings(float* out) {
  *out = static_cast<float>(settings.begin) + settings.step;
}
__global__ void fill_table() {
  table[threadIdx.x / 2][threadIdx.x % 2] = 0.5 * static_cast<double>(threadIdx.x);
}
__global__ void hit() { atomicAdd(&hits[threadIdx.x % 8], 1u); }
__global__ void bump_managed() { shared_with_host += 10; }

TEST_CASE("constant memory has its initial values, then values that the host copies") {
  const DeviceArray<float> out(4);
  const int two = 2, ten = 10;
  REQUIRE_OK(simtMemcpyToSymbol(scale, &two, sizeof two));
  SIMT_LAUNCH((weigh), (1), (4), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<float>{2, 4, 6, 8});

  const float last[] = {0.5f, 0.25f};
  REQUIRE_OK(simtMemcpyToSymbol(weights, last, sizeof last, 2 * sizeof(float)));
  REQUIRE_OK(simtMemcpyToSymbol(scale, &ten, sizeof ten));
  SIMT_LAUNCH((weigh), (1), (4), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<float>{10, 20, 5, 2.5f});
  const float before[] = {1, 2, 3, 4};
  REQUIRE_OK(simtMemcpyToSymbol(weights, before, sizeof before));
}

TEST_CASE("a structure in constant memory") {
  const Settings wanted{40, 2.5f};
  REQUIRE_OK(simtMemcpyToSymbol(settings, &wanted, sizeof wanted));
  const DeviceArray<float> out(1);
  SIMT_LAUNCH((read_settings), (1), (1), (0), (0), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 42.5f);
}

TEST_CASE("a variable of the device is kept from launch to launch") {
  const int five = 5;
  REQUIRE_OK(simtMemcpyToSymbol(counter, &five, sizeof five));
  SIMT_LAUNCH((count), (10), (30), (0), (0), 1);
  SIMT_LAUNCH((count), (1), (1), (0), (0), 1000);
  int value = 0;
  REQUIRE_OK(simtMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK_EQ(value, 1305);
}

TEST_CASE("static variables and arrays of two dimensions") {
  SIMT_LAUNCH((fill_table), (1), (6), (0), (0));
  SIMT_LAUNCH((hit), (3), (16), (0), (0));
  double row[2];
  REQUIRE_OK(simtMemcpyFromSymbol(row, table, sizeof row, 2 * sizeof row));
  CHECK_EQ(row[0], 2.0);
  CHECK_EQ(row[1], 2.5);
  unsigned counts[8];
  REQUIRE_OK(simtMemcpyFromSymbol(counts, hits, sizeof counts));
  for (const unsigned got : counts) CHECK_EQ(got, 6);
}

TEST_CASE("copies of symbols in the order of a stream") {
  TestStream stream;
  int* pinned;
  REQUIRE_OK(simtMallocHost(&pinned, 2 * sizeof(int)));
  pinned[0] = 70;
  Gate gate;
  gate.hold(stream);
  REQUIRE_OK(
      simtMemcpyToSymbolAsync(counter, pinned, sizeof(int), 0, simtMemcpyHostToDevice, stream));
  SIMT_LAUNCH((count), (1), (7), (0), (stream), 1);
  REQUIRE_OK(simtMemcpyFromSymbolAsync(pinned + 1, counter, sizeof(int), 0, simtMemcpyDeviceToHost,
                                       stream));
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(pinned[1], 77);
  CHECK_OK(simtFreeHost(pinned));
}

TEST_CASE("address and size of a symbol") {
  void* address = nullptr;
  std::size_t size = 0;
  REQUIRE_OK(simtGetSymbolAddress(&address, weights));
  REQUIRE_OK(simtGetSymbolSize(&size, weights));
  CHECK_EQ(size, 4 * sizeof(float));
  float values[4] = {};
  REQUIRE_OK(simtMemcpy(values, address, size, simtMemcpyDeviceToHost));
  CHECK_EQ(values[3], 4.0f);
  REQUIRE_OK(simtGetSymbolSize(&size, table));
  CHECK_EQ(size, 6 * sizeof(double));
  // The address denotes device memory, so calls that require device memory accept it.
  REQUIRE_OK(simtGetSymbolAddress(&address, hits));
  REQUIRE_OK(simtMemset(address, 0, sizeof hits));
  simtPointerAttributes attributes;
  REQUIRE_OK(simtPointerGetAttributes(&attributes, address));
  CHECK_EQ(attributes.type, simtMemoryTypeDevice);
}

TEST_CASE("copies that do not fit a symbol") {
  float values[5] = {};
  CHECK_EQ(simtMemcpyToSymbol(weights, values, sizeof values), simtErrorInvalidValue);
  CHECK_EQ(simtMemcpyToSymbol(weights, values, 8, 12), simtErrorInvalidValue);
  CHECK_EQ(simtMemcpyFromSymbol(values, weights, 4, 16), simtErrorInvalidValue);
  CHECK_EQ(simtMemcpyToSymbol(weights, values, 4, 0, simtMemcpyDeviceToHost),
           simtErrorInvalidMemcpyDirection);
  CHECK_EQ(simtMemcpyFromSymbol(values, weights, 4, 0, simtMemcpyHostToDevice),
           simtErrorInvalidMemcpyDirection);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidMemcpyDirection);
}

TEST_CASE("a pointer that is no symbol") {
  int local = 0;
  void* address = nullptr;
  CHECK_EQ(simtGetSymbolAddress(&address, static_cast<const void*>(&local)),
           simtErrorInvalidSymbol);
  std::size_t size;
  CHECK_EQ(simtGetSymbolSize(&size, static_cast<const void*>(&local)), simtErrorInvalidSymbol);
  CHECK_EQ(simtMemcpyToSymbol(static_cast<const void*>(&local), &size, 4), simtErrorInvalidSymbol);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidSymbol);
}

TEST_CASE("a managed variable is one for host and device") {
  shared_with_host = 7;
  SIMT_LAUNCH((bump_managed), (1), (1), (0), (0));
  REQUIRE_FINISHED();
  CHECK_EQ(shared_with_host, 17);
}

TEST_CASE("a template of variables has a symbol for each type") {
  const float three = 3;
  REQUIRE_OK(simtMemcpyToSymbol(generation<float>, &three, sizeof three));
  int of_int = 0;
  float of_float = 0;
  REQUIRE_OK(simtMemcpyFromSymbol(&of_int, generation<int>, sizeof of_int));
  REQUIRE_OK(simtMemcpyFromSymbol(&of_float, generation<float>, sizeof of_float));
  CHECK_EQ(of_int, 1);
  CHECK_EQ(of_float, 3.0f);
}

}  // namespace

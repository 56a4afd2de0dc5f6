// Kernel arguments of classes with copy constructors and destructors. CUDA C++ Programming Guide, "__global__ Function
// Argument Processing".
#include "kernel_test.h"

#include <memory>

namespace {

/// Counts its copies, and shares memory of the device.
struct Counted {
  explicit Counted(int* data) : data(data) {}
  Counted(const Counted& other) : data(other.data), generation(other.generation + 1) { ++copied; }
  Counted& operator=(const Counted&) = delete;
  ~Counted() {
    data = nullptr;
    ++destroyed;
  }
  int* data;
  int generation = 0;

  static int copied, destroyed;
};
int Counted::copied = 0;
int Counted::destroyed = 0;

/// Requires that a launch copies the host's object at least once and destroys all copies before it returns, and that
/// nothing happens to objects until the device has finished.
template <class Launch>
void check_copies(const Launch& launch) {
  Counted::copied = Counted::destroyed = 0;
  launch();
  CHECK_EQ(Counted::copied, 1);
  CHECK_EQ(Counted::destroyed, 1);
  REQUIRE_FINISHED();
  CHECK_EQ(Counted::copied, 1);
  CHECK_EQ(Counted::destroyed, 1);
}

using Ints = std::vector<int>;

// Each thread changes its own parameter, before and after all threads have waited.
__global__ void change(Counted counted, int add) {
  counted.generation += add;
  __syncthreads();
  counted.generation += static_cast<int>(threadIdx.x);
  counted.data[threadIdx.x] = counted.generation;
}
template <class T>
__global__ void change_deduced(Counted counted, T add) {
  counted.generation += static_cast<int>(add);
  counted.data[threadIdx.x] = counted.generation;
}
__global__ void overloaded(Counted counted) { counted.data[threadIdx.x] = 1; }
__global__ void overloaded(Counted counted, int value) { counted.data[threadIdx.x] = value; }

TEST_CASE("a launch destroys its copies when it returns, and threads have bitwise copies") {
  const DeviceArray<int> out(4);
  const Counted counted(out.data());
  check_copies([&] { SIMT_LAUNCH((change), (1), (4), (0), (0), counted, 10); });
  CHECK_EQ(out.values(), Ints{11, 12, 13, 14});
  check_copies([&] { SIMT_LAUNCH((change_deduced), (1), (4), (0), (0), counted, 2.5); });
  CHECK_EQ(out.values(), Ints{3, 3, 3, 3});
  check_copies([&] { SIMT_LAUNCH((change_deduced<int>), (1), (4), (0), (0), counted, 5); });
  CHECK_EQ(out.values(), Ints{6, 6, 6, 6});
  check_copies([&] { SIMT_LAUNCH((overloaded), (1), (4), (0), (0), counted, 7); });
  CHECK_EQ(out.values(), Ints{7, 7, 7, 7});
  check_copies([&] { SIMT_LAUNCH((overloaded), (1), (4), (0), (0), counted); });
  CHECK_EQ(out.values(), Ints{1, 1, 1, 1});
}

TEST_CASE("the bytes exist until the kernel has run, after the caller's object is gone") {
  const DeviceArray<int> out(4);
  Gate gate;
  gate.hold(nullptr);
  auto counted = std::make_unique<Counted>(out.data());
  SIMT_LAUNCH((change), (1), (4), (0), (0), *counted, 20);
  counted.reset();
  gate.open();
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), Ints{21, 22, 23, 24});
}

/// Memory of the device that belongs to the object; a copy has a copy of the memory.
class Buffer {
 public:
  explicit Buffer(int value) {
    REQUIRE_OK(simtMalloc(&data_, sizeof(int)));
    REQUIRE_OK(simtMemcpy(data_, &value, sizeof value, simtMemcpyHostToDevice));
  }
  Buffer(const Buffer& other) {
    REQUIRE_OK(simtMalloc(&data_, sizeof(int)));
    REQUIRE_OK(simtMemcpy(data_, other.data_, sizeof(int), simtMemcpyDeviceToDevice));
  }
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { simtFree(data_); }  // waits for the kernel, as in CUDA
  __device__ int& operator*() const { return *data_; }

 private:
  int* data_ = nullptr;
};

__global__ void add_all(Buffer buffer, int* out) { atomicAdd(out, *buffer); }

TEST_CASE("an object that owns memory of the device frees its copy once") {
  const DeviceArray<int> out(1, 0);
  const Buffer buffer(3);
  SIMT_LAUNCH((add_all), (4), (8), (0), (0), buffer, out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values()[0], 96);
}

/// Passed in registers, although it has an assignment operator of its own.
struct Assigned {
  Assigned(double a, float b) : a(a), b(b) {}
  Assigned(const Assigned&) = default;
  double a;
  float b;
  Assigned& operator=(const Assigned&) { return *this; }
};
struct Wide {
  double values[5];
};
struct alignas(32) Aligned {
  Aligned(float value) : value(value) {}
  Aligned(const Aligned& other) : value(other.value) {}
  float value;
};

// More parameters than registers, between parameters of each class of the calling convention.
__global__ void many(char c, Counted first, float f, Assigned in_registers, Aligned aligned,
                     double d, Wide wide, long long w, Counted second, float2 pair, short s, int i,
                     double* out) {
  const double values[] = {static_cast<double>(c), static_cast<double>(first.generation), f,
                           in_registers.a, in_registers.b, aligned.value, d, wide.values[4],
                           static_cast<double>(w), static_cast<double>(*second.data), pair.x,
                           pair.y, static_cast<double>(s), static_cast<double>(i),
                           reinterpret_cast<std::uintptr_t>(&aligned) % 32 == 0 ? 1.0 : 0.0};
  for (int k = 0; k < 15; ++k) out[k] = values[k];
}

TEST_CASE("class arguments between arguments of other types") {
  const DeviceArray<int> number(1, 42);
  const DeviceArray<double> out(15);
  const Counted counted(number.data());
  const Wide wide{{1, 2, 3, 4, 5}};
  const Assigned in_registers(0.25, 0.5f);
  SIMT_LAUNCH((many), (1), (1), (0), (0), 'a', counted, 1.5f, in_registers, Aligned(8.5f), 2.5, wide,
              1LL << 40, counted, make_float2(6, 7), static_cast<short>(-3), 9, out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<double>{97, 1, 1.5, 0.25, 0.5, 8.5, 2.5, 5, 1LL << 40, 42, 6, 7,
                                             -3, 9, 1});
}

template <class Function>
__global__ void call(Function function, int count) {
  if (static_cast<int>(threadIdx.x) < count) function(static_cast<int>(threadIdx.x));
}

TEST_CASE("a lambda that captures an object") {
  const DeviceArray<int> out(4, -1);
  const Counted counted(out.data());
  const auto store = [counted] __device__(int i) { counted.data[i] = 10 * i + counted.generation; };
  check_copies([&] { SIMT_LAUNCH((call), (1), (4), (0), (0), store, 3); });
  CHECK_EQ(out.values(), Ints{2, 12, 22, -1});
}

TEST_CASE("simtLaunchKernel copies the bytes of an object") {
  const DeviceArray<int> out(2);
  Counted counted(out.data());
  int add = 30;
  void* arguments[] = {&counted, &add};
  Counted::copied = Counted::destroyed = 0;
  REQUIRE_OK(simtLaunchKernel(change, dim3(1), dim3(2), arguments));
  REQUIRE_OK(simtLaunchKernel(reinterpret_cast<const void*>(change), dim3(1), dim3(2), arguments, 0,
                              nullptr));
  REQUIRE_FINISHED();
  CHECK_EQ(Counted::copied + Counted::destroyed, 0);
  CHECK_EQ(out.values(), Ints{30, 31});
}

TEST_CASE("each launch of a graph has the bytes of the capture") {
  const DeviceArray<int> out(4);
  const TestStream stream;
  simtGraph_t graph = nullptr;
  simtGraphExec_t executable = nullptr;
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeGlobal));
  SIMT_LAUNCH((change), (1), (4), (0), (stream), Counted(out.data()), 50);
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  REQUIRE_OK(simtGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) REQUIRE_OK(simtGraphLaunch(executable, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(out.values(), Ints{51, 52, 53, 54});
  REQUIRE_OK(simtGraphExecDestroy(executable));
  REQUIRE_OK(simtGraphDestroy(graph));
}

}  // namespace

// A fault of device code becomes the error of its device; the process continues.
#include "program.h"

#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>

#include <exception>
#include <stdexcept>

#include <cub/cub.cuh>

namespace {

__global__ void writes_to(int* pointer) { *pointer = 1; }
__global__ void calls_abort() { abort(); }
__global__ void prints(const char* text) { printf("the text is %s\n", text); }
__global__ void puts_out(const char* text) { fputs(text, stdout); }
__global__ void copies_from(char* to, const char* from) { memcpy(to, from, 100); }
__global__ void terminates() noexcept { throw std::runtime_error("thrown"); }
__global__ void divides(volatile int* out) { *out = *out / *out; }
__global__ void asserts(int value) { assert(value == 0); }
__device__ int dive(volatile char* above) {
  volatile char frame[700];
  frame[0] = above[0];
  return dive(frame) + frame[1];
}
__global__ void dives(int* out) {
  volatile char top = 0;
  *out = dive(&top);
}

struct WritesAt {
  int index;
  __device__ void operator()(int i) const {
    if (i == index) *reinterpret_cast<volatile int*>(0x10) = i;
  }
};
struct Dives {
  __device__ void operator()(int) const {
    volatile char top = 0;
    dive(&top);
  }
};
struct Terminates {
  __device__ void operator()(int) const noexcept { std::terminate(); }
};
struct ReadsNowhere {
  __device__ bool operator()(int a, int b) const {
    return *reinterpret_cast<volatile int*>(0x18) + a < b;
  }
};
struct SumsNowhere {
  __device__ int operator()(int a, int b) const {
    return a + b + *reinterpret_cast<volatile int*>(0x18);
  }
};

/// Runs `work`, which fails, and checks that the device returns the error until a reset, and works
/// again after the reset.
template <class Work>
int has_error(simtError_t error, Work work) {
  for (int round = 0; round < 3; ++round) {
    try {
      work();
    } catch (const std::exception&) {
    }
    EXPECT(simtDeviceSynchronize(), error);
    void* memory = nullptr;
    EXPECT(simtMalloc(&memory, 4), error);
    EXPECT_OK(simtDeviceReset());
    expect_device_works();
    std::printf("round %d\n", round);
  }
  return 0;
}

// Hides from the compiler that the pointer is null: otherwise the compiler may remove the write.
int* null_pointer() {
  int* volatile pointer = nullptr;
  return pointer;
}

int* const kNowhere = reinterpret_cast<int*>(0x10);

template <class Functor>
int for_each_has_error(simtError_t error, Functor functor, int count) {
  const thrust::counting_iterator<int> begin(0);
  return has_error(error,
                   [&] { thrust::for_each(thrust::device, begin, begin + count, functor); });
}

int reduces_with_cub() {
  return has_error(simtErrorIllegalAddress, [] {
    const int* values = device_array<int>(100000);
    int* sum = device_array();
    std::size_t bytes = 0;
    EXPECT_OK(cub::DeviceReduce::Reduce(nullptr, bytes, values, sum, 100000, SumsNowhere(), 0));
    void* room = device_array<char>(bytes + 1);
    EXPECT_OK(cub::DeviceReduce::Reduce(room, bytes, values, sum, 100000, SumsNowhere(), 0));
  });
}

int sorts() {
  return has_error(simtErrorIllegalAddress, [] {
    const auto values = thrust::device_pointer_cast(device_array<int>(1000));
    thrust::sort(values, values + 1000, ReadsNowhere());
  });
}

int copies_from_nowhere() {
  return has_error(simtErrorIllegalAddress, [] {
    char* room = nullptr;
    EXPECT_OK(simtMallocHost(&room, 100));
    static_cast<void>(simtMemcpyAsync(room, kNowhere, 100, simtMemcpyDefault));
  });
}

// Device memory is outside the heap, so an overrun of device memory must leave the heap intact.
template <class Allocate>
void overrun(Allocate allocate, std::size_t size) {
  std::vector<void*> of_heap;
  for (int i = 0; i < 50; ++i) {
    char* memory = allocate(size);
    EXPECT(reinterpret_cast<std::size_t>(memory) % 256, 0);
    std::memset(memory + size, 0xff, 8);
    of_heap.push_back(std::malloc(size));
    std::memset(of_heap.back(), 0, size);
  }
  for (void* memory : of_heap) std::free(memory);
}
int writes_just_past() {
  for (const std::size_t size : {1, 4, 100, 500, 1000, 5000, 100000, 1500000}) {
    overrun([](std::size_t bytes) { return device_array<char>(bytes); }, size);
    overrun(
        [](std::size_t bytes) {
          char* made = nullptr;
          EXPECT_OK(simtMallocHost(&made, bytes));
          return made;
        },
        size);
  }
  return 0;
}

__global__ void fill(char* begin, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) begin[i] = 1;
}
int writes_far_past() {
  for (const std::size_t size : {std::size_t{100}, std::size_t{70000}, std::size_t{5} << 20}) {
    std::vector<void*> of_heap;
    for (int i = 0; i < 100; ++i) of_heap.push_back(std::malloc(size));
    char* memory = device_array<char>(size);
    for (int i = 0; i < 100; ++i) of_heap.push_back(std::malloc(size));
    SIMT_LAUNCH((fill), (1), (1), (0), (0), memory, size + 1024);
    static_cast<void>(simtDeviceSynchronize());
    SIMT_LAUNCH((fill), (1), (1), (0), (0), memory, size + (16 << 20));
    EXPECT(simtDeviceSynchronize(), simtErrorIllegalAddress);
    for (void* block : of_heap) std::free(block);
    EXPECT_OK(simtDeviceReset());
    expect_device_works();
  }
  return 0;
}

int faults() {
  SIMT_LAUNCH((writes_to), (1), (1), (0), (0), kNowhere);
  static_cast<void>(simtDeviceSynchronize());
  return 0;
}
int faults_and_fails() {
  faults();
  return 4;
}
int works() {
  expect_device_works();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Cases cases{
      {"null", [] {
         return has_error(simtErrorIllegalAddress,
                          [] { SIMT_LAUNCH((writes_to), (9), (32), (0), (0), null_pointer()); });
       }},
      {"not canonical", [] {
         auto* pointer = reinterpret_cast<int*>(0xdead000000000010);
         return has_error(simtErrorIllegalAddress,
                          [=] { SIMT_LAUNCH((writes_to), (9), (32), (0), (0), pointer); });
       }},
      {"abort", [] {
         return has_error(simtErrorLaunchFailure, [] { SIMT_LAUNCH((calls_abort), (9), (32), (0), (0)); });
       }},
      {"terminate", [] {
         return has_error(simtErrorLaunchFailure, [] { SIMT_LAUNCH((terminates), (9), (32), (0), (0)); });
       }},
      {"printf", [] {
         return has_error(simtErrorIllegalAddress, [] {
           SIMT_LAUNCH((prints), (9), (32), (0), (0), reinterpret_cast<const char*>(kNowhere));
         });
       }},
      {"fputs", [] {
         return has_error(simtErrorIllegalAddress, [] {
           SIMT_LAUNCH((puts_out), (9), (32), (0), (0), reinterpret_cast<const char*>(kNowhere));
         });
       }},
      {"memcpy", [] {
         return has_error(simtErrorIllegalAddress, [] {
           SIMT_LAUNCH((copies_from), (9), (32), (0), (0), device_array<char>(100),
                       reinterpret_cast<const char*>(kNowhere));
         });
       }},
      {"assert", [] {
         return has_error(simtErrorAssert, [] { SIMT_LAUNCH((asserts), (9), (32), (0), (0), 1); });
       }},
      {"recursion", [] {
         return has_error(simtErrorHardwareStackError,
                          [] { SIMT_LAUNCH((dives), (9), (32), (0), (0), device_array()); });
       }},
      {"division", [] {
         SIMT_LAUNCH((divides), (9), (32), (0), (0), device_array());
         EXPECT_OK(simtDeviceSynchronize());
         return 0;
       }},
      {"thrust", [] { return for_each_has_error(simtErrorIllegalAddress, WritesAt{3}, 10); }},
      {"thrust, many pieces",
       [] { return for_each_has_error(simtErrorIllegalAddress, WritesAt{777777}, 1000000); }},
      {"thrust, recursion",
       [] { return for_each_has_error(simtErrorHardwareStackError, Dives(), 10); }},
      {"thrust, terminate",
       [] { return for_each_has_error(simtErrorLaunchFailure, Terminates(), 100000); }},
      {"thrust, sort", sorts},
      {"cub", reduces_with_cub},
      {"copy", copies_from_nowhere},
      {"writes just past", writes_just_past},
      {"writes far past", writes_far_past},
      {"faults", faults},
      {"faults and fails", faults_and_fails},
      {"works", works},
  };
  return run_case(cases, argc, argv);
}

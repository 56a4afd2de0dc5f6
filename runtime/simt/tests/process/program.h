// Code shared by the programs of this folder. Each program runs one case, named by its argument;
// `tests/runtime/test_simt_process.py` lists the cases with their expected exit statuses.
#pragma once

#include <simt_runtime.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

/// Ends the process with status 1 if `value` differs from the expected value.
template <class A, class B>
void expect_equal(const A& value, const B& expected, const char* text, int line) {
  if (static_cast<long long>(value) == static_cast<long long>(expected)) return;
  std::fprintf(stderr, "line %d: %s is %lld, not %lld\n", line, text,
               static_cast<long long>(value), static_cast<long long>(expected));
  _exit(1);
}
#define EXPECT(value, expected) expect_equal((value), (expected), #value, __LINE__)
#define EXPECT_OK(call) EXPECT(call, simtSuccess)

__global__ void spin(const volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void spin_politely(const volatile int* flag) {
  while (*flag == 0) __nanosleep(100);
}
__global__ void spin_at_a_barrier(const volatile int* flag) {
  while (*flag == 0) __syncthreads();
}
__global__ void allocates(const volatile int* flag) {
  while (*flag == 0) free(malloc(64 + threadIdx.x));
}
__global__ void add(int* counter) { atomicAdd(counter, 1); }

/// Zeroed device memory.
template <class T = int>
T* device_array(std::size_t count = 1) {
  T* made = nullptr;
  EXPECT_OK(simtMalloc(&made, count * sizeof(T)));
  EXPECT_OK(simtMemset(made, 0, count * sizeof(T)));
  EXPECT_OK(simtDeviceSynchronize());
  return made;
}

inline simtStream_t new_stream() {
  simtStream_t stream = nullptr;
  EXPECT_OK(simtStreamCreateWithFlags(&stream, simtStreamNonBlocking));
  return stream;
}

/// Checks that the device works: 64 threads count to 64.
inline void expect_device_works() {
  int* counter = device_array();
  SIMT_LAUNCH((add), (2), (32), (0), (0), counter);
  int count = 0;
  EXPECT_OK(simtMemcpy(&count, counter, sizeof count, simtMemcpyDeviceToHost));
  EXPECT(count, 64);
  EXPECT_OK(simtFree(counter));
}

using Cases = std::map<std::string, int (*)()>;

inline int run_case(const Cases& cases, int argc, char** argv) {
  const auto found = argc == 2 ? cases.find(argv[1]) : cases.end();
  if (found != cases.end()) return found->second();
  for (const auto& [name, run] : cases) std::puts(name.c_str());
  return argc == 1 ? 0 : 2;
}

// Lines that device code writes: each thread of a block owns one column of a line. All threads of the block must execute
// the same calls in the same order. `Log::lines` is managed memory; the host prints it after the kernel.

#pragma once

#include <cmath>
#include <cstdio>
#include <type_traits>

#include "answers.h"

namespace answers {

constexpr int most_columns = 64, most_lines = 2048;

struct Line {
  char name[80];
  char kind;  // 'i' signed, 'u' unsigned, 'x' bits, 'f' floating-point number, 'n' near
  double tolerance;
  int columns;
  union {
    long long integer;
    unsigned long long bits;
    double number;
  } values[most_columns];
};

struct Log {
  Line* lines;
  int next = 0;

  __device__ Line& begin(const char* name, char kind, double tolerance, int columns) {
    Line& line = lines[next++];
    if (threadIdx.x == 0) {
      int i = 0;
      for (; name[i] && i < 79; i++) line.name[i] = name[i] == ' ' || name[i] == ':' ? '_' : name[i];
      line.name[i] = 0;
      line.kind = kind;
      line.tolerance = tolerance;
      line.columns = columns;
    }
    return line;
  }
  __device__ __noinline__ void signed_number(const char* name, int columns, long long value) {
    Line& line = begin(name, 'i', 0, columns);
    if (threadIdx.x < columns) line.values[threadIdx.x].integer = value;
  }
  __device__ __noinline__ void unsigned_number(const char* name, char kind, int columns, unsigned long long value) {
    Line& line = begin(name, kind, 0, columns);
    if (threadIdx.x < columns) line.values[threadIdx.x].bits = value;
  }
  __device__ __noinline__ void floating(const char* name, char kind, double tolerance, int columns, double value) {
    Line& line = begin(name, kind, tolerance, columns);
    if (threadIdx.x < columns) line.values[threadIdx.x].number = value;
  }
  template <class T>
  __device__ void columns(const char* name, int count, T value) {
    if constexpr (std::is_floating_point<T>::value) {
      floating(name, 'f', 0, count, double(value));
    } else if constexpr (std::is_unsigned<T>::value) {
      unsigned_number(name, 'u', count, value);
    } else {
      signed_number(name, count, (long long)(value));
    }
  }
  // One value for each thread of the block (at most 64)
  template <class T>
  __device__ void all(const char* name, T value) {
    columns(name, blockDim.x < most_columns ? blockDim.x : most_columns, value);
  }
  // The value of thread 0
  template <class T>
  __device__ void one(const char* name, T value) {
    columns(name, 1, value);
  }
  // Bits in hexadecimal
  __device__ void all_bits(const char* name, unsigned long long value) {
    unsigned_number(name, 'x', blockDim.x < most_columns ? blockDim.x : most_columns, value);
  }
  __device__ void one_bits(const char* name, unsigned long long value) { unsigned_number(name, 'x', 1, value); }
  __device__ void all_near(const char* name, double tolerance, double value) {
    floating(name, 'n', tolerance, blockDim.x < most_columns ? blockDim.x : most_columns, value);
  }
  __device__ void one_near(const char* name, double tolerance, double value) {
    floating(name, 'n', tolerance, 1, value);
  }
};

// A value that the compiler cannot compute
template <class T>
__device__ T opaque(T value) {
  volatile T copy = value;
  return copy;
}

inline void print(const Line& line) {
  std::printf(line.kind == 'n' ? "%s ~%g:" : "%s:", line.name, line.tolerance);
  for (int i = 0; i < line.columns; i++) {
    const auto value = line.values[i];
    switch (line.kind) {
      case 'i': std::printf(" %lld", value.integer); break;
      case 'u': std::printf(" %llu", value.bits); break;
      case 'x': std::printf(" 0x%llx", value.bits); break;
      default:
        if (std::isnan(value.number)) {
          std::printf(" nan");
        } else {
          std::printf(line.kind == 'n' ? " %.17g" : " %a", value.number);
        }
    }
  }
  std::printf("\n");
}

inline Log new_log() {
  Log log{};
  if (cudaMallocManaged(&log.lines, sizeof(Line) * most_lines) != cudaSuccess) std::printf("no memory\n");
  for (int i = 0; i < most_lines; i++) log.lines[i].name[0] = 0, log.lines[i].columns = 0;
  return log;
}

// Waits for the kernel that filled the log; prints and frees the log.
inline void print_log(Log log) {
  const cudaError_t launched = cudaGetLastError(), done = cudaDeviceSynchronize();
  if (launched != cudaSuccess || done != cudaSuccess) {
    std::printf("kernel failed: %d %d\n", int(launched), int(done));
    return;
  }
  for (int i = 0; i < most_lines && log.lines[i].name[0]; i++) print(log.lines[i]);
  cudaFree(log.lines);
}

}  // namespace answers

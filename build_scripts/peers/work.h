// Six classic kernels: sizes, inputs, checks and timing, which the programs for CUDA, OpenCL and OpenMP share.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace work {

constexpr int kVector = 1 << 22;    // floats of add, reduction and histogram
constexpr int kScan = 1 << 20;      // floats of scan
constexpr int kMatrix = 512;        // rows and columns
constexpr int kBodies = 4096;
constexpr int kBins = 256;
constexpr int kBlock = 256;         // threads of a block of the one-dimensional kernels
constexpr int kTile = 16;           // rows and columns of a tile of matmul
constexpr int kRounds = 7;
constexpr float kSoftening = 0.01F;

/// The same small numbers in each program: multiples of 1/8, so that sums of few of them are exact.
inline std::vector<float> numbers(int count) {
  std::vector<float> all(count);
  unsigned state = 1;
  for (float& one : all) {
    state = state * 1664525U + 1013904223U;
    one = static_cast<float>(state >> 28) / 8;
  }
  return all;
}

/// Positions and masses of bodies, four floats for each.
inline std::vector<float> bodies() { return numbers(4 * kBodies); }

inline std::vector<int> bins_of(const std::vector<float>& values) {
  std::vector<int> all(values.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(values[i] * 8) * 16 + static_cast<int>(i % 16);
  return all;
}

/// Smallest number of seconds of `kRounds` calls.
inline double seconds(const std::function<void()>& call) {
  call();
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (took.count() < best) best = took.count();
  }
  return best;
}

/// Prints one line of the result: the kernel, its seconds, and a number by which the programs' results are compared.
inline void report(const char* kernel, double took, double check) {
  std::printf("%s %.9f %.9g\n", kernel, took, check);
  std::fflush(stdout);
}

template <class T>
double checksum(const std::vector<T>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += static_cast<double>(values[i]) * static_cast<double>(i % 7 + 1);
  return sum;
}

}  // namespace work

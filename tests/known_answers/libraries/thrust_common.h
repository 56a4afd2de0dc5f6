// Input values and output lines that the programs on thrust and CUB share.
#pragma once

#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstring>
#include <vector>

#include "ordered.h"

namespace answers {

// A linear congruential sequence: equal on each platform.
struct Sequence {
  uint32_t state;
  uint32_t next() { return (state = state * 1664525u + 1013904223u) >> 8; }
};

template <class T>
std::vector<T> integers(int count, uint32_t seed, uint32_t range, int first = 0) {
  Sequence sequence{seed};
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(static_cast<int>(sequence.next() % range) + first);
  return values;
}

template <class T>
void show(const char* name, const thrust::device_vector<T>& values, size_t count) {
  thrust::host_vector<T> host = values;
  exact_array(name, host.data(), static_cast<int>(count));
}

template <class T>
void show(const char* name, const thrust::device_vector<T>& values) {
  show(name, values, values.size());
}

// FNV-1a over the bytes, for results that are too long to print.
inline void digest(const char* name, const void* data, size_t bytes) {
  uint64_t hash = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ static_cast<const uint8_t*>(data)[i]) * 1099511628211ull;
  std::printf("%s: %016llx\n", name, static_cast<unsigned long long>(hash));
}

template <class T>
void show_digest(const char* name, const thrust::device_vector<T>& values) {
  thrust::host_vector<T> host = values;
  digest(name, host.data(), host.size() * sizeof(T));
}

template <class T, class Bits>
void show_bits(const char* name, const thrust::device_vector<T>& values, Bits) {
  thrust::host_vector<T> host = values;
  std::printf("%s:", name);
  for (const T& value : host) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    std::printf(" %llx", static_cast<unsigned long long>(bits));
  }
  std::printf("\n");
}

inline void status(const char* name, int value) { exact(name, value); }

}  // namespace answers

// Arrays in device memory for the programs on libraries.
#pragma once

#include <cuda_runtime.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "ordered.h"

namespace answers {

template <class T>
struct Array {
  T* data = nullptr;
  size_t count = 0;
  explicit Array(size_t n, T value = T()) : Array(std::vector<T>(n, value)) {}
  Array(std::initializer_list<T> list) : Array(std::vector<T>(list)) {}
  Array(const std::vector<T>& host) : count(host.size()) {
    if (cudaMalloc(&data, count * sizeof(T) + 16) || cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice))
      std::printf("allocation_failed: 1\n");
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(data); }
  operator T*() { return data; }
  std::vector<T> host() const {
    std::vector<T> values(count);
    if (cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost)) std::printf("copy_failed: 1\n");
    return values;
  }
};

inline void put(const char* name, const Array<int>& x) { exact_array(name, x.host().data(), static_cast<int>(x.count)); }
inline void put(const char* name, const Array<float>& x) { near_array(name, 1e-5, x.host().data(), static_cast<int>(x.count)); }
inline void put(const char* name, const Array<double>& x) { near_array(name, 1e-12, x.host().data(), static_cast<int>(x.count)); }
inline void put(const char* name, const Array<float2>& x) {
  std::vector<float2> host = x.host();
  near_array(name, 1e-5, reinterpret_cast<float*>(host.data()), static_cast<int>(2 * x.count));
}
inline void put(const char* name, const Array<double2>& x) {
  std::vector<double2> host = x.host();
  near_array(name, 1e-12, reinterpret_cast<double*>(host.data()), static_cast<int>(2 * x.count));
}

}  // namespace answers

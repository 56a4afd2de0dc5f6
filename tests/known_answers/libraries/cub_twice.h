// The protocol of temporary storage of CUB's device-wide algorithms.
#pragma once

#include "thrust_common.h"

namespace answers {

// Calls twice: for the size, then with storage. Prints both states.
template <class Call>
void twice(const char* name, Call call) {
  size_t bytes = 0;
  cudaError_t query = call(static_cast<void*>(nullptr), bytes);
  bool needs = bytes > 0;
  thrust::device_vector<char> storage(bytes);
  cudaError_t done = call(static_cast<void*>(thrust::raw_pointer_cast(storage.data())), bytes);
  exact(name, query, needs, done, cudaDeviceSynchronize());
}

template <class T>
T* raw(thrust::device_vector<T>& values) {
  return thrust::raw_pointer_cast(values.data());
}

}  // namespace answers

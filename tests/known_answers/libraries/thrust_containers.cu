// Vectors, references, pointers, policies and exceptions of thrust.
// nvcc: -O0
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>

#include <list>
#include <string>

#include "thrust_common.h"

using answers::Exact;
using answers::show;

void vectors() {
  thrust::device_vector<int> v(3, 7);
  v.push_back(9);
  v.insert(v.begin() + 1, 5);
  v.insert(v.end(), 2, 4);
  show("inserted", v);
  v.erase(v.begin());
  v.erase(v.begin() + 1, v.begin() + 3);
  show("erased", v);
  Exact{"state", int(v.size()), v.empty(), v.capacity() >= v.size(), int(v.front()), int(v.back()), int(v[1])};
  v.resize(6, 1);
  show("resized", v);
  v.resize(8);
  show("resized_by_default", v);
  v.assign(2, 8);
  show("assigned", v);
  v.pop_back();
  Exact{"popped", int(v.size())};
  std::list<int> list = {3, 1, 2};
  thrust::device_vector<int> from_list(list.begin(), list.end());
  v.swap(from_list);
  show("from_list", v);
  thrust::host_vector<double> doubles = v;
  Exact{"converted", doubles[0], doubles[2]};
  thrust::device_vector<int> copy(v), moved(std::move(copy));
  Exact{"moved", int(copy.size()), int(moved.size()), moved == v, moved == doubles};
  v.clear();
  v.shrink_to_fit();
  Exact{"cleared", int(v.size()), int(v.capacity())};
  thrust::device_vector<int> w(4);
  show("zeros", w);
  w[0] = 5;
  w[1] = w[0];
  w[2] += 3;
  w[3]++;
  int value = w[0];
  Exact{"references", value, int(w[1]), int(w[2]), int(w[3]), w[0] < w[2], -w[1]};
  thrust::device_ptr<int> pointer = thrust::device_pointer_cast(thrust::raw_pointer_cast(w.data()));
  pointer[1] = 11;
  *(pointer + 2) = 12;
  show("by_pointer", w);
  thrust::device_ptr<int> memory = thrust::device_malloc<int>(10);
  thrust::fill(memory, memory + 10, 3);
  Exact{"device_malloc", thrust::reduce(memory, memory + 10), bool(memory), memory + 10 - memory};
  thrust::device_free(memory);
}

void policies() {
  int host[5] = {4, 2, 5, 1, 3};
  thrust::sort(thrust::host, host, host + 5);
  Exact{"host_policy", host[0], host[4]};
  thrust::sort(thrust::seq, host, host + 5, thrust::greater<int>());
  Exact{"seq_policy", host[0], host[4]};
  int* device;
  Exact{"allocated", cudaMalloc(&device, sizeof host)};
  cudaStream_t stream;
  Exact{"stream", cudaStreamCreate(&stream)};
  Exact{"copied", cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice)};
  thrust::sort(thrust::cuda::par.on(stream), device, device + 5);
  Exact{"par_on", thrust::reduce(thrust::device, device, device + 5),
        thrust::reduce(thrust::cuda::par_nosync.on(stream), device, device + 5)};
  thrust::copy(thrust::device, device, device + 5, device);
  Exact{"copied_back", cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost)};
  Exact{"sorted", host[0], host[1], host[4]};
  Exact{"freed", cudaFree(device), cudaStreamDestroy(stream)};
}

void exceptions() {
  try {
    thrust::device_vector<char> large(size_t(1) << 50);
    Exact{"large", "allocated"};
  } catch (std::bad_alloc& error) {
    Exact{"large", "bad_alloc", error.what()};
  } catch (std::exception& error) {
    Exact{"large", "exception"};
  }
  Exact{"after_large", cudaGetLastError()};
  try {
    thrust::device_vector<int> bad(static_cast<size_t>(-1) / 2);
    Exact{"too_large", "allocated"};
  } catch (std::length_error& error) {
    Exact{"too_large", "length_error", error.what()};
  } catch (std::bad_alloc& error) {
    Exact{"too_large", "bad_alloc"};
  } catch (std::exception& error) {
    Exact{"too_large", "exception"};
  }
  cudaGetLastError();
  try {
    throw thrust::system_error(cudaErrorInvalidValue, thrust::cuda_category(), "a test");
  } catch (thrust::system_error& error) {
    Exact{"system_error", error.what(), error.code().value(), error.code().category().name()};
    Exact{"condition", error.code() == thrust::error_code(cudaErrorInvalidValue, thrust::cuda_category()), error.code().message().c_str()};
  }
  thrust::error_code fine(cudaSuccess, thrust::cuda_category());
  Exact{"no_error", bool(fine), fine.message().c_str()};
}

int main() {
  vectors();
  policies();
  exceptions();
  return 0;
}

// cuda::std and cuda:: in kernels: bit, numeric, limits, tuple, optional, array, span, atomic, semaphore, latch, barrier.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>

#include "device_array.h"

using answers::Array;
using answers::Exact;

__global__ void bits(long long* out) {
  int i = 0;
  for (unsigned x : {0u, 1u, 6u, 0x80000000u, 0xffffffffu}) {
    out[i++] = cuda::std::countl_zero(x);
    out[i++] = cuda::std::countr_zero(x);
    out[i++] = cuda::std::countl_one(x);
    out[i++] = cuda::std::countr_one(x);
    out[i++] = cuda::std::popcount(x);
    out[i++] = cuda::std::has_single_bit(x);
    out[i++] = cuda::std::bit_floor(x);
    out[i++] = cuda::std::rotl(x, 5);
    out[i++] = cuda::std::rotr(x, -3);
  }
  out[i++] = cuda::std::countl_zero(static_cast<unsigned char>(3));
  out[i++] = cuda::std::countl_zero(1ull);
  out[i++] = cuda::std::bit_ceil(17u);
  out[i++] = cuda::std::gcd(-12, 18);
  out[i++] = cuda::std::lcm(4, -6);
  out[i++] = cuda::std::gcd(0, 0);
  out[i++] = cuda::std::midpoint(7, 2);
  out[i++] = cuda::std::midpoint(-2147483647 - 1, 2147483647);
  out[i++] = cuda::std::bit_cast<unsigned>(1.5f);
  out[i++] = cuda::std::numeric_limits<float>::digits10 * 1000 + cuda::std::numeric_limits<double>::max_exponent;
}

__global__ void values(int* out) {
  int i = 0;
  cuda::std::optional<int> none, some = 5;
  out[i++] = none.has_value();
  out[i++] = none.value_or(8);
  out[i++] = *some + some.value();
  some.reset();
  out[i++] = some.has_value();
  some.emplace(9);
  out[i++] = some == 9;
  out[i++] = none < some;
  cuda::std::tuple<int, float, char> t{1, 2.5f, 'x'};
  out[i++] = cuda::std::get<0>(t) + static_cast<int>(cuda::std::get<float>(t) * 2) + cuda::std::get<2>(t);
  out[i++] = t < cuda::std::make_tuple(1, 2.5f, 'y');
  out[i++] = cuda::std::tuple_size<decltype(t)>::value;
  out[i++] = cuda::std::apply([](int a, float b, char) { return a + static_cast<int>(b); }, t);
  cuda::std::array<int, 4> a = {4, 3, 2, 1};
  cuda::std::span<int> s(a), middle = s.subspan(1, 2);
  out[i++] = s.size() * 100 + middle.size() * 10 + middle[0];
  out[i++] = s.first<2>()[1] + s.last(1)[0];
  out[i++] = a.front() + a.back() + static_cast<int>(a.size());
  out[i++] = cuda::std::accumulate(a.begin(), a.end(), 10);
  out[i++] = cuda::std::inner_product(a.begin(), a.end(), a.begin(), 0);
  a.fill(6);
  out[i++] = a[3] == 6;
  out[i] = cuda::std::exchange(a[0], 1) * 10;
  out[i++] += a[0];
}

__global__ void atomics(int* out, int* word) {
  cuda::atomic_ref<int, cuda::thread_scope_device> x(*word);
  x.fetch_add(3);
  x.fetch_max(static_cast<int>(threadIdx.x));
  x.fetch_min(1000);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = x.load(cuda::memory_order_relaxed) - 96;
    int expected = -1;
    out[1] = x.compare_exchange_strong(expected, 5);
    out[2] = expected;
    x.store(7);
    out[3] = x.exchange(9);
    out[4] = x.fetch_or(6) * 100;
    out[4] += x.fetch_and(12);
    out[5] = x.fetch_xor(5);
    out[6] = x.load();
    out[7] = x.is_lock_free();
  }
}

__global__ void waits(int* out, cuda::counting_semaphore<cuda::thread_scope_device>* gate, cuda::latch<cuda::thread_scope_block>* latch) {
  gate->acquire();
  atomicAdd(out, 1);
  gate->release();
  latch->arrive_and_wait();
  if (threadIdx.x == 0) {
    out[1] = latch->try_wait();
    out[2] = gate->try_acquire();
    out[3] = gate->try_acquire();
    out[4] = gate->try_acquire();
  }
}

__global__ void make(cuda::counting_semaphore<cuda::thread_scope_device>* gate, cuda::latch<cuda::thread_scope_block>* latch) {
  new (gate) cuda::counting_semaphore<cuda::thread_scope_device>(2);
  new (latch) cuda::latch<cuda::thread_scope_block>(64);
}

int main() {
  Array<long long> numbers(55);
  bits<<<1, 1>>>(numbers.data);
  Exact{"bits_status", cudaDeviceSynchronize()};
  answers::exact_array("bits", numbers.host().data(), 55);
  Array<int> out(17), word(1);
  values<<<1, 1>>>(out.data);
  Exact{"values_status", cudaDeviceSynchronize()};
  answers::put("values", out);
  Array<int> results(8), counts(5);
  atomics<<<1, 32>>>(results.data, word.data);
  Exact{"atomics_status", cudaDeviceSynchronize()};
  answers::put("atomics", results);
  Array<char> gate(256), latch(256);
  auto* semaphore = reinterpret_cast<cuda::counting_semaphore<cuda::thread_scope_device>*>(gate.data);
  auto* counter = reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(latch.data);
  make<<<1, 1>>>(semaphore, counter);
  waits<<<1, 64>>>(counts.data, semaphore, counter);
  Exact{"waits_status", cudaDeviceSynchronize()};
  answers::put("waits", counts);
  return 0;
}

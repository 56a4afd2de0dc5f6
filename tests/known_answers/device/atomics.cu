// Atomic functions: all types and scopes, returned values, wrap of increments, results when many threads use one place.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cuda/atomic>

#include "device/log.h"

using answers::Log;

struct Places {
  int i[32];
  unsigned u[32];
  unsigned long long w[32];
  long long s[32];
  float f[16];
  double d[16];
  __half h[8];
  __half2 h2[4];
  __nv_bfloat16 b[8];
  __nv_bfloat162 b2[4];
  unsigned short us[4];
};

// One thread: old and new values of every function
__global__ void single(Log log, Places* p) {
  p->i[0] = 10;
#define I(name, call) \
  log.one(name ":old", call); \
  log.one(name ":new", p->i[0]);
  I("add", atomicAdd(&p->i[0], -15)) I("sub", atomicSub(&p->i[0], 7)) I("exch", atomicExch(&p->i[0], 0x7fffffff)) I("add_wraps", atomicAdd(&p->i[0], 1))
  I("min", atomicMin(&p->i[0], 5)) I("max", atomicMax(&p->i[0], -3)) I("and", atomicAnd(&p->i[0], 0x0ff0)) I("or", atomicOr(&p->i[0], 0x8001))
  I("xor", atomicXor(&p->i[0], 0xffff)) I("cas_other", atomicCAS(&p->i[0], 1, 2)) I("cas_same", atomicCAS(&p->i[0], p->i[0], 77))
  I("add_block", atomicAdd_block(&p->i[0], 3)) I("add_system", atomicAdd_system(&p->i[0], 3)) I("max_block", atomicMax_block(&p->i[0], 300))
  I("cas_system", atomicCAS_system(&p->i[0], 300, 5)) I("exch_block", atomicExch_block(&p->i[0], 6)) I("and_system", atomicAnd_system(&p->i[0], 4))
  p->u[0] = 3;
#define U(name, call) \
  log.one(name ":old", call); \
  log.one(name ":new", p->u[0]);
  U("inc", atomicInc(&p->u[0], 4u)) U("inc_limit", atomicInc(&p->u[0], 4u)) U("inc_wrapped", atomicInc(&p->u[0], 4u)) U("inc_above", (p->u[0] = 9, atomicInc(&p->u[0], 4u)))
  U("dec_zero", atomicDec(&p->u[0], 6u)) U("dec", atomicDec(&p->u[0], 6u)) U("dec_above", (p->u[0] = 9, atomicDec(&p->u[0], 6u)))
  U("inc_limit0", atomicInc(&p->u[0], 0u)) U("dec_limit0", atomicDec(&p->u[0], 0u)) U("inc_max", (p->u[0] = 0xffffffffu, atomicInc(&p->u[0], 0xffffffffu)))
  U("u_add", atomicAdd(&p->u[0], 0xffffffffu)) U("u_min", atomicMin(&p->u[0], 0x80000000u)) U("u_max", atomicMax(&p->u[0], 0x80000001u))
  U("u_sub", atomicSub(&p->u[0], 0x80000002u)) U("u_cas", atomicCAS(&p->u[0], 0xffffffffu, 12u)) U("inc_block", atomicInc_block(&p->u[0], 12u)) U("dec_system", atomicDec_system(&p->u[0], 12u))
  p->w[0] = 5;
#define W(name, call) \
  log.one(name ":old", call); \
  log.one(name ":new", p->w[0]);
  W("w_add", atomicAdd(&p->w[0], ~0ull << 40)) W("w_exch", atomicExch(&p->w[0], 1ull << 63)) W("w_min", atomicMin(&p->w[0], 1ull << 50)) W("w_max", atomicMax(&p->w[0], 3ull << 62))
  W("w_and", atomicAnd(&p->w[0], 1ull << 63)) W("w_or", atomicOr(&p->w[0], 255ull)) W("w_xor", atomicXor(&p->w[0], ~0ull)) W("w_cas", atomicCAS(&p->w[0], p->w[0], 9ull))
  p->s[0] = 5;
#define S(name, call) \
  log.one(name ":old", call); \
  log.one(name ":new", p->s[0]);
  S("s_min", atomicMin(&p->s[0], -9ll)) S("s_max", atomicMax(&p->s[0], 1ll << 40)) S("s_and", (long long)atomicAnd((unsigned long long*)&p->s[0], 1ull << 40))
  p->f[0] = 1.5f;
  log.one("f_add:old", atomicAdd(&p->f[0], 2.25f));
  log.one("f_add:new", p->f[0]);
  log.one("f_exch:old", atomicExch(&p->f[0], -0.0f));
  log.one("f_add_negative_zero", (atomicAdd(&p->f[0], -0.0f), p->f[0]));
  p->f[1] = 1e-40f;
  log.one("f_add_denormal:old", atomicAdd(&p->f[1], 1e-40f));
  log.one("f_add_denormal:new", p->f[1]);
  p->f[2] = INFINITY;
  log.one("f_add_nan", (atomicAdd(&p->f[2], -INFINITY), p->f[2]));
  p->f[3] = 16777216.0f;
  log.one("f_add_rounds", (atomicAdd(&p->f[3], 1.0f), p->f[3]));
  p->d[0] = 0.1;
  log.one("d_add:old", atomicAdd(&p->d[0], 0.2));
  log.one("d_add:new", p->d[0]);
  p->h[0] = __float2half(1.5f);
  log.one("h_add:old", __half2float(atomicAdd(&p->h[0], __float2half(0.0005f))));
  log.one("h_add:new", __half2float(p->h[0]));
  p->h[1] = __float2half(60000.0f);
  log.one("h_add_overflow", (atomicAdd(&p->h[1], __float2half(60000.0f)), __half2float(p->h[1])));
  p->h2[0] = __floats2half2_rn(1.0f, -2.0f);
  log.one("h2_add:old", __high2float(atomicAdd(&p->h2[0], __floats2half2_rn(0.5f, 0.25f))));
  log.one("h2_add:new.x", __low2float(p->h2[0]));
  log.one("h2_add:new.y", __high2float(p->h2[0]));
  p->b[0] = __float2bfloat16(256.0f);
  log.one("b_add:old", __bfloat162float(atomicAdd(&p->b[0], __float2bfloat16(1.0f))));
  log.one("b_add:new", __bfloat162float(p->b[0]));
  p->b2[0] = __floats2bfloat162_rn(3.0f, 4.0f);
  log.one("b2_add:old", __low2float(atomicAdd(&p->b2[0], __floats2bfloat162_rn(0.5f, 0.25f))));
  log.one("b2_add:new.y", __high2float(p->b2[0]));
  p->us[0] = 7;
  log.one("us_cas:old", int(atomicCAS(&p->us[0], (unsigned short)7, (unsigned short)65535)));
  log.one("us_cas:new", int(p->us[0]));
}

__device__ float float_min(float* place, float value) {
  int* bits = (int*)place;
  int old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __float_as_int(fminf(value, __int_as_float(seen))));
  } while (seen != old);
  return __int_as_float(old);
}

__global__ void many(Places* p, int* tickets) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&p->i[1], n);
  atomicMax(&p->i[2], (n * 7919) % 10007);
  atomicMin(&p->i[3], (n * 7919) % 10007 - 50);
  atomicInc(&p->u[1], 99u);
  atomicDec(&p->u[2], 99u);
  atomicXor(&p->u[3], unsigned(n * n));
  atomicOr(&p->u[4], 1u << (n % 17));
  atomicAnd(&p->u[5], ~(1u << (n % 11)));
  atomicAdd(&p->w[1], (unsigned long long)n << 20);
  atomicAdd(&p->f[4], 1.0f);
  atomicAdd(&p->d[1], 0.5);
  atomicAdd(&p->h[2], __float2half(1.0f));
  float_min(&p->f[5], float((n * 7919) % 10007) - 0.5f);
  atomicAdd(&tickets[atomicAdd(&p->i[4], 1)], 1);
  __shared__ int shared_sum;
  if (threadIdx.x == 0) shared_sum = 0;
  __syncthreads();
  atomicAdd(&shared_sum, int(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&p->i[5], shared_sum);
  cuda::atomic_ref<int, cuda::thread_scope_device> reference(p->i[6]);
  reference.fetch_add(2, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> maximum(p->u[6]);
  maximum.fetch_max(unsigned(n));
}

__global__ void of_libcu(Log log, Places* p) {
  cuda::atomic<int, cuda::thread_scope_block> a(5);
  log.one("atomic.fetch_add", a.fetch_add(3));
  log.one("atomic.fetch_sub", a.fetch_sub(1));
  log.one("atomic.load", a.load());
  log.one("atomic.exchange", a.exchange(40));
  int expected = 39;
  log.one("atomic.cas_fails", int(a.compare_exchange_strong(expected, 1)));
  log.one("atomic.expected", expected);
  log.one("atomic.cas", int(a.compare_exchange_strong(expected, 12)));
  log.one("atomic.fetch_min", a.fetch_min(4));
  log.one("atomic.fetch_max", a.fetch_max(9));
  log.one("atomic++", a++);
  log.one("++atomic", ++a);
  log.one("atomic|=", a |= 64);
  cuda::atomic<float> f(0.5f);
  log.one("atomic_float.fetch_add", f.fetch_add(1.0f));
  log.one("atomic_float", f.load());
  cuda::std::atomic<unsigned long long> w(~0ull);
  log.one("std_atomic.fetch_add", w.fetch_add(2));
  log.one("std_atomic", w.load());
  cuda::atomic_ref<double> d(p->d[2]);
  d.store(2.5);
  log.one("atomic_ref_double.fetch_add", d.fetch_add(0.25));
  log.one("atomic_ref_double", p->d[2]);
  log.one("lock_free", int(a.is_lock_free()) + 2 * int(d.is_lock_free()));
}

int main() {
  Places* p = nullptr;
  int* tickets = nullptr;
  if (cudaMallocManaged(&p, sizeof(Places)) != cudaSuccess || cudaMallocManaged(&tickets, 2048 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(p, 0, sizeof(Places));
  cudaMemset(tickets, 0, 2048 * sizeof(int));
  cudaDeviceSynchronize();
  p->u[5] = ~0u;
  p->f[5] = 1e9f;
  many<<<16, 128>>>(p, tickets);
  answers::exact("many.status", int(cudaDeviceSynchronize()));
  answers::exact_array("many.i", p->i + 1, 6);
  answers::exact_array("many.u", p->u + 1, 6);
  answers::exact("many.w", p->w[1]);
  answers::exact("many.f", p->f[4], p->f[5], float(p->d[1]));
  answers::exact("many.half", __half2float(p->h[2]));
  int once = 0;
  for (int i = 0; i < 2048; i++) once += tickets[i] == 1;
  answers::exact("many.tickets", once);
  Log log = answers::new_log();
  single<<<1, 1>>>(log, p);
  answers::print_log(log);
  log = answers::new_log();
  of_libcu<<<1, 1>>>(log, p);
  answers::print_log(log);
}

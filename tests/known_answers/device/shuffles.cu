// Warp shuffles: all widths, lanes and offsets outside, sub-masks, all types; votes, matches, reductions, fns, active masks.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "device/log.h"

using answers::Log;
constexpr unsigned every = 0xffffffffu;

__global__ void widths(Log log) {
  const int t = threadIdx.x, value = t * 100 + 7;
  const char* idx[6] = {"shfl_w1", "shfl_w2", "shfl_w4", "shfl_w8", "shfl_w16", "shfl_w32"};
  const char* up[6] = {"up_w1", "up_w2", "up_w4", "up_w8", "up_w16", "up_w32"};
  const char* down[6] = {"down_w1", "down_w2", "down_w4", "down_w8", "down_w16", "down_w32"};
  const char* exchange[6] = {"xor_w1", "xor_w2", "xor_w4", "xor_w8", "xor_w16", "xor_w32"};
  const char* own[6] = {"own_w1", "own_w2", "own_w4", "own_w8", "own_w16", "own_w32"};
  for (int i = 0; i < 6; i++) {
    const int width = 1 << i;
    log.all(idx[i], __shfl_sync(every, value, 3, width));
    log.all(up[i], __shfl_up_sync(every, value, 3, width));
    log.all(down[i], __shfl_down_sync(every, value, 3, width));
    log.all(exchange[i], __shfl_xor_sync(every, value, 5, width));
    log.all(own[i], __shfl_sync(every, value, (t * 7 + 40) % 64, width));
  }
}

__global__ void offsets(Log log) {
  const int t = threadIdx.x, value = t + 1000;
  const int list[8] = {0, 1, 16, 31, 32, 33, -1, 100};
  const char* idx[8] = {"idx:0", "idx:1", "idx:16", "idx:31", "idx:32", "idx:33", "idx:-1", "idx:100"};
  const char* up[8] = {"up:0", "up:1", "up:16", "up:31", "up:32", "up:33", "up:-1", "up:100"};
  const char* down[8] = {"down:0", "down:1", "down:16", "down:31", "down:32", "down:33", "down:-1", "down:100"};
  const char* exchange[8] = {"xor:0", "xor:1", "xor:16", "xor:31", "xor:32", "xor:33", "xor:-1", "xor:100"};
  for (int i = 0; i < 8; i++) {
    log.all(idx[i], __shfl_sync(every, value, list[i]));
    log.all(up[i], __shfl_up_sync(every, value, unsigned(list[i])));
    log.all(down[i], __shfl_down_sync(every, value, unsigned(list[i])));
    log.all(exchange[i], __shfl_xor_sync(every, value, list[i]));
  }
  log.all("different_lanes", __shfl_sync(every, value, 31 - t));
  log.all("different_deltas", __shfl_up_sync(every, value, t / 2));
  log.all("different_downs", __shfl_down_sync(every, value, t));
  log.all("different_xors", __shfl_xor_sync(every, value, t));
  log.all("up_w8:9", __shfl_up_sync(every, value, 9, 8));
  log.all("down_w8:9", __shfl_down_sync(every, value, 9, 8));
  log.all("xor_w8:8", __shfl_xor_sync(every, value, 8, 8));
  log.all("xor_w8:12", __shfl_xor_sync(every, value, 12, 8));
  log.all("xor_w16:24", __shfl_xor_sync(every, value, 24, 16));
  log.all("idx_w8:13", __shfl_sync(every, value, 13, 8));
  log.all("idx_w8:-3", __shfl_sync(every, value, -3, 8));
}

template <class T>
__device__ T of_type(T value) {
  T a = __shfl_sync(every, value, 5), b = __shfl_up_sync(every, value, 2), c = __shfl_down_sync(every, value, 2), d = __shfl_xor_sync(every, value, 1);
  return a + b + c + d;
}

__global__ void types(Log log) {
  const int t = threadIdx.x;
  log.all("int", of_type<int>(t * 0x01010101));
  log.all("unsigned", of_type<unsigned>(t * 0x11010101u));
  log.all("long", of_type<long>(t * 0x100000001l));
  log.all("ulong", of_type<unsigned long>(t * 0x100000001ul));
  log.all("longlong", of_type<long long>(t * 0x123456789all));
  log.all("ulonglong", of_type<unsigned long long>(t * 0x123456789aull));
  log.all("float", of_type<float>(t * 0.25f));
  log.all("double", of_type<double>(t * 0.1));
  log.all("half", __half2float(of_type<__half>(__float2half(t * 0.5f))));
  log.all("bfloat16", __bfloat162float(of_type<__nv_bfloat16>(__float2bfloat16(t * 0.5f))));
  const __half2 pair = of_type<__half2>(__floats2half2_rn(t * 0.5f, -t));
  log.all("half2.x", __low2float(pair));
  log.all("half2.y", __high2float(pair));
  const __nv_bfloat162 brain = of_type<__nv_bfloat162>(__floats2bfloat162_rn(t * 0.5f, -t));
  log.all("bfloat162.y", __high2float(brain));
}

__global__ void votes(Log log) {
  const int t = threadIdx.x;
  log.all_bits("ballot_even", __ballot_sync(every, t % 2 == 0));
  log.all_bits("ballot_none", __ballot_sync(every, 0));
  log.all("all", __all_sync(every, t >= 0));
  log.all("all_not", __all_sync(every, t != 5));
  log.all("any", __any_sync(every, t == 31));
  log.all("any_not", __any_sync(every, t > 31));
  log.all("any_value", __any_sync(every, t == 3 ? 512 : 0));
  log.all_bits("match_any", __match_any_sync(every, t % 5));
  log.all_bits("match_any_64", __match_any_sync(every, (long long)(t % 3) << 33));
  log.all_bits("match_any_float", __match_any_sync(every, t < 10 ? 0.0f : t < 20 ? -0.0f : NAN));
  log.all_bits("match_any_double", __match_any_sync(every, t % 2 ? 1.5 : 2.5));
  int same = 7;
  log.all_bits("match_all", __match_all_sync(every, 42, &same));
  log.all("match_all.same", same);
  log.all_bits("match_all_not", __match_all_sync(every, t / 31, &same));
  log.all("match_all_not.same", same);
  log.all_bits("match_all_64", __match_all_sync(every, 1ull << 40, &same));
  log.all_bits("activemask", __activemask());
  unsigned result = 0, bits = 0, matched = 0;
  int moved = -1;
  const unsigned mask = t < 12 ? 0xfffu : 0xfffff000u;
  if (t < 12) {
    result = __ballot_sync(mask, t % 3 == 0);
    bits = __activemask();
    moved = __shfl_down_sync(mask, t, 4);
    matched = __match_any_sync(mask, t / 4);
  } else {
    result = __ballot_sync(mask, t % 3 == 1);
    moved = __shfl_up_sync(mask, t, 12);
    matched = __match_any_sync(mask, t / 4);
  }
  __syncwarp();
  log.all_bits("divided_ballot", result);
  log.all("divided_all", t < 12 ? __all_sync(0xfffu, t < 12) : __all_sync(0xfffff000u, t < 20));
  log.all("divided_move", (t < 12 && t + 4 >= 12) || (t >= 12 && t < 24) ? -2 : moved);
  log.all_bits("divided_match", matched);
  log.all_bits("divided_mask", bits ? bits | 0xfffu : 0);
  log.all_bits("fns_up", __fns(0xf0f0a5a5u, t, 3));
  log.all_bits("fns_down", __fns(0xf0f0a5a5u, t, -2));
  log.all_bits("fns_zero", __fns(0xf0f0a5a5u, t, 0));
  log.all_bits("fns_far", __fns(0x80000001u, t, 2));
}

__global__ void reductions(Log log) {
  const int t = threadIdx.x, value = (t * 37) % 64 - 20;
  log.all("reduce_add", __reduce_add_sync(every, value));
  log.all("reduce_add_unsigned", __reduce_add_sync(every, unsigned(value)));
  log.all("reduce_min", __reduce_min_sync(every, value));
  log.all("reduce_max", __reduce_max_sync(every, value));
  log.all("reduce_min_unsigned", __reduce_min_sync(every, unsigned(value)));
  log.all("reduce_max_unsigned", __reduce_max_sync(every, unsigned(value)));
  log.all_bits("reduce_and", __reduce_and_sync(every, 0xf0f0u | unsigned(t)));
  log.all_bits("reduce_or", __reduce_or_sync(every, 1u << t));
  log.all_bits("reduce_xor", __reduce_xor_sync(every, unsigned(t * t)));
  const unsigned mask = t % 2 ? 0xaaaaaaaau : 0x55555555u;
  int part = 0;
  if (t % 2) {
    part = __reduce_add_sync(mask, value);
  } else {
    part = __reduce_max_sync(mask, value);
  }
  log.all("reduce_parts", part);
}

// Lanes that have returned take no part; the masks name only those that remain.
__global__ void after_exits(Log log, int* out) {
  const int t = threadIdx.x;
  if (t >= 20) return;
  const unsigned mask = 0xfffff;
  out[t] = __shfl_xor_sync(mask, t, 1);
  out[32 + t] = __popc(__ballot_sync(mask, t % 2));
  out[64 + t] = int(__activemask());
  out[96 + t] = __all_sync(mask, t < 20);
  __syncthreads();
  const int moved = __shfl_down_sync(mask, t, 1);
  out[128 + t] = t < 19 ? moved : -1;
}

int main() {
  void (*const kernels[])(Log) = {widths, offsets, types, votes, reductions};
  for (auto kernel : kernels) {
    Log log = answers::new_log();
    kernel<<<1, 32>>>(log);
    answers::print_log(log);
  }
  int* out = nullptr;
  if (cudaMallocManaged(&out, 160 * sizeof(int)) != cudaSuccess) return 1;
  for (int i = 0; i < 160; i++) out[i] = -5;
  after_exits<<<1, 32>>>(Log{}, out);
  answers::exact("after_exits.status", int(cudaDeviceSynchronize()));
  answers::exact_array("after_exits.xor", out, 32);
  answers::exact_array("after_exits.ballot", out + 32, 32);
  answers::exact_array("after_exits.active", out + 64, 32);
  answers::exact_array("after_exits.all", out + 96, 32);
  answers::exact_array("after_exits.down", out + 128, 32);
}

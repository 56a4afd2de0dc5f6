// Inline PTX: special registers, loads and stores with cache operators and vectors, atomics, fences, address spaces, votes, shuffles.
#include "device/log.h"

using answers::Log;

__global__ void registers(Log log) {
  const int t = threadIdx.x;
  unsigned r = 0;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  log.all("laneid", r);
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(r));
  log.all_bits("lanemask_eq", r);
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  log.all_bits("lanemask_lt", r);
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(r));
  log.all_bits("lanemask_le", r);
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(r));
  log.all_bits("lanemask_gt", r);
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(r));
  log.all_bits("lanemask_ge", r);
  asm("mov.u32 %0, %%tid.x;" : "=r"(r));
  log.all("tid.x", r);
  asm("mov.u32 %0, %%ntid.x;" : "=r"(r));
  log.all("ntid.x", r);
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(r));
  log.all("ctaid.x", r);
  asm("mov.u32 %0, %%nctaid.x;" : "=r"(r));
  log.all("nctaid.x", r);
  asm("mov.u32 %0, %%tid.y;" : "=r"(r));
  log.all("tid.y", r);
  asm("mov.u32 %0, %%nctaid.z;" : "=r"(r));
  log.all("nctaid.z", r);
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(r));
  log.all("dynamic_smem_size", r);
  asm("mov.u32 %0, WARP_SZ;" : "=r"(r));
  log.all("WARP_SZ", r);
  log.all("thread_of_block", t);
}

__global__ void memory(Log log, int* data, float* numbers) {
  const int t = threadIdx.x;
  extern __shared__ int shared[];
  int r = 0, r2 = 0, r3 = 0, r4 = 0;
  asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(r) : "l"(data + t) : "memory");
  log.all("ld.ca", r);
  asm volatile("ld.global.cg.s32 %0, [%1+4];" : "=r"(r) : "l"(data + t) : "memory");
  log.all("ld.cg+4", r);
  asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(r) : "l"(data + t));
  log.all("ld.cs", r);
  asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(r) : "l"(data + 31 - t));
  log.all("ld.nc", r);
  asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(r) : "l"(data + t));
  log.all("ld.volatile", r);
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(r) : "l"(data + t));
  log.all("ld.relaxed", r);
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(r) : "l"(data + t));
  log.all("ld.acquire", r);
  asm volatile("ld.global.v2.s32 {%0, %1}, [%2];" : "=r"(r), "=r"(r2) : "l"(data + t * 2));
  log.all("ld.v2", r * 1000 + r2);
  asm volatile("ld.global.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(r), "=r"(r2), "=r"(r3), "=r"(r4) : "l"(data + t % 8 * 4));
  log.all("ld.v4", r * 1000 + r2 + r3 * 7 + r4);
  short s = 0;
  asm volatile("ld.global.s8 %0, [%1];" : "=h"(s) : "l"((char*)data + t * 4));
  log.all("ld.s8", int(s));
  asm volatile("ld.global.u8 %0, [%1];" : "=h"(s) : "l"((char*)data + t * 4));
  log.all("ld.u8", int(s));
  asm volatile("ld.global.s16 %0, [%1];" : "=h"(s) : "l"((short*)data + t * 2));
  log.all("ld.s16", int(s));
  asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(data + 64 + t), "r"(t * 3) : "memory");
  asm volatile("st.global.wt.s32 [%0], %1;" ::"l"(data + 96 + t), "r"(t * 5) : "memory");
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(data + 128 + t), "r"(t * 7) : "memory");
  asm volatile("st.global.v2.s32 [%0], {%1, %2};" ::"l"(data + 192 + t * 2), "r"(t), "r"(-t) : "memory");
  asm volatile("st.global.u8 [%0], %1;" ::"l"((char*)(data + 160) + t), "r"(t + 250) : "memory");
  __syncwarp();
  log.all("st.cg", data[64 + t]);
  log.all("st.wt", data[96 + t]);
  log.all("st.release", data[128 + t]);
  log.all("st.v2", data[192 + t] * 10 + data[224 + t]);
  log.all("st.u8", ((unsigned char*)(data + 160))[t]);
  const unsigned address = unsigned(__cvta_generic_to_shared(shared + t));
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(address), "r"(t * 11) : "memory");
  __syncwarp();
  asm volatile("ld.shared.s32 %0, [%1+8];" : "=r"(r) : "r"(t < 30 ? address : address - 8) : "memory");
  log.all("ld.shared+8", r);
  unsigned offset = 0;
  asm("{ .reg .u64 p; cvta.to.shared.u64 p, %1; cvt.u32.u64 %0, p; }" : "=r"(offset) : "l"(shared + 3));
  log.all("cvta.shared", offset - unsigned(__cvta_generic_to_shared(shared)));
  asm volatile("membar.cta; membar.gl; membar.sys; fence.acq_rel.gpu; fence.sc.cta;" ::: "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(data));
  if (t == 0) {
    asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(r) : "l"(data), "r"(5) : "memory");
    data[256] = r;
    asm volatile("atom.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(data), "r"(5) : "memory");
    data[257] = r;
    asm volatile("red.global.add.s32 [%0], %1;" ::"l"(data), "r"(5) : "memory");
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(data + 1), "r"(data[1]), "r"(900) : "memory");
    data[258] = r;
    asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(r) : "l"(data + 1), "r"(901) : "memory");
    data[259] = r;
    asm volatile("atom.global.inc.u32 %0, [%1], %2;" : "=r"(r) : "l"(data + 1), "r"(901) : "memory");
    data[260] = r;
    asm volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(r) : "l"(data + 1), "r"(7) : "memory");
    data[261] = r;
    float f = 0;
    asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(f) : "l"(numbers), "f"(2.5f) : "memory");
    numbers[1] = f;
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(numbers), "f"(2.5f) : "memory");
    asm volatile("atom.acq_rel.gpu.global.add.s32 %0, [%1], %2;" : "=r"(r) : "l"(data + 2), "r"(100) : "memory");
    data[262] = r;
    asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(data + 2), "r"(100) : "memory");
  }
}

__global__ void warps(Log log) {
  const int t = threadIdx.x;
  unsigned r = 0;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 7; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(r) : "r"(t));
  log.all_bits("vote.ballot", r);
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 7; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"(t));
  log.all("vote.any", r);
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(t * 2), "r"(5));
  log.all("shfl.idx", r);
  asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(r) : "r"(t * 2), "r"(3));
  log.all("shfl.up", r);
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x181f, 0xffffffff;" : "=r"(r) : "r"(t * 2), "r"(3));
  log.all("shfl.down_w8", r);
  asm volatile("{ .reg .pred p; shfl.sync.bfly.b32 %0|p, %1, 9, 0x1f, 0xffffffff; @!p add.u32 %0, %0, 1000; }" : "=r"(r) : "r"(t * 2));
  log.all("shfl.bfly|p", r);
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 4, 0, 0xffffffff; @!p add.u32 %0, %0, 1000; }" : "=r"(r) : "r"(t * 2));
  log.all("shfl.up|p", r);
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(t / 6));
  log.all_bits("match.any", r);
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(t));
  log.all("redux.add", r);
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(r));
  log.all("elect_count", __popc(__ballot_sync(0xffffffffu, r)));
  asm volatile("activemask.b32 %0;" : "=r"(r));
  log.all_bits("activemask", r);
}

int main() {
  Log log = answers::new_log();
  registers<<<1, 32, 48>>>(log);
  answers::print_log(log);
  int* data = nullptr;
  float* numbers = nullptr;
  if (cudaMallocManaged(&data, 2048) != cudaSuccess || cudaMallocManaged(&numbers, 64) != cudaSuccess) return 1;
  for (int i = 0; i < 512; i++) data[i] = i * i - 100 + (i % 3) * 1000000;
  for (int i = 0; i < 16; i++) numbers[i] = i;
  log = answers::new_log();
  memory<<<1, 32, 1024>>>(log, data, numbers);
  answers::print_log(log);
  answers::exact_array("atoms", data + 256, 7);
  answers::exact_array("atoms.places", data, 3);
  answers::exact("atoms.floats", numbers[0], numbers[1]);
  log = answers::new_log();
  warps<<<1, 32>>>(log);
  answers::print_log(log);
}

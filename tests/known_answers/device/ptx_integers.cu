// Inline PTX on integers: carries, wide products, bit fields, permutation, logic tables, shifts, comparisons, selections.
#include "device/log.h"

using answers::Log;

__device__ const unsigned words[32] = {
    0u,          1u,          2u,          31u,         32u,         33u,         0xffu,       0x100u,
    0x7fffu,     0x8000u,     0xffffu,     0x10000u,    0x00102030u, 0x800000u,   0xffffffu,   0x1000000u,
    0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu, 0x12345678u, 0x87654321u, 0xdeadbeefu,
    0xcafebabeu, 0x00ff00ffu, 0xff00ff00u, 0x80808080u, 0x7f7f7f7fu, 0x55555555u, 0xaaaaaaaau, 0x0f0f1234u};


__global__ void arithmetic(Log log) {
  const int t = threadIdx.x;
  const unsigned a = words[t], b = words[(t * 7 + 3) % 32], c = words[(t * 11 + 5) % 32];
  const unsigned long long v = (unsigned long long)a << 32 | b, w = (unsigned long long)c << 32 | a;
  { unsigned r = 0; asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("add.u32", r); }
  { unsigned r = 0; asm("add.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("add.s32", r); }
  { unsigned r = 0; asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("add.sat.s32", r); }
  { unsigned r = 0; asm("sub.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("sub.s32", r); }
  { unsigned r = 0; asm("sub.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("sub.sat.s32", r); }
  { unsigned r = 0; asm("mul.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("mul.lo.u32", r); }
  { unsigned r = 0; asm("mul.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("mul.lo.s32", r); }
  { unsigned r = 0; asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("mul.hi.u32", r); }
  { unsigned r = 0; asm("mul.hi.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("mul.hi.s32", r); }
  { unsigned r = 0; asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("mul24.lo.u32", r); }
  { unsigned r = 0; asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("mul24.lo.s32", r); }
  { unsigned r = 0; asm("mul24.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("mul24.hi.u32", r); }
  { unsigned r = 0; asm("mul24.hi.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("mul24.hi.s32", r); }
  { unsigned long long r = 0; asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b)); log.all_bits("mul.wide.u32", r); }
  { unsigned long long r = 0; asm("mul.wide.s32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b)); log.all_bits("mul.wide.s32", r); }
  { unsigned long long r = 0; asm("mul.lo.u64 %0, %1, %2;" : "=l"(r) : "l"(v), "l"(w)); log.all_bits("mul.lo.u64", r); }
  { unsigned long long r = 0; asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(v), "l"(w)); log.all_bits("mul.hi.u64", r); }
  { unsigned long long r = 0; asm("mul.hi.s64 %0, %1, %2;" : "=l"(r) : "l"(v), "l"(w)); log.all_bits("mul.hi.s64", r); }
  { unsigned long long r = 0; asm("add.u64 %0, %1, %2;" : "=l"(r) : "l"(v), "l"(w)); log.all_bits("add.u64", r); }
  { unsigned long long r = 0; asm("sub.s64 %0, %1, %2;" : "=l"(r) : "l"(v), "l"(w)); log.all_bits("sub.s64", r); }
  { unsigned r = 0; asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("mad.lo.s32", r); }
  { unsigned r = 0; asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("mad.hi.u32", r); }
  { unsigned r = 0; asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("mad.hi.s32", r); }
  { unsigned r = 0; asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("mad.hi.sat.s32", r); }
  { unsigned r = 0; asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("mad24.lo.s32", r); }
  { unsigned r = 0; asm("mad24.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("mad24.hi.u32", r); }
  { unsigned long long r = 0; asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(v)); log.all_bits("mad.wide.u32", r); }
  { unsigned long long r = 0; asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(v)); log.all_bits("mad.wide.s32", r); }
  { unsigned r = 0; asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("sad.u32", r); }
  { unsigned r = 0; asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("sad.s32", r); }
  { unsigned r = 0; asm("abs.s32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("abs.s32", r); }
  { unsigned r = 0; asm("neg.s32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("neg.s32", r); }
  { unsigned r = 0; asm("min.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("min.s32", r); }
  { unsigned r = 0; asm("min.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("min.u32", r); }
  { unsigned r = 0; asm("max.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("max.s32", r); }
  { unsigned r = 0; asm("max.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("max.u32", r); }
  { unsigned long long r = 0; asm("min.s64 %0, %1, %2;" : "=l"(r) : "l"(v), "l"(w)); log.all_bits("min.s64", r); }
  { unsigned long long r = 0; asm("max.u64 %0, %1, %2;" : "=l"(r) : "l"(v), "l"(w)); log.all_bits("max.u64", r); }
  { unsigned r = 0; asm("div.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("div.u32", r); }
  { unsigned r = 0; asm("div.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("div.s32", r); }
  { unsigned r = 0; asm("rem.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("rem.u32", r); }
  { unsigned r = 0; asm("rem.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("rem.s32", r); }
  { unsigned long long r = 0; asm("div.u64 %0, %1, %2;" : "=l"(r) : "l"(v), "l"(w)); log.all_bits("div.u64", r); }
  { unsigned long long r = 0; asm("rem.s64 %0, %1, %2;" : "=l"(r) : "l"(v), "l"(w)); log.all_bits("rem.s64", r); }
  { unsigned r = 0; asm("popc.b32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("popc.b32", r); }
  { unsigned r = 0; asm("popc.b64 %0, %1;" : "=r"(r) : "l"(v)); log.all_bits("popc.b64", r); }
  { unsigned r = 0; asm("clz.b32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("clz.b32", r); }
  { unsigned r = 0; asm("clz.b64 %0, %1;" : "=r"(r) : "l"(v)); log.all_bits("clz.b64", r); }
  { unsigned r = 0; asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("brev.b32", r); }
  { unsigned long long r = 0; asm("brev.b64 %0, %1;" : "=l"(r) : "l"(v)); log.all_bits("brev.b64", r); }
  { unsigned r = 0; asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("bfind.u32", r); }
  { unsigned r = 0; asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("bfind.s32", r); }
  { unsigned r = 0; asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("bfind.shiftamt.u32", r); }
  { unsigned r = 0; asm("bfind.shiftamt.s32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("bfind.shiftamt.s32", r); }
  { unsigned r = 0; asm("bfind.u64 %0, %1;" : "=r"(r) : "l"(v)); log.all_bits("bfind.u64", r); }
  { unsigned r = 0; asm("bfind.s64 %0, %1;" : "=r"(r) : "l"(v)); log.all_bits("bfind.s64", r); }
  { unsigned r = 0; asm("bfind.shiftamt.s64 %0, %1;" : "=r"(r) : "l"(v)); log.all_bits("bfind.shiftamt.s64", r); }
  { unsigned r = 0; asm("and.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("and.b32", r); }
  { unsigned r = 0; asm("or.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("or.b32", r); }
  { unsigned r = 0; asm("xor.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("xor.b32", r); }
  { unsigned r = 0; asm("not.b32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("not.b32", r); }
  { unsigned r = 0; asm("cnot.b32 %0, %1;" : "=r"(r) : "r"(a)); log.all_bits("cnot.b32", r); }
  { unsigned long long r = 0; asm("cnot.b64 %0, %1;" : "=l"(r) : "l"(v)); log.all_bits("cnot.b64", r); }
  { unsigned r = 0; asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("shl.b32", r); }
  { unsigned r = 0; asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("shr.u32", r); }
  { unsigned r = 0; asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("shr.s32", r); }
  { unsigned r = 0; asm("shr.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("shr.b32", r); }
  { unsigned r = 0; asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63)); log.all_bits("shl.b32_63", r); }
  { unsigned r = 0; asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63)); log.all_bits("shr.u32_63", r); }
  { unsigned r = 0; asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63)); log.all_bits("shr.s32_63", r); }
  { unsigned long long r = 0; asm("shl.b64 %0, %1, %2;" : "=l"(r) : "l"(v), "r"(b)); log.all_bits("shl.b64", r); }
  { unsigned long long r = 0; asm("shr.u64 %0, %1, %2;" : "=l"(r) : "l"(v), "r"(b)); log.all_bits("shr.u64", r); }
  { unsigned long long r = 0; asm("shr.s64 %0, %1, %2;" : "=l"(r) : "l"(v), "r"(b)); log.all_bits("shr.s64", r); }
  { unsigned r = 0; asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("dp4a.u32.u32", r); }
  { unsigned r = 0; asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("dp4a.s32.s32", r); }
  { unsigned r = 0; asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("dp4a.s32.u32", r); }
  { unsigned r = 0; asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("dp4a.u32.s32", r); }
  { unsigned r = 0; asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("dp2a.lo.u32.u32", r); }
  { unsigned r = 0; asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("dp2a.hi.s32.s32", r); }
  { unsigned r = 0; asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); log.all_bits("dp2a.lo.s32.u32", r); }
}

__global__ void fields(Log log) {
  const int t = threadIdx.x;
  const unsigned a = words[t], b = words[(t * 7 + 3) % 32];
  const unsigned long long v = (unsigned long long)a << 32 | b;
  const unsigned positions[8] = {0, 1, 8, 31, 32, 40, 255, 300}, lengths[8] = {0, 1, 8, 16, 31, 32, 40, 256};
  const char* un[8] = {"bfe.u32_0", "bfe.u32_1", "bfe.u32_2", "bfe.u32_3", "bfe.u32_4", "bfe.u32_5", "bfe.u32_6", "bfe.u32_7"};
  const char* sn[8] = {"bfe.s32_0", "bfe.s32_1", "bfe.s32_2", "bfe.s32_3", "bfe.s32_4", "bfe.s32_5", "bfe.s32_6", "bfe.s32_7"};
  const char* in[8] = {"bfi.b32_0", "bfi.b32_1", "bfi.b32_2", "bfi.b32_3", "bfi.b32_4", "bfi.b32_5", "bfi.b32_6", "bfi.b32_7"};
  const char* lu[8] = {"bfe.u64_0", "bfe.u64_1", "bfe.u64_2", "bfe.u64_3", "bfe.u64_4", "bfe.u64_5", "bfe.u64_6", "bfe.u64_7"};
  const char* ls[8] = {"bfe.s64_0", "bfe.s64_1", "bfe.s64_2", "bfe.s64_3", "bfe.s64_4", "bfe.s64_5", "bfe.s64_6", "bfe.s64_7"};
  const char* li[8] = {"bfi.b64_0", "bfi.b64_1", "bfi.b64_2", "bfi.b64_3", "bfi.b64_4", "bfi.b64_5", "bfi.b64_6", "bfi.b64_7"};
  for (int i = 0; i < 8; i++) {
    const unsigned position = positions[t % 8], length = lengths[i];
    unsigned r = 0;
    unsigned long long l = 0;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(position), "r"(length));
    log.all_bits(un[i], r);
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(position), "r"(length));
    log.all_bits(sn[i], r);
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(position), "r"(length));
    log.all_bits(in[i], r);
    asm("bfe.u64 %0, %1, %2, %3;" : "=l"(l) : "l"(v), "r"(position), "r"(length));
    log.all_bits(lu[i], l);
    asm("bfe.s64 %0, %1, %2, %3;" : "=l"(l) : "l"(v), "r"(position), "r"(length));
    log.all_bits(ls[i], l);
    asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(l) : "l"(v), "l"(~v), "r"(position), "r"(length));
    log.all_bits(li[i], l);
  }
}


__global__ void selections(Log log) {
  const int t = threadIdx.x;
  const unsigned a = words[t], b = words[(t * 7 + 3) % 32];
  { unsigned r = 0; asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(0x83a4c51eu), "r"(0x79f22b8du), "r"(t)); log.all_bits("prmt", r); }
  { unsigned r = 0; asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(0x83a4c51eu), "r"(0x79f22b8du), "r"(t)); log.all_bits("prmt.f4e", r); }
  { unsigned r = 0; asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(0x83a4c51eu), "r"(0x79f22b8du), "r"(t)); log.all_bits("prmt.b4e", r); }
  { unsigned r = 0; asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(0x83a4c51eu), "r"(0x79f22b8du), "r"(t)); log.all_bits("prmt.rc8", r); }
  { unsigned r = 0; asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(r) : "r"(0x83a4c51eu), "r"(0x79f22b8du), "r"(t)); log.all_bits("prmt.ecl", r); }
  { unsigned r = 0; asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(0x83a4c51eu), "r"(0x79f22b8du), "r"(t)); log.all_bits("prmt.ecr", r); }
  { unsigned r = 0; asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(0x83a4c51eu), "r"(0x79f22b8du), "r"(t)); log.all_bits("prmt.rc16", r); }
  { unsigned r = 0; asm("lop3.b32 %0, %1, %2, %3, 0x00;" : "=r"(r) : "r"(0xf0f0f0f0u ^ a), "r"(0xccccccccu ^ b), "r"(0xaaaaaaaau)); log.all_bits("lop3.0x00", r); }
  { unsigned r = 0; asm("lop3.b32 %0, %1, %2, %3, 0x80;" : "=r"(r) : "r"(0xf0f0f0f0u ^ a), "r"(0xccccccccu ^ b), "r"(0xaaaaaaaau)); log.all_bits("lop3.0x80", r); }
  { unsigned r = 0; asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(0xf0f0f0f0u ^ a), "r"(0xccccccccu ^ b), "r"(0xaaaaaaaau)); log.all_bits("lop3.0x96", r); }
  { unsigned r = 0; asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(0xf0f0f0f0u ^ a), "r"(0xccccccccu ^ b), "r"(0xaaaaaaaau)); log.all_bits("lop3.0xe8", r); }
  { unsigned r = 0; asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"(0xf0f0f0f0u ^ a), "r"(0xccccccccu ^ b), "r"(0xaaaaaaaau)); log.all_bits("lop3.0xca", r); }
  { unsigned r = 0; asm("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(r) : "r"(0xf0f0f0f0u ^ a), "r"(0xccccccccu ^ b), "r"(0xaaaaaaaau)); log.all_bits("lop3.0x1b", r); }
  { unsigned r = 0; asm("lop3.b32 %0, %1, %2, %3, 0xff;" : "=r"(r) : "r"(0xf0f0f0f0u ^ a), "r"(0xccccccccu ^ b), "r"(0xaaaaaaaau)); log.all_bits("lop3.0xff", r); }
  { unsigned r = 0; asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(0x89abcdefu), "r"(0x12345678u), "r"(unsigned(t * 3))); log.all_bits("shf.l.clamp", r); }
  { unsigned r = 0; asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(0x89abcdefu), "r"(0x12345678u), "r"(unsigned(t * 3))); log.all_bits("shf.l.wrap", r); }
  { unsigned r = 0; asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(0x89abcdefu), "r"(0x12345678u), "r"(unsigned(t * 3))); log.all_bits("shf.r.clamp", r); }
  { unsigned r = 0; asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(0x89abcdefu), "r"(0x12345678u), "r"(unsigned(t * 3))); log.all_bits("shf.r.wrap", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.eq.s32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); log.all("eq.s32", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.ne.u32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); log.all("ne.u32", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); log.all("lt.s32", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); log.all("lt.u32", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.ge.s32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); log.all("ge.s32", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.hi.u32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); log.all("hi.u32", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.ls.u32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); log.all("ls.u32", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.lo.u32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); log.all("lo.u32", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.hs.u32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b)); log.all("hs.u32", r); }
  { unsigned r = 0; asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("set.lt.u32.s32", r); }
  { unsigned r = 0; asm("set.ge.u32.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); log.all_bits("set.ge.u32.u32", r); }
  {
    unsigned r = 0;
    asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(a - 5));
    log.all_bits("slct", r);
    asm("{ .reg .pred p, q; setp.lt.s32 p|q, %1, %2; selp.u32 %0, 10, 20, q; @p add.u32 %0, %0, 1; @!p add.u32 %0, %0, 2; }" : "=r"(r) : "r"(a), "r"(b));
    log.all("predicates", r);
    asm("{ .reg .pred p; setp.eq.u32 p, %1, 3; setp.lt.and.u32 p, %1, %2, p; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a & 3), "r"(b));
    log.all("setp.and", r);
    unsigned low = 0, high = 0, carry = 0;
    asm("add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %4, %3; addc.u32 %2, 0, 0;" : "=r"(low), "=r"(high), "=r"(carry) : "r"(a), "r"(b));
    log.all_bits("add.cc", (unsigned long long)high << 32 | low);
    log.all("addc", carry);
    asm("sub.cc.u32 %0, %3, %4; subc.cc.u32 %1, %4, %3; subc.u32 %2, 5, 0;" : "=r"(low), "=r"(high), "=r"(carry) : "r"(a), "r"(b));
    log.all_bits("sub.cc", (unsigned long long)high << 32 | low);
    log.all("subc", carry);
    asm("mad.lo.cc.u32 %0, %3, %4, %3; madc.hi.cc.u32 %1, %3, %4, %4; addc.u32 %2, 0, 0;" : "=r"(low), "=r"(high), "=r"(carry) : "r"(a), "r"(b));
    log.all_bits("mad.cc", (unsigned long long)high << 32 | low);
    log.all("madc", carry);
    unsigned short s = 0;
    asm("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.u16 %0, hi; }" : "=h"(s) : "r"(a));
    log.all("mov.unpack", int(s));
    asm("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo}; }" : "=r"(r) : "r"(a));
    log.all_bits("mov.pack", r);
    unsigned long long l = 0;
    asm("mov.b64 %0, {%1, %2};" : "=l"(l) : "r"(a), "r"(b));
    log.all_bits("mov.b64", l);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(l + 1));
    log.all_bits("mov.b64.halves", (unsigned long long)low << 32 | high);
    asm("szext.clamp.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
    log.all_bits("szext", r);
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a & 63), "r"(b & 63));
    log.all_bits("bmsk", r);
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(0xf0f0a5a5u), "r"(t), "r"(2));
    log.all_bits("fns", r);
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(7));
    log.all_bits("vabsdiff4.add", r);
  }
  {
    unsigned sum = 0;
    asm("{ .reg .pred p; .reg .u32 i; mov.u32 i, 0; mov.u32 %0, 0; again: add.u32 %0, %0, i; add.u32 i, i, 1; setp.lt.u32 p, i, %1; @p bra again; }" : "+r"(sum) : "r"(t + 1));
    log.all("loop", sum);
  }
}

int main() {
  void (*const kernels[])(Log) = {arithmetic, fields, selections};
  for (auto kernel : kernels) {
    Log log = answers::new_log();
    kernel<<<1, 32>>>(log);
    answers::print_log(log);
  }
}

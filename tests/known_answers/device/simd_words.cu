// SIMD-in-a-word intrinsics of device code (__vadd2 ... __vimax3_u32), each with 32 pairs of operands.
#include "device/log.h"

using answers::Log;

__device__ const unsigned words[32] = {
    0u,          0x00010001u, 0x7fff7fffu, 0x80008000u, 0x80808080u, 0x7f7f7f7fu, 0xffffffffu, 0x01010101u,
    0xfffeffffu, 0x8001fffeu, 0x00ff00ffu, 0xff00ff00u, 0x12345678u, 0x87654321u, 0xdeadbeefu, 0xcafebabeu,
    0x7f80ff01u, 0x80ff017fu, 0x00807f01u, 0x40c0a060u, 0x55aa55aau, 0xaa55aa55u, 0x0f1e2d3cu, 0xf0e1d2c3u,
    0x7ffe8002u, 0x80027ffeu, 0x00008000u, 0x80000000u, 0x7fffffffu, 0x0000ffffu, 0xffff0000u, 0x01fe02fdu};

#define UNARY(f) log.all_bits(#f, f(a));
#define BINARY(f) log.all_bits(#f, f(a, b));
#define BOTH(f) BINARY(f##2) BINARY(f##4)

__global__ void words_of_two_and_four(Log log) {
  const int t = threadIdx.x;
  const unsigned a = words[t], b = words[(t * 13 + 7) % 32];
  UNARY(__vabs2) UNARY(__vabs4) UNARY(__vabsss2) UNARY(__vabsss4)
  UNARY(__vneg2) UNARY(__vneg4) UNARY(__vnegss2) UNARY(__vnegss4)
  BOTH(__vabsdiffs) BOTH(__vabsdiffu) BOTH(__vadd) BOTH(__vaddss) BOTH(__vaddus) BOTH(__vavgs) BOTH(__vavgu)
  BOTH(__vhaddu) BOTH(__vsub) BOTH(__vsubss) BOTH(__vsubus) BOTH(__vsads) BOTH(__vsadu)
  BOTH(__vmaxs) BOTH(__vmaxu) BOTH(__vmins) BOTH(__vminu)
  BOTH(__vcmpeq) BOTH(__vcmpne) BOTH(__vcmpges) BOTH(__vcmpgeu) BOTH(__vcmpgts) BOTH(__vcmpgtu)
  BOTH(__vcmples) BOTH(__vcmpleu) BOTH(__vcmplts) BOTH(__vcmpltu)
  BOTH(__vseteq) BOTH(__vsetne) BOTH(__vsetges) BOTH(__vsetgeu) BOTH(__vsetgts) BOTH(__vsetgtu)
  BOTH(__vsetles) BOTH(__vsetleu) BOTH(__vsetlts) BOTH(__vsetltu)
  log.all_bits("vcmpeq2_self", __vcmpeq2(a, a ^ 0x00010000u));
  log.all_bits("vcmpeq4_self", __vcmpeq4(a, a ^ 0x00010000u));
  log.all_bits("vseteq4_self", __vseteq4(a, a ^ 0x80000000u));
}

int main() {
  Log log = answers::new_log();
  words_of_two_and_four<<<1, 32>>>(log);
  answers::print_log(log);
}

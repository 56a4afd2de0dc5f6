// Minimum and maximum intrinsics of DPX (__viaddmax_s16x2 ... __vibmin_u32), each with 32 operands.
#include "device/log.h"

using answers::Log;

__device__ const unsigned words[32] = {
    0u,          0x00010001u, 0x7fff7fffu, 0x80008000u, 0x80808080u, 0x7f7f7f7fu, 0xffffffffu, 0x01010101u,
    0xfffeffffu, 0x8001fffeu, 0x00ff00ffu, 0xff00ff00u, 0x12345678u, 0x87654321u, 0xdeadbeefu, 0xcafebabeu,
    0x7f80ff01u, 0x80ff017fu, 0x00807f01u, 0x40c0a060u, 0x55aa55aau, 0xaa55aa55u, 0x0f1e2d3cu, 0xf0e1d2c3u,
    0x7ffe8002u, 0x80027ffeu, 0x00008000u, 0x80000000u, 0x7fffffffu, 0x0000ffffu, 0xffff0000u, 0x01fe02fdu};


#define THREE(f) log.all_bits(#f, f(a, b, c));
#define TWO(f) log.all_bits(#f, f(a, b));
#define CHOICE(f) \
  { \
    bool chosen = false; \
    const unsigned value = f(a, b, &chosen); \
    log.all_bits(#f, value); \
    log.all(#f ".chosen", int(chosen)); \
  }
#define CHOICES(f) \
  { \
    bool high = false, low = false; \
    const unsigned value = f(a, b, &high, &low); \
    log.all_bits(#f, value); \
    log.all(#f ".chosen", int(high) * 2 + int(low)); \
  }

__global__ void minima_and_maxima(Log log) {
  const int t = threadIdx.x;
  const unsigned a = words[t], b = words[(t * 13 + 7) % 32], c = words[(t * 5 + 11) % 32];
  THREE(__viaddmax_s16x2) THREE(__viaddmax_s16x2_relu) THREE(__viaddmax_s32) THREE(__viaddmax_s32_relu)
  THREE(__viaddmax_u16x2) THREE(__viaddmax_u32)
  THREE(__viaddmin_s16x2) THREE(__viaddmin_s16x2_relu) THREE(__viaddmin_s32) THREE(__viaddmin_s32_relu)
  THREE(__viaddmin_u16x2) THREE(__viaddmin_u32)
  THREE(__vimax3_s16x2) THREE(__vimax3_s16x2_relu) THREE(__vimax3_s32) THREE(__vimax3_s32_relu)
  THREE(__vimax3_u16x2) THREE(__vimax3_u32)
  THREE(__vimin3_s16x2) THREE(__vimin3_s16x2_relu) THREE(__vimin3_s32) THREE(__vimin3_s32_relu)
  THREE(__vimin3_u16x2) THREE(__vimin3_u32)
  TWO(__vimax_s16x2_relu) TWO(__vimax_s32_relu) TWO(__vimin_s16x2_relu) TWO(__vimin_s32_relu)
  CHOICE(__vibmax_s32) CHOICE(__vibmax_u32) CHOICE(__vibmin_s32) CHOICE(__vibmin_u32)
  CHOICES(__vibmax_s16x2) CHOICES(__vibmax_u16x2) CHOICES(__vibmin_s16x2) CHOICES(__vibmin_u16x2)
}

int main() {
  Log log = answers::new_log();
  minima_and_maxima<<<1, 32>>>(log);
  answers::print_log(log);
}

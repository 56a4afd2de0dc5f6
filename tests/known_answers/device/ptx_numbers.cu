// Inline PTX on floating-point numbers: arithmetic with modifiers, conversions with rounding and saturation, tests, comparisons.
#include <cmath>

#include "device/log.h"

using answers::Log;

__device__ const double numbers[40] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.3, -0.7, 1e-40, -1e-40, 1e-45, 1.1754944e-38, 3.4028235e38, -3.4028235e38,
    INFINITY, -INFINITY, NAN, 127.5, 128.5, -128.5, 255.5, 300.7, -300.2, 32767.5, 65535.5, 2147483648.0, -2147483904.0, 4294967296.0,
    1e19, -1e19, 0.99999994, 1.0000001, 3.14159265, 16777217.0, 1e-20, 1e20};


__global__ void arithmetic(Log log) {
  const int t = threadIdx.x;
  const float a = float(numbers[t]), b = float(numbers[(t * 7 + 4) % 40]), c = float(numbers[(t * 3 + 16) % 40]);
  const double d = numbers[t], e = numbers[(t * 7 + 4) % 40];
  { float r = 0; asm("add.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("add.f32", r); }
  { float r = 0; asm("add.rz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("add.rz.f32", r); }
  { float r = 0; asm("add.rm.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("add.rm.f32", r); }
  { float r = 0; asm("add.rp.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("add.rp.f32", r); }
  { float r = 0; asm("add.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("add.ftz.f32", r); }
  { float r = 0; asm("add.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("add.sat.f32", r); }
  { float r = 0; asm("sub.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("sub.f32", r); }
  { float r = 0; asm("sub.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("sub.sat.f32", r); }
  { float r = 0; asm("mul.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("mul.f32", r); }
  { float r = 0; asm("mul.rz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("mul.rz.f32", r); }
  { float r = 0; asm("mul.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("mul.ftz.f32", r); }
  { float r = 0; asm("mul.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("mul.sat.f32", r); }
  { float r = 0; asm("mul.ftz.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("mul.ftz.sat.f32", r); }
  { float r = 0; asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); log.all("fma.rn.f32", r); }
  { float r = 0; asm("fma.rz.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); log.all("fma.rz.f32", r); }
  { float r = 0; asm("fma.rm.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); log.all("fma.rm.f32", r); }
  { float r = 0; asm("fma.rp.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); log.all("fma.rp.f32", r); }
  { float r = 0; asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); log.all("fma.rn.ftz.f32", r); }
  { float r = 0; asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); log.all("fma.rn.sat.f32", r); }
  { float r = 0; asm("mad.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); log.all("mad.rn.f32", r); }
  { float r = 0; asm("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("div.rn.f32", r); }
  { float r = 0; asm("div.rz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("div.rz.f32", r); }
  { float r = 0; asm("div.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("div.rn.ftz.f32", r); }
  { float r = 0; asm("rcp.rn.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("rcp.rn.f32", r); }
  { float r = 0; asm("rcp.rz.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("rcp.rz.f32", r); }
  { float r = 0; asm("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("sqrt.rn.f32", r); }
  { float r = 0; asm("sqrt.rp.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("sqrt.rp.f32", r); }
  { float r = 0; asm("sqrt.rn.ftz.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("sqrt.rn.ftz.f32", r); }
  { float r = 0; asm("min.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("min.f32", r); }
  { float r = 0; asm("max.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("max.f32", r); }
  { float r = 0; asm("min.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("min.ftz.f32", r); }
  { float r = 0; asm("max.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("max.ftz.f32", r); }
  { float r = 0; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("min.NaN.f32", r); }
  { float r = 0; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("max.NaN.f32", r); }
  { float r = 0; asm("max.xorsign.abs.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("max.xorsign.abs.f32", r); }
  { float r = 0; asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("min.xorsign.abs.f32", r); }
  { float r = 0; asm("abs.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("abs.f32", r); }
  { float r = 0; asm("abs.ftz.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("abs.ftz.f32", r); }
  { float r = 0; asm("neg.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("neg.f32", r); }
  { float r = 0; asm("neg.ftz.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("neg.ftz.f32", r); }
  { float r = 0; asm("copysign.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); log.all("copysign.f32", r); }
  { double r = 0; asm("add.f64 %0, %1, %2;" : "=d"(r) : "d"(d), "d"(e)); log.all("add.f64", r); }
  { double r = 0; asm("mul.rz.f64 %0, %1, %2;" : "=d"(r) : "d"(d), "d"(e)); log.all("mul.rz.f64", r); }
  { double r = 0; asm("div.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(d), "d"(e)); log.all("div.rn.f64", r); }
  { double r = 0; asm("min.f64 %0, %1, %2;" : "=d"(r) : "d"(d), "d"(e)); log.all("min.f64", r); }
  { double r = 0; asm("max.f64 %0, %1, %2;" : "=d"(r) : "d"(d), "d"(e)); log.all("max.f64", r); }
  { double r = 0; asm("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(d)); log.all("sqrt.rn.f64", r); }
  { double r = 0; asm("rcp.rn.f64 %0, %1;" : "=d"(r) : "d"(d)); log.all("rcp.rn.f64", r); }
  { double r = 0; asm("abs.f64 %0, %1;" : "=d"(r) : "d"(d)); log.all("abs.f64", r); }
  { double r = 0; asm("neg.f64 %0, %1;" : "=d"(r) : "d"(d)); log.all("neg.f64", r); }
  { double r = 0; asm("copysign.f64 %0, %1, %2;" : "=d"(r) : "d"(d), "d"(e)); log.all("copysign.f64", r); }
  const bool plain = fabsf(a) < 100.0f && fabsf(a) > 1e-30f;
  { float r = 0; asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all_near("ex2.approx.f32", 1e-6, (plain) ? r : 0.0f); log.all("ex2.approx.f32:special", a == 0 || isnan(a) || isinf(a) ? r : 0.0f); }
  { float r = 0; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all_near("ex2.approx.ftz.f32", 1e-6, (plain) ? r : 0.0f); log.all("ex2.approx.ftz.f32:special", a == 0 || isnan(a) || isinf(a) ? r : 0.0f); }
  { float r = 0; asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all_near("lg2.approx.f32", 1e-6, (plain && a > 0) ? r : 0.0f); log.all("lg2.approx.f32:special", a == 0 || isnan(a) || isinf(a) ? r : 0.0f); }
  { float r = 0; asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all_near("sin.approx.f32", 1e-6, (plain && fabsf(a) < 4) ? r : 0.0f); log.all("sin.approx.f32:special", a == 0 || isnan(a) || isinf(a) ? r : 0.0f); }
  { float r = 0; asm("cos.approx.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all_near("cos.approx.f32", 1e-6, (plain && fabsf(a) < 4) ? r : 0.0f); log.all("cos.approx.f32:special", a == 0 || isnan(a) || isinf(a) ? r : 0.0f); }
  { float r = 0; asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all_near("rcp.approx.f32", 1e-6, (plain) ? r : 0.0f); log.all("rcp.approx.f32:special", a == 0 || isnan(a) || isinf(a) ? r : 0.0f); }
  { float r = 0; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all_near("rcp.approx.ftz.f32", 1e-6, (plain) ? r : 0.0f); log.all("rcp.approx.ftz.f32:special", a == 0 || isnan(a) || isinf(a) ? r : 0.0f); }
  { float r = 0; asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all_near("rsqrt.approx.f32", 1e-6, (plain && a > 0) ? r : 0.0f); log.all("rsqrt.approx.f32:special", a == 0 || isnan(a) || isinf(a) ? r : 0.0f); }
  { float r = 0; asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all_near("sqrt.approx.f32", 1e-6, (plain && a > 0) ? r : 0.0f); log.all("sqrt.approx.f32:special", a == 0 || isnan(a) || isinf(a) ? r : 0.0f); }
  {
    float r = 0;
    asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
    log.all_near("tanh.approx.f32", 1e-3, r);
    asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    log.all_near("div.approx.f32", 1e-6, plain && fabsf(b) < 100 && fabsf(b) > 1e-30f ? r : 0.0f);
    asm("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    log.all_near("div.full.f32", 1e-6, plain && fabsf(b) < 100 && fabsf(b) > 1e-30f ? r : 0.0f);
  }
}


__global__ void comparisons(Log log) {
  const int t = threadIdx.x;
  const float a = float(numbers[t]), b = t % 3 ? float(numbers[(t * 7 + 4) % 40]) : a;
  { unsigned r = 0; asm("{ .reg .pred p; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a)); log.all("testp.finite", r); }
  { unsigned r = 0; asm("{ .reg .pred p; testp.infinite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a)); log.all("testp.infinite", r); }
  { unsigned r = 0; asm("{ .reg .pred p; testp.number.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a)); log.all("testp.number", r); }
  { unsigned r = 0; asm("{ .reg .pred p; testp.notanumber.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a)); log.all("testp.notanumber", r); }
  { unsigned r = 0; asm("{ .reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a)); log.all("testp.normal", r); }
  { unsigned r = 0; asm("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a)); log.all("testp.subnormal", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.eq.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.eq", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.ne.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.ne", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.lt", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.le.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.le", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.gt.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.gt", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.ge.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.ge", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.equ.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.equ", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.neu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.neu", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.ltu", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.leu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.leu", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.gtu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.gtu", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.geu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.geu", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.num.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.num", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.nan.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.nan", r); }
  { unsigned r = 0; asm("{ .reg .pred p; setp.lt.ftz.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b)); log.all("setp.lt.ftz", r); }
  float r = 0;
  asm("set.lt.f32.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  log.all("set.f32", r);
  unsigned u = 0;
  asm("set.geu.u32.f32 %0, %1, %2;" : "=r"(u) : "f"(a), "f"(b));
  log.all_bits("set.u32", u);
  asm("slct.f32.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(1.0f), "f"(2.0f), "f"(a));
  log.all("slct.f32", r);
  asm("slct.ftz.f32.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(1.0f), "f"(2.0f), "f"(a));
  log.all("slct.ftz.f32", r);
}


__global__ void conversions(Log log) {
  const int t = threadIdx.x;
  const float a = float(numbers[t]);
  const double d = numbers[t];
  const int n = (t * 123456789) ^ (t % 4 ? 0 : 0x7ffffff0);
  { int r = 0; asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rni.s32.f32", r); }
  { int r = 0; asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rzi.s32.f32", r); }
  { int r = 0; asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rmi.s32.f32", r); }
  { int r = 0; asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rpi.s32.f32", r); }
  { int r = 0; asm("cvt.rni.u32.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rni.u32.f32", r); }
  { int r = 0; asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rzi.u32.f32", r); }
  { int r = 0; asm("cvt.rzi.ftz.s32.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rzi.ftz.s32.f32", r); }
  { int r = 0; asm("cvt.rpi.ftz.s32.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rpi.ftz.s32.f32", r); }
  { int r = 0; asm("cvt.rni.sat.s32.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rni.sat.s32.f32", r); }
  { int r = 0; asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rni.sat.s8.f32", r); }
  { int r = 0; asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rni.sat.u8.f32", r); }
  { int r = 0; asm("cvt.rzi.s8.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rzi.s8.f32", r); }
  { int r = 0; asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(r) : "f"(a)); log.all("cvt.rzi.u8.f32", r); }
  { long long r = 0; asm("cvt.rni.s64.f32 %0, %1;" : "=l"(r) : "f"(a)); log.all("cvt.rni.s64.f32", r); }
  { long long r = 0; asm("cvt.rzi.u64.f32 %0, %1;" : "=l"(r) : "f"(a)); log.all("cvt.rzi.u64.f32", r); }
  { long long r = 0; asm("cvt.rmi.u64.f32 %0, %1;" : "=l"(r) : "f"(a)); log.all("cvt.rmi.u64.f32", r); }
  { short r = 0; asm("cvt.rzi.s16.f32 %0, %1;" : "=h"(r) : "f"(a)); log.all("cvt.rzi.s16.f32", int(r)); }
  { short r = 0; asm("cvt.rni.u16.f32 %0, %1;" : "=h"(r) : "f"(a)); log.all("cvt.rni.u16.f32", int(r)); }
  { short r = 0; asm("cvt.rni.sat.s16.f32 %0, %1;" : "=h"(r) : "f"(a)); log.all("cvt.rni.sat.s16.f32", int(r)); }
  { int r = 0; asm("cvt.rni.s32.f64 %0, %1;" : "=r"(r) : "d"(d)); log.all("cvt.rni.s32.f64", r); }
  { int r = 0; asm("cvt.rzi.u32.f64 %0, %1;" : "=r"(r) : "d"(d)); log.all("cvt.rzi.u32.f64", r); }
  { int r = 0; asm("cvt.rmi.s32.f64 %0, %1;" : "=r"(r) : "d"(d)); log.all("cvt.rmi.s32.f64", r); }
  { float r = 0; asm("cvt.rn.f32.f64 %0, %1;" : "=f"(r) : "d"(d)); log.all("cvt.rn.f32.f64", r); }
  { float r = 0; asm("cvt.rz.f32.f64 %0, %1;" : "=f"(r) : "d"(d)); log.all("cvt.rz.f32.f64", r); }
  { float r = 0; asm("cvt.rm.f32.f64 %0, %1;" : "=f"(r) : "d"(d)); log.all("cvt.rm.f32.f64", r); }
  { float r = 0; asm("cvt.rp.f32.f64 %0, %1;" : "=f"(r) : "d"(d)); log.all("cvt.rp.f32.f64", r); }
  { float r = 0; asm("cvt.rn.sat.f32.f64 %0, %1;" : "=f"(r) : "d"(d)); log.all("cvt.rn.sat.f32.f64", r); }
  { float r = 0; asm("cvt.rni.f32.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("cvt.rni.f32.f32", r); }
  { float r = 0; asm("cvt.rzi.f32.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("cvt.rzi.f32.f32", r); }
  { float r = 0; asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("cvt.rmi.f32.f32", r); }
  { float r = 0; asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("cvt.rpi.f32.f32", r); }
  { float r = 0; asm("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("cvt.sat.f32.f32", r); }
  { float r = 0; asm("cvt.ftz.f32.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("cvt.ftz.f32.f32", r); }
  { float r = 0; asm("cvt.rni.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(a)); log.all("cvt.rni.sat.f32.f32", r); }
  { float r = 0; asm("cvt.rn.f32.s32 %0, %1;" : "=f"(r) : "r"(n)); log.all("cvt.rn.f32.s32", r); }
  { float r = 0; asm("cvt.rz.f32.s32 %0, %1;" : "=f"(r) : "r"(n)); log.all("cvt.rz.f32.s32", r); }
  { float r = 0; asm("cvt.rp.f32.u32 %0, %1;" : "=f"(r) : "r"(n)); log.all("cvt.rp.f32.u32", r); }
  { float r = 0; asm("cvt.rn.f32.u8 %0, %1;" : "=f"(r) : "r"(n)); log.all("cvt.rn.f32.u8", r); }
  { float r = 0; asm("cvt.rn.f32.s8 %0, %1;" : "=f"(r) : "r"(n)); log.all("cvt.rn.f32.s8", r); }
  { float r = 0; asm("cvt.rn.sat.f32.s32 %0, %1;" : "=f"(r) : "r"(n)); log.all("cvt.rn.sat.f32.s32", r); }
  { int r = 0; asm("cvt.s32.s8 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.s32.s8", r); }
  { int r = 0; asm("cvt.u32.u8 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.u32.u8", r); }
  { int r = 0; asm("cvt.s32.s16 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.s32.s16", r); }
  { int r = 0; asm("cvt.u32.u16 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.u32.u16", r); }
  { int r = 0; asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.sat.s8.s32", r); }
  { int r = 0; asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.sat.u8.s32", r); }
  { int r = 0; asm("cvt.sat.s16.s32 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.sat.s16.s32", r); }
  { int r = 0; asm("cvt.sat.u16.u32 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.sat.u16.u32", r); }
  { int r = 0; asm("cvt.sat.u8.u32 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.sat.u8.u32", r); }
  { int r = 0; asm("cvt.sat.s32.u32 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.sat.s32.u32", r); }
  { int r = 0; asm("cvt.sat.u32.s32 %0, %1;" : "=r"(r) : "r"(n)); log.all("cvt.sat.u32.s32", r); }
  unsigned short h = 0;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
  log.all_bits("cvt.rn.f16.f32", h);
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
  log.all_bits("cvt.rz.f16.f32", h);
  asm("cvt.rn.relu.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
  log.all_bits("cvt.rn.relu.f16.f32", h);
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(a));
  log.all_bits("cvt.rn.bf16.f32", h);
  unsigned u = 0;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(a), "f"(1.0f));
  log.all_bits("cvt.rn.f16x2.f32", u);
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(a), "f"(1.0f));
  log.all_bits("cvt.rn.bf16x2.f32", u);
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u) : "f"(a));
  log.all_bits("cvt.rna.tf32.f32", u);
  long long w = 0;
  asm("cvt.s64.s32 %0, %1;" : "=l"(w) : "r"(n));
  log.all("cvt.s64.s32", w);
  asm("cvt.u64.u32 %0, %1;" : "=l"(w) : "r"(n));
  log.all("cvt.u64.u32", w);
  float back = 0;
  asm("cvt.f32.f16 %0, %1;" : "=f"(back) : "h"((unsigned short)(n & 0x7bff)));
  log.all("cvt.f32.f16", back);
}

int main() {
  void (*const kernels[])(Log) = {arithmetic, comparisons, conversions};
  for (auto kernel : kernels) {
    Log log = answers::new_log();
    kernel<<<1, 40>>>(log);
    answers::print_log(log);
  }
}

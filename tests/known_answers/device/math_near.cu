// Math functions of device code at ordinary arguments. The tolerance is CUDA's documented error, with that of the host
// added to it. Single and double precision; also fast intrinsics.
#include <cmath>

#include "device/log.h"

using answers::Log;

__device__ const double small[32] = {0.01, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99, 0.999, 1e-5,
                                     -0.01, -0.1, -0.2, -0.25, -0.3, -0.4, -0.5, -0.6, -0.7, -0.75, -0.8, -0.9, -0.95, -0.99, -0.999, -1e-5};
__device__ const double wide[32] = {0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6.25, 7.5, 8, 9.75, 10, 12.5, 15, 20,
                                    25, 30, 33.3, 50, 75, 100, 1000.5, 12345.678, 1e5, 1e6, 0.001, 1e-6, 0.1, 0.9, 1.1, 3.14159};

#define S(f, ulp) log.all_near(#f ":small", ulp * 1.2e-7, f(a));
#define W(f, ulp) log.all_near(#f ":wide", ulp * 1.2e-7, f(w));
#define N(f, ulp) log.all_near(#f ":negative", ulp * 1.2e-7, f(-w));

__global__ void singles(Log log) {
  const float a = float(small[threadIdx.x]), w = float(wide[threadIdx.x]), v = float(wide[(threadIdx.x * 5 + 3) % 20]);
  const float low = fminf(w, 30.0f);
  S(sinf, 3) S(cosf, 3) S(tanf, 5) S(asinf, 5) S(acosf, 3) S(atanf, 3) S(sinhf, 4) S(coshf, 3) S(tanhf, 3) S(asinhf, 4) S(atanhf, 4)
  S(expf, 3) S(exp2f, 3) S(exp10f, 3) S(expm1f, 2) S(log1pf, 2) S(cbrtf, 2) S(rcbrtf, 2) S(erff, 3) S(erfcf, 5) S(erfinvf, 4) S(erfcxf, 6)
  S(normcdff, 6) S(lgammaf, 8) S(tgammaf, 8) S(sinpif, 2) S(cospif, 2) S(j0f, 9) S(j1f, 9) S(cyl_bessel_i0f, 8) S(cyl_bessel_i1f, 8)
  W(sinf, 3) W(cosf, 3) W(tanf, 6) W(atanf, 3) W(logf, 2) W(log2f, 2) W(log10f, 3) W(log1pf, 2) W(rsqrtf, 3) W(asinhf, 4) W(cbrtf, 2) W(rcbrtf, 2)
  W(erfcf, 6) W(erfcxf, 6) W(lgammaf, 8) W(sinpif, 2) W(cospif, 2) N(sinf, 3) N(atanf, 3) N(cbrtf, 2) N(tanhf, 3)
  log.all_near("j0f:wide", 1e-5, j0f(low));
  log.all_near("j1f:wide", 1e-5, j1f(low));
  log.all_near("y0f:wide", 1e-5, y0f(low));
  log.all_near("y1f:wide", 1e-5, y1f(low));
  log.all_near("jnf3:wide", 1e-5, jnf(3, low));
  log.all_near("ynf3:wide", 1e-4, ynf(3, fmaxf(low, 0.5f)));
  log.all_near("jnf5:negative", 1e-5, jnf(5, -low));
  log.all_near("acoshf", 5e-7, acoshf(1.0f + w));
  log.all_near("erfcinvf", 1e-6, erfcinvf(1.0f + a * 0.999f));
  log.all_near("normcdfinvf", 1e-6, normcdfinvf(0.5f + a * 0.49f));
  log.all_near("normcdff:negative", 1e-6, normcdff(-low));
  log.all_near("tgammaf:wide", 2e-6, tgammaf(low));
  log.all_near("tgammaf:negative", 2e-6, tgammaf(-low + 0.3f));
  log.all_near("lgammaf:negative", 3e-6, lgammaf(-low + 0.3f));
  log.all_near("i0f:wide", 1e-6, cyl_bessel_i0f(low));
  log.all_near("i1f:wide", 1e-6, cyl_bessel_i1f(low));
  log.all_near("powf", 1e-6, powf(v, a));
  log.all_near("powf:negative", 1e-6, powf(-v, float(threadIdx.x % 5) - 2));
  log.all_near("atan2f", 5e-7, atan2f(a, v));
  log.all_near("atan2f:negative", 5e-7, atan2f(a, -v));
  log.all_near("hypotf", 5e-7, hypotf(w, v));
  log.all_near("rhypotf", 5e-7, rhypotf(w, v));
  log.all_near("norm3df", 5e-7, norm3df(a, w, v));
  log.all_near("rnorm3df", 5e-7, rnorm3df(a, w, v));
  log.all_near("norm4df", 5e-7, norm4df(a, w, v, 2.0f));
  log.all_near("rnorm4df", 5e-7, rnorm4df(a, w, v, 2.0f));
  const float list[5] = {a, w, v, -w, 3.0f};
  log.all_near("normf", 5e-7, normf(5, list));
  log.all_near("rnormf", 5e-7, rnormf(5, list));
  log.all_near("fdividef", 5e-7, fdividef(w, v));
  log.all_near("__sinf", 1e-6, __sinf(a));
  log.all_near("__cosf", 1e-6, __cosf(a));
  log.all_near("__tanf", 5e-6, __tanf(a));
  log.all_near("__expf", 1e-6, __expf(a));
  log.all_near("__exp10f", 2e-6, __exp10f(a));
  log.all_near("__logf", 1e-6, __logf(w));
  log.all_near("__log2f", 1e-6, __log2f(w));
  log.all_near("__log10f", 1e-6, __log10f(w));
  log.all_near("__powf", 1e-5, __powf(v, a));
  log.all_near("__fdividef", 5e-7, __fdividef(w, v));
  log.all_near("__frsqrt_rn", 2e-7, __frsqrt_rn(w));
  float s, c;
  __sincosf(a, &s, &c);
  log.all_near("__sincosf", 2e-6, s * 10 + c);
}

#define DS(f, ulp) log.all_near(#f ":small", ulp * 2.3e-16, f(a));
#define DW(f, ulp) log.all_near(#f ":wide", ulp * 2.3e-16, f(w));

__global__ void doubles(Log log) {
  const double a = small[threadIdx.x], w = wide[threadIdx.x], v = wide[(threadIdx.x * 5 + 3) % 20], low = fmin(w, 30.0);
  DS(sin, 3) DS(cos, 3) DS(tan, 3) DS(asin, 3) DS(acos, 3) DS(atan, 3) DS(sinh, 3) DS(cosh, 3) DS(tanh, 3) DS(asinh, 4) DS(atanh, 4)
  DS(exp, 3) DS(exp2, 3) DS(exp10, 3) DS(expm1, 3) DS(log1p, 3) DS(cbrt, 3) DS(rcbrt, 3) DS(erf, 4) DS(erfc, 6) DS(erfinv, 12) DS(erfcx, 12)
  DS(normcdf, 12) DS(lgamma, 12) DS(tgamma, 14) DS(sinpi, 4) DS(cospi, 4) DS(j0, 12) DS(j1, 12) DS(cyl_bessel_i0, 12) DS(cyl_bessel_i1, 12)
  DW(sin, 3) DW(cos, 3) DW(tan, 4) DW(atan, 3) DW(::log, 3) DW(log2, 3) DW(log10, 3) DW(log1p, 3) DW(rsqrt, 3) DW(asinh, 4) DW(cbrt, 3) DW(rcbrt, 3)
  DW(erfc, 6) DW(erfcx, 12) DW(lgamma, 12) DW(sinpi, 4) DW(cospi, 4)
  log.all_near("j0:wide", 1e-13, j0(low));
  log.all_near("y0:wide", 1e-12, y0(low));
  log.all_near("y1:wide", 1e-13, y1(low));
  log.all_near("jn3:wide", 1e-12, jn(3, low));
  log.all_near("yn3:wide", 1e-12, yn(3, fmax(low, 0.5)));
  log.all_near("acosh", 1e-15, acosh(1.0 + w));
  log.all_near("erfcinv", 1e-14, erfcinv(1.0 + a * 0.999));
  log.all_near("normcdfinv", 1e-14, normcdfinv(0.5 + a * 0.49));
  log.all_near("tgamma:wide", 5e-15, tgamma(low));
  log.all_near("tgamma:negative", 5e-14, tgamma(-low + 0.3));
  log.all_near("lgamma:negative", 5e-14, lgamma(-low + 0.3));
  log.all_near("i0:wide", 1e-14, cyl_bessel_i0(low));
  log.all_near("i1:wide", 1e-14, cyl_bessel_i1(low));
  log.all_near("pow", 2e-15, pow(v, a));
  log.all_near("atan2", 1e-15, atan2(a, -v));
  log.all_near("hypot", 1e-15, hypot(w, v));
  log.all_near("rhypot", 1e-15, rhypot(w, v));
  log.all_near("norm3d", 1e-15, norm3d(a, w, v));
  log.all_near("rnorm3d", 1e-15, rnorm3d(a, w, v));
  log.all_near("norm4d", 1e-15, norm4d(a, w, v, 2.0));
  log.all_near("rnorm4d", 1e-15, rnorm4d(a, w, v, 2.0));
  const double list[5] = {a, w, v, -w, 3.0};
  log.all_near("norm", 1e-15, norm(5, list));
  log.all_near("rnorm", 1e-15, rnorm(5, list));
}

int main() {
  Log log = answers::new_log();
  singles<<<1, 32>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  doubles<<<1, 32>>>(log);
  answers::print_log(log);
}

// Math functions of single precision at special values: zeros, infinities, NaN, denormals, halves, limits of the range.
// Exact where C, IEEE 754 or CUDA's documentation fixes the result.
#include <cmath>

#include "device/log.h"

using answers::Log;

// The arguments that have exact results for all functions: zeros, infinities, NaN
__device__ const float specials[5] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN};
__device__ const float ordinary[40] = {
    0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, -1.0f, 0.5f, -0.5f, 1.5f, -1.5f, 2.5f, -2.5f, 3.5f, 0.49999997f, -0.49999997f,
    8388607.5f, 8388608.5f, -8388607.5f, 4194303.75f, 16777218.0f, 1e-45f, -1e-45f, 1.1754942e-38f, 1.1754944e-38f,
    3.4028235e38f, -3.4028235e38f, 1e-20f, 1e20f, 0.99999994f, 1.0000001f, 2147483648.0f, -2147483648.0f, 3.0f, -3.0f, 4.0f,
    100.25f, -100.75f, 7.0f, 1e10f};

#define F(f) log.all(#f, f(x));

__global__ void at_special_values(Log log) {
  const float x = specials[threadIdx.x];
  F(sinf) F(cosf) F(tanf) F(asinf) F(acosf) F(atanf) F(sinhf) F(coshf) F(tanhf) F(asinhf) F(acoshf) F(atanhf)
  F(expf) F(exp2f) F(exp10f) F(expm1f) F(logf) F(log2f) F(log10f) F(log1pf) F(sqrtf) F(rsqrtf) F(cbrtf) F(rcbrtf)
  F(erff) F(erfcf) F(erfinvf) F(erfcinvf) F(erfcxf) F(normcdff) F(normcdfinvf) F(lgammaf) F(tgammaf)
  F(sinpif) F(cospif) F(j0f) F(j1f) F(y0f) F(y1f) F(cyl_bessel_i0f) F(cyl_bessel_i1f) F(logbf)
  log.all("jnf2", jnf(2, x));
  log.all("ynf2", ynf(2, x));
  log.all("jnf-1", jnf(-1, x));
  log.all("ynf-1", ynf(-1, x));
  log.all("__expf", __expf(x));
  log.all("__logf", __logf(x));
  log.all("__log2f", __log2f(x));
  log.all("__log10f", __log10f(x));
  log.all("__exp10f", __exp10f(x));
  log.all("__sinf", __sinf(x));
  log.all("__cosf", __cosf(x));
  log.all("__tanf", __tanf(x));
  log.all("__saturatef", __saturatef(x));
  float s = 7, c = 7;
  sincosf(x, &s, &c);
  log.all("sincosf.s", s);
  log.all("sincosf.c", c);
  sincospif(x, &s, &c);
  log.all("sincospif.s", s);
  log.all("sincospif.c", c);
}

__global__ void exact_functions(Log log) {
  const float x = ordinary[threadIdx.x];
  F(rintf) F(nearbyintf) F(roundf) F(truncf) F(floorf) F(ceilf) F(fabsf) F(logbf) F(ilogbf) F(lrintf) F(llrintf) F(lroundf) F(llroundf)
  log.all("signbit", int(bool(signbit(x))));
  log.all("isnan", int(bool(isnan(x))));
  log.all("isinf", int(bool(isinf(x))));
  log.all("isfinite", int(bool(isfinite(x))));
  int exponent = 99;
  float fraction = frexpf(x, &exponent);
  log.all("frexpf", fraction);
  log.all("frexpf.exponent", isfinite(x) ? exponent : 0);
  float whole = 99;
  fraction = modff(x, &whole);
  log.all("modff", fraction);
  log.all("modff.whole", whole);
  log.all("ldexpf3", ldexpf(x, 3));
  log.all("ldexpf-150", ldexpf(x, -150));
  log.all("ldexpf+400", ldexpf(x, 400));
  log.all("ldexpf-400", ldexpf(x, -400));
  log.all("scalbnf-126", scalbnf(x, -126));
  log.all("scalblnf200", scalblnf(x, 200l));
  log.all("scalblnf_huge", scalblnf(x, 1l << 40));
  log.all("nextafterf_up", nextafterf(x, INFINITY));
  log.all("nextafterf_down", nextafterf(x, -INFINITY));
  log.all("nextafterf_same", nextafterf(x, x));
  log.all("nextafterf_-0", nextafterf(x, -0.0f));
  log.all("powf0", powf(x, 0.0f));
  log.all("powf-0", powf(x, -0.0f));
  log.all("powf1", powf(x, 1.0f));
  log.all("powf_of_1", powf(1.0f, x));
  log.all("powf_of_0", powf(0.0f, x));
  log.all("powf_of_-0", powf(-0.0f, x));
  log.all("copysignf", copysignf(2.5f, x));
}

__global__ void of_two_arguments(Log log) {
  const float list[11] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, -1.0f, 2.5f, -3.0f, 1e-45f, 3.4028235e38f};
  const float x = list[threadIdx.x];
  const char* fmax_names[] = {"fmax:0", "fmax:-0", "fmax:inf", "fmax:-inf", "fmax:nan", "fmax:1", "fmax:-1", "fmax:2.5", "fmax:-3", "fmax:tiny", "fmax:max"};
  const char* fmin_names[] = {"fmin:0", "fmin:-0", "fmin:inf", "fmin:-inf", "fmin:nan", "fmin:1", "fmin:-1", "fmin:2.5", "fmin:-3", "fmin:tiny", "fmin:max"};
  const char* fmod_names[] = {"fmod:0", "fmod:-0", "fmod:inf", "fmod:-inf", "fmod:nan", "fmod:1", "fmod:-1", "fmod:2.5", "fmod:-3", "fmod:tiny", "fmod:max"};
  const char* rem_names[] = {"rem:0", "rem:-0", "rem:inf", "rem:-inf", "rem:nan", "rem:1", "rem:-1", "rem:2.5", "rem:-3", "rem:tiny", "rem:max"};
  const char* quo_names[] = {"quo:0", "quo:-0", "quo:inf", "quo:-inf", "quo:nan", "quo:1", "quo:-1", "quo:2.5", "quo:-3", "quo:tiny", "quo:max"};
  const char* dim_names[] = {"fdim:0", "fdim:-0", "fdim:inf", "fdim:-inf", "fdim:nan", "fdim:1", "fdim:-1", "fdim:2.5", "fdim:-3", "fdim:tiny", "fdim:max"};
  const char* atan_names[] = {"atan2:0", "atan2:-0", "atan2:inf", "atan2:-inf", "atan2:nan"};
  const char* pow_names[] = {"pow:0", "pow:-0", "pow:inf", "pow:-inf", "pow:nan"};
  const char* hypot_names[] = {"hypot:0", "hypot:-0", "hypot:inf", "hypot:-inf", "hypot:nan"};
  for (int i = 0; i < 11; i++) {
    const float y = list[i];
    log.all(fmax_names[i], fmaxf(x, y));
    log.all(fmin_names[i], fminf(x, y));
    log.all(fmod_names[i], fmodf(x, y));
    log.all(rem_names[i], remainderf(x, y));
    log.all(dim_names[i], fdimf(x, y));
    int quotient = 0;
    const float rest = remquof(x, y, &quotient);
    log.all(quo_names[i], isnan(rest) || fabsf(x) > 1e6f * fabsf(y) ? 0 : quotient & 7);
    if (i < 5) {
      log.all_near(atan_names[i], 3e-7, atan2f(x, y));
      log.all_near(pow_names[i], 1e-6, powf(y, x));
      log.all(hypot_names[i], hypotf(x, y));
    }
  }
  log.all("max_builtin", max(x, 1.0f));
  log.all("min_builtin_nan", min(x, float(NAN)));
  log.all("max_mixed", max(x, 0.25));
  log.all("fmin_three", fminf(fminf(x, 0.0f), -0.0f));
}

int main() {
  Log log = answers::new_log();
  at_special_values<<<1, 5>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  exact_functions<<<1, 40>>>(Log{log.lines});
  // Names of lines repeat between the kernels: those of the first kernel are of five columns.
  for (int i = 0; i < answers::most_lines; i++) {
    if (cudaDeviceSynchronize() != cudaSuccess) break;
    char* name = log.lines[i].name;
    if (!name[0]) break;
    for (int j = 78; j > 0; j--) name[j] = name[j - 1];
    name[0] = '=';
  }
  answers::print_log(log);
  log = answers::new_log();
  of_two_arguments<<<1, 11>>>(log);
  answers::print_log(log);
}

// Math functions of double precision at special values: zeros, infinities, NaN, denormals, halves, limits of the range.
// Exact where C, IEEE 754 or CUDA's documentation fixes the result.
#include <cmath>

#include "device/log.h"

using answers::Log;

// The arguments that have exact results for all functions: zeros, infinities, NaN
__device__ const double specials[5] = {0.0, -0.0, INFINITY, -INFINITY, NAN};
__device__ const double ordinary[40] = {
    0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.5, 0.49999999999999994, -0.49999999999999994,
    4503599627370495.5, 4503599627370496.5, -4503599627370495.5, 2251799813685247.75, 9007199254740993.0, 5e-324, -5e-324, 2.2250738585072009e-308, 2.2250738585072014e-308,
    1.7976931348623157e308, -1.7976931348623157e308, 1e-20, 1e20, 0.99999999999999989, 1.0000000000000002, 2147483648.0, -2147483648.0, 3.0, -3.0, 4.0,
    100.25, -100.75, 7.0, 1e10};

#define F(f) log.all(#f, f(x));

__global__ void at_special_values(Log log) {
  const double x = specials[threadIdx.x];
  F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) F(asinh) F(acosh) F(atanh)
  F(exp) F(exp2) F(exp10) F(expm1) F(::log) F(log2) F(log10) F(log1p) F(sqrt) F(rsqrt) F(cbrt) F(rcbrt)
  F(erf) F(erfc) F(erfinv) F(erfcinv) F(erfcx) F(normcdf) F(normcdfinv) F(lgamma) F(tgamma)
  F(sinpi) F(cospi) F(j0) F(j1) F(y0) F(y1) F(cyl_bessel_i0) F(cyl_bessel_i1) F(logb)
  log.all("jnf2", jn(2, x));
  log.all("ynf2", yn(2, x));
  log.all("jnf-1", jn(-1, x));
  log.all("ynf-1", yn(-1, x));
  double s = 7, c = 7;
  sincos(x, &s, &c);
  log.all("sincosf.s", s);
  log.all("sincosf.c", c);
  sincospi(x, &s, &c);
  log.all("sincospif.s", s);
  log.all("sincospif.c", c);
}

__global__ void exact_functions(Log log) {
  const double x = ordinary[threadIdx.x];
  F(rint) F(nearbyint) F(round) F(trunc) F(floor) F(ceil) F(fabs) F(logb) F(ilogb) F(lrint) F(llrint) F(lround) F(llround)
  log.all("signbit", int(bool(signbit(x))));
  log.all("isnan", int(bool(isnan(x))));
  log.all("isinf", int(bool(isinf(x))));
  log.all("isfinite", int(bool(isfinite(x))));
  int exponent = 99;
  double fraction = frexp(x, &exponent);
  log.all("frexpf", fraction);
  log.all("frexpf.exponent", isfinite(x) ? exponent : 0);
  double whole = 99;
  fraction = modf(x, &whole);
  log.all("modff", fraction);
  log.all("modff.whole", whole);
  log.all("ldexpf3", ldexp(x, 3));
  log.all("ldexpf-1074", ldexp(x, -1074));
  log.all("ldexpf+2200", ldexp(x, 2200));
  log.all("ldexpf-2200", ldexp(x, -2200));
  log.all("scalbnf-1022", scalbn(x, -1022));
  log.all("scalblnf200", scalbln(x, 200l));
  log.all("scalblnf_huge", scalbln(x, 1l << 40));
  log.all("nextafterf_up", nextafter(x, double(INFINITY)));
  log.all("nextafterf_down", nextafter(x, -double(INFINITY)));
  log.all("nextafterf_same", nextafter(x, x));
  log.all("nextafterf_-0", nextafter(x, -0.0));
  log.all("powf0", pow(x, 0.0));
  log.all("powf-0", pow(x, -0.0));
  log.all("powf1", pow(x, 1.0));
  log.all("powf_of_1", pow(1.0, x));
  log.all("powf_of_0", pow(0.0, x));
  log.all("powf_of_-0", pow(-0.0, x));
  log.all("copysignf", copysign(2.5, x));
}

__global__ void of_two_arguments(Log log) {
  const double list[11] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 2.5, -3.0, 5e-324, 1.7976931348623157e308};
  const double x = list[threadIdx.x];
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
    const double y = list[i];
    log.all(fmax_names[i], fmax(x, y));
    log.all(fmin_names[i], fmin(x, y));
    log.all(fmod_names[i], fmod(x, y));
    log.all(rem_names[i], remainder(x, y));
    log.all(dim_names[i], fdim(x, y));
    int quotient = 0;
    const double rest = remquo(x, y, &quotient);
    log.all(quo_names[i], isnan(rest) || fabs(x) > 1e6 * fabs(y) ? 0 : quotient & 7);
    if (i < 5) {
      log.all_near(atan_names[i], 1e-15, atan2(x, y));
      log.all_near(pow_names[i], 1e-15, pow(y, x));
      log.all(hypot_names[i], hypot(x, y));
    }
  }
  log.all("max_builtin", max(x, 1.0));
  log.all("min_builtin_nan", min(x, double(NAN)));
  log.all("max_mixed", max(x, 0.25));
  log.all("fmin_three", fmin(fmin(x, 0.0), -0.0));
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

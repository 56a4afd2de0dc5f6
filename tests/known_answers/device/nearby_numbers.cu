// Functions at the limits of their range: overflow and underflow of exponentials, large arguments of trigonometric functions,
// small and huge arguments of powers, cancellation, gradual underflow.
#include <cmath>

#include "device/log.h"

using answers::Log;

__device__ const float edges[32] = {88.7f, 88.72283f, 88.722840f, 88.73f, 89.0f, 127.9f, 127.99999f, 128.0f, -87.3f, -87.34f, -103.2f, -103.97f, -103.98f, -104.0f, -126.0f, -149.0f,
                                    -149.5f, -150.0f, 38.53f, 38.5318f, 38.54f, -37.9f, -44.8f, -45.2f, 1e5f, 1e10f, 1e20f, 1e30f, 3.4028235e38f, 10.05f, 13.0f, 9.1f};

__global__ void singles(Log log) {
  const float x = edges[threadIdx.x];
  // Results below 1 are compared relative to the least denormal number by the scale.
  log.all_near("expf_large", 1e-6, expf(x));
  log.all_near("expf_scaled", 1e-6, x < 0 && x > -87 ? expf(x) * 1e37f : 0.0f);
  log.all_near("expf_denormal", 1e-6, x < -87 && x > -200 ? expf(x) * 1e30f * 1e15f : 0.0f);
  log.all_near("exp2f", 1e-6, exp2f(x));
  log.all("exp2f_denormal", x <= -126.0f && x > -160 ? exp2f(x) : 0.0f);
  log.all_near("exp10f", 1e-6, exp10f(x));
  log.all_near("expm1f", 1e-6, expm1f(x));
  log.all_near("sinhf", 1e-6, sinhf(x));
  log.all_near("coshf", 1e-6, coshf(x));
  log.all_near("sinf_huge", 1e-6, sinf(x));
  log.all_near("cosf_huge", 1e-6, cosf(x));
  log.all_near("tanf_huge", 1e-5, tanf(x));
  log.all("tanhf_large", x > 9 ? tanhf(x) : 0.0f);
  log.all("sinpif", sinpif(x * 0.5f) == sinpif(x * 0.5f) ? (fabsf(x) >= 1e5f ? sinpif(x) : 0.0f) : -1.0f);
  log.all("erff_large", x > 4 ? erff(x) : 0.0f);
  log.all_near("erfcf_scaled", 1e-5, x > 9 && x < 10.06f ? erfcf(x) * 1e36f * 1e6f : 0.0f);
  log.all_near("lgammaf_large", 1e-6, x > 0 ? lgammaf(x) : 0.0f);
  log.all_near("tgammaf_large", 5e-6, x > 0 ? tgammaf(x) : 0.0f);
  log.all_near("powf_overflow", 1e-6, powf(10.0f, x * 0.4f));
  log.all_near("powf_tiny_base", 1e-6, powf(1e-40f, 0.25f + x * 1e-40f));
  log.all_near("cbrtf", 1e-6, cbrtf(x));
  log.all_near("hypotf_large", 1e-6, hypotf(x, 3e38f));
  log.all_near("rsqrtf", 1e-6, rsqrtf(fabsf(x) * 1e-42f) * 1e-19f);
  log.all_near("log1pf_tiny", 1e-6, log1pf(x * 1e-38f) * 1e37f);
  log.all_near("logf_denormal", 1e-6, logf(fabsf(x) * 1e-42f));
  log.all_near("log2f_near_1", 1e-6, log2f(1.0f + x * 1e-40f) + log2f(1.0000001f) * 1e7f);
  log.all("fmodf", fmodf(x, 0.37f));
  log.all("remainderf", remainderf(x, 0.37f));
  log.all("sqrtf_denormal", sqrtf(fabsf(x) * 1e-43f));
  log.all("round_tie", roundf(x * 0.5f) + rintf(x * 0.25f));
}

__device__ const double wide_edges[24] = {709.7, 709.782712893384, 709.79, 710.5, -708.3, -708.4, -744.4, -745.13, -745.2, 1023.9, 1024.0, -1022.0, -1074.0, -1074.5, -1075.0, 308.2,
                                          308.26, -323.3, 1e10, 1e22, 1e300, 1.7e308, 26.5, 170.6};

__global__ void doubles(Log log) {
  const double x = wide_edges[threadIdx.x];
  log.all_near("exp", 1e-15, exp(x));
  log.all_near("exp_denormal", 1e-12, x < -708 && x > -745.2 ? exp(x) * 1e300 * 1e15 : 0.0);
  log.all_near("exp2", 1e-15, exp2(x));
  log.all("exp2_denormal", x <= -1022 ? exp2(x) : 0.0);
  log.all_near("exp10", 2e-15, exp10(x));
  log.all_near("sinh", 2e-15, sinh(x));
  log.all_near("sin_huge", 1e-15, sin(x));
  log.all_near("cos_huge", 1e-15, cos(x));
  log.all_near("tan_huge", 1e-13, tan(x));
  log.all_near("lgamma_large", 2e-15, x > 0 ? lgamma(x) : 0.0);
  log.all_near("tgamma_large", 1e-14, x > 0 ? tgamma(x) : 0.0);
  log.all_near("erfc_scaled", 1e-13, x == 26.5 ? erfc(x) * 1e300 * 1e7 : 0.0);
  log.all_near("pow_overflow", 1e-14, pow(10.0, x));
  log.all("fmod", fmod(x, 0.37));
  log.all("remainder", remainder(x, 0.37));
  log.all("float_overflow", float(x));
}

int main() {
  Log log = answers::new_log();
  singles<<<1, 32>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  doubles<<<1, 24>>>(log);
  answers::print_log(log);
}

// Arithmetic intrinsics with stated rounding, contraction of products and sums, denormal numbers, NaN of operations.
#include <cmath>

#include "device/log.h"

using answers::Log;
using answers::opaque;

__device__ const double numbers[32] = {0.0, -0.0, 1.0, -1.0, 1.0 / 3, -2.0 / 3, 1.1, 3.14159265358979, 1e-40, -1e-45, 1.17549435e-38,
                                       3.4028234e38, -3.4028234e38, INFINITY, -INFINITY, NAN, 1e10, -1e10, 1e-10, 0.1,
                                       16777215, 16777216, 1.0000001, 0.99999994, 7, 1e20, 1e-20, 2e-38, 5e-324, 1e308, 2.2250738585072014e-308, 123456.789};

#define MODES2(f) \
  log.all(#f "_rn", f##_rn(a, b)); \
  log.all(#f "_rz", f##_rz(a, b)); \
  log.all(#f "_ru", f##_ru(a, b)); \
  log.all(#f "_rd", f##_rd(a, b));
#define MODES1(f) \
  log.all(#f "_rn", f##_rn(a)); \
  log.all(#f "_rz", f##_rz(a)); \
  log.all(#f "_ru", f##_ru(a)); \
  log.all(#f "_rd", f##_rd(a));
#define MODES3(f) \
  log.all(#f "_rn", f##_rn(a, b, c)); \
  log.all(#f "_rz", f##_rz(a, b, c)); \
  log.all(#f "_ru", f##_ru(a, b, c)); \
  log.all(#f "_rd", f##_rd(a, b, c));

__global__ void singles(Log log) {
  const int t = threadIdx.x;
  const float a = float(numbers[t]), b = float(numbers[(t * 7 + 4) % 32]), c = float(numbers[(t * 3 + 16) % 32]);
  MODES2(__fadd) MODES2(__fsub) MODES2(__fmul) MODES2(__fdiv)
  MODES3(__fmaf) MODES1(__frcp) MODES1(__fsqrt)
  log.all("a+b", a + b);
  log.all("a-b", a - b);
  log.all("a*b", a * b);
  log.all("a/b", a / b);
  log.all("sqrtf", sqrtf(a));
  log.all("1/a", 1.0f / a);
  log.all("fmaf", fmaf(a, b, c));
  log.all("fmaf_negated", fmaf(-a, b, -c));
  log.all("saturate", __saturatef(a));
  log.all("fdim", fdimf(a, b));
  log.all("fmod", fmodf(a, b));
  log.all("remainder", remainderf(a, b));
  log.all_near("fdividef", 3e-7, fabsf(b) < 1e30f && fabsf(b) > 1e-30f ? __fdividef(a, b) : 0.0f);
  log.all_near("frsqrt_rn", 1e-7, a > 1e-30f ? __frsqrt_rn(a) : 0.0f);
}

__global__ void doubles(Log log) {
  const int t = threadIdx.x;
  const double a = numbers[t], b = numbers[(t * 7 + 4) % 32], c = numbers[(t * 3 + 16) % 32];
  MODES2(__dadd) MODES2(__dsub) MODES2(__dmul) MODES2(__ddiv)
  log.all("__fma_rn", __fma_rn(a, b, c));
  log.all("__fma_rz", __fma_rz(a, b, c));
  log.all("__fma_ru", __fma_ru(a, b, c));
  log.all("__fma_rd", __fma_rd(a, b, c));
  MODES1(__drcp) MODES1(__dsqrt)
  log.all("double_a/b", a / b);
  log.all("sqrt", sqrt(a));
  log.all("fma", fma(a, b, c));
  log.all("fmod_double", fmod(a, b));
  log.all("remainder_double", remainder(a, b));
}

// The intrinsics that round are never contracted; plain expressions are (-fmad=true).
__global__ void contraction(Log log) {
  const float e = opaque(1.0f + 1.0f / 4096);
  const double d = opaque(1.0 + 1.0 / 134217728);
  log.one("e*e-1-x", e * e - opaque(1.00048828125f));
  log.one("mul_then_add", __fadd_rn(__fmul_rn(e, e), opaque(-1.00048828125f)));
  log.one("d*d-x", d * d - opaque(1.0000000149011612));
  log.one("dmul_then_dadd", __dadd_rn(__dmul_rn(d, d), -opaque(1.0000000149011612)));
  const float product = e * e;
  log.one("through_variable", product - opaque(1.00048828125f));
  float sum = opaque(-1.00048828125f);
  sum += e * e;
  log.one("compound", sum);
  log.one("negated", opaque(1.00048828125f) - e * e);
  log.one("mul_intrinsic_plus", __fmul_rn(e, e) + opaque(-1.00048828125f));
  log.one("two_products", e * e - opaque(1.00048828125f) * opaque(1.0f));
}

__global__ void bits_of_results(Log log) {
  const float zero = opaque(0.0f), infinity = opaque(float(INFINITY)), payload = __uint_as_float(opaque(0xffc12345u));
  const float signaling = __uint_as_float(opaque(0x7f812345u));
  const double dzero = opaque(0.0), dinfinity = opaque(double(INFINITY));
  log.one_bits("nan_0/0", __float_as_uint(zero / zero));
  log.one_bits("nan_inf-inf", __float_as_uint(infinity - infinity));
  log.one_bits("nan_0*inf", __float_as_uint(zero * infinity));
  log.one_bits("nan_sqrt", __float_as_uint(sqrtf(opaque(-1.0f))));
  log.one_bits("nan_log", __float_as_uint(logf(opaque(-1.0f))));
  log.one_bits("nan_payload+1", __float_as_uint(payload + 1.0f));
  log.one_bits("nan_payload*1", __float_as_uint(payload * opaque(1.0f)));
  log.one_bits("nan_signaling+0", __float_as_uint(signaling + opaque(0.0f)));
  log.one_bits("nan_negated", __float_as_uint(-payload));
  log.one_bits("nan_fabs", __float_as_uint(fabsf(payload)));
  log.one_bits("nan_moved", __float_as_uint(signaling));
  log.one_bits("nan_fmax", __float_as_uint(fmaxf(payload, payload)));
  log.one_bits("nan_double_0/0", __double_as_longlong(dzero / dzero));
  log.one_bits("nan_double_inf-inf", __double_as_longlong(dinfinity - dinfinity));
  log.one_bits("nan_double_sqrt", __double_as_longlong(sqrt(opaque(-1.0))));
  log.one_bits("nan_float>double", __double_as_longlong(double(payload)));
  log.one_bits("nan_double>float", __float_as_uint(float(__longlong_as_double(opaque(0x7ff8123456789abcll)))));
  log.one_bits("nanf_text", __float_as_uint(nanf("5")));
  log.one_bits("nan_text", __double_as_longlong(nan("0x123")));
  log.one_bits("NAN", __float_as_uint(NAN));
  log.one_bits("nan_float_of_NAN", __float_as_uint(opaque(float(NAN))));
  log.one_bits("denormal_sum", __float_as_uint(opaque(1e-45f) + opaque(1e-45f)));
  log.one_bits("denormal_product", __float_as_uint(opaque(1e-30f) * opaque(1e-12f)));
  log.one_bits("denormal_quotient", __float_as_uint(opaque(1e-38f) / opaque(100.0f)));
}

int main() {
  Log log = answers::new_log();
  singles<<<1, 32>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  doubles<<<1, 32>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  contraction<<<1, 1>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  bits_of_results<<<1, 1>>>(log);
  answers::print_log(log);
}

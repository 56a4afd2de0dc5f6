// nvcc: --expt-relaxed-constexpr
// Overloads of math functions in device code: pow, abs, min, max of mixed types, their result types; complex numbers; cuda::std.
#include <cuComplex.h>

#include <cmath>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <thrust/complex.h>

#include "device/log.h"

using answers::Log;
using answers::opaque;

#define TYPE(name, expression) log.one(name ":size", int(sizeof(expression)) * 10 + int(std::is_floating_point<decltype(expression)>::value) + 2 * int(std::is_unsigned<decltype(expression)>::value));

__global__ void functions(Log log) {
  const int i = opaque(-7), k = opaque(3);
  const unsigned u = opaque(4000000000u);
  const long long w = opaque(-9000000000ll);
  const float f = opaque(-2.5f);
  const double d = opaque(-1.75);
#define V(name, expression) log.one(name, expression); TYPE(name, expression)
  V("pow(int,int)", pow(i, k)) V("pow(float,int)", pow(f, k)) V("pow(double,int)", pow(d, k)) V("pow(0,0)", pow(opaque(0), 0)) V("pow(float,float)", pow(-f, 2.0f))
  V("pow(2,10)", pow(opaque(2), 10)) V("pow(int,double)", pow(k, 2.0)) V("pow(float,double)", pow(-f, 2.0))
  V("abs(int)", abs(i)) V("abs(float)", abs(f)) V("abs(double)", abs(d)) V("abs(int64)", abs(w)) V("abs(long)", abs(long(w)))
  V("fabs(float)", fabs(f)) V("fabs(int)", fabs(double(i)))
  V("min(int,int)", min(i, k)) V("min(int,unsigned)", min(i, u)) V("max(unsigned,int)", max(u, i)) V("max(float,double)", max(f, d)) V("min(double,float)", min(d, f))
  V("max(int64,int)", max(w, (long long)i)) V("min(ulong,ulong)", min((unsigned long)u, (unsigned long)5)) V("max(long,ulong)", max(long(w), (unsigned long)5))
  V("min(float,float)", min(f, 1.0f))
  V("sqrt(int)", sqrt(double(k))) V("sqrt(float)", sqrt(-f)) V("exp(0)", exp(opaque(0.0f))) V("floor(float)", floor(f)) V("ceil(double)", ceil(d)) V("round(float)", round(f))
  V("std::abs(float)", std::abs(f)) V("std::abs(int)", std::abs(i)) V("std::pow(int,int)", std::pow(i, k)) V("std::sqrt(float)", std::sqrt(-f)) V("std::floor(int)", std::floor(i))
  V("std::max", std::max(i, k)) V("std::min", std::min(d, 0.0)) V("fmod(float)", fmod(f, 2.0f)) V("ldexp(float)", ldexp(f, 3)) V("copysign(float)", copysign(1.0f, f))
  V("isnan(float)", int(isnan(f / f * NAN))) V("isinf(double)", int(isinf(d * INFINITY))) V("signbit(float)", int(signbit(f)))
  V("trunc(float)", trunc(f)) V("fma(float)", fma(f, f, f)) V("hypot(float)", hypot(3.0f, opaque(4.0f))) V("log2(float)", log2(opaque(8.0f))) V("exp2(float)", exp2(opaque(3.0f)))
  V("std::isfinite", int(std::isfinite(f))) V("std::fmax(float,double)", std::fmax(f, d)) V("rsqrt(float)", rsqrt(opaque(4.0f))) V("cbrt", cbrt(opaque(27.0)))
  V("char+char", char(i) + char(k)) V("float*int", f * k) V("int/float", i / f) V("unsigned-int", u - i) V("bool+bool", true + true)
  V("ternary", k > 2 ? f : d) V("umul", u * u) V("integer_promotion", (unsigned char)(200) + (unsigned char)(100))
}

template <class C>
__device__ double log_real(C a) {
  const C result = log(a);
  return result.real() * 100 + result.imag();
}

template <class C>
__device__ void numbers(Log& log, const char* const (&names)[12], C a, C b, double tolerance) {
  log.one_near(names[0], tolerance, (a * b).real() * 100 + (a * b).imag());
  log.one_near(names[1], tolerance, (a / b).real() * 100 + (a / b).imag());
  log.one_near(names[2], tolerance, abs(a));
  log.one_near(names[3], tolerance, arg(b));
  log.one_near(names[4], tolerance, norm(a));
  log.one_near(names[5], tolerance, exp(a).real() * 100 + exp(a).imag());
  log.one_near(names[6], tolerance, log_real(a));
  log.one_near(names[7], tolerance, sqrt(b).real() * 100 + sqrt(b).imag());
  log.one_near(names[8], tolerance, sin(a).real() * 100 + sin(a).imag());
  log.one_near(names[9], tolerance, tanh(b).real() * 100 + tanh(b).imag());
  log.one_near(names[10], tolerance, pow(a, b).real() * 100 + pow(a, b).imag());
  log.one_near(names[11], tolerance, conj(a).imag() + (a == b) + (a != b) * 2 + (a + b - a).real());
}
#define COMPLEX(n) {n "*", n "/", n ".abs", n ".arg", n ".norm", n ".exp", n ".log", n ".sqrt", n ".sin", n ".tanh", n ".pow", n ".other"}

__global__ void complex_numbers(Log log) {
  const char* const thrust_float[12] = COMPLEX("thrust_float");
  const char* const thrust_double[12] = COMPLEX("thrust_double");
  const char* const std_float[12] = COMPLEX("std_float");
  const char* const std_double[12] = COMPLEX("std_double");
  numbers(log, thrust_float, thrust::complex<float>(opaque(1.25f), -0.5f), thrust::complex<float>(-2.0f, opaque(0.75f)), 2e-6);
  numbers(log, thrust_double, thrust::complex<double>(opaque(1.25), -0.5), thrust::complex<double>(-2.0, opaque(0.75)), 1e-14);
  numbers(log, std_float, cuda::std::complex<float>(opaque(1.25f), -0.5f), cuda::std::complex<float>(-2.0f, opaque(0.75f)), 2e-6);
  numbers(log, std_double, cuda::std::complex<double>(opaque(1.25), -0.5), cuda::std::complex<double>(-2.0, opaque(0.75)), 1e-14);
  const cuFloatComplex x = make_cuFloatComplex(opaque(3.0f), -4.0f), y = make_cuFloatComplex(0.5f, opaque(2.0f));
  log.one("cuCabsf", cuCabsf(x));
  log.one("cuCmulf", cuCmulf(x, y).x + cuCmulf(x, y).y * 100);
  log.one_near("cuCdivf", 1e-6, cuCdivf(x, y).x + cuCdivf(x, y).y * 100);
  log.one("cuCfmaf", cuCfmaf(x, y, x).x + cuCrealf(cuConjf(y)));
  log.one("cuCadd", cuCadd(make_cuDoubleComplex(1, 2), cuComplexFloatToDouble(x)).y);
  const float infinity = opaque(float(INFINITY));
  const thrust::complex<float> large(infinity, 1.0f), zero(0.0f, 0.0f), one(1.0f, 2.0f);
  log.one("thrust_inf*", (large * one).real());
  log.one("thrust/zero", (one / zero).real());
  log.one("thrust_abs_inf", abs(thrust::complex<float>(float(NAN), infinity)));
  const cuda::std::complex<float> large2(infinity, 1.0f), zero2(0.0f, 0.0f), one2(1.0f, 2.0f);
  log.one("std_inf*", (large2 * one2).real());
  log.one("std/zero", (one2 / zero2).real());
  log.one("polar", cuda::std::polar(2.0, 0.0).real() + thrust::polar(2.0f, 0.0f).real());
}

__global__ void library(Log log) {
  cuda::std::array<int, 4> a = {4, 3, 2, 1};
  log.one("array", a[1] + a.back() * 10 + int(a.size()) * 100);
  auto tuple = cuda::std::make_tuple(1, 2.5f, 'c');
  log.one("tuple", cuda::std::get<1>(tuple) + cuda::std::get<0>(tuple));
  auto [first, second] = cuda::std::make_pair(3, 4);
  log.one("pair", first * 10 + second);
  log.one("limits", cuda::std::numeric_limits<int>::max());
  log.one("limits_float", cuda::std::numeric_limits<float>::lowest());
  log.one("epsilon", cuda::std::numeric_limits<double>::epsilon());
  log.one("same", int(cuda::std::is_same<cuda::std::remove_reference_t<int&>, int>::value));
  int x = 1, y = 2;
  cuda::std::swap(x, y);
  log.one("swap", x * 10 + y);
  log.one("std_limits", std::numeric_limits<unsigned>::max());
}

int main() {
  void (*const kernels[])(Log) = {functions, complex_numbers, library};
  for (auto kernel : kernels) {
    Log log = answers::new_log();
    kernel<<<1, 1>>>(log);
    answers::print_log(log);
  }
}

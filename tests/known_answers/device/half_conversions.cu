// Conversions of half and bfloat16: from and to float, double and all integer types, all rounding modes, all special values.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "device/log.h"

using answers::Log;

__device__ const double numbers[56] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.1, 1.0 / 3, -2.0 / 3, 1e-8, -1e-8, 2.9802322e-8, 2.98023224e-8, 2.99e-8,
    5.96e-8, 8.94e-8, 6.1e-5, 6.0975e-5, 1e-40, -1e-40, 1e-45, 65503.0, 65504.0, 65519.0, 65519.996, 65520.0, -65520.0, 70000.0, 1e30,
    3.3895e38, 3.39e38, 3.4e38, -3.4e38, INFINITY, -INFINITY, NAN, 2049.0, 2051.0, -2049.0, 257.0, 259.0, 1.00048828125, 1.0004882813,
    1.00390625, 1.0039063, 1.01171875, 127.5, 128.5, 255.5, 300.0, -300.0, 40000.0};

__device__ unsigned bits(__half h) { return __hisnan(h) ? 0x7fffu : unsigned(__half_as_ushort(h)); }
__device__ unsigned bits(__nv_bfloat16 h) { return __hisnan(h) ? 0x7fffu : unsigned(__bfloat16_as_ushort(h)); }

#define FROM(f, x) log.all_bits(#f, bits(f(x)));
#define FROM4(f, x) FROM(f##_rn, x) FROM(f##_rz, x) FROM(f##_ru, x) FROM(f##_rd, x)
#define TO4(f) log.all(#f "_rn", f##_rn(x)); log.all(#f "_rz", f##_rz(x)); log.all(#f "_ru", f##_ru(x)); log.all(#f "_rd", f##_rd(x));

__global__ void from_numbers(Log log) {
  const float x = float(numbers[threadIdx.x]);
  const double d = numbers[threadIdx.x];
  FROM(__float2half, x) FROM4(__float2half, x) FROM(__double2half, d)
  FROM(__float2bfloat16, x) FROM4(__float2bfloat16, x) FROM(__double2bfloat16, d)
  log.all_bits("half(float)", bits(__half(x)));
  log.all_bits("half(double)", bits(__half(d)));
  log.all_bits("bfloat16(float)", bits(__nv_bfloat16(x)));
  log.all_bits("bfloat16(double)", bits(__nv_bfloat16(d)));
  const __half2 pair = __floats2half2_rn(x, -x);
  log.all_bits("__floats2half2_rn", bits(__low2half(pair)) << 16 | bits(__high2half(pair)));
  const __half2 same = __float2half2_rn(x);
  log.all_bits("__float2half2_rn", bits(__low2half(same)) << 16 | bits(__high2half(same)));
  const __half2 from2 = __float22half2_rn(make_float2(x, x * 0.5f));
  log.all_bits("__float22half2_rn", bits(__low2half(from2)) << 16 | bits(__high2half(from2)));
  const __nv_bfloat162 brain = __floats2bfloat162_rn(x, -x);
  log.all_bits("__floats2bfloat162_rn", bits(__low2bfloat16(brain)) << 16 | bits(__high2bfloat16(brain)));
  log.all_bits("raw_nan_half", __half_as_ushort(__float2half(NAN)));
  log.all_bits("raw_nan_bfloat16", __bfloat16_as_ushort(__float2bfloat16(NAN)));
}

__global__ void half_to_integers(Log log) {
  const __half x = __float2half(float(numbers[threadIdx.x]));
  TO4(__half2int) TO4(__half2uint) TO4(__half2short) TO4(__half2ushort) TO4(__half2ll) TO4(__half2ull)
  log.all("__half2char_rz", int(__half2char_rz(x)));
  log.all("__half2uchar_rz", int(__half2uchar_rz(x)));
  log.all("half>int", int(x));
  log.all("half>short", short(x));
  log.all("half>char", (signed char)(x));
  log.all("half>uchar", (unsigned char)(x));
  log.all("half>ushort", (unsigned short)(x));
  log.all("half>uint", unsigned(x));
  log.all("half>int64", (long long)(x));
  log.all("half>uint64", (unsigned long long)(x));
  log.all("half>float", float(x));
}

__global__ void bfloat16_to_integers(Log log) {
  const __nv_bfloat16 x = __float2bfloat16(float(numbers[threadIdx.x]));
  TO4(__bfloat162int) TO4(__bfloat162uint) TO4(__bfloat162short) TO4(__bfloat162ushort) TO4(__bfloat162ll) TO4(__bfloat162ull)
  log.all("__bfloat162char_rz", int(__bfloat162char_rz(x)));
  log.all("__bfloat162uchar_rz", int(__bfloat162uchar_rz(x)));
  log.all("bfloat16>int", int(x));
  log.all("bfloat16>short", short(x));
  log.all("bfloat16>char", (signed char)(x));
  log.all("bfloat16>uchar", (unsigned char)(x));
  log.all("bfloat16>uint64", (unsigned long long)(x));
  log.all("bfloat16>float", float(x));
}

__device__ const long long integers[32] = {0, 1, -1, 2047, 2048, 2049, 2050, 2051, 4098, 4099, 4100, 4102, 65503, 65504, 65519, 65520, 65535, -65520,
                                           100000, 257, 258, 259, 511, 513, 2147483647, -2147483648ll, 4294967295ll, 16711680, 9223372036854775807ll,
                                           -9223372036854775807ll - 1, 32767, -32768};

__global__ void from_integers(Log log) {
  const long long n = integers[threadIdx.x];
  FROM4(__int2half, int(n)) FROM4(__uint2half, unsigned(n)) FROM4(__short2half, short(n)) FROM4(__ushort2half, (unsigned short)(n))
  FROM4(__ll2half, n) FROM4(__ull2half, (unsigned long long)(n))
  FROM4(__int2bfloat16, int(n)) FROM4(__uint2bfloat16, unsigned(n)) FROM4(__short2bfloat16, short(n)) FROM4(__ushort2bfloat16, (unsigned short)(n))
  FROM4(__ll2bfloat16, n) FROM4(__ull2bfloat16, (unsigned long long)(n))
  log.all_bits("half(int)", bits(__half(int(n))));
  log.all_bits("half(int64)", bits(__half(n)));
  log.all_bits("half(ushort)", bits(__half((unsigned short)(n))));
  log.all_bits("bfloat16(int)", bits(__nv_bfloat16(int(n))));
}

int main() {
  Log log = answers::new_log();
  from_numbers<<<1, 56>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  half_to_integers<<<1, 56>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  bfloat16_to_integers<<<1, 56>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  from_integers<<<1, 32>>>(log);
  answers::print_log(log);
}

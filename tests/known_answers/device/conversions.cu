// Conversions between floating-point numbers and integers: C++ casts and intrinsics with all rounding modes, also of
// numbers out of range, infinities and NaN.
#include <cmath>

#include "device/log.h"

using answers::Log;
using answers::opaque;

__device__ const double numbers[48] = {
    0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, -0.49999997, 0.9999, -0.9999, 1e-40, -1e-40,
    127.5, 128.0, -128.5, -129.0, 255.5, 256.0, 32767.5, 32768.0, -32768.5, -32769.0, 65535.5, 65536.0,
    2147483520.0, 2147483647.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967040.0, 4294967295.0, 4294967296.0,
    8388607.5, 16777217.0, 9.2233720368547748e18, 9.2233720368547758e18, -9.2233720368547758e18, -9.3e18,
    1.8446744073709550e19, 1.8446744073709552e19, 1e30, -1e30, INFINITY, -INFINITY, NAN, 1e300};

template <class F>
__device__ void casts(Log& log, const char* const (&names)[11], F x) {
  log.all(names[0], (signed char)(x));
  log.all(names[1], (unsigned char)(x));
  log.all(names[2], (short)(x));
  log.all(names[3], (unsigned short)(x));
  log.all(names[4], (int)(x));
  log.all(names[5], (unsigned)(x));
  log.all(names[6], (long long)(x));
  log.all(names[7], (unsigned long long)(x));
  log.all(names[8], int(bool(x)));
  log.all(names[9], (char)(x));
  log.all(names[10], (unsigned)(int)(x));
}

#define MODES(f) \
  log.all(#f "_rn", f##_rn(x)); \
  log.all(#f "_rz", f##_rz(x)); \
  log.all(#f "_ru", f##_ru(x)); \
  log.all(#f "_rd", f##_rd(x));

__global__ void float_to_integer(Log log) {
  const float x = float(numbers[threadIdx.x]);
  const char* const names[11] = {"float>char", "float>uchar", "float>short", "float>ushort", "float>int", "float>uint",
                                 "float>int64", "float>uint64", "float>bool", "float>plain_char", "float>int>uint"};
  casts(log, names, x);
  MODES(__float2int) MODES(__float2uint) MODES(__float2ll) MODES(__float2ull)
  log.all("lrintf", lrintf(x));
  log.all("llrintf", llrintf(x));
  log.all("lroundf", lroundf(x));
  log.all("llroundf", llroundf(x));
  log.all("ilogbf", ilogbf(x));
}

__global__ void double_to_integer(Log log) {
  const double x = numbers[threadIdx.x];
  const char* const names[11] = {"double>char", "double>uchar", "double>short", "double>ushort", "double>int", "double>uint",
                                 "double>int64", "double>uint64", "double>bool", "double>plain_char", "double>int>uint"};
  casts(log, names, x);
  MODES(__double2int) MODES(__double2uint) MODES(__double2ll) MODES(__double2ull)
  MODES(__double2float)
  log.all("double>float", float(x));
  log.all("lrint", lrint(x));
  log.all("llrint", llrint(x));
  log.all("lround", lround(x));
  log.all("llround", llround(x));
  log.all("ilogb", ilogb(x));
}

__device__ const long long integers[32] = {
    0, 1, -1, 16777216, 16777217, 16777218, 16777219, -16777217, 33554431, 33554433, 2147483647, -2147483648ll,
    4294967295ll, 2147483583, 2147483584, 2147483585, 9007199254740992, 9007199254740993, 9007199254740995,
    -9007199254740993, 9223372036854775807ll, -9223372036854775807ll - 1, 9223372036854775295ll, 9223372036854775296ll,
    9223371487098961919ll, 9223371761976868863ll, 1234567890123456789ll, -1234567890123456789ll, 123456789, 987654321, 99, 1ll << 40};

__global__ void integer_to_float(Log log) {
  {
    const long long x = integers[threadIdx.x];
    MODES(__ll2float) MODES(__ll2double)
    log.all("int64>float", float(x));
    log.all("int64>double", double(x));
  }
  {
    const unsigned long long x = integers[threadIdx.x];
    MODES(__ull2float) MODES(__ull2double)
    log.all("uint64>float", float(x));
    log.all("uint64>double", double(x));
  }
  {
    const int x = int(integers[threadIdx.x]);
    MODES(__int2float)
    log.all("__int2double_rn", __int2double_rn(x));
    log.all("int>float", float(x));
  }
  {
    const unsigned x = unsigned(integers[threadIdx.x]);
    MODES(__uint2float)
    log.all("__uint2double_rn", __uint2double_rn(x));
    log.all("uint>float", float(x));
  }
}

// Casts of numbers that the compiler knows: it must give what the device gives.
__global__ void constants(Log log) {
  log.one("const300>uchar", (unsigned char)(300.0f));
  log.one("const-1>uint", (unsigned)(-1.0f));
  log.one("const-1.5>uint64", (unsigned long long)(-1.5));
  log.one("const1e10>int", (int)(1e10f));
  log.one("constnan>int", (int)(float(NAN)));
  log.one("constnan>int64", (long long)(double(NAN)));
  log.one("const-129>char", int((signed char)(-129.0f)));
  log.one("const70000>short", int((short)(70000.0f)));
}

int main() {
  Log log = answers::new_log();
  float_to_integer<<<1, 48>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  double_to_integer<<<1, 48>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  integer_to_float<<<1, 32>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  constants<<<1, 1>>>(log);
  answers::print_log(log);
}

// Integer division in device code: by zero, of the smallest number by -1, signs, all widths; also by constants.
#include "device/log.h"

using answers::Log;
using answers::opaque;

template <class T>
__device__ void divide(Log& log, const char* quotient, const char* remainder, T a, T b) {
  a = opaque(a);
  b = opaque(b);
  log.all(quotient, T(a / b));
  log.all(remainder, T(a % b));
}

__device__ const long long numerators[16] = {0, 1, -1, 7, -7, 100, 2147483647, -2147483648ll, 127, -128, 32767, -32768,
                                             9223372036854775807ll, -9223372036854775807ll - 1, 4294967296ll, 12345678901234ll};

__global__ void divisions(Log log) {
  const long long n = numerators[threadIdx.x];
  divide<int>(log, "int/0", "int%0", int(n), 0);
  divide<unsigned>(log, "unsigned/0", "unsigned%0", unsigned(n), 0);
  divide<short>(log, "short/0", "short%0", short(n), 0);
  divide<unsigned short>(log, "ushort/0", "ushort%0", (unsigned short)(n), 0);
  divide<signed char>(log, "char/0", "char%0", (signed char)(n), 0);
  divide<unsigned char>(log, "uchar/0", "uchar%0", (unsigned char)(n), 0);
  divide<long long>(log, "int64/0", "int64%0", n, 0);
  divide<unsigned long long>(log, "uint64/0", "uint64%0", n, 0);
  divide<int>(log, "int/-1", "int%-1", int(n), -1);
  divide<short>(log, "short/-1", "short%-1", short(n), -1);
  divide<signed char>(log, "char/-1", "char%-1", (signed char)(n), -1);
  divide<long long>(log, "int64/-1", "int64%-1", n, -1);
  divide<int>(log, "int/3", "int%3", int(n), 3);
  divide<int>(log, "int/-3", "int%-3", int(n), -3);
  divide<long long>(log, "int64/1000000007", "int64%1000000007", n, 1000000007ll);
  divide<unsigned long long>(log, "uint64/-3", "uint64%-3", n, (unsigned long long)-3);
  divide<int>(log, "int/min", "int%min", int(n), -2147483647 - 1);
  divide<long long>(log, "int64/min", "int64%min", n, -9223372036854775807ll - 1);
  const int m = int(n);
  log.all("int/const10", m / 10);
  log.all("int%const10", m % 10);
  log.all("int/const-8", m / -8);
  log.all("int%const8", m % 8);
  log.all("unsigned/const7", unsigned(m) / 7u);
}

// A shift and a division by a value known only in the kernel's loop, as grid-stride code has it.
__global__ void overflow(Log log) {
  const int n = int(numerators[threadIdx.x]);
  log.all("int+", int(unsigned(n) + 2147483647u));
  log.all("int*", int(unsigned(n) * 2654435761u));
  log.all("narrow_char", int((signed char)n));
  log.all("narrow_short", int(short(n)));
  log.all("bool", int(bool(n)));
  log.all("promote", int((unsigned char)n) + int((signed char)n));
  log.all("compare_mixed", int(unsigned(n) > 5u) + 2 * int(n > 5));
  log.all("int64_times", (long long)n * n);
  log.all("char_is_signed", int(char(n)) < 0);
}

int main() {
  Log log = answers::new_log();
  divisions<<<1, 16>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  overflow<<<1, 16>>>(log);
  answers::print_log(log);
}

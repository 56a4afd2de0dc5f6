// Functions of a program with the names of functions that half's implementation calls.
// Argument-dependent lookup finds them, because both types are in the global namespace.
template <class T>
T maximum(T, T) = delete;
template <class T>
T minimum(T, T) = delete;
template <class T>
float widen(T) = delete;
template <class T>
int bits_of(T) = delete;

#include "kernel_test.h"

#include <simt_bf16.h>
#include <simt_fp16.h>

namespace {

TEST_CASE("16-bit floats do not call a program's functions of the same names") {
  const __half two = __float2half(2);
  const __half three = __float2half(3);
  CHECK_EQ(__half2float(__hmax(two, three)), 3);
  CHECK_EQ(__half2float(__hmin(two, three)), 2);
  CHECK_EQ(__half2float(__hmax_nan(two, three)), 3);
  CHECK_EQ(__half2float(__hfma(two, three, two)), 8);
  CHECK_EQ(__half2float(__hadd_sat(two, three)), 1);
  CHECK_EQ(__half2float(__hneg(two)), -2);
  const __nv_bfloat16 four = __float2bfloat16(4);
  CHECK_EQ(__bfloat162float(__hmin_nan(four, __float2bfloat16(5))), 4);
  CHECK_EQ(__bfloat162float(__habs(__hneg(four))), 4);
}

}  // namespace

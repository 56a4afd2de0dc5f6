// Integer divisions that fault on the host and not on a GPU. PTX ISA, `div` and `rem`: a division by zero has an
// unspecified result; the tests expect the known results of NVIDIA's GPUs (pytorch/pytorch issues 48130 and 135330).
#include "kernel_test.h"

#include <cstdint>
#include <limits>

namespace {

template <class T>
struct Fraction {
  T dividend, divisor, before, quotient, remainder, after;
};

/// The divisor is in a register, in memory addressed by an index, and on the stack. The
/// neighbouring memory must be unchanged.
template <class T>
__global__ void divide(Fraction<T>* fractions, int step) {
  Fraction<T>& one = fractions[threadIdx.x * step];
  volatile T local = one.divisor;
  const T dividend = one.dividend;
  one.before = dividend;
  one.quotient = static_cast<T>(dividend / one.divisor);
  one.remainder = static_cast<T>(dividend % fractions[threadIdx.x * step].divisor);
  if (static_cast<T>(dividend / local) != one.quotient) one.quotient = 77;
  one.after = dividend;
}

/// Divides by the one-byte instruction, in assembly, because compilers do not choose this
/// instruction for C++.
__global__ void divide_bytes(const unsigned char* given, unsigned char* results) {
#if defined(__x86_64__)
  unsigned short both = given[0];
  asm volatile("divb %1" : "+a"(both) : "q"(given[1]) : "cc");
  results[0] = static_cast<unsigned char>(both);
  results[1] = static_cast<unsigned char>(both >> 8);
  both = given[0];
  asm volatile("divb %1" : "+a"(both) : "m"(given[1]) : "cc");
  results[2] = static_cast<unsigned char>(both);
  results[3] = static_cast<unsigned char>(both >> 8);
#else
  for (int i = 0; i < 4; ++i) results[i] = 255;
#endif
}

TEST_CASE_TEMPLATE("a division by zero raises no signal", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                   std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
  const T ones = sizeof(T) == 8 ? static_cast<T>(0xffffffff) : static_cast<T>(-1);
  std::vector<Fraction<T>> fractions(64);
  for (int i = 0; i < 64; ++i) {
    fractions[i] = {static_cast<T>(i + 5), static_cast<T>(i % 2 == 0 ? 0 : 3)};
  }
  const DeviceArray<Fraction<T>> device(fractions);
  SIMT_LAUNCH((divide<T>), (1), (32), (0), (0), device.data(), 2);
  REQUIRE_FINISHED();
  SIMT_LAUNCH((divide<T>), (1), (32), (0), (0), device.data() + 1, 2);
  REQUIRE_FINISHED();
  const auto found = device.values();
  for (int i = 0; i < 64; ++i) {
    const T dividend = static_cast<T>(i + 5);
    CHECK_EQ(found[i].quotient, i % 2 == 0 ? ones : static_cast<T>(dividend / 3));
    CHECK_EQ(found[i].remainder, i % 2 == 0 ? ones : static_cast<T>(dividend % 3));
    CHECK_EQ(found[i].before, dividend);
    CHECK_EQ(found[i].after, dividend);
  }
}

TEST_CASE_TEMPLATE("a negative number divided by zero has all bits set", T, std::int8_t, std::int16_t, std::int32_t, std::int64_t) {
  const DeviceArray<Fraction<T>> device(std::vector<Fraction<T>>(4, {-7, 0}));
  SIMT_LAUNCH((divide<T>), (1), (4), (0), (0), device.data(), 1);
  REQUIRE_FINISHED();
  for (const Fraction<T>& one : device.values()) {
    CHECK_EQ(one.quotient, -1);
    CHECK_EQ(one.remainder, -1);
  }
}

TEST_CASE_TEMPLATE("the smallest number divided by -1 is itself", T, std::int8_t, std::int16_t, std::int32_t, std::int64_t) {
  const T least = std::numeric_limits<T>::min();
  const DeviceArray<Fraction<T>> device(std::vector<Fraction<T>>(4, {least, -1}));
  SIMT_LAUNCH((divide<T>), (1), (4), (0), (0), device.data(), 1);
  REQUIRE_FINISHED();
  for (const Fraction<T>& one : device.values()) {
    CHECK_EQ(one.quotient, least);
    CHECK_EQ(one.remainder, 0);
  }
}

TEST_CASE("divisions of bytes by zero") {
  const DeviceArray<unsigned char> given(std::vector<unsigned char>{9, 0}), results(4);
  SIMT_LAUNCH((divide_bytes), (1), (1), (0), (0), given.data(), results.data());
  REQUIRE_FINISHED();
  CHECK_EQ(results.values(), std::vector<unsigned char>{255, 255, 255, 255});
}

}  // namespace

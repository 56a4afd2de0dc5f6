// Instructions of PTX. PTX ISA 8.4, "Instruction Set".
#include "kernel_test.h"

namespace ptx = simtrt::ptx;

namespace {

TEST_CASE("arithmetic on halves") {
  using F16 = ptx::Halves<5>;
  using Bf16 = ptx::Halves<8>;
  const std::uint16_t one = 0x3C00, two = 0x4000, three = 0x4200, nan = 0x7E00, infinity = 0x7C00;
  CHECK_EQ(F16::add(".rn", one, two), three);
  CHECK_EQ(F16::sub("", one, three), 0xC000);
  CHECK_EQ(F16::mul(".rn", two, three), 0x4600);
  CHECK_EQ(F16::fma(".rn", two, three, one), 0x4700);
  CHECK_EQ(F16::mul("", std::uint16_t{0x7BFF}, two), infinity);
  CHECK_EQ(F16::fma(".rn.relu", one, std::uint16_t{0xC000}, one), 0);
  CHECK_EQ(F16::add(".sat", two, two), one);
  CHECK_EQ(F16::add("", std::uint16_t{1}, std::uint16_t{1}), 2);
  CHECK_EQ(F16::add(".ftz", std::uint16_t{1}, std::uint16_t{1}), 0);
  CHECK_EQ(F16::min("", nan, two), two);
  CHECK_EQ(F16::max(".NaN", nan, two) & 0x7C00, 0x7C00);
  CHECK_EQ(F16::max("", std::uint16_t{0x8000}, std::uint16_t{0}), 0);
  CHECK_EQ(F16::neg(one), 0xBC00);
  CHECK_EQ(F16::abs(std::uint16_t{0xBC00}), one);
  // Two values: the lower and the upper half.
  CHECK_EQ(F16::fma(".rn", 0x40003C00u, 0x42004000u, 0x3C003C00u), 0x47004200u);
  CHECK_EQ(F16::max("", 0xBC004000u, 0x3C00BC00u), 0x3C004000u);
  CHECK_EQ(F16::neg(0x3C00BC00u), 0xBC003C00u);
  CHECK_EQ(Bf16::add("", std::uint16_t{0x3F80}, std::uint16_t{0x4000}), 0x4040);
  CHECK_EQ(Bf16::mul("", 0x3F804000u, 0x40404040u), 0x404040C0u);
}

TEST_CASE("a sum that is rounded once") {
  // 1.5 * (1 + 2^-7) = 1.51171875 lies halfway between two values of bf16; 2^-100 is below the last bit of f64.
  const std::uint16_t a = 0x3FC0, b = 0x3F81, tiny = 0x0D80, minus_tiny = 0x8D80;
  const auto down = ptx::Halves<8>::fma("", a, b, minus_tiny), up = ptx::Halves<8>::fma("", a, b, tiny);
  CHECK_EQ(down, 0x3FC1);
  CHECK_EQ(up, 0x3FC2);
}

TEST_CASE("bit fields") {
  CHECK_EQ(ptx::bfe(0xABCDu, 4, 8), 0xBCu);
  CHECK_EQ(ptx::bfe(0xABCDu, 4, 0), 0u);
  CHECK_EQ(ptx::bfe(0xABCDu, 8, 200), 0xABu);
  CHECK_EQ(ptx::bfe(0xABCDu, 32, 4), 0u);
  CHECK_EQ(ptx::bfe(-16, 0, 8), -16);
  CHECK_EQ(ptx::bfe(0xF0, 4, 4), -1);
  CHECK_EQ(ptx::bfe(-1, 40, 4), -1);
  CHECK_EQ(ptx::bfe(-256, 4, 100), -16);
  CHECK_EQ(ptx::bfe(std::uint64_t{1} << 40, 40, 8), 1u);
  CHECK_EQ(ptx::bfi(0xFu, 0u, 4, 8), 0xF0u);
  CHECK_EQ(ptx::bfi(0xFFFFFFFFu, 0u, 4, 2), 0x30u);
  CHECK_EQ(ptx::bfi(1u, 2u, 32, 8), 2u);
}

TEST_CASE("positions of bits, functions of three bits, shifts") {
  CHECK_EQ(ptx::bfind(0x1000u), 12u);
  CHECK_EQ(ptx::bfind(0u), 0xFFFFFFFFu);
  CHECK_EQ(ptx::bfind(-5), 2u);
  CHECK_EQ(ptx::bfind_shift(0x1000u), 19u);
  CHECK_EQ(ptx::lop3(0xF0F0F0F0u, 0xCCCCCCCCu, 0xAAAAAAAAu, 0x96),
           0xF0F0F0F0u ^ 0xCCCCCCCCu ^ 0xAAAAAAAAu);
  CHECK_EQ(ptx::lop3(1, 2, 4, 0xFE), 7u);
  CHECK_EQ(ptx::shift_left(1u, 40), 0u);
  CHECK_EQ(ptx::shift_right(-8, 40), -1);
  CHECK_EQ(ptx::shift_right(8u, 2), 2u);
  CHECK_EQ(ptx::high(0x80000000u, 4u), 2u);
  CHECK_EQ(ptx::high(std::int64_t{1} << 62, std::int64_t{-8}), -2);
}

TEST_CASE("operands of other types") {
  unsigned bits = 0;
  ptx::set(bits, 1.0f);
  CHECK_EQ(bits, 0x3F800000u);
  float number = 0;
  ptx::set(number, 0x40000000u);
  CHECK_EQ(number, 2.0f);
  int value = 5;
  ptx::store<ptx::s32>(&value, 7u);
  CHECK_EQ(ptx::load<ptx::s32>(reinterpret_cast<std::uint64_t>(&value)), 7);
  int* pointer = nullptr;
  ptx::set(pointer, reinterpret_cast<std::uint64_t>(&value));
  CHECK_EQ(pointer, &value);
}

__global__ void masks(unsigned* out) {
  out[4 * threadIdx.x] = static_cast<unsigned>(ptx::lanemask_lt());
  out[4 * threadIdx.x + 1] = static_cast<unsigned>(ptx::lanemask_ge());
  out[4 * threadIdx.x + 2] = static_cast<unsigned>(ptx::lanemask_eq());
  out[4 * threadIdx.x + 3] = ptx::warp_id();
}

TEST_CASE("special registers") {
  const DeviceArray<unsigned> out(4 * 40);
  SIMT_LAUNCH((masks), (1), (40), (0), (0), out.data());
  REQUIRE_FINISHED();
  const std::vector<unsigned> got = out.values();
  CHECK_EQ(got[4 * 5], 0x1Fu);
  CHECK_EQ(got[4 * 5 + 1], ~0x1Fu);
  CHECK_EQ(got[4 * 5 + 2], 0x20u);
  CHECK_EQ(got[4 * 39 + 3], 39u / static_cast<unsigned>(warpSize));
}

}  // namespace

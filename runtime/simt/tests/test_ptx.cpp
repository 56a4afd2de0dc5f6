// Instructions of PTX. PTX ISA 8.4, "Instruction Set".
#include <cmath>
#include <vector>

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

TEST_CASE("pairs of 8-bit numbers") {
  // 1.5 is 0x3C in e4m3 and 0x3E in e5m2; the first argument is the upper number.
  CHECK_EQ(ptx::to_e4m3x2(".rn.satfinite", -1.0f, 1.5f), 0xB83C);
  CHECK_EQ(ptx::to_e5m2x2(".rn.satfinite", -1.0f, 1.5f), 0xBC3E);
  CHECK_EQ(ptx::to_e4m3x2(".rn.satfinite", 1e9f, NAN), 0x7E7F);
  CHECK_EQ(ptx::to_e5m2x2(".rn.satfinite", -1e9f, NAN), 0xFB7F);
  CHECK_EQ(ptx::to_e4m3x2(".rn.satfinite.relu", -1.0f, 1.5f), 0x003C);
  CHECK_EQ(ptx::to_e4m3x2(".rn.satfinite", 0xBC003E00u), 0xB83C);
  CHECK_EQ(ptx::from_e4m3x2(".rn", 0xB83C), 0xBC003E00u);
  CHECK_EQ(ptx::from_e5m2x2(".rn", 0xBC3E), 0xBC003E00u);
  CHECK_EQ(ptx::from_e4m3x2(".rn.relu", 0xB83C), 0x00003E00u);
}

TEST_CASE("integers that are packed with saturation") {
  CHECK_EQ(ptx::pack_saturated("s8", 300, -2, 0x1234), 0x12347FFEu);
  CHECK_EQ(ptx::pack_saturated("u8", 300, -2, 0), 0xFF00u);
  CHECK_EQ(ptx::pack_saturated("s4", -100, 3, 0xABCDEF), 0xABCDEF83u);
  CHECK_EQ(ptx::pack_saturated("u2", 2, 9, 1), 0x1Bu);
  CHECK_EQ(ptx::pack_saturated("s16", -40000, 40000), 0x80007FFFu);
  CHECK_EQ(ptx::pack_saturated("u16", 70000, -1), 0xFFFF0000u);
}

TEST_CASE("functions of halves") {
  CHECK_EQ(ptx::Halves<5>::ex2(0xBC003C00u), 0x38004000u);
  CHECK_EQ(ptx::Halves<8>::ex2(std::uint16_t{0x4040}), 0x4100);
  CHECK_EQ(ptx::Halves<5>::tanh(0x80007C00u), 0x80003C00u);
}

// Elements of the matrices of a product: row or column, and position in the sum.
__device__ int left(int row, int k) { return (row * 5 + k * 3) % 7 - 3; }
__device__ int right(int column, int k) { return (column * 5 + k * 2) % 9 - 4; }

/// Register with the elements from `k` on.
template <int Bits, class Element, class Encode>
__device__ unsigned packed(Element element, int line, int k, Encode encode) {
  unsigned made = 0;
  for (int i = 0; i < 32 / Bits; ++i) made |= (encode(element(line, k + i)) & ((1u << Bits) - 1)) << (Bits * i);
  return made;
}

/// Difference between a product and the sum that defines it, for each lane.
template <int Bits, int K, class Format, class Sum, class Encode>
__device__ void compare(int* differences, Encode encode) {
  const int lane = static_cast<int>(threadIdx.x), group = lane / 4, first = lane % 4 * (32 / Bits), half = K / 2;
  unsigned a[4], b[2];
  for (int i = 0; i < 4; ++i) a[i] = packed<Bits>(left, group + i % 2 * 8, first + i / 2 * half, encode);
  for (int i = 0; i < 2; ++i) b[i] = packed<Bits>(right, group, first + i * half, encode);
  Sum d[4] = {1, 2, 3, 4};
  ptx::mma<16, K, Format, Format, Sum>(false, ptx::parts(d[0], d[1], d[2], d[3]), ptx::parts(a[0], a[1], a[2], a[3]),
                                       ptx::parts(b[0], b[1]), ptx::parts(d[0], d[1], d[2], d[3]));
  for (int i = 0; i < 4; ++i) {
    int sum = i + 1;
    for (int k = 0; k < K; ++k) sum += left(group + i / 2 * 8, k) * right(lane % 4 * 2 + i % 2, k);
    differences[lane] += d[i] != static_cast<Sum>(sum);
  }
}

__global__ void products(int* differences) {
  compare<8, 32, ptx::element::e4m3, float>(differences, [](int v) { return unsigned{ptx::to_e4m3("", static_cast<float>(v))}; });
  compare<8, 32, ptx::element::e5m2, float>(differences + 32, [](int v) { return unsigned{ptx::to_e5m2("", static_cast<float>(v))}; });
  compare<4, 64, ptx::element::s4, int>(differences + 64, [](int v) { return static_cast<unsigned>(v); });
}

TEST_CASE("products of matrices with 8-bit floating-point numbers and with 4-bit integers") {
  const DeviceArray<int> differences(std::vector<int>(96, 0));
  SIMT_LAUNCH((products), (1), (32), (0), (0), differences.data());
  REQUIRE_FINISHED();
  CHECK_EQ(differences.values(), std::vector<int>(96, 0));
}

__global__ void copies(const unsigned* from, unsigned* out) {
  __shared__ unsigned words[8];
  const auto shared = ptx::to_shared(words);
  ptx::copy_async_with_policy(shared, from, 16, ptx::u64{0});
  ptx::copy_async_with_policy(shared + 16, from, 16, 4, ptx::u64{0});
  for (int i = 0; i < 8; ++i) out[i] = words[i];
}

TEST_CASE("a policy of the cache is no size") {
  const DeviceArray<unsigned> from(std::vector<unsigned>{1, 2, 3, 4}), out(8);
  SIMT_LAUNCH((copies), (1), (1), (0), (0), from.data(), out.data());
  REQUIRE_FINISHED();
  CHECK_EQ(out.values(), std::vector<unsigned>{1, 2, 3, 4, 1, 0, 0, 0});
}

}  // namespace

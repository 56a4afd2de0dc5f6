// Instructions of PTX. PTX ISA 8.4, "Instruction Set".
#include "kernel_test.h"

namespace ptx = simtrt::ptx;

namespace {

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

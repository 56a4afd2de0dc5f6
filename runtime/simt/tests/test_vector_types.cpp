// Vector types: sizes and alignments as the CUDA C++ Programming Guide lists them ("Built-in Vector
// Types", Table 4 of release 12.4). Kernels rely on them when they load several values at once.
#include <simt_vector_types.h>

#include <doctest/doctest.h>

#include <type_traits>

namespace {

template <class Vector>
constexpr bool is(std::size_t size, std::size_t alignment) {
  return sizeof(Vector) == size && alignof(Vector) == alignment &&
         std::is_trivially_copyable_v<Vector> && std::is_aggregate_v<Vector>;
}

static_assert(is<char1>(1, 1) && is<char2>(2, 2) && is<char3>(3, 1) && is<char4>(4, 4));
static_assert(is<uchar1>(1, 1) && is<uchar2>(2, 2) && is<uchar3>(3, 1) && is<uchar4>(4, 4));
static_assert(is<short1>(2, 2) && is<short2>(4, 4) && is<short3>(6, 2) && is<short4>(8, 8));
static_assert(is<ushort1>(2, 2) && is<ushort2>(4, 4) && is<ushort3>(6, 2) && is<ushort4>(8, 8));
static_assert(is<int1>(4, 4) && is<int2>(8, 8) && is<int3>(12, 4) && is<int4>(16, 16));
static_assert(is<uint1>(4, 4) && is<uint2>(8, 8) && is<uint3>(12, 4) && is<uint4>(16, 16));
static_assert(is<long1>(8, 8) && is<long2>(16, 16) && is<long3>(24, 8) && is<long4>(32, 16));
static_assert(is<ulong1>(8, 8) && is<ulong2>(16, 16) && is<ulong3>(24, 8) && is<ulong4>(32, 16));
static_assert(is<longlong1>(8, 8) && is<longlong2>(16, 16));
static_assert(is<longlong3>(24, 8) && is<longlong4>(32, 16));
static_assert(is<ulonglong1>(8, 8) && is<ulonglong2>(16, 16));
static_assert(is<ulonglong3>(24, 8) && is<ulonglong4>(32, 16));
static_assert(is<float1>(4, 4) && is<float2>(8, 8) && is<float3>(12, 4) && is<float4>(16, 16));
static_assert(is<double1>(8, 8) && is<double2>(16, 16) && is<double3>(24, 8));
static_assert(is<double4>(32, 16));

// A char vector's elements are signed on every platform, also where plain char is not (aarch64).
static_assert(std::is_same_v<decltype(char4::x), signed char>);
static_assert(std::is_same_v<decltype(uchar4::x), unsigned char>);

static_assert(sizeof(dim3) == 12 && alignof(dim3) == 4);
static_assert(std::is_trivially_copyable_v<dim3>);

}  // namespace

TEST_CASE("make_* put their arguments in order, in constants too") {
  constexpr float4 a = make_float4(1.0F, 2.0F, 3.0F, 4.0F);
  static_assert(a.x == 1.0F && a.y == 2.0F && a.z == 3.0F && a.w == 4.0F);
  constexpr char3 b = make_char3(-1, 0, 1);
  static_assert(b.x == -1 && b.y == 0 && b.z == 1);
  const ulonglong2 c = make_ulonglong2(~0ULL, 7);
  CHECK(c.x == 18446744073709551615ULL);
  CHECK(c.y == 7);
  CHECK(make_double1(0.5).x == 0.5);
}

TEST_CASE("omitted dimensions of a dim3 are 1") {
  const dim3 none;
  CHECK(none.x * none.y * none.z == 1);
  const dim3 two(4, 5);
  CHECK(two.x == 4);
  CHECK(two.y == 5);
  CHECK(two.z == 1);
}

TEST_CASE("a number and a uint3 are a dim3, and a dim3 is a uint3") {
  const auto threads = [](dim3 size) { return size.x * size.y * size.z; };
  CHECK(threads(128) == 128);
  CHECK(threads({2, 3, 4}) == 24);
  CHECK(threads(make_uint3(5, 6, 7)) == 210);
  const uint3 back = dim3(8, 9);
  CHECK(back.x == 8);
  CHECK(back.y == 9);
  CHECK(back.z == 1);
}

// Conversions of floating-point numbers to integers, in all forms of C++. float_to_integer.inc
// contains the numbers and CUDA's results.
#include <simt_runtime.h>
#include <simt_bf16.h>
#include <simt_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <class From>
struct Values;
template <class From, class To>
struct Results;

#define VALUES(From, ...)                               \
  template <>                                           \
  struct Values<From> {                                 \
    static constexpr BitsOf<From> bits[] = {__VA_ARGS__}; \
  };
#define PAIR(From, To, ptx, ...)                                  \
  template <>                                                     \
  struct Results<From, To> {                                      \
    static constexpr std::make_unsigned_t<To> bits[] = {__VA_ARGS__}; \
  };
#include "float_to_integer.inc"
#undef VALUES
#undef PAIR

template <class From>
std::vector<From> values() {
  std::vector<From> all(std::size(Values<From>::bits));
  std::memcpy(static_cast<void*>(all.data()), Values<From>::bits, sizeof(Values<From>::bits));
  return all;
}

template <class From, class To>
To expected(std::size_t index) {
  return static_cast<To>(Results<From, To>::bits[index]);
}

// Prevents constant folding: the compiler must not know the number.
#define APART __attribute__((noinline, noclone))

template <class From, class To>
APART To by_static_cast(From x) {
  return static_cast<To>(x);
}
template <class From, class To>
APART To by_c_cast(From x) {
  return (To)x;
}
template <class From, class To>
APART To by_return(From x) {
  return x;
}
template <class From, class To>
APART To by_assignment(From x) {
  To to{};
  to = x;
  return to;
}
template <class From, class To>
APART To by_volatile(From x) {
  volatile To to = x;
  return to;
}
template <class From, class To>
APART To by_argument(From x) {
  const auto identity = [](To to) { return to; };
  return identity(x);
}
template <class From, class To>
APART To by_member(From x) {
  struct Holder {
    explicit Holder(From from) : to(from) {}
    To to;
  };
  return Holder(x).to;
}
template <class From, class To>
APART To by_compound(From x) {
  To to = 0;
  to += x;
  return to;
}
template <class From, class To>
APART To by_branch(From x) {
  return x == x ? static_cast<To>(x) : static_cast<To>(x);
}

/// Converts in a loop, which compilers vectorise.
template <class From, class To>
APART void by_loop(const From* from, To* to, int count) {
  for (int i = 0; i < count; ++i) {
    to[i] = static_cast<To>(from[i]);
  }
}

template <class From, class To>
__global__ void by_kernel(const From* from, To* to, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) {
    to[i] = from[i];
  }
}

/// Converts one of the numbers as a constant, which the compiler folds.
template <class From, class To, std::size_t Index>
To by_constant() {
  constexpr From number = __builtin_bit_cast(From, BitsOf<From>(Values<From>::bits[Index]));
  return static_cast<To>(number);
}

template <class From, class To, std::size_t... Index>
void check_constants(std::index_sequence<Index...>) {
  To (*const folded[])() = {by_constant<From, To, Index>...};
  for (std::size_t i = 0; i < sizeof...(Index); ++i) {
    INFO("constant, bits ", Values<From>::bits[i], " to ", sizeof(To), " bytes");
    CHECK(folded[i]() == expected<From, To>(i));
  }
}

template <class From, class To>
void check_all(const char* ptx) {
  INFO(ptx);
  const std::vector<From> from = values<From>();
  std::vector<To (*)(From)> forms = {
      by_static_cast<From, To>, by_c_cast<From, To>,   by_return<From, To>, by_assignment<From, To>,
      by_volatile<From, To>,    by_argument<From, To>, by_member<From, To>, by_branch<From, To>};
  if constexpr (std::is_floating_point_v<From>) {
    forms.push_back(by_compound<From, To>);
  }
  std::vector<To> looped(from.size());
  by_loop(from.data(), looped.data(), static_cast<int>(from.size()));
  std::vector<To> launched(from.size());
  SIMT_LAUNCH((by_kernel<From, To>), (1), (256), (0), (0), from.data(), launched.data(),
              static_cast<int>(from.size()));
  REQUIRE(simtDeviceSynchronize() == simtSuccess);
  for (std::size_t i = 0; i < from.size(); ++i) {
    INFO("bits ", Values<From>::bits[i], " to ", sizeof(To), " bytes");
    for (std::size_t form = 0; form < forms.size(); ++form) {
      INFO("form ", form);
      CHECK(forms[form](from[i]) == expected<From, To>(i));
    }
    CHECK(looped[i] == expected<From, To>(i));
    CHECK(launched[i] == expected<From, To>(i));
  }
  if constexpr (std::is_floating_point_v<From>) {
    check_constants<From, To>(std::make_index_sequence<std::size(Values<From>::bits)>{});
  }
}

/// A number that no rounding function changes.
template <class From>
bool is_integral(From x) {
  const double number = x;
  return std::isnan(number) || std::trunc(number) == number;
}

template <class From, class To>
void check_intrinsics(To (*cut_off)(From), std::initializer_list<To (*)(From)> others = {}) {
  const std::vector<From> from = values<From>();
  for (std::size_t i = 0; i < from.size(); ++i) {
    INFO("bits ", Values<From>::bits[i], " to ", sizeof(To), " bytes");
    CHECK(cut_off(from[i]) == expected<From, To>(i));
    for (To (*other)(From) : others) {
      if (is_integral(from[i])) {
        CHECK(other(from[i]) == expected<From, To>(i));
      }
    }
  }
}

enum class Code : unsigned char { kZero };

struct Fields {
  unsigned int five : 5;
  int seven : 7;
  long long forty : 40;
};

volatile float minus = -2.5F;
volatile float large = 1e30F;
volatile double not_a_number = NAN;

const unsigned int at_start = minus;

}  // namespace

TEST_CASE("float to integer: every pair of types in every form gives CUDA's result") {
#define VALUES(From, ...)
#define PAIR(From, To, ptx, ...) check_all<From, To>(ptx);
#include "float_to_integer.inc"
#undef VALUES
#undef PAIR
}

TEST_CASE("float to integer: intrinsics of every rounding give CUDA's results") {
#define DIRECTIONS(name, From, To) \
  check_intrinsics<From, To>(name##_rz, {name##_rn, name##_ru, name##_rd})
  DIRECTIONS(__float2int, float, int);
  DIRECTIONS(__float2uint, float, unsigned int);
  DIRECTIONS(__float2ll, float, long long);
  DIRECTIONS(__float2ull, float, unsigned long long);
  DIRECTIONS(__double2int, double, int);
  DIRECTIONS(__double2uint, double, unsigned int);
  DIRECTIONS(__double2ll, double, long long);
  DIRECTIONS(__double2ull, double, unsigned long long);
  DIRECTIONS(__half2short, __half, short);
  DIRECTIONS(__half2ushort, __half, unsigned short);
  DIRECTIONS(__half2int, __half, int);
  DIRECTIONS(__half2uint, __half, unsigned int);
  DIRECTIONS(__half2ll, __half, long long);
  DIRECTIONS(__half2ull, __half, unsigned long long);
  check_intrinsics<__half, signed char>(__half2char_rz);
  check_intrinsics<__half, unsigned char>(__half2uchar_rz);
  DIRECTIONS(__bfloat162short, __nv_bfloat16, short);
  DIRECTIONS(__bfloat162ushort, __nv_bfloat16, unsigned short);
  DIRECTIONS(__bfloat162int, __nv_bfloat16, int);
  DIRECTIONS(__bfloat162uint, __nv_bfloat16, unsigned int);
  DIRECTIONS(__bfloat162ll, __nv_bfloat16, long long);
  DIRECTIONS(__bfloat162ull, __nv_bfloat16, unsigned long long);
  check_intrinsics<__nv_bfloat16, signed char>(__bfloat162char_rz);
  check_intrinsics<__nv_bfloat16, unsigned char>(__bfloat162uchar_rz);
#undef DIRECTIONS
}

TEST_CASE("float to integer: enumerations and bit-fields keep the low bits of saturated numbers") {
  CHECK(static_cast<unsigned char>(static_cast<Code>(minus)) == 0);
  CHECK(static_cast<unsigned char>(static_cast<Code>(large)) == 255);
  Fields fields{};
  fields.five = minus;
  fields.seven = minus;
  fields.forty = minus;
  CHECK(+fields.five == 0);
  CHECK(+fields.seven == -2);
  CHECK(+fields.forty == -2);
  // `large` saturates at the largest number of the declared type. All bits except a sign bit are
  // set, so that the low bits, which a field keeps, are all 1.
  fields.five = large;
  fields.seven = large;
  fields.forty = large;
  CHECK(+fields.five == 31);
  CHECK(+fields.seven == -1);
  CHECK(+fields.forty == -1);
}

TEST_CASE("float to integer: literals") {
  const unsigned char low_bits = static_cast<unsigned char>(300.0F);
  const unsigned int negative = static_cast<unsigned int>(-1.5F);
  const long long nan = static_cast<long long>(__builtin_nanf(""));
  const int nan_of_double = static_cast<int>(__builtin_nan(""));
  CHECK(low_bits == 44);
  CHECK(negative == 0);
  CHECK(nan == INT64_MIN);
  CHECK(nan_of_double == INT32_MIN);
}

TEST_CASE("float to integer: constant expressions in initialisers") {
  constexpr float kTwoHundred = 200.0F;
  const unsigned char product = 2 * kTwoHundred;
  const unsigned char cast = static_cast<unsigned char>(kTwoHundred + 100.0F);
  unsigned char variable = -kTwoHundred * -2.0F;
  const unsigned char list[] = {static_cast<unsigned char>(kTwoHundred * 2)};
  const int nan = static_cast<int>(std::numeric_limits<double>::quiet_NaN());
  const signed char infinity = static_cast<signed char>(std::numeric_limits<float>::infinity());
  CHECK(product == 144);
  CHECK(cast == 44);
  CHECK(variable == 144);
  CHECK(list[0] == 144);
  CHECK(nan == INT32_MIN);
  CHECK(infinity == -1);
}

TEST_CASE("float to integer: numbers that a function of the C library rounds") {
  CHECK(static_cast<unsigned int>(std::floor(minus)) == 0);
  CHECK(static_cast<std::int64_t>(std::floor(large)) == INT64_MAX);
  CHECK(static_cast<std::int64_t>(std::ceil(-large)) == INT64_MIN);
  CHECK(static_cast<int>(std::ceil(large)) == INT32_MAX);
  CHECK(static_cast<std::int64_t>(std::floor(not_a_number)) == INT64_MIN);
  CHECK(static_cast<int>(std::round(not_a_number)) == INT32_MIN);
  CHECK(std::lrint(large) == INT64_MAX);
  CHECK(std::llround(not_a_number) == INT64_MIN);
  CHECK(static_cast<std::int64_t>(std::floor(minus)) == -3);
  CHECK(std::lround(minus) == -3);
}

TEST_CASE("float to integer: a variable with static storage") {
  static const unsigned int local = minus;
  CHECK(local == 0);
  CHECK(at_start == 0);
}

// CUDA's functions on two halfwords or four bytes packed into a register, and the minimum and
// maximum functions of DPX. Sources: CUDA Math API 12.4, "SIMD Intrinsics"; rounding of __vavgs and
// wrapping: tests/known_answers/device/simd_words.cu.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <simtrt/kernel/qualifiers.h>

namespace simtrt::words {

/// Applies `combine` to each pair of lanes; the lanes have type Lane, `combine` computes in int.
template <class Lane, class Combine>
constexpr unsigned map(unsigned a, unsigned b, Combine combine) {
  using Bits = std::make_unsigned_t<Lane>;
  constexpr unsigned lane_bits = 8 * sizeof(Lane);
  unsigned result = 0;
  for (unsigned at = 0; at < 32; at += lane_bits) {
    const int value = combine(static_cast<int>(static_cast<Lane>(a >> at)),
                              static_cast<int>(static_cast<Lane>(b >> at)));
    result |= static_cast<unsigned>(static_cast<Bits>(value)) << at;
  }
  return result;
}

template <class Lane>
constexpr int saturate(int value) {
  constexpr int least = std::numeric_limits<Lane>::min(), most = std::numeric_limits<Lane>::max();
  return value < least ? least : value > most ? most : value;
}

constexpr int distance(int a, int b) { return a < b ? b - a : a - b; }

template <class Lane>
constexpr unsigned sum_of_distances(unsigned a, unsigned b) {
  constexpr unsigned lane_bits = 8 * sizeof(Lane);
  unsigned sum = 0;
  for (unsigned at = 0; at < 32; at += lane_bits) {
    sum += static_cast<unsigned>(distance(static_cast<Lane>(a >> at), static_cast<Lane>(b >> at)));
  }
  return sum;
}

}  // namespace simtrt::words

// Each function has a form for two halfwords (name2) and one for four bytes (name4); `sign` selects
// the type of a lane.
#define SIMT_WORDS_OF(name, lane, value)                                              \
  inline unsigned int name(unsigned int a, unsigned int b) {                          \
    using Lane = lane;                                                                \
    return simtrt::words::map<Lane>(a, b, [](int x, int y) -> int { return value; }); \
  }
#define SIMT_WORDS(name, sign, value)            \
  SIMT_WORDS_OF(name##2, std::sign##16_t, value) \
  SIMT_WORDS_OF(name##4, std::sign##8_t, value)
#define SIMT_WORDS_OF_ONE(name, lane, value)                                        \
  inline unsigned int name(unsigned int a) {                                        \
    using Lane = lane;                                                              \
    return simtrt::words::map<Lane>(a, 0, [](int x, int) -> int { return value; }); \
  }
#define SIMT_WORDS_ONE(name, value)               \
  SIMT_WORDS_OF_ONE(name##2, std::int16_t, value) \
  SIMT_WORDS_OF_ONE(name##4, std::int8_t, value)

SIMT_WORDS_ONE(__vabs, x < 0 ? -x : x)
SIMT_WORDS_ONE(__vabsss, simtrt::words::saturate<Lane>(x < 0 ? -x : x))
SIMT_WORDS_ONE(__vneg, -x)
SIMT_WORDS_ONE(__vnegss, simtrt::words::saturate<Lane>(-x))
SIMT_WORDS(__vabsdiffs, int, simtrt::words::distance(x, y))
SIMT_WORDS(__vabsdiffu, uint, simtrt::words::distance(x, y))
SIMT_WORDS(__vadd, uint, x + y)
SIMT_WORDS(__vaddss, int, simtrt::words::saturate<Lane>(x + y))
SIMT_WORDS(__vaddus, uint, simtrt::words::saturate<Lane>(x + y))
SIMT_WORDS(__vsub, uint, x - y)
SIMT_WORDS(__vsubss, int, simtrt::words::saturate<Lane>(x - y))
SIMT_WORDS(__vsubus, uint, simtrt::words::saturate<Lane>(x - y))
SIMT_WORDS(__vavgs, int, (x + y + (x + y >= 0)) >> 1)
SIMT_WORDS(__vavgu, uint, (x + y + 1) >> 1)
SIMT_WORDS(__vhaddu, uint, (x + y) >> 1)
SIMT_WORDS(__vmaxs, int, x > y ? x : y)
SIMT_WORDS(__vmaxu, uint, x > y ? x : y)
SIMT_WORDS(__vmins, int, x < y ? x : y)
SIMT_WORDS(__vminu, uint, x < y ? x : y)

// Comparisons: all bits of a lane (vcmp) or the number 1 (vset) for true, 0 for false.
#define SIMT_WORDS_COMPARE(name, sign, operation)        \
  SIMT_WORDS(__vcmp##name, sign, x operation y ? -1 : 0) \
  SIMT_WORDS(__vset##name, sign, x operation y ? 1 : 0)

SIMT_WORDS_COMPARE(eq, uint, ==)
SIMT_WORDS_COMPARE(ne, uint, !=)
SIMT_WORDS_COMPARE(ges, int, >=)
SIMT_WORDS_COMPARE(geu, uint, >=)
SIMT_WORDS_COMPARE(gts, int, >)
SIMT_WORDS_COMPARE(gtu, uint, >)
SIMT_WORDS_COMPARE(les, int, <=)
SIMT_WORDS_COMPARE(leu, uint, <=)
SIMT_WORDS_COMPARE(lts, int, <)
SIMT_WORDS_COMPARE(ltu, uint, <)

// Sum of the absolute differences of the lanes.
#define SIMT_WORDS_SUM(name, sign)                                 \
  inline unsigned int name##2(unsigned int a, unsigned int b) {    \
    return simtrt::words::sum_of_distances<std::sign##16_t>(a, b); \
  }                                                                \
  inline unsigned int name##4(unsigned int a, unsigned int b) {    \
    return simtrt::words::sum_of_distances<std::sign##8_t>(a, b);  \
  }
SIMT_WORDS_SUM(__vsads, int)
SIMT_WORDS_SUM(__vsadu, uint)

#undef SIMT_WORDS_SUM
#undef SIMT_WORDS_COMPARE
#undef SIMT_WORDS_ONE
#undef SIMT_WORDS_OF_ONE
#undef SIMT_WORDS
#undef SIMT_WORDS_OF

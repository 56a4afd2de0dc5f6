// CUDA's functions for dynamic programming (DPX): minimum and maximum of sums, of three operands,
// bounded by zero (relu), and with a flag for the chosen operand. Source: CUDA Math API 12.4, "SIMD
// Intrinsics".
#pragma once

#include <simtrt/intrinsics/simd_words.h>

namespace simtrt::dpx {

/// One lane of a word, of type Lane.
template <class Lane>
constexpr Lane lane_of(unsigned word, int number) {
  return static_cast<Lane>(word >> (8 * sizeof(Lane) * static_cast<unsigned>(number)));
}

/// Applies `combine` to the lanes of three words; sums in `combine` wrap in Lane.
template <class Lane, class Combine>
constexpr unsigned map(unsigned a, unsigned b, unsigned c, Combine combine) {
  using Bits = std::make_unsigned_t<Lane>;
  unsigned result = 0;
  for (int i = 0; i < static_cast<int>(4 / sizeof(Lane)); ++i) {
    const Lane value = combine(lane_of<Lane>(a, i), lane_of<Lane>(b, i), lane_of<Lane>(c, i));
    result |= static_cast<unsigned>(static_cast<Bits>(value))
              << (8 * sizeof(Lane) * static_cast<unsigned>(i));
  }
  return result;
}

template <class Lane>
constexpr Lane sum(Lane a, Lane b) {
  return static_cast<Lane>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
template <class Lane>
constexpr Lane least(Lane a, Lane b) {
  return a < b ? a : b;
}
template <class Lane>
constexpr Lane most(Lane a, Lane b) {
  return a > b ? a : b;
}

}  // namespace simtrt::dpx

#define SIMT_DPX_3(name, type, lane, value)                                                    \
  inline type name(type a, type b, type c) {                                                   \
    using Lane = lane;                                                                         \
    using namespace simtrt::dpx;                                                               \
    return static_cast<type>(map<Lane>(static_cast<unsigned>(a), static_cast<unsigned>(b),     \
                                       static_cast<unsigned>(c),                               \
                                       [](Lane x, Lane y, Lane z) -> Lane { return value; })); \
  }
#define SIMT_DPX_2(name, type, lane, value)                                                   \
  inline type name(type a, type b) {                                                          \
    using Lane = lane;                                                                        \
    using namespace simtrt::dpx;                                                              \
    return static_cast<type>(map<Lane>(static_cast<unsigned>(a), static_cast<unsigned>(b), 0, \
                                       [](Lane x, Lane y, Lane) -> Lane { return value; }));  \
  }

// Functions of three operands for halfwords and words, with and without a sign.
#define SIMT_DPX_OF_THREE(name, value)                                           \
  SIMT_DPX_3(name##_s16x2, unsigned int, std::int16_t, value)                    \
  SIMT_DPX_3(name##_u16x2, unsigned int, std::uint16_t, value)                   \
  SIMT_DPX_3(name##_s32, int, std::int32_t, value)                               \
  SIMT_DPX_3(name##_u32, unsigned int, std::uint32_t, value)                     \
  SIMT_DPX_3(name##_s16x2_relu, unsigned int, std::int16_t, most(value, Lane{})) \
  SIMT_DPX_3(name##_s32_relu, int, std::int32_t, most(value, Lane{}))

SIMT_DPX_OF_THREE(__viaddmax, most(sum(x, y), z))
SIMT_DPX_OF_THREE(__viaddmin, least(sum(x, y), z))
SIMT_DPX_OF_THREE(__vimax3, most(most(x, y), z))
SIMT_DPX_OF_THREE(__vimin3, least(least(x, y), z))
SIMT_DPX_2(__vimax_s16x2_relu, unsigned int, std::int16_t, most(most(x, y), Lane{}))
SIMT_DPX_2(__vimax_s32_relu, int, std::int32_t, most(most(x, y), Lane{}))
SIMT_DPX_2(__vimin_s16x2_relu, unsigned int, std::int16_t, most(least(x, y), Lane{}))
SIMT_DPX_2(__vimin_s32_relu, int, std::int32_t, most(least(x, y), Lane{}))

// The flag is true if the first operand is the result.
#define SIMT_DPX_FLAG(name, type, operation)             \
  inline type name(type a, type b, bool* const chosen) { \
    *chosen = a operation b;                             \
    return *chosen ? a : b;                              \
  }
#define SIMT_DPX_FLAGS(name, lane, operation, choice)                                           \
  inline unsigned int name(unsigned int a, unsigned int b, bool* const high, bool* const low) { \
    using namespace simtrt::dpx;                                                                \
    *high = lane_of<lane>(a, 1) operation lane_of<lane>(b, 1);                                  \
    *low = lane_of<lane>(a, 0) operation lane_of<lane>(b, 0);                                   \
    return map<lane>(a, b, 0, [](lane x, lane y, lane) -> lane { return choice(x, y); });       \
  }

SIMT_DPX_FLAG(__vibmax_s32, int, >=)
SIMT_DPX_FLAG(__vibmax_u32, unsigned int, >=)
SIMT_DPX_FLAG(__vibmin_s32, int, <=)
SIMT_DPX_FLAG(__vibmin_u32, unsigned int, <=)
SIMT_DPX_FLAGS(__vibmax_s16x2, std::int16_t, >=, most)
SIMT_DPX_FLAGS(__vibmax_u16x2, std::uint16_t, >=, most)
SIMT_DPX_FLAGS(__vibmin_s16x2, std::int16_t, <=, least)
SIMT_DPX_FLAGS(__vibmin_u16x2, std::uint16_t, <=, least)

#undef SIMT_DPX_FLAGS
#undef SIMT_DPX_FLAG
#undef SIMT_DPX_OF_THREE
#undef SIMT_DPX_2
#undef SIMT_DPX_3

// Properties of types for a radix sort: the bits that order a type, and its smallest and largest
// value. Names and values: CUDA 12.4, cub/util_type.cuh. Programs specialise FpLimits and
// NumericTraits for their own types.
#pragma once

#include <simt_bf16.h>
#include <simt_fp16.h>
#include <simtrt/cub/types.h>

#include <cstring>
#include <limits>

CUB_NAMESPACE_BEGIN

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

namespace detail {

template <class To, class From>
To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bits_as needs types of one size");
  To to;
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(To));
  return to;
}

}  // namespace detail

/// Finite range of a floating-point type.
template <class T>
struct FpLimits;

template <>
struct FpLimits<float> {
  static float Max() { return std::numeric_limits<float>::max(); }
  static float Lowest() { return std::numeric_limits<float>::lowest(); }
};
template <>
struct FpLimits<double> {
  static double Max() { return std::numeric_limits<double>::max(); }
  static double Lowest() { return std::numeric_limits<double>::lowest(); }
};
template <>
struct FpLimits<__half> {
  static __half Max() { return detail::bits_as<__half>(static_cast<unsigned short>(0x7BFF)); }
  static __half Lowest() { return detail::bits_as<__half>(static_cast<unsigned short>(0xFBFF)); }
};
template <>
struct FpLimits<__nv_bfloat16> {
  static __nv_bfloat16 Max() {
    return detail::bits_as<__nv_bfloat16>(static_cast<unsigned short>(0x7F7F));
  }
  static __nv_bfloat16 Lowest() {
    return detail::bits_as<__nv_bfloat16>(static_cast<unsigned short>(0xFF7F));
  }
};

/// Traits of a non-numeric type.
template <Category CATEGORY_, bool PRIMITIVE_, bool NULL_TYPE_, class UnsignedBitsT, class T>
struct BaseTraits {
  static constexpr Category CATEGORY = CATEGORY_;
  enum { PRIMITIVE = PRIMITIVE_, NULL_TYPE = NULL_TYPE_ };
};

template <class UnsignedBitsT, class T>
struct BaseTraits<UNSIGNED_INTEGER, true, false, UnsignedBitsT, T> {
  using UnsignedBits = UnsignedBitsT;
  static constexpr Category CATEGORY = UNSIGNED_INTEGER;
  static constexpr UnsignedBits LOWEST_KEY = UnsignedBits(0);
  static constexpr UnsignedBits MAX_KEY = UnsignedBits(-1);
  enum { PRIMITIVE = true, NULL_TYPE = false };

  /// Maps a key to an unsigned integer; the integers sort like the keys.
  static UnsignedBits TwiddleIn(UnsignedBits key) { return key; }
  static UnsignedBits TwiddleOut(UnsignedBits key) { return key; }
  static T Max() { return detail::bits_as<T>(MAX_KEY); }
  static T Lowest() { return detail::bits_as<T>(LOWEST_KEY); }
};

template <class UnsignedBitsT, class T>
struct BaseTraits<SIGNED_INTEGER, true, false, UnsignedBitsT, T> {
  using UnsignedBits = UnsignedBitsT;
  static constexpr Category CATEGORY = SIGNED_INTEGER;
  static constexpr UnsignedBits HIGH_BIT =
      UnsignedBits(UnsignedBits(1) << (sizeof(UnsignedBits) * 8 - 1));
  static constexpr UnsignedBits LOWEST_KEY = HIGH_BIT;
  static constexpr UnsignedBits MAX_KEY = UnsignedBits(UnsignedBits(-1) ^ HIGH_BIT);
  enum { PRIMITIVE = true, NULL_TYPE = false };

  static UnsignedBits TwiddleIn(UnsignedBits key) { return key ^ HIGH_BIT; }
  static UnsignedBits TwiddleOut(UnsignedBits key) { return key ^ HIGH_BIT; }
  static T Max() { return detail::bits_as<T>(MAX_KEY); }
  static T Lowest() { return detail::bits_as<T>(LOWEST_KEY); }
};

template <class UnsignedBitsT, class T>
struct BaseTraits<FLOATING_POINT, true, false, UnsignedBitsT, T> {
  using UnsignedBits = UnsignedBitsT;
  static constexpr Category CATEGORY = FLOATING_POINT;
  static constexpr UnsignedBits HIGH_BIT =
      UnsignedBits(UnsignedBits(1) << (sizeof(UnsignedBits) * 8 - 1));
  static constexpr UnsignedBits LOWEST_KEY = UnsignedBits(-1);
  static constexpr UnsignedBits MAX_KEY = UnsignedBits(UnsignedBits(-1) ^ HIGH_BIT);
  enum { PRIMITIVE = true, NULL_TYPE = false };

  static UnsignedBits TwiddleIn(UnsignedBits key) {
    return key ^ ((key & HIGH_BIT) != 0 ? UnsignedBits(-1) : HIGH_BIT);
  }
  static UnsignedBits TwiddleOut(UnsignedBits key) {
    return key ^ ((key & HIGH_BIT) != 0 ? HIGH_BIT : UnsignedBits(-1));
  }
  static T Max() { return FpLimits<T>::Max(); }
  static T Lowest() { return FpLimits<T>::Lowest(); }
};

template <class T>
struct NumericTraits : BaseTraits<NOT_A_NUMBER, false, false, T, T> {};
template <>
struct NumericTraits<NullType> : BaseTraits<NOT_A_NUMBER, false, true, NullType, NullType> {};

template <>
struct NumericTraits<char>
    : BaseTraits<std::numeric_limits<char>::is_signed ? SIGNED_INTEGER : UNSIGNED_INTEGER, true,
                 false, unsigned char, char> {};
template <>
struct NumericTraits<signed char>
    : BaseTraits<SIGNED_INTEGER, true, false, unsigned char, signed char> {};
template <>
struct NumericTraits<short> : BaseTraits<SIGNED_INTEGER, true, false, unsigned short, short> {};
template <>
struct NumericTraits<int> : BaseTraits<SIGNED_INTEGER, true, false, unsigned int, int> {};
template <>
struct NumericTraits<long> : BaseTraits<SIGNED_INTEGER, true, false, unsigned long, long> {};
template <>
struct NumericTraits<long long>
    : BaseTraits<SIGNED_INTEGER, true, false, unsigned long long, long long> {};

template <>
struct NumericTraits<unsigned char>
    : BaseTraits<UNSIGNED_INTEGER, true, false, unsigned char, unsigned char> {};
template <>
struct NumericTraits<unsigned short>
    : BaseTraits<UNSIGNED_INTEGER, true, false, unsigned short, unsigned short> {};
template <>
struct NumericTraits<unsigned int>
    : BaseTraits<UNSIGNED_INTEGER, true, false, unsigned int, unsigned int> {};
template <>
struct NumericTraits<unsigned long>
    : BaseTraits<UNSIGNED_INTEGER, true, false, unsigned long, unsigned long> {};
template <>
struct NumericTraits<unsigned long long>
    : BaseTraits<UNSIGNED_INTEGER, true, false, unsigned long long, unsigned long long> {};
template <>
struct NumericTraits<bool> : BaseTraits<UNSIGNED_INTEGER, true, false, unsigned char, bool> {
  static bool Max() { return true; }
  static bool Lowest() { return false; }
};

template <>
struct NumericTraits<float> : BaseTraits<FLOATING_POINT, true, false, unsigned int, float> {};
template <>
struct NumericTraits<double> : BaseTraits<FLOATING_POINT, true, false, unsigned long long, double> {
};
template <>
struct NumericTraits<__half> : BaseTraits<FLOATING_POINT, true, false, unsigned short, __half> {};
template <>
struct NumericTraits<__nv_bfloat16>
    : BaseTraits<FLOATING_POINT, true, false, unsigned short, __nv_bfloat16> {};

template <class T>
struct Traits : NumericTraits<std::remove_cv_t<T>> {};

CUB_NAMESPACE_END

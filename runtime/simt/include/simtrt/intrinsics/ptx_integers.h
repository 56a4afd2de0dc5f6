// Integer instructions of PTX: saturation, 24-bit and wide products, carries, divisions,
// permutations, comparisons. Source: PTX ISA 8.4, "Integer Arithmetic Instructions" and
// "Extended-Precision Integer Arithmetic Instructions". simtrt/intrinsics/ptx.h includes this file.
#pragma once

#include <simtrt/intrinsics/integer.h>
#include <simtrt/intrinsics/ptx_operands.h>

#include <limits>

namespace simtrt::ptx {

template <class T>
constexpr T clamp_to(s64 value) {
  constexpr s64 least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  return static_cast<T>(value < least ? least : value > most ? most : value);
}

// The types of intermediate results: products of 24-bit numbers have 48 bits.
inline s64 product24(s32 a, s32 b) {
  return s64{static_cast<s32>(static_cast<u32>(a) << 8) >> 8} *
         (static_cast<s32>(static_cast<u32>(b) << 8) >> 8);
}
inline u64 product24(u32 a, u32 b) { return u64{a & 0xFFFFFF} * (b & 0xFFFFFF); }

template <class T, bool High>
T mul24(T a, T b) {
  return static_cast<T>(High ? product24(a, b) >> 16 : product24(a, b));
}

/// |a - b| + c
template <class T>
T sad(T a, T b, T c) {
  using Bits = std::make_unsigned_t<T>;
  const Bits difference = a < b ? static_cast<Bits>(static_cast<Bits>(b) - static_cast<Bits>(a))
                                : static_cast<Bits>(static_cast<Bits>(a) - static_cast<Bits>(b));
  return static_cast<T>(difference + static_cast<Bits>(c));
}

template <class T>
T negated(T a) {
  using Bits = std::make_unsigned_t<T>;
  return static_cast<T>(Bits{0} - static_cast<Bits>(a));
}

/// All bits of a division by zero are set; of 64-bit numbers only the lower half, if the dividend's
/// upper half is clear (src/kernel/division.h).
template <class T>
T of_zero_division(T dividend) {
  using Bits = std::make_unsigned_t<T>;
  if constexpr (sizeof(T) == 8) {
    if (static_cast<Bits>(dividend) >> 32 == 0) return static_cast<T>(0xFFFFFFFF);
  }
  return static_cast<T>(-1);
}
template <class T>
T divided(T a, T b) {
  if (b == 0) return of_zero_division(a);
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return negated(a);
  return static_cast<T>(a / b);
}
template <class T>
T remainder_of(T a, T b) {
  if (b == 0) return of_zero_division(a);
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

// The carry of add.cc and sub.cc, for the next instruction. Threads: one flag for each thread of
// the operating system; an instruction that sets the flag and the next one run without a switch of
// threads.
inline bool& carry() {
  static thread_local bool flag = false;
  return flag;
}
/// `modifiers` has cc to set the carry; the instruction's name has a c to use it.
template <class T>
T add_carry(const char* modifiers, bool use, T a, T b) {
  T sum;
  bool over = __builtin_add_overflow(a, b, &sum);
  if (use) over |= __builtin_add_overflow(sum, static_cast<T>(carry()), &sum);
  if (has(modifiers, "cc")) carry() = over;
  return sum;
}
template <class T>
T subtract_carry(const char* modifiers, bool use, T a, T b) {
  T difference;
  bool under = __builtin_sub_overflow(a, b, &difference);
  if (use) under |= __builtin_sub_overflow(difference, static_cast<T>(carry()), &difference);
  if (has(modifiers, "cc")) carry() = under;
  return difference;
}

/// prmt.b32 with a mode: the selector is a number of 2 bits.
inline u32 prmt_mode(const char* mode, u32 a, u32 b, u32 selector) {
  const u64 bytes = u64{b} << 32 | a;
  const u32 by = selector & 3;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 from = has(mode, "f4e")   ? (by + i) & 7
                     : has(mode, "b4e") ? (by - i) & 7
                     : has(mode, "rc8") ? by
                     : has(mode, "ecl") ? (by > i ? by : i)
                     : has(mode, "ecr") ? (by < i ? by : i)
                                        : (by & 1) * 2 + (i & 1);
    result |= static_cast<u32>(bytes >> (8 * from) & 0xFF) << (8 * i);
  }
  return result;
}
/// prmt.b32: each nibble of the selector selects a byte; its highest bit replicates the byte's sign
/// instead.
inline u32 prmt(u32 a, u32 b, u32 selector) {
  const u64 bytes = u64{b} << 32 | a;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 nibble = selector >> (4 * i) & 15;
    u32 byte = static_cast<u32>(bytes >> (8 * (nibble & 7)) & 0xFF);
    if ((nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
    result |= byte << (8 * i);
  }
  return result;
}

template <class A, class B>
u32 dp4a(u32 a, u32 b, u32 c) {
  using Left = std::conditional_t<std::is_signed_v<A>, s8, u8>;
  using Right = std::conditional_t<std::is_signed_v<B>, s8, u8>;
  return dot_lanes<Left, Right, 4, 0>(a, b, c);
}
template <class A, class B, bool High>
u32 dp2a(u32 a, u32 b, u32 c) {
  using Left = std::conditional_t<std::is_signed_v<A>, s16, u16>;
  using Right = std::conditional_t<std::is_signed_v<B>, s8, u8>;
  return dot_lanes<Left, Right, 2, High ? 2 : 0>(a, b, c);
}

/// szext: the lowest `width` bits, with their sign.
template <class T>
T szext(bool wrap, T value, u32 width) {
  if (wrap) width &= 31;
  if (width == 0) return 0;
  if (width >= 32) return value;
  return static_cast<T>(static_cast<T>(static_cast<u32>(value) << (32 - width)) >> (32 - width));
}
/// bmsk: `width` ones from bit `first` on.
inline u32 bmsk(bool wrap, u32 first, u32 width) {
  if (wrap) first &= 31, width &= 31;
  if (first >= 32) return 0;
  const u32 ones = width >= 32 ? ~u32{0} : (u32{1} << width) - 1;
  return ones << first;
}

/// Sum of the absolute differences of four bytes and c.
inline u32 vabsdiff4_add(u32 a, u32 b, u32 c) {
  for (u32 at = 0; at < 32; at += 8) {
    const u32 x = a >> at & 0xFF, y = b >> at & 0xFF;
    c += x > y ? x - y : y - x;
  }
  return c;
}

/// Result of a comparison by its PTX name. Unordered comparisons of numbers end in u.
template <class T>
bool compares(const char* how, T a, T b) {
  const bool unordered = a != a || b != b;
  if (has(how, "num")) return !unordered;
  if (has(how, "nan")) return unordered;
  if (has(how, "equ") || has(how, "neu") || has(how, "ltu") || has(how, "leu") || has(how, "gtu") ||
      has(how, "geu")) {
    if (unordered) return true;
  }
  if (has(how, "eq") || has(how, "equ")) return a == b;
  if (has(how, "ne")) return !unordered && a != b;
  if (has(how, "neu")) return a != b;
  if (has(how, "lt") || has(how, "lo") || has(how, "ltu")) return a < b;
  if (has(how, "le") || has(how, "ls") || has(how, "leu")) return a <= b;
  if (has(how, "gt") || has(how, "hi") || has(how, "gtu")) return a > b;
  return a >= b;
}

inline bool combined(const char* how, bool comparison, bool with) {
  if (has(how, "and")) return comparison && with;
  if (has(how, "or")) return comparison || with;
  if (has(how, "xor")) return comparison != with;
  return comparison;
}

/// setp: `how` has the comparison, and the operation that combines its result with a predicate.
template <class T, class To>
void setp(const char* how, To& to, T a, T b, bool with = true) {
  set(to, combined(how, compares(how, a, b), with));
}
template <class T, class P, class Q>
void setp(const char* how, const Results<P, Q>& to, T a, T b, bool with = true) {
  const bool result = compares(how, a, b);
  set(to.first, combined(how, result, with));
  set(to.second, combined(how, !result, with));
}

/// set: all bits, or 1.0, for true.
template <class To>
To truth(bool value) {
  if (!value) return To{0};
  if constexpr (std::is_floating_point_v<To>) {
    return To{1};
  } else {
    return static_cast<To>(-1);
  }
}

}  // namespace simtrt::ptx

// Conversions of PTX whose result or operand packs several numbers: pairs of 8-bit floating-point numbers (e4m3x2, e5m2x2),
// and integers with saturation (cvt.pack). Source: PTX ISA 8.4, "cvt" and "cvt.pack". simtrt/intrinsics/ptx.h includes this file.
#pragma once

#include <simtrt/intrinsics/ptx_numbers.h>
#include <simtrt/short_float/fp8_bits.h>

namespace simtrt::ptx {

/// Number that is too large becomes the largest number; each NaN becomes 0x7F, as on a GPU.
inline u8 to_e4m3(const char* m, f32 value) {
  if (value != value) return 0x7F;
  return double_to_e4m3(has(m, "relu") && value < 0 ? 0.0 : value, true);
}
inline u8 to_e5m2(const char* m, f32 value) {
  if (value != value) return 0x7F;
  return double_to_e5m2(has(m, "relu") && value < 0 ? 0.0 : value, true);
}
inline u16 to_e4m3x2(const char* m, f32 high, f32 low) { return pack_fp8x2(to_e4m3(m, low), to_e4m3(m, high)); }
inline u16 to_e5m2x2(const char* m, f32 high, f32 low) { return pack_fp8x2(to_e5m2(m, low), to_e5m2(m, high)); }
/// From f16x2.
inline u16 to_e4m3x2(const char* m, u32 halves) {
  return to_e4m3x2(m, from_half(static_cast<u16>(halves >> 16)), from_half(static_cast<u16>(halves)));
}
inline u16 to_e5m2x2(const char* m, u32 halves) {
  return to_e5m2x2(m, from_half(static_cast<u16>(halves >> 16)), from_half(static_cast<u16>(halves)));
}

/// To f16x2. Each number is exact in f16.
inline u32 halves_of_fp8(const char* m, u16 pair, bool e4m3) {
  const auto half = [&](int shift) -> u32 {
    const u16 bits = fp8_to_half_bits(static_cast<u8>(pair >> shift), e4m3);
    const bool is_negative = bits >> 15 != 0 && (bits & 0x7FFF) <= 0x7C00;
    return has(m, "relu") && is_negative ? 0 : bits;
  };
  return half(8) << 16 | half(0);
}
inline u32 from_e4m3x2(const char* m, u16 pair) { return halves_of_fp8(m, pair, true); }
inline u32 from_e5m2x2(const char* m, u16 pair) { return halves_of_fp8(m, pair, false); }

/// cvt.pack.sat: `b` in the lowest bits, `a` above, then the lowest bits of `c`. `format` is a sign and a number of bits: "s8".
inline u32 pack_saturated(const char* format, s32 a, s32 b, u32 c = 0) {
  const bool is_signed = format[0] == 's';
  const int bits = format[1] == '1' ? 16 : format[1] - '0';
  const s64 most = (s64{1} << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  const auto field = [&](s32 value) {
    const s64 fitting = value < least ? least : value > most ? most : value;
    return static_cast<u32>(fitting) & ((u32{1} << bits) - 1);
  };
  const u32 packed = field(a) << bits | field(b);
  return bits == 16 ? packed : packed | c << (2 * bits);
}

}  // namespace simtrt::ptx

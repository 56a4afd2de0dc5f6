// Instructions and special registers of PTX (PTX ISA 8.4) that ports of `asm` statements call
// (mappings/simt/ptx.yaml). Instructions that CUDA also has as intrinsics have names of their own,
// because a vendor's mappings rename the intrinsics.
//
// Threads: threads of a running kernel. Memory ordering: as for the functions in cache.h.
#pragma once

#include <simtrt/intrinsics/cache.h>
#include <simtrt/intrinsics/integer.h>
#include <simtrt/intrinsics/ptx_halves.h>
#include <simtrt/intrinsics/ptx_integers.h>
#include <simtrt/intrinsics/ptx_matrix.h>
#include <simtrt/intrinsics/ptx_memory.h>
#include <simtrt/intrinsics/ptx_numbers.h>
#include <simtrt/intrinsics/ptx_operands.h>
#include <simtrt/intrinsics/ptx_packed.h>
#include <simtrt/intrinsics/ptx_warp.h>
#include <simtrt/kernel/block.h>
#include <simtrt/kernel/warp.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace simtrt::ptx {

inline lanemask_t lanemask_eq() { return lanemask_t{1} << lane_id(); }
inline lanemask_t lanemask_lt() { return lanemask_eq() - 1; }
inline lanemask_t lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline lanemask_t lanemask_gt() { return ~lanemask_le(); }
inline lanemask_t lanemask_ge() { return ~lanemask_lt(); }
inline u32 warp_id() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) /
         static_cast<u32>(kWarpSize);
}
/// Nanoseconds.
inline u64 global_timer() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<u64>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// Position or length of a field: 32-bit instructions read its lowest 8 bits; 64-bit instructions read all bits.
template <class T>
u32 field_number(u32 given) {
  return sizeof(T) == 8 ? (given < 255 ? given : 255) : given & 0xFF;
}

/// Field of `length` bits from bit `first`; above the most significant bit, a signed field repeats
/// its sign.
template <class T>
T bfe(T value, u32 first, u32 length) {
  constexpr u32 kBits = 8 * sizeof(T);
  using Bits = std::make_unsigned_t<T>;
  first = field_number<T>(first);
  length = field_number<T>(length);
  if (length == 0) return 0;
  const bool is_signed = std::is_signed_v<T>;
  const u32 top = first + length - 1 < kBits ? first + length - 1 : kBits - 1;
  const Bits sign = is_signed && (static_cast<Bits>(value) >> top & 1) != 0 ? ~Bits{0} : Bits{0};
  if (first >= kBits) return static_cast<T>(sign);
  const Bits field = static_cast<Bits>(value) >> first;
  if (first + length >= kBits) {
    return static_cast<T>(first == 0 ? field : field | sign << (kBits - first));
  }
  const Bits mask = (Bits{1} << length) - 1;
  return static_cast<T>((field & mask) | (sign & ~mask));
}

/// `into` with `length` bits of `value` at bit `first`.
template <class T>
T bfi(T value, T into, u32 first, u32 length) {
  constexpr u32 kBits = 8 * sizeof(T);
  first = field_number<T>(first);
  length = field_number<T>(length);
  if (length == 0 || first >= kBits) return into;
  const T ones = length >= kBits ? ~T{0} : (T{1} << length) - 1;
  return (into & ~(ones << first)) | (value & ones) << first;
}

/// Position of the most significant bit that is not a sign bit; 0xFFFFFFFF if there is none.
template <class T>
u32 bfind(T value) {
  std::make_unsigned_t<T> bits = static_cast<std::make_unsigned_t<T>>(value);
  if (std::is_signed_v<T> && value < 0) bits = ~bits;
  return bits == 0 ? ~u32{0} : 63 - static_cast<u32>(__builtin_clzll(bits));
}
/// The shift that moves this bit to the top.
template <class T>
u32 bfind_shift(T value) {
  const u32 found = bfind(value);
  return found == ~u32{0} ? found : 8 * sizeof(T) - 1 - found;
}

/// Any function of three bits, for each bit: `table` is its truth table.
inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  }
  return result;
}

/// Shifts by any amount: amounts of at least the width give 0, or the sign.
template <class T>
T shift_left(T value, u32 by) {
  return by >= 8 * sizeof(T) ? T{0} : static_cast<T>(value << by);
}
template <class T>
T shift_right(T value, u32 by) {
  constexpr u32 kBits = 8 * sizeof(T);
  return static_cast<T>(by < kBits ? value >> by : value < 0 ? T(-1) : T{0});
}

/// Upper half of a product.
template <class T>
T high(T a, T b) {
  using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>(static_cast<Wide>(a) * b >> (8 * sizeof(T)));
}

inline u32 brev(u32 value) { return __brev(value); }
inline u64 brev(u64 value) { return __brevll(value); }
inline u32 popc(u32 value) { return static_cast<u32>(__popc(value)); }
inline u32 popc(u64 value) { return static_cast<u32>(__popcll(value)); }
inline u32 clz(u32 value) { return static_cast<u32>(__clz(static_cast<s32>(value))); }
inline u32 clz(u64 value) { return static_cast<u32>(__clzll(static_cast<s64>(value))); }
inline u32 fns(u32 mask, u32 base, s32 offset) { return __fns(mask, base, offset); }
inline u32 shf_l_wrap(u32 low, u32 high, u32 by) { return __funnelshift_l(low, high, by); }
inline u32 shf_r_wrap(u32 low, u32 high, u32 by) { return __funnelshift_r(low, high, by); }
inline u32 shf_l_clamp(u32 low, u32 high, u32 by) { return __funnelshift_lc(low, high, by); }
inline u32 shf_r_clamp(u32 low, u32 high, u32 by) { return __funnelshift_rc(low, high, by); }

inline void membar() { __threadfence(); }
/// bar.sync, bar.arrive and bar.red: without a count, all threads of the block.
__forceinline__ void bar_sync(u32 number = 0, u32 count = 0) {
  named_barrier(number, count, Barrier::kPlain, false, true);
}
__forceinline__ void bar_arrive(u32 number, u32 count) {
  named_barrier(number, count, Barrier::kPlain, false, false);
}
template <class To>
__forceinline__ void bar_red(const char* kind, To& to, u32 number, u32 count, bool predicate) {
  const Barrier what = has(kind, "popc") ? Barrier::kCount : has(kind, "and") ? Barrier::kAnd : Barrier::kOr;
  set(to, named_barrier(number, count, what, predicate, true));
}
template <class To>
__forceinline__ void bar_red(const char* kind, To& to, u32 number, bool predicate) {
  bar_red(kind, to, number, 0, predicate);
}
__forceinline__ void bar_warp_sync(lanemask_t lanes) { __syncwarp(lanes); }
/// Nanoseconds.
inline void nanosleep(u32 time) { __nanosleep(time); }

}  // namespace simtrt::ptx

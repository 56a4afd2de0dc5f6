// CUDA's integer intrinsics. Sources: CUDA Math API 12.4, "Integer Intrinsics"; PTX ISA 8.4 for
// arguments out of range (bfind, fns, prmt, shf, dp2a, dp4a).
#pragma once

#include <cstdint>

#include <simt_vector_types.h>
#include <simtrt/kernel/qualifiers.h>

/// Number of zeros above the highest set bit. For x = 0, the number of bits: 32 or 64.
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}

/// Position of the lowest set bit, counted from 1; 0 if no bit is set.
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }

/// Bits in reverse order.
inline unsigned int __brev(unsigned int x) {
  x = (x & 0x55555555U) << 1 | (x >> 1 & 0x55555555U);
  x = (x & 0x33333333U) << 2 | (x >> 2 & 0x33333333U);
  x = (x & 0x0F0F0F0FU) << 4 | (x >> 4 & 0x0F0F0F0FU);
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 |
         __brev(static_cast<unsigned int>(x >> 32));
}

/// Position of the offset-th set bit of mask, counted upwards from bit base, or downwards if offset
/// is negative. Offset 0 tests bit base itself. 0xFFFFFFFF if there is no such bit.
inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  constexpr unsigned int none = 0xFFFFFFFFU;
  if (base > 31) {
    return none;
  }
  if (offset == 0) {
    return (mask >> base & 1U) != 0 ? base : none;
  }
  const int step = offset > 0 ? 1 : -1;
  long long missing = offset > 0 ? offset : -static_cast<long long>(offset);
  for (int place = static_cast<int>(base); place >= 0 && place < 32; place += step) {
    if ((mask >> place & 1U) != 0 && --missing == 0) {
      return static_cast<unsigned int>(place);
    }
  }
  return none;
}

/// Four bytes selected from the eight bytes of y:x; the lowest three bits of each nibble of s select one byte.
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(y) << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int selector = s >> (4 * i) & 7U;
    result |= static_cast<unsigned int>(bytes >> (8 * selector) & 0xFFU) << (8 * i);
  }
  return result;
}

// hi:lo shifted by shift modulo 32, or by at most 32 in the functions whose names end in c. The
// left shifts return the upper half, the right shifts the lower half.
inline unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  const std::uint64_t both = static_cast<std::uint64_t>(hi) << 32 | lo;
  return static_cast<unsigned int>(both << (shift & 31U) >> 32);
}
inline unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  const std::uint64_t both = static_cast<std::uint64_t>(hi) << 32 | lo;
  return static_cast<unsigned int>(both << (shift < 32U ? shift : 32U) >> 32);
}
inline unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  const std::uint64_t both = static_cast<std::uint64_t>(hi) << 32 | lo;
  return static_cast<unsigned int>(both >> (shift & 31U));
}
inline unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  const std::uint64_t both = static_cast<std::uint64_t>(hi) << 32 | lo;
  return static_cast<unsigned int>(both >> (shift < 32U ? shift : 32U));
}

namespace simtrt {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UnsignedInt128;

}  // namespace simtrt

// Upper half of a product.
inline int __mulhi(int x, int y) {
  return static_cast<int>(static_cast<std::int64_t>(x) * y >> 32);
}
inline unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<std::uint64_t>(x) * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<simtrt::Int128>(x) * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<simtrt::UnsignedInt128>(x) * y >> 64);
}

// Lower 32 bits of the product of the lowest 24 bits of both operands.
inline unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xFFFFFFU) * (y & 0xFFFFFFU);
}
inline int __mul24(int x, int y) {
  const std::int64_t a = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << 8) >> 8;
  const std::int64_t b = static_cast<std::int32_t>(static_cast<std::uint32_t>(y) << 8) >> 8;
  return static_cast<int>(static_cast<std::uint32_t>(a * b));
}

/// |x - y| + z
inline unsigned int __sad(int x, int y, unsigned int z) {
  const std::int64_t difference = static_cast<std::int64_t>(x) - y;
  return static_cast<unsigned int>(difference < 0 ? -difference : difference) + z;
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}

// Averages without overflow, rounded down (hadd) or up (rhadd).
inline int __hadd(int x, int y) {
  return static_cast<int>((static_cast<std::int64_t>(x) + y) >> 1);
}
inline int __rhadd(int x, int y) {
  return static_cast<int>((static_cast<std::int64_t>(x) + y + 1) >> 1);
}
inline unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<std::uint64_t>(x) + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<std::uint64_t>(x) + y + 1) >> 1);
}

namespace simtrt {

/// Sum of c and Count products. Product i is lane i of a, of type Lane, times lane First + i of b,
/// of type Byte. The sum wraps around, as in the instructions.
template <class Lane, class Byte, int Count, int First>
inline std::uint32_t dot_lanes(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  constexpr int lane_bits = 8 * sizeof(Lane);
  for (int i = 0; i < Count; ++i) {
    const std::int64_t left = static_cast<Lane>(a >> (lane_bits * i));
    const std::int64_t right = static_cast<Byte>(b >> (8 * (First + i)));
    c += static_cast<std::uint32_t>(left * right);
  }
  return c;
}

template <class Vector4>
inline std::uint32_t pack_bytes(Vector4 v) {
  return static_cast<std::uint32_t>(static_cast<std::uint8_t>(v.x)) |
         static_cast<std::uint32_t>(static_cast<std::uint8_t>(v.y)) << 8 |
         static_cast<std::uint32_t>(static_cast<std::uint8_t>(v.z)) << 16 |
         static_cast<std::uint32_t>(static_cast<std::uint8_t>(v.w)) << 24;
}

template <class Vector2>
inline std::uint32_t pack_halfwords(Vector2 v) {
  return static_cast<std::uint32_t>(static_cast<std::uint16_t>(v.x)) |
         static_cast<std::uint32_t>(static_cast<std::uint16_t>(v.y)) << 16;
}

}  // namespace simtrt

// Dot products of four bytes by four bytes, plus c.
inline int __dp4a(int srcA, int srcB, int c) {
  return static_cast<int>(simtrt::dot_lanes<std::int8_t, std::int8_t, 4, 0>(
      static_cast<unsigned int>(srcA), static_cast<unsigned int>(srcB),
      static_cast<unsigned int>(c)));
}
inline unsigned int __dp4a(unsigned int srcA, unsigned int srcB, unsigned int c) {
  return simtrt::dot_lanes<std::uint8_t, std::uint8_t, 4, 0>(srcA, srcB, c);
}
inline int __dp4a(char4 srcA, char4 srcB, int c) {
  return __dp4a(static_cast<int>(simtrt::pack_bytes(srcA)),
                static_cast<int>(simtrt::pack_bytes(srcB)), c);
}
inline unsigned int __dp4a(uchar4 srcA, uchar4 srcB, unsigned int c) {
  return __dp4a(simtrt::pack_bytes(srcA), simtrt::pack_bytes(srcB), c);
}

// Dot products of two halfwords by the lower (lo) or upper (hi) two bytes, plus c.
#define SIMT_DP2A(name, first)                                                      \
  inline int name(int srcA, int srcB, int c) {                                      \
    return static_cast<int>(simtrt::dot_lanes<std::int16_t, std::int8_t, 2, first>( \
        static_cast<unsigned int>(srcA), static_cast<unsigned int>(srcB),           \
        static_cast<unsigned int>(c)));                                             \
  }                                                                                 \
  inline unsigned int name(unsigned int srcA, unsigned int srcB, unsigned int c) {  \
    return simtrt::dot_lanes<std::uint16_t, std::uint8_t, 2, first>(srcA, srcB, c); \
  }                                                                                 \
  inline int name(short2 srcA, char4 srcB, int c) {                                 \
    return name(static_cast<int>(simtrt::pack_halfwords(srcA)),                     \
                static_cast<int>(simtrt::pack_bytes(srcB)), c);                     \
  }                                                                                 \
  inline unsigned int name(ushort2 srcA, uchar4 srcB, unsigned int c) {             \
    return name(simtrt::pack_halfwords(srcA), simtrt::pack_bytes(srcB), c);         \
  }

SIMT_DP2A(__dp2a_lo, 0)
SIMT_DP2A(__dp2a_hi, 2)

#undef SIMT_DP2A

// Matrix instructions of PTX: mma.sync, ldmatrix, stmatrix, movmatrix; and asynchronous copies to
// shared memory. Source: PTX ISA 8.4, "Warp Level Matrix Multiply-Accumulate Instructions" (layouts
// of fragments) and "cp.async". simtrt/intrinsics/ptx.h includes this file.
//
// Sums of floats are in the order of the columns; a GPU's order is not specified. A copy is
// complete when it returns. Threads: all lanes of a warp.
#pragma once

#include <simtrt/intrinsics/ptx_memory.h>
#include <simtrt/intrinsics/ptx_numbers.h>
#include <simtrt/intrinsics/ptx_packed.h>
#include <simtrt/kernel/warp.h>

#include <cstring>

namespace simtrt::ptx {

/// Elements of matrices: `Bits` in a register, `Value` in a computation.
namespace element {
template <int bits, class V>
struct Stored {
  static constexpr int kBits = bits;
  using Value = V;
};
struct f16 : Stored<16, float> {
  static float value(u64 bits) { return from_half(static_cast<u16>(bits)); }
};
struct bf16 : Stored<16, float> {
  static float value(u64 bits) { return as<f32>(static_cast<u32>(bits) << 16); }
};
struct tf32 : Stored<32, float> {
  static float value(u64 bits) { return as<f32>(static_cast<u32>(bits) & ~u32{0x1FFF}); }
};
struct f64 : Stored<64, double> {
  static double value(u64 bits) { return as<double>(bits); }
};
struct e4m3 : Stored<8, float> {
  static float value(u64 bits) { return from_half(fp8_to_half_bits(static_cast<ptx::u8>(bits), true)); }
};
struct e5m2 : Stored<8, float> {
  static float value(u64 bits) { return from_half(fp8_to_half_bits(static_cast<ptx::u8>(bits), false)); }
};
struct s8 : Stored<8, s64> {
  static s64 value(u64 bits) { return static_cast<ptx::s8>(bits); }
};
struct u8 : Stored<8, s64> {
  static s64 value(u64 bits) { return static_cast<ptx::u8>(bits); }
};
struct s4 : Stored<4, s64> {
  static s64 value(u64 bits) { return static_cast<s64>((bits & 15) ^ 8) - 8; }
};
struct u4 : Stored<4, s64> {
  static s64 value(u64 bits) { return static_cast<s64>(bits & 15); }
};
}  // namespace element

/// Registers of an operand, which is a vector or one register.
template <class T>
void read_registers(const T& from, u64* to) {
  *to = bits_of(from);
}
template <class... P>
void read_registers(const Parts<P...>& from, u64* to) {
  *to = bits_of(from.first);
  if constexpr (sizeof...(P) > 1) read_registers(from.rest, to + 1);
}
template <class T>
std::enable_if_t<std::is_arithmetic_v<T>> write_registers(T& to, const u64* from) {
  __builtin_memcpy(&to, from, sizeof(T));
}
template <class... P>
void write_registers(const Parts<P...>& to, const u64* from) {
  __builtin_memcpy(&to.first, from, sizeof(to.first));
  if constexpr (sizeof...(P) > 1) write_registers(to.rest, from + 1);
}

/// Fragments of one operand of all lanes.
template <class Element, int Registers>
struct Fragments {
  u64 bits[Registers][kWarpSize];

  template <class Operand>
  explicit Fragments(const Operand& operand) {
    u64 own[Registers];
    read_registers(operand, own);
    for (int i = 0; i < Registers; ++i) warp_gather(kAllLanes, own[i], bits[i]);
  }
  static constexpr int kPerRegister = Element::kBits >= 32 ? 1 : 32 / Element::kBits;
  static constexpr int kPerRow = 4 * kPerRegister;

  /// Element `k` of row (or column) `line`; further blocks of eight lines have own registers.
  typename Element::Value at(int line, int k, int blocks) const {
    const int lane = line % 8 * 4 + k % kPerRow / kPerRegister;
    const int number = line / 8 + blocks * (k / kPerRow);
    const int shift = Element::kBits % 64 * (k % kPerRegister);
    return Element::value(bits[number][lane] >> shift);
  }
};

/// Accumulator elements of a lane: two adjacent columns, in rows `lane / 4` and `lane / 4 + 8`.
template <class T>
T number_in(const u64* registers, int i) {
  return as<T>(static_cast<std::conditional_t<sizeof(T) == 8, u64, u32>>(registers[i]));
}
template <>
inline u16 number_in<u16>(const u64* registers, int i) {
  return static_cast<u16>(registers[i / 2] >> (16 * (i % 2)));
}

/// mma.sync: M is 8 or 16, N is 8. `Sum` is float, double, s32, or u16 for the bits of f16.
template <int M, int K, class A, class B, class Sum, class D, class Left, class Right, class C>
__forceinline__ void mma(bool saturate, D&& d, const Left& left, const Right& right, const C& c) {
  constexpr int kBlocks = M / 8, kRows = Fragments<A, 1>::kPerRow, kNumbers = M / 4;
  const Fragments<A, kBlocks*(K / kRows)> a(left);
  const Fragments<B, K / Fragments<B, 1>::kPerRow> b(right);
  u64 given[kNumbers] = {}, made[kNumbers] = {};
  read_registers(c, given);
  const int lane = static_cast<int>(lane_id());
  for (int i = 0; i < kNumbers; ++i) {
    const int row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
    if constexpr (std::is_same_v<Sum, s32>) {
      s64 sum = number_in<s32>(given, i);
      for (int k = 0; k < K; ++k) sum += a.at(row, k, kBlocks) * b.at(column, k, 1);
      made[i] = static_cast<u32>(saturate ? clamp_to<s32>(sum) : static_cast<s32>(sum));
    } else if constexpr (std::is_same_v<Sum, u16>) {
      float sum = from_half(number_in<u16>(given, i));
      for (int k = 0; k < K; ++k) sum += a.at(row, k, kBlocks) * b.at(column, k, 1);
      made[i / 2] |= u64{to_16_bits<5>("", sum)} << (16 * (i % 2));
    } else {
      Sum sum = number_in<Sum>(given, i);
      for (int k = 0; k < K; ++k) sum += a.at(row, k, kBlocks) * b.at(column, k, 1);
      made[i] = bits_of(sum);
    }
  }
  write_registers(d, made);
}

inline u32 pair_of(u16 low, u16 high) { return u32{high} << 16 | low; }

/// ldmatrix: lanes 8 i to 8 i + 7 give the addresses of the rows of matrix i.
template <int Count, bool Transposed, class D>
__forceinline__ void ldmatrix(D&& d, std::uintptr_t row) {
  u64 rows[kWarpSize], made[Count];
  warp_gather(kAllLanes, row, rows);
  const u32 lane = lane_id(), outer = lane / 4, inner = lane % 4 * 2;
  for (u32 i = 0; i < Count; ++i) {
    u16 low, high;
    const auto element = [&](u32 line, u32 column) {
      return load<u16>(rows[8 * i + line] + 2 * column);
    };
    if (Transposed) {
      low = element(inner, outer), high = element(inner + 1, outer);
    } else {
      low = element(outer, inner), high = element(outer, inner + 1);
    }
    made[i] = pair_of(low, high);
  }
  write_registers(d, made);
  warp_sync(kAllLanes);
}
/// stmatrix
template <int Count, bool Transposed, class From>
__forceinline__ void stmatrix(std::uintptr_t row, const From& from) {
  u64 rows[kWarpSize], given[Count];
  warp_gather(kAllLanes, row, rows);
  read_registers(from, given);
  const u32 lane = lane_id(), outer = lane / 4, inner = lane % 4 * 2;
  for (u32 i = 0; i < Count; ++i) {
    for (u32 side = 0; side < 2; ++side) {
      const u32 line = Transposed ? inner + side : outer,
                column = Transposed ? outer : inner + side;
      store<u16>(rows[8 * i + line] + 2 * column, static_cast<u16>(given[i] >> (16 * side)));
    }
  }
  warp_sync(kAllLanes);
}
/// movmatrix.trans
template <class D>
__forceinline__ void movmatrix(D&& d, u32 own) {
  u64 all[kWarpSize];
  warp_gather(kAllLanes, own, all);
  const u32 lane = lane_id(), row = lane / 4, column = lane % 4 * 2;
  const auto element = [&](u32 line, u32 place) {
    return static_cast<u16>(all[line * 4 + place / 2] >> (16 * (place % 2)));
  };
  set(d, pair_of(element(column, row), element(column + 1, row)));
}

/// cp.async: copies `from_size` bytes, and zeros up to `size` bytes.
template <class To, class From>
void copy_async(To to, From from, u32 size, u32 from_size) {
  char* place = reinterpret_cast<char*>(shared(to));
  const u32 copied = from_size < size ? from_size : size;
  std::memcpy(place, reinterpret_cast<const char*>(generic(from)), copied);
  std::memset(place + copied, 0, size - copied);
}
template <class To, class From>
void copy_async(To to, From from, u32 size) {
  copy_async(to, from, size, size);
}
/// With .L2::cache_hint, the last operand is a policy of the cache, which has no effect on a host.
template <class To, class From>
void copy_async_with_policy(To to, From from, u32 size, u64) {
  copy_async(to, from, size, size);
}
template <class To, class From>
void copy_async_with_policy(To to, From from, u32 size, u32 from_size, u64) {
  copy_async(to, from, size, from_size);
}

}  // namespace simtrt::ptx

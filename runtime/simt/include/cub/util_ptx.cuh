// Operations of a warp and of a thread that cub gives names. Names and results: CUDA 12.4,
// cub/util_ptx.cuh.
#pragma once

#include <cub/util_arch.cuh>
#include <simtrt/cub/thread.h>
#include <simtrt/intrinsics/intrinsics.h>
#include <simtrt/kernel/warp.h>

#include <type_traits>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Value of a lane, for a value of any size. All lanes of `mask` call with the same mask.
template <class T>
T value_of_lane(const T& input, int lane, simtrt::lanemask_t mask) {
  static_assert(std::is_trivially_destructible<T>::value, "a warp exchanges plain values");
  T output = input;
  for (std::size_t offset = 0; offset < sizeof(T); offset += sizeof(std::uint64_t)) {
    const std::size_t rest = sizeof(T) - offset;
    const std::size_t size = rest < sizeof(std::uint64_t) ? rest : sizeof(std::uint64_t);
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const char*>(&input) + offset, size);
    word = __shfl_sync(mask, word, lane);
    std::memcpy(reinterpret_cast<char*>(&output) + offset, &word, size);
  }
  return output;
}

/// First lane of the group of WIDTH lanes that contains `lane`. If WIDTH is not a power of two, a
/// warp has one group.
template <int WIDTH>
constexpr int first_lane(int lane) {
  return PowerOfTwo<WIDTH>::VALUE ? lane & ~(WIDTH - 1) : 0;
}

}  // namespace detail

/// Value of the lane that is `src_offset` lanes below. A lane whose source is below lane
/// `first_thread` of its group keeps its own value.
template <int LOGICAL_WARP_THREADS, class T>
T ShuffleUp(T input, int src_offset, int first_thread, simtrt::lanemask_t member_mask) {
  const int lane = static_cast<int>(LaneId());
  const int source = lane - src_offset;
  const bool exists = source >= detail::first_lane<LOGICAL_WARP_THREADS>(lane) + first_thread;
  return detail::value_of_lane(input, exists ? source : lane, member_mask);
}

/// Value of the lane that is `src_offset` lanes above. A lane whose source is above lane
/// `last_thread` of its group keeps its own value.
template <int LOGICAL_WARP_THREADS, class T>
T ShuffleDown(T input, int src_offset, int last_thread, simtrt::lanemask_t member_mask) {
  const int lane = static_cast<int>(LaneId());
  const int source = lane + src_offset;
  const bool exists = source <= detail::first_lane<LOGICAL_WARP_THREADS>(lane) + last_thread;
  return detail::value_of_lane(input, exists ? source : lane, member_mask);
}

/// Value of lane `src_lane` of the caller's group of lanes.
template <int LOGICAL_WARP_THREADS, class T>
T ShuffleIndex(T input, int src_lane, simtrt::lanemask_t member_mask) {
  const int first = detail::first_lane<LOGICAL_WARP_THREADS>(static_cast<int>(LaneId()));
  return detail::value_of_lane(input, first + src_lane % LOGICAL_WARP_THREADS, member_mask);
}

/// Lanes of the warp whose `label` has the same BITS low bits as the caller's.
template <int BITS>
simtrt::lanemask_t MatchAny(unsigned int label) {
  return __match_any_sync(simtrt::kAllLanes,
                          BITS >= 32 ? label : label & ((1u << (BITS % 32)) - 1));
}

/// Mask of the lanes of logical warp `warp_id` in its warp.
template <int LOGICAL_WARP_THREADS, int LEGACY_PTX_ARCH = 0>
simtrt::lanemask_t WarpMask(unsigned int warp_id) {
  constexpr bool kIsPowerOfTwo = PowerOfTwo<LOGICAL_WARP_THREADS>::VALUE;
  const simtrt::lanemask_t mask = simtrt::kAllLanes >> (simtrt::kWarpSize - LOGICAL_WARP_THREADS);
  return kIsPowerOfTwo && LOGICAL_WARP_THREADS != simtrt::kWarpSize
             ? mask << (warp_id * LOGICAL_WARP_THREADS)
             : mask;
}

/// Number of the calling thread's warp in a block of one dimension.
inline unsigned int WarpId() { return threadIdx.x / simtrt::kWarpSize; }

inline simtrt::lanemask_t LaneMaskLt() { return (simtrt::lanemask_t{1} << LaneId()) - 1; }
inline simtrt::lanemask_t LaneMaskLe() { return LaneMaskLt() | (simtrt::lanemask_t{1} << LaneId()); }
inline simtrt::lanemask_t LaneMaskGt() { return ~LaneMaskLe(); }
inline simtrt::lanemask_t LaneMaskGe() { return ~LaneMaskLt(); }

[[noreturn]] inline void ThreadTrap() { __trap(); }

inline void CTA_SYNC() { __syncthreads(); }
inline int CTA_SYNC_AND(int predicate) { return __syncthreads_and(predicate); }
inline int CTA_SYNC_OR(int predicate) { return __syncthreads_or(predicate); }
inline void WARP_SYNC(simtrt::lanemask_t member_mask) { __syncwarp(member_mask); }
inline int WARP_ANY(int predicate, simtrt::lanemask_t member_mask) {
  return __any_sync(member_mask, predicate);
}
inline int WARP_ALL(int predicate, simtrt::lanemask_t member_mask) {
  return __all_sync(member_mask, predicate);
}
/// The lanes as a signed number, which is an int for a warp of 32 lanes.
inline std::make_signed_t<simtrt::lanemask_t> WARP_BALLOT(int predicate, simtrt::lanemask_t member_mask) {
  return static_cast<std::make_signed_t<simtrt::lanemask_t>>(__ballot_sync(member_mask, predicate));
}

inline unsigned int SHR_ADD(unsigned int x, unsigned int shift, unsigned int addend) {
  return (x >> shift) + addend;
}
inline unsigned int SHL_ADD(unsigned int x, unsigned int shift, unsigned int addend) {
  return (x << shift) + addend;
}
inline unsigned int IADD3(unsigned int x, unsigned int y, unsigned int z) { return x + y + z; }
inline int PRMT(unsigned int a, unsigned int b, unsigned int index) {
  return static_cast<int>(__byte_perm(a, b, index));
}

/// `num_bits` bits of `source`, from bit `bit_start` on.
template <class UnsignedBits>
unsigned int BFE(UnsignedBits source, unsigned int bit_start, unsigned int num_bits) {
  constexpr unsigned int kBits = sizeof(UnsignedBits) * 8;
  if (bit_start >= kBits) return 0;
  const auto shifted = static_cast<unsigned long long>(source) >> bit_start;
  return static_cast<unsigned int>(num_bits >= 64 ? shifted : shifted & ((1ull << num_bits) - 1));
}

/// Sets `ret` to `x` with its `num_bits` bits from bit `bit_start` on replaced by those of `y`.
inline void BFI(unsigned int& ret, unsigned int x, unsigned int y, unsigned int bit_start,
                unsigned int num_bits) {
  const unsigned long long field = num_bits >= 32 ? 0xFFFFFFFFull : (1ull << num_bits) - 1;
  const auto mask = bit_start >= 32 ? 0u : static_cast<unsigned int>(field << bit_start);
  const unsigned int bits = bit_start >= 32 ? 0u : y << bit_start;
  ret = (x & ~mask) | (bits & mask);
}

CUB_NAMESPACE_END

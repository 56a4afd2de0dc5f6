// Collectives of the lanes of one warp. CUDA C++ Programming Guide, "Warp Vote", "Warp Match",
// "Warp Reduce" and "Warp Shuffle Functions".
//
// A collective waits for the lanes of its mask that have not returned from the kernel. In CUDA, a
// value read from a lane outside of the collective is undefined; here the caller then reads its own
// value. The functions are always inlined, so that the address of a call, which fault reports name
// and which __activemask uses, lies in the kernel.
//
// Ownership: values are copied in and out; the scheduler of the block owns them during the
// collective.
// Threads: threads of a running kernel. A call outside of a kernel ends the process with a message.
// Memory ordering: there are no atomics. The lanes of a warp run on one thread of the operating
// system, so writes before a collective are visible after it.
#pragma once

#include <simtrt/config.h>
#include <simtrt/kernel/qualifiers.h>
#include <simtrt/kernel/variables.h>

#include <cstring>
#include <type_traits>

namespace simtrt {

/// Kind of collective, to detect lanes that wait in different collectives.
enum class Collective : unsigned char { kSync, kShuffle, kVote, kMatch, kReduce };

/// Number of the calling thread in its warp.
inline unsigned lane_id() {
  const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return rank % kWarpSize;
}

/// Waits for the lanes of `mask`.
SIMTRT_EXPORT void warp_sync(lanemask_t mask);

/// Returns the `bits` of lane `source`, or the caller's own bits if lane `source` is not in the
/// collective.
SIMTRT_EXPORT std::uint64_t warp_shuffle(lanemask_t mask, std::uint64_t bits, unsigned source);

/// Returns the lanes of `mask` whose predicate is true; `present` receives the lanes that arrived
/// at this collective.
SIMTRT_EXPORT lanemask_t warp_vote(lanemask_t mask, bool predicate, lanemask_t* present);

/// Returns the lanes of `mask` whose bits equal the caller's bits; `present` receives the lanes
/// that arrived at this collective.
SIMTRT_EXPORT lanemask_t warp_match(lanemask_t mask, std::uint64_t bits, lanemask_t* present);

/// Writes the bits of each lane to `values[lane]`; returns the mask of lanes that arrived at this
/// collective.
SIMTRT_EXPORT lanemask_t warp_gather(lanemask_t mask, std::uint64_t bits, std::uint64_t* values);

/// Returns the lanes that execute this call together. Lanes wait here until every other lane of the
/// warp is at this call, waits elsewhere or has returned, like reconverging lanes of a GPU. `call`
/// is a number that differs between the calls in the source, because a compiler may merge two
/// calls, which then have the same address.
SIMTRT_EXPORT lanemask_t warp_active(unsigned call);

/// Lets the lanes that store to shared memory together wait for each other, like __activemask. No effect for other memory,
/// and outside of kernels.
SIMTRT_EXPORT void warp_store(const volatile void* address, unsigned call) noexcept;

/// The compiler plugin calls this function before and after stores to volatile memory. `call` differs between the calls in a
/// source. The function is defined here, because the plugin finds functions with a body only; without `used`, g++ removes it
/// before the plugin calls it.
__attribute__((used)) inline void volatile_store(const volatile void* address, unsigned call) noexcept {
  warp_store(address, call);
}

template <class T>
std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>,
                "a warp exchanges trivially copyable values of up to 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

/// Offset of a shuffle: only its lowest five bits count.
inline unsigned offset_of(unsigned offset) { return offset % kWarpSize; }

/// Bounds of the segment of `width` lanes that contains `lane`; `width` is a power of two, at most
/// the size of a warp.
inline unsigned segment_begin(unsigned lane, int width) {
  return lane & ~(static_cast<unsigned>(width) - 1);
}

}  // namespace simtrt

__forceinline__ void __syncwarp(simtrt::lanemask_t mask = simtrt::kAllLanes) {
  simtrt::warp_sync(mask);
}

template <class T>
__forceinline__ T __shfl_sync(simtrt::lanemask_t mask, T value, int source, int width = warpSize) {
  const unsigned lane = simtrt::lane_id();
  const unsigned from = simtrt::segment_begin(lane, width) +
                        (static_cast<unsigned>(source) & (static_cast<unsigned>(width) - 1));
  return simtrt::from_bits<T>(simtrt::warp_shuffle(mask, simtrt::to_bits(value), from));
}

template <class T>
__forceinline__ T __shfl_up_sync(simtrt::lanemask_t mask, T value, unsigned delta,
                                 int width = warpSize) {
  const unsigned lane = simtrt::lane_id();
  delta = simtrt::offset_of(delta);
  const bool inside = lane - simtrt::segment_begin(lane, width) >= delta;
  return simtrt::from_bits<T>(
      simtrt::warp_shuffle(mask, simtrt::to_bits(value), inside ? lane - delta : lane));
}

template <class T>
__forceinline__ T __shfl_down_sync(simtrt::lanemask_t mask, T value, unsigned delta,
                                   int width = warpSize) {
  const unsigned lane = simtrt::lane_id();
  delta = simtrt::offset_of(delta);
  const unsigned place = lane - simtrt::segment_begin(lane, width);
  const bool inside = place + delta < static_cast<unsigned>(width);
  return simtrt::from_bits<T>(
      simtrt::warp_shuffle(mask, simtrt::to_bits(value), inside ? lane + delta : lane));
}

template <class T>
__forceinline__ T __shfl_xor_sync(simtrt::lanemask_t mask, T value, int lanes,
                                  int width = warpSize) {
  const unsigned lane = simtrt::lane_id();
  // As in CUDA, lanes may read from earlier segments; a read from a later segment returns the caller's value.
  const unsigned from = lane ^ simtrt::offset_of(static_cast<unsigned>(lanes));
  const bool inside = from < simtrt::segment_begin(lane, width) + static_cast<unsigned>(width);
  return simtrt::from_bits<T>(
      simtrt::warp_shuffle(mask, simtrt::to_bits(value), inside ? from : lane));
}

__forceinline__ simtrt::lanemask_t __ballot_sync(simtrt::lanemask_t mask, int predicate) {
  simtrt::lanemask_t present;
  return simtrt::warp_vote(mask, predicate != 0, &present);
}
__forceinline__ int __all_sync(simtrt::lanemask_t mask, int predicate) {
  simtrt::lanemask_t present;
  return simtrt::warp_vote(mask, predicate != 0, &present) == present;
}
__forceinline__ int __any_sync(simtrt::lanemask_t mask, int predicate) {
  simtrt::lanemask_t present;
  return simtrt::warp_vote(mask, predicate != 0, &present) != 0;
}
__forceinline__ int __uni_sync(simtrt::lanemask_t mask, int predicate) {
  simtrt::lanemask_t present;
  const simtrt::lanemask_t votes = simtrt::warp_vote(mask, predicate != 0, &present);
  return votes == 0 || votes == present;
}

template <class T>
__forceinline__ simtrt::lanemask_t __match_any_sync(simtrt::lanemask_t mask, T value) {
  simtrt::lanemask_t present;
  return simtrt::warp_match(mask, simtrt::to_bits(value), &present);
}
template <class T>
__forceinline__ simtrt::lanemask_t __match_all_sync(simtrt::lanemask_t mask, T value,
                                                    int* predicate) {
  simtrt::lanemask_t present;
  const bool all = simtrt::warp_match(mask, simtrt::to_bits(value), &present) == present;
  *predicate = all;
  return all ? mask : 0;
}

#define __activemask() simtrt::warp_active(__COUNTER__)

namespace simtrt {

template <class T, class Combine>
T warp_reduce(lanemask_t mask, T value, Combine combine) {
  std::uint64_t values[kWarpSize];
  const lanemask_t present = warp_gather(mask, to_bits(value), values);
  T result = value;
  bool first = true;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if ((present >> lane & 1) == 0) continue;
    const T other = from_bits<T>(values[lane]);
    result = first ? other : combine(result, other);
    first = false;
  }
  return result;
}

}  // namespace simtrt

__forceinline__ unsigned __reduce_add_sync(simtrt::lanemask_t mask, unsigned value) {
  return simtrt::warp_reduce(mask, value, [](unsigned a, unsigned b) { return a + b; });
}
__forceinline__ int __reduce_add_sync(simtrt::lanemask_t mask, int value) {
  return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(value)));
}
__forceinline__ unsigned __reduce_min_sync(simtrt::lanemask_t mask, unsigned value) {
  return simtrt::warp_reduce(mask, value, [](unsigned a, unsigned b) { return a < b ? a : b; });
}
__forceinline__ int __reduce_min_sync(simtrt::lanemask_t mask, int value) {
  return simtrt::warp_reduce(mask, value, [](int a, int b) { return a < b ? a : b; });
}
__forceinline__ unsigned __reduce_max_sync(simtrt::lanemask_t mask, unsigned value) {
  return simtrt::warp_reduce(mask, value, [](unsigned a, unsigned b) { return a > b ? a : b; });
}
__forceinline__ int __reduce_max_sync(simtrt::lanemask_t mask, int value) {
  return simtrt::warp_reduce(mask, value, [](int a, int b) { return a > b ? a : b; });
}
__forceinline__ unsigned __reduce_and_sync(simtrt::lanemask_t mask, unsigned value) {
  return simtrt::warp_reduce(mask, value, [](unsigned a, unsigned b) { return a & b; });
}
__forceinline__ unsigned __reduce_or_sync(simtrt::lanemask_t mask, unsigned value) {
  return simtrt::warp_reduce(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
__forceinline__ unsigned __reduce_xor_sync(simtrt::lanemask_t mask, unsigned value) {
  return simtrt::warp_reduce(mask, value, [](unsigned a, unsigned b) { return a ^ b; });
}

// Functions without a mask, as before CUDA 9: the mask is all lanes that have not returned.
template <class T>
__forceinline__ T __shfl(T value, int source, int width = warpSize) {
  return __shfl_sync(simtrt::kAllLanes, value, source, width);
}
template <class T>
__forceinline__ T __shfl_up(T value, unsigned delta, int width = warpSize) {
  return __shfl_up_sync(simtrt::kAllLanes, value, delta, width);
}
template <class T>
__forceinline__ T __shfl_down(T value, unsigned delta, int width = warpSize) {
  return __shfl_down_sync(simtrt::kAllLanes, value, delta, width);
}
template <class T>
__forceinline__ T __shfl_xor(T value, int lanes, int width = warpSize) {
  return __shfl_xor_sync(simtrt::kAllLanes, value, lanes, width);
}
__forceinline__ simtrt::lanemask_t __ballot(int predicate) {
  return __ballot_sync(simtrt::kAllLanes, predicate);
}
__forceinline__ int __all(int predicate) { return __all_sync(simtrt::kAllLanes, predicate); }
__forceinline__ int __any(int predicate) { return __any_sync(simtrt::kAllLanes, predicate); }

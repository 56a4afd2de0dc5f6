// Reductions of a warp by one exchange of values, in the order of the shuffles that they replace.
//
// A reduction by shuffles makes each lane wait five times. Here the lanes wait once for all values, and each lane computes
// what the shuffles would give it. The port's patches (mappings/simt/launches.yaml) put these functions in the place of
// PyTorch's loops over shuffles.
#pragma once

#include <simt_runtime.h>

#include <cstring>
#include <type_traits>

namespace simtrt {

/// Values of the lanes of the warp. Lanes that are not there have the value of the calling lane, as a shuffle gives it.
/// `T` is copied byte by byte.
template <class T>
struct WarpValues {
  T of[kWarpSize];

  explicit WarpValues(const T& own) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::uint64_t words[kWarpSize];
    for (std::size_t offset = 0; offset < sizeof(T); offset += kWord) {
      const std::size_t size = sizeof(T) - offset < kWord ? sizeof(T) - offset : kWord;
      std::uint64_t word = 0;
      std::memcpy(&word, reinterpret_cast<const char*>(&own) + offset, size);
      const lanemask_t present = warp_gather(kAllLanes, word, words);
      for (int lane = 0; lane < kWarpSize; ++lane) {
        if ((present >> lane & 1) == 0) words[lane] = word;
        std::memcpy(reinterpret_cast<char*>(&of[lane]) + offset, &words[lane], size);
      }
    }
  }
  // T may have no default constructor.
  WarpValues(const WarpValues&) = delete;
};

/// Function that replaces the values of a warp's lanes by results. `state` is its last argument.
struct WarpCombine {
  void (*of_warp)(std::uint64_t* values, lanemask_t present, const void* state);
  const void* state;
};

/// Result of the calling lane: the first lane that reads calls `combine` with the bits of all lanes.
SIMTRT_EXPORT std::uint64_t warp_gather(lanemask_t mask, std::uint64_t bits, const WarpCombine& combine);

/// True if one lane can compute for all: `warp_gather` exchanges one word.
template <class T>
inline constexpr bool kFitsWord = sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T> &&
                                  std::is_default_constructible_v<T>;

/// Calls `of_lanes(values, present)` with the values of all lanes, once for the warp; returns the caller's new value.
template <class T, class OfLanes>
T warp_combined(T value, const OfLanes& of_lanes) {
  const auto of_warp = [](std::uint64_t* bits, lanemask_t present, const void* state) {
    T values[kWarpSize];
    for (int lane = 0; lane < kWarpSize; ++lane) values[lane] = from_bits<T>(bits[lane]);
    (*static_cast<const OfLanes*>(state))(values, present);
    for (int lane = 0; lane < kWarpSize; ++lane) bits[lane] = to_bits(values[lane]);
  };
  return from_bits<T>(warp_gather(kAllLanes, to_bits(value), WarpCombine{of_warp, &of_lanes}));
}

/// Result of lane 0 of `value = combine(value, __shfl_down_sync(all, value, offset))` for the offsets kWarpSize / 2,
/// ..., 1. A block of one thread gets its value.
template <class T, class Combine>
T warp_tree_down(T value, const Combine& combine) {
  if (blockDim.x * blockDim.y * blockDim.z == 1) return value;
  const auto tree = [&](T* values) {
    for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
      for (int lane = 0; lane < offset; ++lane) values[lane] = combine(values[lane], values[lane + offset]);
    }
  };
  if constexpr (kFitsWord<T>) {
    return warp_combined(value, [&](T* values, lanemask_t present) {
      // A shuffle gives a lane its own value in the place of one that is not there.
      for (int lane = 1; lane < kWarpSize; ++lane) {
        if ((present >> lane & 1) == 0) values[lane] = values[0];
      }
      tree(values);
      for (int lane = 1; lane < kWarpSize; ++lane) values[lane] = values[0];
    });
  } else {
    WarpValues<T> values(value);
    tree(values.of);
    return values.of[0];
  }
}

/// Result of the calling lane of `value = combine(value, __shfl_xor_sync(all, value, offset, width))` for the offsets
/// width / 2, ..., 1. `T` has at most 8 bytes.
template <int width, class T, class Combine>
T warp_tree_xor(T value, const Combine& combine) {
  return warp_combined(value, [&](T* values, lanemask_t present) {
    for (int offset = width / 2; offset > 0; offset /= 2) {
      T before[kWarpSize];
      for (int lane = 0; lane < kWarpSize; ++lane) before[lane] = values[lane];
      for (int lane = 0; lane < kWarpSize; ++lane) {
        const int other = (present >> (lane ^ offset) & 1) != 0 ? lane ^ offset : lane;
        values[lane] = combine(before[lane], before[other]);
      }
    }
  });
}

}  // namespace simtrt

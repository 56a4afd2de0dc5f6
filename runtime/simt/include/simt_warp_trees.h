// Reductions of a warp by one exchange of values, in the order of the shuffles that they replace.
//
// A reduction by shuffles makes each lane wait five times. Here the lanes wait once for all values, and each lane computes
// what the shuffles would give it. The port's patches (mappings/simt/launches.yaml) put these functions in the place of
// PyTorch's loops over shuffles.
#pragma once

#include <simt_runtime.h>

#include <cstring>

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

/// Result of lane 0 of `value = combine(value, __shfl_down_sync(all, value, offset))` for the offsets kWarpSize / 2,
/// ..., 1. A block of one thread gets its value.
template <class T, class Combine>
T warp_tree_down(T value, const Combine& combine) {
  if (blockDim.x * blockDim.y * blockDim.z == 1) return value;
  WarpValues<T> values(value);
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    for (int lane = 0; lane < offset; ++lane) values.of[lane] = combine(values.of[lane], values.of[lane + offset]);
  }
  return values.of[0];
}

/// Result of the calling lane of `value = combine(value, __shfl_xor_sync(all, value, offset, width))` for the offsets
/// width / 2, ..., 1.
template <int width, class T, class Combine>
T warp_tree_xor(T value, const Combine& combine) {
  const unsigned lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % kWarpSize;
  WarpValues<T> values(value);
  // The lane's own tree: the value at index i is that of lane ^ i.
  T tree[width];
  for (int i = 0; i < width; ++i) tree[i] = values.of[lane ^ static_cast<unsigned>(i)];
  for (int offset = width / 2; offset > 0; offset /= 2) {
    for (int i = 0; i < offset; ++i) tree[i] = combine(tree[i], tree[i + offset]);
  }
  return tree[0];
}

}  // namespace simtrt

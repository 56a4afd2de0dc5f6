// Sort of a short row by one thread, for PyTorch's bitonicSortKVInPlace (SortUtils.cuh).
//
// PyTorch sorts up to 32 pairs with 16 threads, which meet after each of 15 steps. A thread that is a block of its own takes
// the same steps alone, so that equal keys have the same order. The port's patches (mappings/simt/launches.yaml) call this
// function in such blocks.
#pragma once

#include <simt_runtime.h>

#include "simt_launch_sizes.h"

namespace simtrt {

/// Sorts `count` keys, and their values with them, by the bitonic network for `kSize` pairs; `count` is at most `kSize`.
/// `comp(a, b)` is true if `a` is before `b`.
template <int kSize, class K, class V, class Index, class Compare>
__device__ void bitonic_sort_row(K* keys, Index key_stride, V* values, Index value_stride, Index count, const Compare& comp) {
  struct Pair {
    K key;
    V value;
    bool valid;  // pairs behind the row are sorted to the end
  } pairs[kSize];
  for (Index i = 0; i < kSize; ++i)
    pairs[i] = i < count ? Pair{keys[i * key_stride], values[i * value_stride], true} : Pair{K{}, V{}, false};
  for (unsigned size = 2; size <= kSize; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      for (unsigned thread = 0; thread < kSize / 2; ++thread) {
        // The last size sorts all pairs in one direction.
        const bool backward = size < kSize && (thread & (size / 2)) != 0;
        Pair& a = pairs[2 * thread - (thread & (stride - 1))];
        Pair& b = (&a)[stride];
        const bool before = (comp(a.key, b.key) && a.valid) || !b.valid;
        if (before == backward) {
          const Pair kept = a;
          a = b;
          b = kept;
        }
      }
    }
  }
  for (Index i = 0; i < count; ++i) {
    keys[i * key_stride] = pairs[i].key;
    values[i * value_stride] = pairs[i].value;
  }
}

}  // namespace simtrt

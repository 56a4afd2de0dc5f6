// Selection of the element with a given rank, for PyTorch's `topk`, `kthvalue` and `median` (SortingRadixSelect.cuh).
//
// PyTorch's threads count digits of 2 bits together, in 16 passes over a row of floats. A thread that is a block of its own has
// memory for the counters of 8 bits, and for few elements, from which it selects the result directly: two passes over most
// rows. The port's patches (mappings/simt/launches.yaml) call this function in such blocks. This header is for ports of PyTorch
// only: it takes the place of an include of <ATen/ceil_div.h>.
#pragma once

#include <simt_runtime.h>

#include <ATen/ceil_div.h>

#include <algorithm>

namespace simtrt {

/// Elements from which the result is selected directly.
inline constexpr unsigned kFewElements = 512;

/// The `k`th greatest of `size` elements, or the `k`th least; `k` is 1 or more. `Config` is PyTorch's TopKTypeConfig, which
/// converts an element to an unsigned integer in the same order, and back.
template <class Config, class T, class Index>
__device__ T radix_select(const T* data, Index k, bool largest, Index size, Index stride) {
  using Radix = typename Config::RadixType;
  constexpr int kBits = 8;
  constexpr unsigned kDigits = 1u << kBits;
  Radix found = 0;  // the digits of the result that are known, in the places of `known`
  Radix known = 0;
  Index rank = k;
  Index left = size;  // elements with these digits
  for (int place = static_cast<int>(sizeof(T)) * 8 - kBits; place >= 0 && left > kFewElements; place -= kBits) {
    // Neighbours have different counters: an addition to a counter waits for the one before.
    Index counts[2][kDigits] = {};
    for (Index i = 0; i < size; ++i) {
      const Radix element = Config::convert(data[i * stride]);
      counts[i & 1][(element >> place) & (kDigits - 1)] += (element & known) == found;
    }
    unsigned digit = largest ? kDigits - 1 : 0;
    for (;; digit += largest ? -1u : 1u) {
      left = counts[0][digit] + counts[1][digit];
      if (left >= rank) break;
      rank -= left;
    }
    found |= static_cast<Radix>(digit) << place;
    known |= static_cast<Radix>(kDigits - 1) << place;
  }
  if (left > kFewElements) return Config::deconvert(found);  // all digits are known
  Radix few[kFewElements + 1];
  Index count = 0;
  for (Index i = 0; i < size; ++i) {
    const Radix element = Config::convert(data[i * stride]);
    few[count] = element;
    count += (element & known) == found;
  }
  Radix* const result = few + (largest ? count - rank : rank - 1);
  std::nth_element(few, result, few + count);
  return Config::deconvert(*result);
}

}  // namespace simtrt

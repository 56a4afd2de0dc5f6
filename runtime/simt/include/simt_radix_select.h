// Selection of the element with a given rank, for PyTorch's `topk`, `kthvalue` and `median` (SortingRadixSelect.cuh).
//
// PyTorch's threads count digits of 2 bits together, in 16 passes over a row of floats. A thread that is a block of its own has
// memory for the counters of 8 bits: 4 passes. The port's patches (mappings/simt/launches.yaml) call this function in such
// blocks. This header is for ports of PyTorch only: it takes the place of an include of <ATen/ceil_div.h>.
#pragma once

#include <simt_runtime.h>

#include <ATen/ceil_div.h>

namespace simtrt {

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
  for (int place = static_cast<int>(sizeof(T)) * 8 - kBits; place >= 0; place -= kBits) {
    Index counts[kDigits] = {};
    for (Index i = 0; i < size; ++i) {
      const Radix element = Config::convert(data[i * stride]);
      if ((element & known) == found) ++counts[(element >> place) & (kDigits - 1)];
    }
    unsigned digit = largest ? kDigits - 1 : 0;
    for (; counts[digit] < rank; digit += largest ? -1u : 1u) rank -= counts[digit];
    found |= static_cast<Radix>(digit) << place;
    known |= static_cast<Radix>(kDigits - 1) << place;
  }
  return Config::deconvert(found);
}

}  // namespace simtrt

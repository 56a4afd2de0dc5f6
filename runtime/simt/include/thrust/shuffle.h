// thrust::shuffle and thrust::shuffle_copy. CUDA does not specify the permutation.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/extrema.h>  // programs rely on it, as on sequence.h
#include <thrust/random/uniform_int_distribution.h>
#include <thrust/sequence.h>  // programs rely on it, as CUDA's header includes it

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// Stores the values of a range in random order (Fisher and Yates).
template <class Iterator, class Output, class Generator>
void store_shuffled(Iterator first, Iterator last, Output result, Generator& generator) {
  std::vector<typename std::iterator_traits<Iterator>::value_type> values(first, last);
  for (std::size_t left = values.size(); left > 1; --left) {
    uniform_int_distribution<std::size_t> any(0, left - 1);
    std::swap(values[left - 1], values[any(generator)]);
  }
  for (const auto& value : values) *result++ = value;
}

struct shuffle {
  template <class Iterator, class Generator>
  void operator()(Iterator first, Iterator last, Generator&& generator) const {
    store_shuffled(first, last, first, generator);
  }
};

struct shuffle_copy {
  template <class Iterator, class Output, class Generator>
  void operator()(Iterator first, Iterator last, Output result, Generator&& generator) const {
    store_shuffled(first, last, result, generator);
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(shuffle)
SIMTRT_THRUST_ALGORITHM(shuffle_copy)

THRUST_NAMESPACE_END

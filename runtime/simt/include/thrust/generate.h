// thrust::generate and generate_n.
#pragma once

#include <simtrt/thrust/dispatch.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct generate {
  template <class Iterator, class Generator>
  void operator()(Iterator first, Iterator last, Generator generator) const {
    for (; first != last; ++first) *first = generator();
  }
};

struct generate_n {
  template <class Iterator, class Size, class Generator>
  Iterator operator()(Iterator first, Size count, Generator generator) const {
    for (; count > 0; --count, ++first) *first = generator();
    return first;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(generate)
SIMTRT_THRUST_ALGORITHM(generate_n)

THRUST_NAMESPACE_END

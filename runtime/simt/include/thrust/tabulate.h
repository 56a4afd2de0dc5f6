// thrust::tabulate.
#pragma once

#include <simtrt/thrust/usual.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct tabulate {
  template <class Iterator, class Function>
  void operator()(Iterator first, Iterator last, Function function) const {
    for (iterator_difference_t<Iterator> i = 0; first != last; ++first, ++i) *first = function(i);
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(tabulate)

THRUST_NAMESPACE_END

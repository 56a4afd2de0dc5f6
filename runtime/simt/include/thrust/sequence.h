// thrust::sequence.
#pragma once

#include <simtrt/thrust/usual.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// Writes init, init + step, init + 2 step ...
struct sequence {
  template <class Iterator>
  void operator()(Iterator first, Iterator last) const {
    using T = iterator_value_t<Iterator>;
    operator()(first, last, T(0), T(1));
  }
  template <class Iterator, class T>
  void operator()(Iterator first, Iterator last, T init) const {
    operator()(first, last, init, T(1));
  }
  template <class Iterator, class T>
  void operator()(Iterator first, Iterator last, T init, T step) const {
    for (iterator_difference_t<Iterator> i = 0; first != last; ++first, ++i) {
      *first = static_cast<iterator_value_t<Iterator>>(init + static_cast<T>(i) * step);
    }
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(sequence)

THRUST_NAMESPACE_END

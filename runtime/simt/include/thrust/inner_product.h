// thrust::inner_product.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/functional.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct inner_product {
  template <class First, class Second, class T>
  T operator()(First first, First last, Second other, T init) const {
    return operator()(first, last, other, init, plus<>(), multiplies<>());
  }
  template <class First, class Second, class T, class Add, class Multiply>
  T operator()(First first, First last, Second other, T init, Add add, Multiply multiply) const {
    for (; first != last; ++first, ++other) {
      init = static_cast<T>(add(init, multiply(at(first), at(other))));
    }
    return init;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(inner_product)

THRUST_NAMESPACE_END

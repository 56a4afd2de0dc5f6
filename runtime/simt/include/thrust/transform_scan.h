// thrust::transform_inclusive_scan and transform_exclusive_scan.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

struct transform_inclusive_scan {
  template <class In, class Out, class Transform, class Function>
  Out operator()(In first, In last, Out out, Transform transform, Function function) const {
    return inclusive_scan()(make_transform_iterator(first, transform),
                            make_transform_iterator(last, transform), out, function);
  }
};

struct transform_exclusive_scan {
  template <class In, class Out, class Transform, class T, class Function>
  Out operator()(In first, In last, Out out, Transform transform, T init, Function function) const {
    return exclusive_scan()(make_transform_iterator(first, transform),
                            make_transform_iterator(last, transform), out, init, function);
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(transform_inclusive_scan)
SIMTRT_THRUST_ALGORITHM(transform_exclusive_scan)

THRUST_NAMESPACE_END

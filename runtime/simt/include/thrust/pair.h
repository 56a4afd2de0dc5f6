// thrust::pair: the standard library's, whose functions kernels may call as all code is the host's.
#pragma once

#include <simtrt/thrust/config.h>

#include <utility>

THRUST_NAMESPACE_BEGIN

using std::get;
using std::make_pair;
using std::swap;

template <class First, class Second>
using pair = std::pair<First, Second>;

THRUST_NAMESPACE_END

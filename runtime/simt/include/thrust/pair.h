// thrust::pair: the standard library's class. Kernels may call its functions, because all code runs on the host.
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

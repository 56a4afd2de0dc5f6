// thrust::reverse_iterator: a sequence in reverse order.
#pragma once

#include <simtrt/thrust/iterator.h>

THRUST_NAMESPACE_BEGIN

using std::make_reverse_iterator;
using std::reverse_iterator;

THRUST_NAMESPACE_END

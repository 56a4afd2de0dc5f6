// Traits of iterators. Names: CUDA 12.4, thrust/iterator/iterator_traits.h.
#pragma once

#include <simtrt/thrust/iterator.h>

// What is known of an iterator. Names: CUDA 12.4, thrust/iterator/iterator_traits.h.
#pragma once

#include <simtrt/thrust/iterator.h>

// thrust::universal_vector: growing array in memory of the host and of the device. Here all memory is both.
#pragma once

#include <thrust/device_vector.h>

THRUST_NAMESPACE_BEGIN

template <class T, class Allocator = device_allocator<T>>
using universal_vector = device_vector<T, Allocator>;

THRUST_NAMESPACE_END

// thrust::cuda::par, and names in thrust::cuda for device memory.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>

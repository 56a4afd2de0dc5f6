// thrust::cuda::par, and the names of thrust::cuda for memory of the device.
#pragma once

#include <simtrt/thrust/usual.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>

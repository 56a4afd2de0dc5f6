// thrust::device_ptr: a pointer to memory of the device, and thrust::raw_pointer_cast.
#pragma once

#include <thrust/device_reference.h>
#include <thrust/memory.h>

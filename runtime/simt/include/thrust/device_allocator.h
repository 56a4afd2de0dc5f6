// thrust::device_allocator.
#pragma once

#include <simtrt/thrust_memory.h>

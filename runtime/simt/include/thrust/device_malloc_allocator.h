// thrust::device_malloc_allocator.
#pragma once

#include <simtrt/thrust_memory.h>

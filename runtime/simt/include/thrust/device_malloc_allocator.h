// thrust::device_malloc_allocator.
#pragma once

#include <simtrt/thrust/memory.h>

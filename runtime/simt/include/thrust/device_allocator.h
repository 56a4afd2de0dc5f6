// thrust::device_allocator.
#pragma once

#include <simtrt/thrust/memory.h>

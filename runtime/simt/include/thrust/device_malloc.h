// thrust::device_malloc.
#pragma once

#include <simtrt/thrust_memory.h>

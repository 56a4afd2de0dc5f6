// thrust::device_malloc.
#pragma once

#include <simtrt/thrust/memory.h>

// thrust::device_free.
#pragma once

#include <simtrt/thrust_memory.h>

// thrust::device_new.
#pragma once

#include <simtrt/thrust_memory.h>

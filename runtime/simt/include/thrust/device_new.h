// thrust::device_new.
#pragma once

#include <simtrt/thrust/memory.h>

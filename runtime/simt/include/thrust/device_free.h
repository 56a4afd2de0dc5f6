// thrust::device_free.
#pragma once

#include <simtrt/thrust/memory.h>

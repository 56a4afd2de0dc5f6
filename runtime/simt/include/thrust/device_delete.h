// thrust::device_delete.
#pragma once

#include <simtrt/thrust_memory.h>

// thrust::device_delete.
#pragma once

#include <simtrt/thrust/memory.h>

// thrust::device_reference: proxy of a value in device memory.
#pragma once

#include <simtrt/thrust/pointer.h>

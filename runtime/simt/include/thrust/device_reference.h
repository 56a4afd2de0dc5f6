// thrust::device_reference: stands for a value in memory of the device.
#pragma once

#include <simtrt/thrust/pointer.h>

// thrust::raw_pointer_cast and raw_reference_cast; thrust::malloc and free by a policy.
#pragma once

#include <simtrt/thrust/memory.h>

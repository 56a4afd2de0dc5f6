// CUDA's built-in device functions that need no other thread: on integers and bits, on single
// numbers, and loads and stores with a cache hint; and what nvcc answers about lambdas.
#pragma once

#include <simtrt/intrinsics/cache.h>
#include <simtrt/intrinsics/conversion.h>
#include <simtrt/intrinsics/float.h>
#include <simtrt/intrinsics/integer.h>
#include <simtrt/lambda_traits.h>

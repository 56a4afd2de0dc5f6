// CUDA's built-in device functions that need no other thread: on integers and bits, on single
// numbers, and loads and stores with a cache hint; and what nvcc answers about lambdas.
#pragma once

#include <simtrt/cache_intrinsics.h>
#include <simtrt/conversion_intrinsics.h>
#include <simtrt/float_intrinsics.h>
#include <simtrt/integer_intrinsics.h>
#include <simtrt/lambda_traits.h>

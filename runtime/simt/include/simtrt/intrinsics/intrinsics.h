// CUDA's built-in device functions for a single thread: integers and bits, floating-point numbers,
// loads and stores with cache hints; and nvcc's type traits of lambdas.
#pragma once

#include <simtrt/intrinsics/cache.h>
#include <simtrt/intrinsics/conversion.h>
#include <simtrt/intrinsics/float.h>
#include <simtrt/intrinsics/integer.h>
#include <simtrt/lambda_traits.h>

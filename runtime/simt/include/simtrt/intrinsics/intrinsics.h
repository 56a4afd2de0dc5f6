// CUDA's built-in device functions for a single thread: integers and bits, floating-point numbers,
// loads and stores with cache hints; and nvcc's type traits of lambdas. Fences, clock, __nanosleep,
// traps and barriers are in kernel/block.h, warp functions in kernel/warp.h, atomics in
// kernel/atomic.h.
#pragma once

#include <simtrt/intrinsics/cache.h>
#include <simtrt/intrinsics/conversion.h>
#include <simtrt/intrinsics/directed.h>
#include <simtrt/intrinsics/dpx.h>
#include <simtrt/intrinsics/float.h>
#include <simtrt/intrinsics/integer.h>
#include <simtrt/intrinsics/simd_words.h>
#include <simtrt/lambda_traits.h>

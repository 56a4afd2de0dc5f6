// Declarations for kernels and their launches: CUDA's language for the host's compiler, and the
// runtime API.
//
// Kernels are compiled with `-x c++ -std=c++17 -D__SIMTCC__=1 -D__SIMT_ARCH__=700
// -fno-strict-aliasing`. The macros that CUDA's compiler predefines (__CUDACC__, __CUDA_ARCH__) are
// never defined.
#pragma once
#define SIMT_RUNTIME_H  // Programs test this macro to learn whether the header was included.

#include <simtrt/kernel/letters_begin.h>

#include <simt_runtime_api.h>
#include <simtrt/kernel/qualifiers.h>
#include <simtrt/kernel/variables.h>

#include <simtrt/kernel/block.h>
#include <simtrt/kernel/warp.h>

#include <simtrt/kernel/atomic.h>
#include <simtrt/intrinsics/intrinsics.h>
#include <simtrt/intrinsics/ptx.h>
#include <simtrt/math/functions.h>

#include <simtrt/texture/fetch.h>

#include <simtrt/kernel/launch.h>
#include <simtrt/kernel/launch_kernel.h>

// Programs rely on these headers, which CUDA's compiler includes in every source.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <simtrt/kernel/letters_end.h>

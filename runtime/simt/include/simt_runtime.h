// Everything that a kernel and its launch need: CUDA's language for the host's compiler, and the
// runtime API.
//
// Kernels are compiled with `-x c++ -std=c++17 -D__SIMTCC__=1 -D__SIMT_ARCH__=700
// -fno-strict-aliasing`. CUDA's own compiler macros are never defined.
#pragma once

#include <simt_runtime_api.h>
#include <simtrt/qualifiers.h>
#include <simtrt/variables.h>

#include <simtrt/block.h>
#include <simtrt/warp.h>

#include <simtrt/atomic.h>
#include <simtrt/intrinsics.h>
#include <simtrt/math.h>

#include <simtrt/launch.h>
#include <simtrt/launch_kernel.h>

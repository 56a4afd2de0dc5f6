// CUDA's qualifiers of functions and variables, for a compiler without CUDA support: host and
// device code are compiled in one pass. Source of the names: CUDA 12.4, crt/host_defines.h.
#pragma once

#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
// CUDA's name __noinline__ cannot be a macro, because libstdc++ uses __attribute__((__noinline__));
// mappings/simt renames CUDA's uses to SIMT_NOINLINE.
#define SIMT_NOINLINE __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// Ignored: launch bounds only affect a GPU's register allocation.
#define __launch_bounds__(...)
#define __maxnreg__(...)

#define SIMTRTAPI
#define SIMTRTAPI_CDECL

// A promise to nvcc's optimiser; clang has the same function.
#if !defined(__clang__)
#define __builtin_assume(condition) static_cast<void>(0)
#endif

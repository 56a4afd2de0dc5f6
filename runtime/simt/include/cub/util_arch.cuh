// Properties of a chip for which cub is compiled. Names and values: CUDA 12.4, cub/util_arch.cuh.
#pragma once

#include <cub/config.cuh>
#include <simtrt/kernel/qualifiers.h>

/// Qualifiers of functions that launch kernels.
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_PTX_ARCH __SIMT_ARCH__

#define CUB_LOG_WARP_THREADS(unused) (5)
#define CUB_WARP_THREADS(unused) (1 << CUB_LOG_WARP_THREADS(0))
#define CUB_PTX_WARP_THREADS CUB_WARP_THREADS(0)
#define CUB_PTX_LOG_WARP_THREADS CUB_LOG_WARP_THREADS(0)
#define CUB_LOG_SMEM_BANKS(unused) (5)
#define CUB_SMEM_BANKS(unused) (1 << CUB_LOG_SMEM_BANKS(0))
#define CUB_PTX_LOG_SMEM_BANKS CUB_LOG_SMEM_BANKS(0)
#define CUB_PTX_SMEM_BANKS CUB_SMEM_BANKS(0)
#define CUB_PREFER_CONFLICT_OVER_PADDING(unused) (1)

// The version of CUB whose interface this is: 2.3.2, which CUDA 12.4 brings (cub/version.cuh
// there).
#pragma once

#define CUB_VERSION 200302
#define CUB_MAJOR_VERSION (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)

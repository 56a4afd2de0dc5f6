// Version of CUB whose interface is implemented: 2.3.2, the version in CUDA 12.4
// (cub/version.cuh).
#pragma once

#define CUB_VERSION 200302
#define CUB_MAJOR_VERSION (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)

// The version of Thrust whose interface this is: 2.3.2, which CUDA 12.4 brings (thrust/version.h
// there).
#pragma once

#define THRUST_VERSION 200302
#define THRUST_MAJOR_VERSION (THRUST_VERSION / 100000)
#define THRUST_MINOR_VERSION (THRUST_VERSION / 100 % 1000)
#define THRUST_SUBMINOR_VERSION (THRUST_VERSION % 100)

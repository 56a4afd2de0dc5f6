// Version of Thrust whose interface is implemented: 2.3.2, the version in CUDA 12.4
// (thrust/version.h).
#pragma once

#define THRUST_VERSION 200302
#define THRUST_MAJOR_VERSION (THRUST_VERSION / 100000)
#define THRUST_MINOR_VERSION (THRUST_VERSION / 100 % 1000)
#define THRUST_SUBMINOR_VERSION (THRUST_VERSION % 100)

// Options of floating-point emulation on tensor cores. simtblas.h includes this file. Names: CUDA 13, cublas_api.h.
//
// The target emulates nothing: products are computed in float and double, with at least the precision that a program asks
// for. A handle stores the options, and their getters return them. Errors: SIMTBLAS_STATUS_NOT_INITIALIZED for a null
// handle, SIMTBLAS_STATUS_INVALID_VALUE for null pointers, unknown enumerators and negative counts of bits.
#pragma once

#include <simt_emulation.h>

typedef enum {
  SIMTBLAS_EMULATION_STRATEGY_DEFAULT = 0,
  SIMTBLAS_EMULATION_STRATEGY_PERFORMANT = 1,
  SIMTBLAS_EMULATION_STRATEGY_EAGER = 2,
} simtblasEmulationStrategy_t;

extern "C" {

#define BLAS_EMULATION(name, T)                                                       \
  SIMTRT_EXPORT simtblasStatus_t simtblasSet##name(simtblasHandle_t handle, T value); \
  SIMTRT_EXPORT simtblasStatus_t simtblasGet##name(simtblasHandle_t handle, T* value);
BLAS_EMULATION(EmulationStrategy, simtblasEmulationStrategy_t)
BLAS_EMULATION(FixedPointEmulationMantissaControl, simtEmulationMantissaControl)
BLAS_EMULATION(FixedPointEmulationMaxMantissaBitCount, int)
BLAS_EMULATION(FixedPointEmulationMantissaBitOffset, int)
#undef BLAS_EMULATION

}  // extern "C"

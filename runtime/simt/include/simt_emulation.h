// Options of floating-point emulation on tensor cores. Names: CUDA 13, library_types.h. The target emulates nothing: the
// libraries compute with the types themselves. simtrt/blas/emulation.h has the functions with these options.
#pragma once

typedef enum simtEmulationMantissaControl {
  SIMT_EMULATION_MANTISSA_CONTROL_DYNAMIC = 0,
  SIMT_EMULATION_MANTISSA_CONTROL_FIXED = 1,
} simtEmulationMantissaControl;
typedef simtEmulationMantissaControl simtEmulationMantissaControl_t;

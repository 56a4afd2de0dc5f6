// simtfft's plans with separate types of input, output and arithmetic: the functions of CUDA 12.4's
// cufftXt.h (cuFFT 11.2.1) for one device.
//
// The type of the execution is SIMT_C_16F, SIMT_C_32F or SIMT_C_64F. Input and output each have the
// type of the execution or the real type of the same precision. Half numbers are transformed in
// float and rounded once. As in CUDA, the lengths of transforms of half must be powers of two;
// other lengths return SIMTFFT_INVALID_SIZE. Other element types return SIMTFFT_NOT_SUPPORTED;
// combinations that are no transform return SIMTFFT_INVALID_TYPE.
#pragma once

#include <simtfft.h>

extern "C" {

SIMTRT_EXPORT simtfftResult simtfftXtMakePlanMany(
    simtfftHandle plan, int rank, long long* n, long long* inembed, long long istride,
    long long idist, simtDataType inputtype, long long* onembed, long long ostride, long long odist,
    simtDataType outputtype, long long batch, std::size_t* work_size, simtDataType executiontype);

SIMTRT_EXPORT simtfftResult simtfftXtGetSizeMany(
    simtfftHandle plan, int rank, long long* n, long long* inembed, long long istride,
    long long idist, simtDataType inputtype, long long* onembed, long long ostride, long long odist,
    simtDataType outputtype, long long batch, std::size_t* work_size, simtDataType executiontype);

/// Executes a plan of any type; `direction` applies to complex-to-complex transforms only.
SIMTRT_EXPORT simtfftResult simtfftXtExec(simtfftHandle plan, void* input, void* output,
                                          int direction);

}  // extern "C"

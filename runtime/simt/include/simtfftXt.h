// simtfft's plans by the types of input, output and arithmetic: cufftXt.h of CUDA 12.4 (cuFFT
// 11.2.1) as far as it is for one device.
//
// Types are SIMT_C_16F, SIMT_C_32F or SIMT_C_64F for the execution, and that type or the real one
// of the same precision for input and output. Half numbers are transformed in float and rounded
// once; their lengths have to be powers of two, as in CUDA, and are SIMTFFT_INVALID_SIZE otherwise.
// Types of other kinds give SIMTFFT_NOT_SUPPORTED, combinations that are no transform
// SIMTFFT_INVALID_TYPE.
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

// simtfft's plans with separate types of input, output and arithmetic, callbacks, and transforms on
// several devices: the functions of CUDA 12.4's cufftXt.h (cuFFT 11.2.1).
//
// The type of the execution is SIMT_C_16F, SIMT_C_32F or SIMT_C_64F. Input and output each have the
// type of the execution or the real type of the same precision. Half numbers are transformed in
// float and rounded once. As in CUDA, the lengths of transforms of half must be powers of two;
// other lengths return SIMTFFT_INVALID_SIZE. Other element types return SIMTFFT_NOT_SUPPORTED;
// combinations that are no transform return SIMTFFT_INVALID_TYPE.
//
// Callbacks are functions of the program that load the numbers of the input or store those of the
// output. Each number is loaded and stored exactly once. Callbacks run on workers, several at a
// time, and not as threads of a kernel: threadIdx and similar variables have no defined values.
// Plans of half have no callbacks.
#pragma once

#include <simtfft.h>
#include <simtlibxt.h>

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

// Callbacks. cuFFT documentation, "Callback Routines": `offset` counts numbers from the begin of the
// input or output; `callerInfo` is the pointer that was set with the callback; `sharedPointer` is
// memory of the size that simtfftXtSetCallbackSharedSize sets, with arbitrary contents.
typedef simtfftComplex (*simtfftCallbackLoadC)(void* dataIn, std::size_t offset, void* callerInfo,
                                               void* sharedPointer);
typedef simtfftDoubleComplex (*simtfftCallbackLoadZ)(void* dataIn, std::size_t offset,
                                                     void* callerInfo, void* sharedPointer);
typedef simtfftReal (*simtfftCallbackLoadR)(void* dataIn, std::size_t offset, void* callerInfo,
                                            void* sharedPointer);
typedef simtfftDoubleReal (*simtfftCallbackLoadD)(void* dataIn, std::size_t offset,
                                                  void* callerInfo, void* sharedPointer);
typedef void (*simtfftCallbackStoreC)(void* dataOut, std::size_t offset, simtfftComplex element,
                                      void* callerInfo, void* sharedPointer);
typedef void (*simtfftCallbackStoreZ)(void* dataOut, std::size_t offset,
                                      simtfftDoubleComplex element, void* callerInfo,
                                      void* sharedPointer);
typedef void (*simtfftCallbackStoreR)(void* dataOut, std::size_t offset, simtfftReal element,
                                      void* callerInfo, void* sharedPointer);
typedef void (*simtfftCallbackStoreD)(void* dataOut, std::size_t offset, simtfftDoubleReal element,
                                      void* callerInfo, void* sharedPointer);

typedef enum simtfftXtCallbackType_t {
  SIMTFFT_CB_LD_COMPLEX = 0,
  SIMTFFT_CB_LD_COMPLEX_DOUBLE = 1,
  SIMTFFT_CB_LD_REAL = 2,
  SIMTFFT_CB_LD_REAL_DOUBLE = 3,
  SIMTFFT_CB_ST_COMPLEX = 4,
  SIMTFFT_CB_ST_COMPLEX_DOUBLE = 5,
  SIMTFFT_CB_ST_REAL = 6,
  SIMTFFT_CB_ST_REAL_DOUBLE = 7,
  SIMTFFT_CB_UNDEFINED = 8
} simtfftXtCallbackType;

extern "C" {

/// Sets a callback of a plan that has been made, for later executions. `routine` is an array with
/// one function, `info` an array with one pointer, or null. Returns SIMTFFT_INVALID_TYPE for a type
/// that the plan's input or output does not have.
SIMTRT_EXPORT simtfftResult simtfftXtSetCallback(simtfftHandle plan, void** routine,
                                                 simtfftXtCallbackType type, void** info);
/// Removes a callback.
SIMTRT_EXPORT simtfftResult simtfftXtClearCallback(simtfftHandle plan, simtfftXtCallbackType type);
/// Sets the size of `sharedPointer`'s memory; at most 16 KiB (else SIMTFFT_ALLOC_FAILED), 0 by default.
SIMTRT_EXPORT simtfftResult simtfftXtSetCallbackSharedSize(simtfftHandle plan,
                                                           simtfftXtCallbackType type,
                                                           std::size_t size);

}  // extern "C"

// Transforms on several devices. A plan after simtfftXtSetGPUs transforms the memory of descriptors.
//
// The parts of a descriptor contain the numbers in natural order, before and after a transform: a
// batch of transforms is divided by transforms, one transform by its first dimension, each device
// with as many rows as the others or one row less. cuFFT divides results by the second dimension, so
// that programs that read results on the devices may differ; copies by simtfftXtMemcpy have natural
// order in both. Real arrays have padded rows, as in transforms in place, also in the host's memory.
// A transform runs on the first device and is complete when the call returns.
//
// Layouts other than contiguous arrays, numbers of half and callbacks return SIMTFFT_NOT_SUPPORTED.
// cuFFT's limits of the lengths do not apply.
typedef enum simtfftXtSubFormat_t {
  SIMTFFT_XT_FORMAT_INPUT = 0,
  SIMTFFT_XT_FORMAT_OUTPUT = 1,
  SIMTFFT_XT_FORMAT_INPLACE = 2,
  SIMTFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
  SIMTFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
  SIMTFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
  SIMTFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
  SIMTFFT_FORMAT_UNDEFINED = 7
} simtfftXtSubFormat;

typedef enum simtfftXtCopyType_t {
  SIMTFFT_COPY_HOST_TO_DEVICE = 0,
  SIMTFFT_COPY_DEVICE_TO_HOST = 1,
  SIMTFFT_COPY_DEVICE_TO_DEVICE = 2,
  SIMTFFT_COPY_UNDEFINED = 3
} simtfftXtCopyType;

extern "C" {

/// Selects the devices of a plan that has not been made; 1 to 16 different ones. The function that
/// makes the plan then writes one size of a work area for each device.
SIMTRT_EXPORT simtfftResult simtfftXtSetGPUs(simtfftHandle plan, int count, int* devices);
/// Sets the work areas, one for each device.
SIMTRT_EXPORT simtfftResult simtfftXtSetWorkArea(simtfftHandle plan, void** work_areas);

/// Allocates memory for the input and output of a plan. Every format except the two distributed
/// ones has the same layout.
SIMTRT_EXPORT simtfftResult simtfftXtMalloc(simtfftHandle plan, simtLibXtDesc** descriptor,
                                            simtfftXtSubFormat format);
SIMTRT_EXPORT simtfftResult simtfftXtFree(simtLibXtDesc* descriptor);
/// Copies between host memory and a descriptor, or between two descriptors, after all work of the
/// devices.
SIMTRT_EXPORT simtfftResult simtfftXtMemcpy(simtfftHandle plan, void* to, void* from,
                                            simtfftXtCopyType type);

/// Executes a plan of any type; `direction` applies to complex-to-complex transforms only.
SIMTRT_EXPORT simtfftResult simtfftXtExecDescriptor(simtfftHandle plan, simtLibXtDesc* input,
                                                    simtLibXtDesc* output, int direction);
SIMTRT_EXPORT simtfftResult simtfftXtExecDescriptorC2C(simtfftHandle plan, simtLibXtDesc* input,
                                                       simtLibXtDesc* output, int direction);
SIMTRT_EXPORT simtfftResult simtfftXtExecDescriptorR2C(simtfftHandle plan, simtLibXtDesc* input,
                                                       simtLibXtDesc* output);
SIMTRT_EXPORT simtfftResult simtfftXtExecDescriptorC2R(simtfftHandle plan, simtLibXtDesc* input,
                                                       simtLibXtDesc* output);
SIMTRT_EXPORT simtfftResult simtfftXtExecDescriptorZ2Z(simtfftHandle plan, simtLibXtDesc* input,
                                                       simtLibXtDesc* output, int direction);
SIMTRT_EXPORT simtfftResult simtfftXtExecDescriptorD2Z(simtfftHandle plan, simtLibXtDesc* input,
                                                       simtLibXtDesc* output);
SIMTRT_EXPORT simtfftResult simtfftXtExecDescriptorZ2D(simtfftHandle plan, simtLibXtDesc* input,
                                                       simtLibXtDesc* output);

}  // extern "C"

// simtfft: discrete Fourier transforms on the host, with cuFFT's functions.
//
// Transforms are not scaled: a forward and an inverse transform multiply the numbers by the product
// of the lengths. A transform has 1, 2 or 3 dimensions of any length; the last dimension is
// contiguous. A plan transforms a batch. Transforms run in the order of the plan's stream. Numbers
// are float or double; simtfftXt.h supports half, and 64-bit lengths.
//
// Layout. With null `inembed` or `onembed`, arrays are contiguous, strides and distances are
// ignored, and an array of real numbers transformed in place has rows of 2 (n / 2 + 1) numbers; n
// is the last length. Otherwise number (x, y, z) of transform b in the input has the offset ((x
// inembed[1] + y) inembed[2] + z) istride + b idist, in numbers of the input's type; the rule for
// the output is the same, with `onembed`, ostride and odist. The spectrum of real numbers has n / 2
// + 1 numbers in its last dimension. In an input spectrum, imaginary parts that are zero by
// symmetry are ignored. Inputs are unchanged, unless the output is the same array.
//
// Errors of all functions: SIMTFFT_INVALID_PLAN for an invalid plan, a plan that is made twice, and
// a plan used before it is made; SIMTFFT_INVALID_TYPE for types that no transform has, or that
// differ from the plan's; SIMTFFT_INVALID_SIZE for lengths or batches below 1;
// SIMTFFT_INVALID_VALUE for null pointers, and invalid ranks, strides and directions;
// SIMTFFT_ALLOC_FAILED; SIMTFFT_EXEC_FAILED if the stream rejects the work. simtfftXt.h has callbacks
// and transforms on several devices.
//
// Source of names, values and signatures: CUDA 12.4, cufft.h (11.2.1).
#pragma once
#define SIMTFFT_H  // Programs test this macro to learn whether the header was included.

#include <simt_complex.h>
#include <simt_library_types.h>
#include <simt_runtime_api.h>
#include <simtrt/config.h>

#include <cstddef>

#define SIMTFFT_VER_MAJOR 11
#define SIMTFFT_VER_MINOR 2
#define SIMTFFT_VER_PATCH 1

typedef enum simtfftResult_t {
  SIMTFFT_SUCCESS = 0,
  SIMTFFT_INVALID_PLAN = 1,
  SIMTFFT_ALLOC_FAILED = 2,
  SIMTFFT_INVALID_TYPE = 3,
  SIMTFFT_INVALID_VALUE = 4,
  SIMTFFT_INTERNAL_ERROR = 5,
  SIMTFFT_EXEC_FAILED = 6,
  SIMTFFT_SETUP_FAILED = 7,
  SIMTFFT_INVALID_SIZE = 8,
  SIMTFFT_UNALIGNED_DATA = 9,
  SIMTFFT_INCOMPLETE_PARAMETER_LIST = 10,
  SIMTFFT_INVALID_DEVICE = 11,
  SIMTFFT_PARSE_ERROR = 12,
  SIMTFFT_NO_WORKSPACE = 13,
  SIMTFFT_NOT_IMPLEMENTED = 14,
  SIMTFFT_LICENSE_ERROR = 15,
  SIMTFFT_NOT_SUPPORTED = 16,
  // Added in CUDA 13; no function returns them.
  SIMTFFT_MISSING_DEPENDENCY = 17,
  SIMTFFT_RTC_FAILURE = 18,
  SIMTFFT_JITLINK_FAILURE = 19,
  SIMTFFT_SHMEM_FAILURE = 20
} simtfftResult;

/// Types of input and output. R and C are real and complex numbers of type float; D and Z are real
/// and complex numbers of type double.
typedef enum simtfftType_t {
  SIMTFFT_R2C = 0x2a,
  SIMTFFT_C2R = 0x2c,
  SIMTFFT_C2C = 0x29,
  SIMTFFT_D2Z = 0x6a,
  SIMTFFT_Z2D = 0x6c,
  SIMTFFT_Z2Z = 0x69
} simtfftType;

/// Rows of real numbers that are transformed in place are padded as FFTW pads them. No other mode
/// exists.
typedef enum simtfftCompatibility_t { SIMTFFT_COMPATIBILITY_FFTW_PADDING = 1 } simtfftCompatibility;
#define SIMTFFT_COMPATIBILITY_DEFAULT SIMTFFT_COMPATIBILITY_FFTW_PADDING

/// Directions: the sign of the exponent.
#define SIMTFFT_FORWARD -1
#define SIMTFFT_INVERSE 1

typedef float simtfftReal;
typedef double simtfftDoubleReal;
typedef simtComplex simtfftComplex;
typedef simtDoubleComplex simtfftDoubleComplex;

/// Handle of a plan: a number, as in CUDA. One host thread at a time may use it.
typedef int simtfftHandle;

extern "C" {

/// Creates a handle without a plan, on the null stream. simtfftMakePlan... makes its plan.
SIMTRT_EXPORT simtfftResult simtfftCreate(simtfftHandle* handle);
/// Destroys a plan. Transforms that were submitted before are still executed.
SIMTRT_EXPORT simtfftResult simtfftDestroy(simtfftHandle plan);
SIMTRT_EXPORT simtfftResult simtfftSetStream(simtfftHandle plan, simtStream_t stream);

/// If true (default), the plan allocates its work area when the plan is made. Returns
/// SIMTFFT_INVALID_PLAN if the plan is already made.
SIMTRT_EXPORT simtfftResult simtfftSetAutoAllocation(simtfftHandle plan, int auto_allocate);
/// Sets the work area for later executions. The function that made the plan returned the required
/// size.
SIMTRT_EXPORT simtfftResult simtfftSetWorkArea(simtfftHandle plan, void* work_area);

/// Version of the corresponding cuFFT: as one number, 11201 (11.2.1), or one part of it.
SIMTRT_EXPORT simtfftResult simtfftGetVersion(int* version);
SIMTRT_EXPORT simtfftResult simtfftGetProperty(libraryPropertyType type, int* value);

// These functions create a handle and its plan in one step. A function that fails creates nothing.
SIMTRT_EXPORT simtfftResult simtfftPlan1d(simtfftHandle* plan, int nx, simtfftType type, int batch);
SIMTRT_EXPORT simtfftResult simtfftPlan2d(simtfftHandle* plan, int nx, int ny, simtfftType type);
SIMTRT_EXPORT simtfftResult simtfftPlan3d(simtfftHandle* plan, int nx, int ny, int nz,
                                          simtfftType type);
SIMTRT_EXPORT simtfftResult simtfftPlanMany(simtfftHandle* plan, int rank, int* n, int* inembed,
                                            int istride, int idist, int* onembed, int ostride,
                                            int odist, simtfftType type, int batch);

// These functions make the plan of a handle; `work_size` receives the size of the work area in
// bytes.
SIMTRT_EXPORT simtfftResult simtfftMakePlan1d(simtfftHandle plan, int nx, simtfftType type,
                                              int batch, std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftMakePlan2d(simtfftHandle plan, int nx, int ny, simtfftType type,
                                              std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftMakePlan3d(simtfftHandle plan, int nx, int ny, int nz,
                                              simtfftType type, std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftMakePlanMany(simtfftHandle plan, int rank, int* n, int* inembed,
                                                int istride, int idist, int* onembed, int ostride,
                                                int odist, simtfftType type, int batch,
                                                std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftMakePlanMany64(simtfftHandle plan, int rank, long long* n,
                                                  long long* inembed, long long istride,
                                                  long long idist, long long* onembed,
                                                  long long ostride, long long odist,
                                                  simtfftType type, long long batch,
                                                  std::size_t* work_size);

// Size of the work area, in bytes, of a plan with these parameters. Both kinds of functions return
// the exact size: Estimate without a handle, and GetSize with a handle.
SIMTRT_EXPORT simtfftResult simtfftEstimate1d(int nx, simtfftType type, int batch,
                                              std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftEstimate2d(int nx, int ny, simtfftType type,
                                              std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftEstimate3d(int nx, int ny, int nz, simtfftType type,
                                              std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftEstimateMany(int rank, int* n, int* inembed, int istride,
                                                int idist, int* onembed, int ostride, int odist,
                                                simtfftType type, int batch,
                                                std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftGetSize1d(simtfftHandle plan, int nx, simtfftType type,
                                             int batch, std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftGetSize2d(simtfftHandle plan, int nx, int ny, simtfftType type,
                                             std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftGetSize3d(simtfftHandle plan, int nx, int ny, int nz,
                                             simtfftType type, std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftGetSizeMany(simtfftHandle plan, int rank, int* n, int* inembed,
                                               int istride, int idist, int* onembed, int ostride,
                                               int odist, simtfftType type, int batch,
                                               std::size_t* work_size);
SIMTRT_EXPORT simtfftResult simtfftGetSizeMany64(simtfftHandle plan, int rank, long long* n,
                                                 long long* inembed, long long istride,
                                                 long long idist, long long* onembed,
                                                 long long ostride, long long odist,
                                                 simtfftType type, long long batch,
                                                 std::size_t* work_size);
/// Size in bytes of the work area of a plan that has been made.
SIMTRT_EXPORT simtfftResult simtfftGetSize(simtfftHandle plan, std::size_t* work_size);

// These functions execute a transform on the plan's stream. They return SIMTFFT_NO_WORKSPACE if the
// plan lacks the work area that it requires.
SIMTRT_EXPORT simtfftResult simtfftExecC2C(simtfftHandle plan, simtfftComplex* idata,
                                           simtfftComplex* odata, int direction);
SIMTRT_EXPORT simtfftResult simtfftExecR2C(simtfftHandle plan, simtfftReal* idata,
                                           simtfftComplex* odata);
SIMTRT_EXPORT simtfftResult simtfftExecC2R(simtfftHandle plan, simtfftComplex* idata,
                                           simtfftReal* odata);
SIMTRT_EXPORT simtfftResult simtfftExecZ2Z(simtfftHandle plan, simtfftDoubleComplex* idata,
                                           simtfftDoubleComplex* odata, int direction);
SIMTRT_EXPORT simtfftResult simtfftExecD2Z(simtfftHandle plan, simtfftDoubleReal* idata,
                                           simtfftDoubleComplex* odata);
SIMTRT_EXPORT simtfftResult simtfftExecZ2D(simtfftHandle plan, simtfftDoubleComplex* idata,
                                           simtfftDoubleReal* odata);

}  // extern "C"

// Versions of CUDA and its libraries that this runtime corresponds to, used by
// mappings/simt/target.yaml (guards).
#pragma once

#define SIMT_COMPAT_VERSION 12040
#define SIMT_COMPAT_COMPILER_MAJOR 12
#define SIMT_COMPAT_COMPILER_MINOR 4
#define SIMT_COMPAT_BLAS_VERSION 120405
#define SIMT_COMPAT_FFT_VERSION 11201
#define SIMT_COMPAT_RAND_VERSION 10305
#define SIMT_COMPAT_SOLVER_VERSION 11601
#define SIMT_COMPAT_SPARSE_VERSION 12301
#define SIMT_COMPAT_CCL_VERSION 22105
#define SIMT_COMPAT_CCL_MAJOR 2
#define SIMT_COMPAT_CCL_MINOR 21
// Version of libraries that this target lacks. It is lower than any version that code requires.
#define SIMT_COMPAT_DNN_VERSION 0
#define SIMT_COMPAT_SPARSELT_VERSION 0

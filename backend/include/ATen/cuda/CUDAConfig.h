#pragma once

// What upstream's build writes there: which optional libraries ported sources may use. None of them
// has a counterpart that is found by default. Without MAGMA, linear algebra takes upstream's
// branches for cuSOLVER and cuBLAS, whose presence it reads from the macros of their versions.

#define AT_CUDNN_ENABLED() 0
#define AT_CUSPARSELT_ENABLED() 0
#define AT_ROCM_ENABLED() 0
#define AT_MAGMA_ENABLED() 0
#define NVCC_FLAGS_EXTRA ""

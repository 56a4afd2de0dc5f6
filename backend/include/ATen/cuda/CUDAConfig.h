#pragma once

// Replaces a header that upstream's build generates. It states the optional libraries that ported
// sources may use; by default, a target has none of them. Without MAGMA, linear algebra uses
// upstream's branches for cuSOLVER and cuBLAS, which test the version macros of these libraries.

#define AT_CUDNN_ENABLED() 0
#define AT_CUSPARSELT_ENABLED() 0
#define AT_ROCM_ENABLED() 0
#define AT_MAGMA_ENABLED() 0
#define NVCC_FLAGS_EXTRA ""

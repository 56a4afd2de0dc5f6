#pragma once

#if __has_include(<torch/headeronly/version.h>)
#include <torch/headeronly/version.h>
#else
#include <torch/version.h>
#endif

// Differences between releases of PyTorch are handled in this folder only. Where headers differ,
// the code tests their contents: `__has_include`, or overloads that drop out if a member is
// missing. Elsewhere it compares the version. A release newer than all comparisons takes the newest
// branch.
#define BACKEND_TORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) ||          \
   (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

// Defined if the dispatcher has a key for compressed sparse tensors on PrivateUse1.
#define BACKEND_HAS_SPARSE_COMPRESSED BACKEND_TORCH_AT_LEAST(2, 3)

// Defined if the stubs of libtorch_cpu have kernels for PrivateUse1.
#define BACKEND_HAS_STUBS BACKEND_TORCH_AT_LEAST(2, 1)

// Defined if at::autocast has functions with a parameter for the device type.
#define BACKEND_HAS_AUTOCAST_OF_DEVICE BACKEND_TORCH_AT_LEAST(2, 4)

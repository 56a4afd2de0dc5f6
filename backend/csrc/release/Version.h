#pragma once

#if __has_include(<torch/headeronly/version.h>)
#include <torch/headeronly/version.h>
#else
#include <torch/version.h>
#endif

// Differences between releases of PyTorch are handled in this folder only. A check tests the
// contents of the headers (`__has_include`, or overloads removed by a missing member) where they
// distinguish the releases, and the version elsewhere. A release newer than all checks takes the
// newest branch.
#define BACKEND_TORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) ||          \
   (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

// Defined if the dispatcher has a key for compressed sparse tensors on PrivateUse1.
#define BACKEND_HAS_SPARSE_COMPRESSED BACKEND_TORCH_AT_LEAST(2, 3)

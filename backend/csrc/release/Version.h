#pragma once

#if __has_include(<torch/headeronly/version.h>)
#include <torch/headeronly/version.h>
#else
#include <torch/version.h>
#endif

// Differences between releases of PyTorch stand in this folder, and nowhere else in the backend.
// A check asks what
// the headers declare (`__has_include`, overloads that a missing member removes) where that
// tells the releases apart,
// and the version elsewhere. A release newer than all checks takes the newest branch.
#define BACKEND_TORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) ||          \
   (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

// The dispatcher has a key for compressed sparse tensors on PrivateUse1.
#define BACKEND_HAS_SPARSE_COMPRESSED BACKEND_TORCH_AT_LEAST(2, 3)

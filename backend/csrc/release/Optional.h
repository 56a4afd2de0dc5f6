#pragma once

#include "Version.h"

#include <optional>

#if !BACKEND_TORCH_AT_LEAST(2, 2)
#include <c10/util/Optional.h>
#endif

namespace at::cuda::backend {

// Optional type in PyTorch's signatures: a class of c10 before 2.2.
#if BACKEND_TORCH_AT_LEAST(2, 2)
using std::nullopt;
using std::optional;
#else
using c10::nullopt;
using c10::optional;
#endif

}  // namespace at::cuda::backend

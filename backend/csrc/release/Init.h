#pragma once

// For ported sources of releases before 2.6, which make the device ready through at::Context: `init`
// of the backend, and the header in whose place a patch includes this one.
#include "../Backend.h"

#include <ATen/cuda/CUDAContext.h>

#pragma once

// Initialisation for ported sources of releases before 2.6, which initialise the device through at::Context. A patch
// replaces their header by this one.
#include "../Backend.h"

#include <ATen/cuda/CUDAContext.h>

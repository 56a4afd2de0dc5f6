#pragma once

// Initialisation for ported sources of releases before 2.6, which initialise the device through
// at::Context. A patch makes these sources include this header instead.
#include "../Backend.h"

#include <ATen/cuda/CUDAContext.h>

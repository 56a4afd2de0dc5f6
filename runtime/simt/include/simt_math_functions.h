// CUDA's header math_functions.h: the mathematical functions, for code that includes this header by
// name.
#pragma once

#include <simtrt/math/functions.h>

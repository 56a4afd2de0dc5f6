// CUDA's math_functions.h: the mathematical functions, for code that includes them by that name.
#pragma once

#include <simtrt/math/functions.h>

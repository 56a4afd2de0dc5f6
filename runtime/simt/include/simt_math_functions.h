// CUDA's math_functions.h: mathematical functions, for code that includes the header of this name.
#pragma once

#include <simtrt/math/functions.h>

// Types of cub: KeyValuePair, DoubleBuffer, FutureValue, NullType, Traits.
#pragma once

#include <simtrt/cub/traits.h>
#include <simtrt/cub/types.h>

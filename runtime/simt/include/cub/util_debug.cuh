// CubDebug and CubDebugExit.
#pragma once

#include <cub/config.cuh>

// Namespace of cub, as in cub/config.cuh.
#pragma once

#include <cub/config.cuh>

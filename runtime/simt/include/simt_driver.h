// Driver API for programs: simt.h, which PyTorch's files use, and modules in files.
#pragma once

#include <simt.h>
#include <simtrt/api/driver_modules.h>

// Driver API for programs: simt.h, which PyTorch's files use, modules in files, and further functions.
#pragma once

#include <simt.h>
#include <simtrt/api/driver_arrays.h>
#include <simtrt/api/driver_copies.h>
#include <simtrt/api/driver_entry_points.h>
#include <simtrt/api/driver_libraries.h>
#include <simtrt/api/driver_link.h>
#include <simtrt/api/driver_modules.h>
#include <simtrt/api/driver_programs.h>
#include <simtrt/api/driver_queries.h>
#include <simtrt/api/driver_memory_operations.h>
#include <simtrt/api/driver_textures.h>
#include <simtrt/api/driver_virtual_memory.h>

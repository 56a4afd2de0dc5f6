// Contexts of the driver API.
//
// Ownership: a context lives as long as the process. Threads: any thread. Memory ordering: none.
#pragma once

#include <simt.h>

namespace simtrt {

/// Device of a context; -1 for an unknown context, and in a process that cannot use devices.
int device_of(simtDrvContext context);

}  // namespace simtrt

#pragma once

// Exported symbols of the kernels library: functions and classes marked BACKEND_API, which the
// Python binding calls. Kernels are not exported: everything else is compiled with
// -fvisibility=hidden, so that this library and a CUDA build of torch in the same process cannot
// resolve each other's symbols.
#define BACKEND_API __attribute__((visibility("default")))

#pragma once

// What the kernels library shows: the functions and classes marked BACKEND_API, which the Python
// binding calls, and no kernel. Everything else is compiled with -fvisibility=hidden, so that a
// CUDA build of torch in the same process neither takes our kernels nor gives us its own.
#define BACKEND_API __attribute__((visibility("default")))

#pragma once

#include "Export.h"

#include <string>

namespace at::cuda::backend {

// What this library calls itself.
struct Names {
  std::string lower;              // names of files and modules
  std::string upper;              // names of environment variables
  std::string fallback_variable;  // environment: no op may run on the CPU instead
  std::string profiler_variable;  // environment: where the profiler's times come from
};

BACKEND_API const Names& names();

}  // namespace at::cuda::backend

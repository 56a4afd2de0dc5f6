#pragma once

#include "Export.h"

#include <string>

namespace at::cuda::backend {

// Names of the target, for messages, files and environment variables.
struct Names {
  std::string lower;              // prefix of file and module names
  std::string upper;              // prefix of environment variables
  std::string fallback_variable;  // variable that forbids operators on the CPU
  std::string profiler_variable;  // variable that selects the profiler's source of times
};

BACKEND_API const Names& names();

}  // namespace at::cuda::backend

// Settings of the runtime from environment variables, read once.
//
// Threads: any thread may call the function while no other thread changes the environment. The
// function has no state.
#pragma once

#include <cstdint>

namespace simtrt {

/// Number in the environment variable `name`, clamped to [lowest, highest]; `fallback` if the variable is unset. An
/// invalid number is reported on stderr and replaced by `fallback`.
std::int64_t environment_number(const char* name, std::int64_t fallback, std::int64_t lowest,
                                std::int64_t highest);

struct ComputeCapability {
  int major;
  int minor;
};

/// Compute capability of the devices: SIMT_COMPUTE_CAPABILITY, which simtcc reads too; 7.0 if the variable is unset. An
/// invalid value is reported on stderr and replaced by 7.0.
ComputeCapability environment_compute_capability();

}  // namespace simtrt

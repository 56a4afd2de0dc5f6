// Settings of the runtime from environment variables, read once.
//
// Ownership, threads, memory ordering: the function has no state. Any thread may call it, as long as no other thread
// changes the environment.
#pragma once

#include <cstdint>

namespace simtrt {

/// Number in the environment variable `name`, clamped to [lowest, highest]; `fallback` if the variable is unset. An
/// invalid number is reported on stderr and replaced by `fallback`.
std::int64_t environment_number(const char* name, std::int64_t fallback, std::int64_t lowest,
                                std::int64_t highest);

}  // namespace simtrt

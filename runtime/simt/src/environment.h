// Settings of the runtime from the environment, read once.
//
// Ownership, threads, memory ordering: the function has no state. Any thread may call it, as long as
// no other changes the environment.
#pragma once

#include <cstdint>

namespace simtrt {

/// The number that `name` holds, cut to [lowest, highest]; `fallback` where it is not set. A value
/// that is no number is told on stderr, and `fallback` holds.
std::int64_t environment_number(const char* name, std::int64_t fallback, std::int64_t lowest,
                                std::int64_t highest);

}  // namespace simtrt

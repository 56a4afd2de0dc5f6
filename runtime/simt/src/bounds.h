// Bounds that several parts of the runtime share.
#pragma once

#include <cstddef>

namespace simtrt {

/// Devices that SIMT_DEVICE_COUNT can ask for.
inline constexpr std::size_t kMaxDevices = 64;

// Priorities of streams; the lower number is the more urgent one.
inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -5;

// Of compute capability 7.0: CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability".
inline constexpr int kMaxThreadsPerBlock = 1024;
/// Clock rate of a V100. clock() of a kernel counts cycles of this rate.
inline constexpr int kClockKilohertz = 1530000;
/// Dynamic shared memory that every kernel may have, and what it may have after
/// simtFuncSetAttribute.
inline constexpr std::size_t kSharedWithoutAsking = 48 * 1024;
inline constexpr std::size_t kMostShared = 96 * 1024;

}  // namespace simtrt

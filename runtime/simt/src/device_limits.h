// Limits used by several parts of the runtime.
#pragma once

#include <cstddef>

namespace simtrt {

/// Largest number of devices in SIMT_DEVICE_COUNT.
inline constexpr std::size_t kMaxDevices = 64;

// Priorities of streams; a lower number is a higher priority.
inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -5;

// Limits of compute capability 7.0. Source: CUDA C++ Programming Guide, "Technical Specifications
// per Compute Capability".
inline constexpr int kMaxThreadsPerBlock = 1024;
/// Clock rate of a V100 in kHz. clock() in a kernel counts cycles of this rate.
inline constexpr int kClockKilohertz = 1530000;
/// Limits of a kernel's dynamic shared memory in bytes: without simtFuncSetAttribute, and with it.
inline constexpr std::size_t kMaxSharedByDefault = 48 * 1024;
inline constexpr std::size_t kMaxSharedPerBlock = 96 * 1024;

/// Alignment in bytes of textures in linear memory, and of the rows of textures in pitched memory.
inline constexpr std::size_t kTextureAlignment = 512;
inline constexpr std::size_t kTexturePitchAlignment = 32;

}  // namespace simtrt

// Constants of a build of the runtime: the width of a warp, and the macro that exports symbols of
// libsimt.so.
#pragma once

#include <cstdint>

#ifndef SIMT_WARP_SIZE
#define SIMT_WARP_SIZE 32
#endif

#define SIMTRT_EXPORT __attribute__((visibility("default")))

namespace simtrt {

inline constexpr int kWarpSize = SIMT_WARP_SIZE;

#if SIMT_WARP_SIZE == 32
/// One bit for each lane of a warp.
using lanemask_t = unsigned;
#elif SIMT_WARP_SIZE == 64
using lanemask_t = unsigned long long;
#else
#error "SIMT_WARP_SIZE is 32 or 64"
#endif

inline constexpr lanemask_t kAllLanes = static_cast<lanemask_t>(-1);

}  // namespace simtrt

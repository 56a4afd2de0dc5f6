// Distribution of large work over the runtime's workers. The host's BLAS runs on the calling thread
// only. Therefore a batch is divided into its problems, and a large problem into parts of its
// result. A sum of products is never divided, so that results do not depend on the number of
// workers.
//
// Ownership, threads and memory ordering: as for parallel_for (simtrt/enqueue.h).
#pragma once

#include <simtrt/enqueue.h>

#include <algorithm>
#include <cstddef>

#include "streams/workers.h"

namespace simtrt {

/// Smallest number of multiplications to hand to another worker: about ten microseconds of work.
constexpr double kHandOverWork = 1 << 19;

/// Minimum number of parts of large work. With this number, the workers finish at about the same
/// time.
inline int worker_parts() {
  const unsigned count = Workers::instance().count();
  return count == 1 ? 1 : static_cast<int>(2 * count);
}

/// Calls `one(i)` for each i below `count`; each call takes about `work` multiplications.
template <class One>
void for_each_of_batch(int count, double work, const One& one) {
  const auto grain = static_cast<std::size_t>(std::max(1.0, kHandOverWork / std::max(work, 1.0)));
  parallel_for(static_cast<std::size_t>(count), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      one(static_cast<int>(i));
    }
  });
}

/// Calls `one(begin, size)` for slices of [0, count). Each slice has at least `least` elements and
/// needs at least kHandOverWork multiplications; `work` is the number of multiplications for all
/// elements.
template <class One>
void for_each_slice(int count, int least, double work, const One& one) {
  const double parts = std::clamp(work / kHandOverWork, 1.0, static_cast<double>(worker_parts()));
  const int grain = std::max(least, static_cast<int>(static_cast<double>(count) / parts) + 1);
  const int slices = (count - 1) / grain + 1;
  parallel_for(static_cast<std::size_t>(slices), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t slice = first; slice < last; ++slice) {
      const int begin = static_cast<int>(slice) * grain;
      one(begin, std::min(grain, count - begin));
    }
  });
}

}  // namespace simtrt

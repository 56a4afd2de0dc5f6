// Batches: many small problems side by side on the runtime's workers, or large ones one after
// another, each on the BLAS's own threads.
#pragma once

#include <simtrt/enqueue.h>

#include <algorithm>
#include <cstddef>

#include "blas/cblas.h"

namespace simtrt {

/// Calls `one(i)` for each i below `count`, where each costs about `work` multiplications.
template <class One>
void for_each_of_batch(int count, double work, const One& one) {
  if (work > host_blas::kSingleThreadWork) {
    for (int i = 0; i < count; ++i) {
      one(i);
    }
    return;
  }
  const auto grain =
      static_cast<std::size_t>(std::max(1.0, host_blas::kSingleThreadWork / std::max(work, 1.0)));
  parallel_for(static_cast<std::size_t>(count), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      one(static_cast<int>(i));
    }
  });
}

}  // namespace simtrt

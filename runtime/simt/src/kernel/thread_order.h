// Order in which the threads of a block begin, from the environment variable SIMT_SCHEDULE. Without it, threads begin by
// number, and a thread that never waits runs to its end. Programs must not depend on this order.
//
// Ownership: constants. Threads: any. Memory ordering: the order is constant after the library is loaded.
#pragma once

#include <cstdint>
#include <vector>

namespace simtrt {

/// True if SIMT_SCHEDULE is `reverse` or `random:SEED`.
extern const bool has_thread_order;

/// Writes the numbers of the threads of a block, in the order in which they begin.
void order_threads(std::vector<unsigned>& order, unsigned threads, std::uint64_t block);

}  // namespace simtrt

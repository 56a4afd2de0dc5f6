// Order in which the threads of a block begin: the environment variable SIMT_SCHEDULE, or set_thread_order(). By default,
// threads begin by number, and a thread that never waits runs to its end. Programs must not depend on this order.
//
// Ownership: none. Threads: any. Memory ordering: the order changes only when no device has work.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace simtrt {

/// True if the order is `reverse` or `random:SEED`.
extern std::atomic<bool> has_thread_order;

/// Selects `reverse`, `random:SEED`, or the usual order by an empty text. Returns false for any other text.
bool set_thread_order(const std::string& text);

/// Writes the numbers of the threads of a block, in the order in which they begin.
void order_threads(std::vector<unsigned>& order, unsigned threads, std::uint64_t block);

}  // namespace simtrt

// Order in which the threads of a block, or the blocks of a grid, begin: the environment variable SIMT_SCHEDULE, or
// set_thread_order(). By default, both begin by number, and a thread that never waits runs to its end. Programs must not
// depend on the order of threads; CUDA defines no order of blocks, but some programs wait for earlier blocks.
//
// Ownership: none. Threads: any. Memory ordering: the order changes only when no device has work.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace simtrt {

/// True if the threads of a block begin in another order.
extern std::atomic<bool> has_thread_order;
/// True if the blocks of a grid begin in another order.
extern std::atomic<bool> has_block_order;

/// Selects `reverse` or `random:SEED` for threads, `blocks-reverse` or `blocks-random:SEED` for blocks, or the usual order
/// by an empty text. Returns false for any other text.
bool set_thread_order(const std::string& text);

/// Writes the numbers of the threads of a block, in the order in which they begin.
void order_threads(std::vector<unsigned>& order, unsigned threads, std::uint64_t block);

/// Number of the block that begins at place `place` of a grid with `blocks` blocks; all places together have all numbers.
std::uint64_t ordered_block(std::uint64_t place, std::uint64_t blocks);

}  // namespace simtrt

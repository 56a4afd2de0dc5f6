// Types of libcu++ that all of its headers share: scopes and memory orders; and the wait of a
// thread for another thread.
#pragma once

#include <simtrt/config.h>

#include <atomic>

namespace simtrt {

/// Lets other threads run: inside a kernel the other threads of the block, on the host the other
/// threads of the process.
SIMTRT_EXPORT void let_others_run();

/// Returns when `done()` is true.
template <class Done>
void wait_until(Done done) {
  while (!done()) let_others_run();
}

}  // namespace simtrt

namespace cuda {

/// Threads that may use an object at the same time. On this target every scope includes all threads.
enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread = 10,
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

}  // namespace cuda

#include "kernel/grid_barrier.h"

#include "kernel/grid_run.h"
#include "process/runtime_thread.h"

#include <unistd.h>

namespace simtrt {

bool GridBarrier::wait() {
  const std::uint64_t generation = generation_.load();
  if (arrived_.fetch_add(1) + 1 == blocks_) {
    arrived_.store(0);
    generation_.fetch_add(1);
    return true;
  }
  // The loop yields, because every block has a thread of the operating system, and there are
  // usually more of these threads than processors.
  while (generation_.load() == generation) {
    if (run_.error() != simtSuccess) return false;
    stop_if_process_ends();
    usleep(20);
  }
  return true;
}

}  // namespace simtrt

// Function with which thrust checks that the calling thread executes device work. Such a thread
// must not wait for a stream, because it would wait for itself.
#include "kernel/block_scheduler.h"
#include "streams/workers.h"

#include <simtrt/thrust/iterator.h>

namespace simtrt {

bool runs_device_work() { return Workers::is_worker() || BlockScheduler::current() != nullptr; }

}  // namespace simtrt

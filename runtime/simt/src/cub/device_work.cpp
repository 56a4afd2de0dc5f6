// Tells thrust where it runs: a thread that does the device's work must not wait for a stream, as
// it would for itself.
#include "kernel/block_scheduler.h"
#include "streams/workers.h"

#include <simtrt/thrust/iterator.h>

namespace simtrt {

bool runs_device_work() { return Workers::is_worker() || BlockScheduler::current() != nullptr; }

}  // namespace simtrt

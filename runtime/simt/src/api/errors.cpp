#include "api/call.h"
#include "api/last_error.h"

#include "kernel/block_scheduler.h"
#include "streams/child_grids.h"
#include "streams/host_thread.h"

namespace simtrt {
namespace {

thread_local simtError_t last_error = simtSuccess;

}  // namespace

simtError_t remember(simtError_t error) {
  if (error == simtSuccess || error == simtErrorNotReady) return error;
  if (StreamGrid* grid = StreamGrid::current()) {
    grid->last_errors.leave(thread_of_grid(), error);
  } else {
    last_error = error;
  }
  return error;
}

KeptLastError::KeptLastError() : error_(last_error) {}
KeptLastError::~KeptLastError() { last_error = error_; }

simtError_t check_caller(Callers allowed) {
  if (process_is_forked()) return simtSuccess;  // enter_process() returns the error
  if (HostThread::is_current()) {
    return allowed == Callers::kHostAndFunctions || allowed == Callers::kAll ? simtSuccess
                                                                             : simtErrorNotPermitted;
  }
  const bool for_kernels = allowed == Callers::kHostAndKernels || allowed == Callers::kAll;
  if (!for_kernels && BlockScheduler::current() != nullptr) return simtErrorNotPermitted;
  return simtSuccess;
}

}  // namespace simtrt

using namespace simtrt;

// The error of a failed kernel is stored by each call that returns it; the state of the device has no other influence.
simtError_t simtGetLastError() {
  const simtError_t error = simtPeekAtLastError();
  if (StreamGrid* grid = StreamGrid::current()) {
    grid->last_errors.clear(thread_of_grid());
  } else {
    last_error = simtSuccess;
  }
  return error;
}

simtError_t simtPeekAtLastError() {
  if (const StreamGrid* grid = StreamGrid::current())
    return grid->last_errors.peek(thread_of_grid());
  if (process_is_forked() || process_is_ending()) return last_error;
  return Device::count() == 0 ? simtErrorNoDevice : last_error;
}

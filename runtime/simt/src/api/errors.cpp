#include "api/call.h"

#include "kernel/block_run.h"
#include "streams/host_thread.h"

namespace simtrt {
namespace {

thread_local simtError_t last_error = simtSuccess;

}  // namespace

simtError_t remember(simtError_t error) {
  if (error != simtSuccess && error != simtErrorNotReady) last_error = error;
  return error;
}

simtError_t check_caller(Callers allowed) {
  if (HostThread::is_current()) return simtErrorNotPermitted;
  if (allowed == Callers::kHost && BlockRun::current() != nullptr) return simtErrorNotPermitted;
  return simtSuccess;
}

}  // namespace simtrt

using namespace simtrt;

// The error of a kernel that failed stays; every other is given once.
simtError_t simtGetLastError() {
  const simtError_t error = simtPeekAtLastError();
  last_error = simtSuccess;
  return error;
}

simtError_t simtPeekAtLastError() {
  if (process_is_forked() || process_is_ending()) return last_error;
  const simtError_t sticky = Device::count() == 0 ? simtSuccess : Device::current().sticky();
  return sticky != simtSuccess ? sticky : last_error;
}

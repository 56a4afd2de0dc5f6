// Reason of a failure of simtccl.
#pragma once

#include <simtccl.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace simtrt::ccl {

/// Failure of a call or of an operation. `result` is never simtcclSuccess.
struct Failure : std::runtime_error {
  Failure(simtcclResult_t result, const std::string& reason)
      : std::runtime_error(reason), result(result) {}
  simtcclResult_t result;
};

/// Records the reason of the process's last error, which simtcclGetLastError returns for any thread.
void note_last_error(const std::string& reason);

/// The operation ended because this rank aborts its communicator.
struct Aborted {};

}  // namespace simtrt::ccl

// Reason of a failure of simtccl.
#pragma once

#include <simtccl.h>

#include <exception>
#include <string>
#include <utility>

namespace simtrt::ccl {

/// Failure of a call or of an operation. `result` is never simtcclSuccess.
///
/// Each copy has its own text: copies of a failure are thrown on several threads, and
/// std::runtime_error shares one text among them, with reference counts that ThreadSanitizer does not
/// see.
class Failure : public std::exception {
 public:
  Failure(simtcclResult_t result, std::string reason)
      : result(result), reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

  simtcclResult_t result;

 private:
  std::string reason_;
};

/// Records the reason of the process's last error, which simtcclGetLastError returns for any thread.
void note_last_error(const std::string& reason);

/// The operation ended because this rank aborts its communicator.
struct Aborted {};

}  // namespace simtrt::ccl

// The last error of a host thread, for the driver API: its functions call the runtime API, but store no error for
// simtGetLastError.
#pragma once

#include <simt_runtime_api.h>

namespace simtrt {

/// Last error of the calling thread, which the object restores when it is destroyed.
class KeptLastError {
 public:
  KeptLastError();
  ~KeptLastError();
  KeptLastError(const KeptLastError&) = delete;
  KeptLastError& operator=(const KeptLastError&) = delete;

 private:
  const simtError_t error_;
};

}  // namespace simtrt

// Results of the driver API from calls of the runtime API. Errors have the same numbers in both APIs.
#pragma once

#include "api/last_error.h"

#include <simt.h>

namespace simtrt {

/// Result of a call of the runtime API, whose error simtGetLastError does not return.
template <class Call>
simtDrvResult result(Call call) {
  const KeptLastError kept;
  return static_cast<simtDrvResult>(call());
}

}  // namespace simtrt

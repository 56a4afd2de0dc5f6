// Results of the driver API from calls of the runtime API.
#pragma once

#include "api/last_error.h"

#include <simt.h>

namespace simtrt {

/// Errors of both APIs have the same numbers. An error that only the runtime API has is an invalid value.
inline simtDrvResult driver_result(simtError_t error) {
  if (error == simtSuccess) return SIMT_DRV_SUCCESS;
  const auto same = static_cast<simtDrvResult>(error);
  const char* name = nullptr;
  return simtDrvGetErrorName(same, &name) == SIMT_DRV_SUCCESS ? same : SIMT_DRV_ERROR_INVALID_VALUE;
}

/// Result of a call of the runtime API, whose error simtGetLastError does not return.
template <class Call>
simtDrvResult result(Call call) {
  const KeptLastError kept;
  return driver_result(call());
}

}  // namespace simtrt

// Handles of simtsolver, with options and versions.
#include "solver/context.h"

#include "process/state.h"

#include <new>

namespace simtrt {

simtsolverStatus_t solver_submit(simtsolverDnHandle_t handle, const char* name,
                                 std::function<void()> work) {
  switch (blas_submit(handle->stream, name, std::move(work))) {
    case SIMTBLAS_STATUS_SUCCESS: return SIMTSOLVER_STATUS_SUCCESS;
    case SIMTBLAS_STATUS_ALLOC_FAILED: return SIMTSOLVER_STATUS_ALLOC_FAILED;
    default: return SIMTSOLVER_STATUS_EXECUTION_FAILED;
  }
}

namespace {

template <class T>
simtsolverStatus_t create(T** object) {
  if (object == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *object = new (std::nothrow) T;
  return *object == nullptr ? SIMTSOLVER_STATUS_ALLOC_FAILED : SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t invalid_if(bool invalid) {
  return invalid ? SIMTSOLVER_STATUS_INVALID_VALUE : SIMTSOLVER_STATUS_SUCCESS;
}

template <class T>
simtsolverStatus_t destroy(T* object) {
  delete object;
  return invalid_if(object == nullptr);
}

/// Stores a constant property of the last call.
template <class Info, class Value>
simtsolverStatus_t report(simtsolverDnHandle_t handle, Info info, Value* to, Value value) {
  if (handle == nullptr) return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  if (info == nullptr || to == nullptr) return SIMTSOLVER_STATUS_INVALID_VALUE;
  *to = value;
  return SIMTSOLVER_STATUS_SUCCESS;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsolverStatus_t simtsolverDnCreate(simtsolverDnHandle_t* handle) {
  return enter_process() == simtSuccess ? create(handle) : SIMTSOLVER_STATUS_NOT_INITIALIZED;
}

simtsolverStatus_t simtsolverDnDestroy(simtsolverDnHandle_t handle) {
  // Submitted work does not use the handle: it has copies of the handle's data.
  return destroy(handle) == SIMTSOLVER_STATUS_SUCCESS ? SIMTSOLVER_STATUS_SUCCESS
                                                      : SIMTSOLVER_STATUS_NOT_INITIALIZED;
}

simtsolverStatus_t simtsolverDnSetStream(simtsolverDnHandle_t handle, simtStream_t stream) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  handle->stream = stream;
  return SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t simtsolverDnGetStream(simtsolverDnHandle_t handle, simtStream_t* stream) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  if (stream == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *stream = handle->stream;
  return SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t simtsolverGetVersion(int* version) {
  if (version == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *version = SIMTSOLVER_VER_MAJOR * 1000 + SIMTSOLVER_VER_MINOR * 100 + SIMTSOLVER_VER_PATCH;
  return SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t simtsolverGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  switch (type) {
    case MAJOR_VERSION: *value = SIMTSOLVER_VER_MAJOR; return SIMTSOLVER_STATUS_SUCCESS;
    case MINOR_VERSION: *value = SIMTSOLVER_VER_MINOR; return SIMTSOLVER_STATUS_SUCCESS;
    case PATCH_LEVEL: *value = SIMTSOLVER_VER_PATCH; return SIMTSOLVER_STATUS_SUCCESS;
  }
  return SIMTSOLVER_STATUS_INVALID_VALUE;
}

simtsolverStatus_t simtsolverDnCreateParams(simtsolverDnParams_t* params) { return create(params); }
simtsolverStatus_t simtsolverDnDestroyParams(simtsolverDnParams_t params) {
  return destroy(params);
}
simtsolverStatus_t simtsolverDnSetAdvOptions(simtsolverDnParams_t params,
                                             simtsolverDnFunction_t function,
                                             simtsolverAlgMode_t algo) {
  const bool known = function == SIMTSOLVERDN_GETRF || function == SIMTSOLVERDN_POTRF;
  return invalid_if(params == nullptr || !known || algo < SIMTSOLVER_ALG_0 ||
                    algo > SIMTSOLVER_ALG_2);
}

simtsolverStatus_t simtsolverDnCreateSyevjInfo(syevjInfo_t* info) { return create(info); }
simtsolverStatus_t simtsolverDnDestroySyevjInfo(syevjInfo_t info) { return destroy(info); }
simtsolverStatus_t simtsolverDnXsyevjSetTolerance(syevjInfo_t info, double) {
  return invalid_if(info == nullptr);
}
simtsolverStatus_t simtsolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int) {
  return invalid_if(info == nullptr);
}
simtsolverStatus_t simtsolverDnXsyevjSetSortEig(syevjInfo_t info, int) {
  return invalid_if(info == nullptr);
}

simtsolverStatus_t simtsolverDnCreateGesvdjInfo(gesvdjInfo_t* info) { return create(info); }
simtsolverStatus_t simtsolverDnDestroyGesvdjInfo(gesvdjInfo_t info) { return destroy(info); }
simtsolverStatus_t simtsolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double) {
  return invalid_if(info == nullptr);
}
simtsolverStatus_t simtsolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int) {
  return invalid_if(info == nullptr);
}
simtsolverStatus_t simtsolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int) {
  return invalid_if(info == nullptr);
}

simtsolverStatus_t simtsolverDnXsyevjGetResidual(simtsolverDnHandle_t handle, syevjInfo_t info,
                                                 double* residual) {
  return report(handle, info, residual, 0.0);
}
simtsolverStatus_t simtsolverDnXsyevjGetSweeps(simtsolverDnHandle_t handle, syevjInfo_t info,
                                               int* sweeps) {
  return report(handle, info, sweeps, 1);
}
simtsolverStatus_t simtsolverDnXgesvdjGetResidual(simtsolverDnHandle_t handle, gesvdjInfo_t info,
                                                  double* residual) {
  return report(handle, info, residual, 0.0);
}
simtsolverStatus_t simtsolverDnXgesvdjGetSweeps(simtsolverDnHandle_t handle, gesvdjInfo_t info,
                                                int* sweeps) {
  return report(handle, info, sweeps, 1);
}

}  // extern "C"

// Handles of simtsparse, its modes, and the names of its statuses.
#include "sparse/context.h"

#include "process/state.h"

#include <simtrt/enqueue.h>

#include <new>
#include <utility>

namespace simtrt {

namespace {

simtsparseStatus_t status_of(simtError_t error) {
  switch (error) {
    case simtSuccess: return SIMTSPARSE_STATUS_SUCCESS;
    case simtErrorMemoryAllocation: return SIMTSPARSE_STATUS_ALLOC_FAILED;
    default: return SIMTSPARSE_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace

simtsparseStatus_t sparse_submit(const SparseContext& context, const char* name,
                                 std::function<void()> work) {
  return status_of(enqueue(context.stream, name, std::move(work)));
}

simtsparseStatus_t sparse_wait(const SparseContext& context) {
  return status_of(simtStreamSynchronize(context.stream));
}

}  // namespace simtrt

using simtrt::SparseContext;

extern "C" {

simtsparseStatus_t simtsparseCreate(simtsparseHandle_t* handle) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (simtrt::enter_process() != simtSuccess) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  *handle = new (std::nothrow) SparseContext;
  return *handle == nullptr ? SIMTSPARSE_STATUS_ALLOC_FAILED : SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseDestroy(simtsparseHandle_t handle) {
  // Submitted work does not use the handle: it has copies of the handle's data.
  delete handle;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseGetVersion(simtsparseHandle_t handle, int* version) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (version == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *version = SIMTSPARSE_VER_MAJOR * 1000 + SIMTSPARSE_VER_MINOR * 100 + SIMTSPARSE_VER_PATCH;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  switch (type) {
    case MAJOR_VERSION: *value = SIMTSPARSE_VER_MAJOR; return SIMTSPARSE_STATUS_SUCCESS;
    case MINOR_VERSION: *value = SIMTSPARSE_VER_MINOR; return SIMTSPARSE_STATUS_SUCCESS;
    case PATCH_LEVEL: *value = SIMTSPARSE_VER_PATCH; return SIMTSPARSE_STATUS_SUCCESS;
  }
  return SIMTSPARSE_STATUS_INVALID_VALUE;
}

simtsparseStatus_t simtsparseSetStream(simtsparseHandle_t handle, simtStream_t stream) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  handle->stream = stream;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseGetStream(simtsparseHandle_t handle, simtStream_t* stream) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (stream == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *stream = handle->stream;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseSetPointerMode(simtsparseHandle_t handle,
                                            simtsparsePointerMode_t mode) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (mode != SIMTSPARSE_POINTER_MODE_HOST && mode != SIMTSPARSE_POINTER_MODE_DEVICE) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  handle->pointer_mode = mode;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseGetPointerMode(simtsparseHandle_t handle,
                                            simtsparsePointerMode_t* mode) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (mode == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *mode = handle->pointer_mode;
  return SIMTSPARSE_STATUS_SUCCESS;
}

const char* simtsparseGetErrorName(simtsparseStatus_t status) {
  switch (status) {
    case SIMTSPARSE_STATUS_SUCCESS: return "SIMTSPARSE_STATUS_SUCCESS";
    case SIMTSPARSE_STATUS_NOT_INITIALIZED: return "SIMTSPARSE_STATUS_NOT_INITIALIZED";
    case SIMTSPARSE_STATUS_ALLOC_FAILED: return "SIMTSPARSE_STATUS_ALLOC_FAILED";
    case SIMTSPARSE_STATUS_INVALID_VALUE: return "SIMTSPARSE_STATUS_INVALID_VALUE";
    case SIMTSPARSE_STATUS_ARCH_MISMATCH: return "SIMTSPARSE_STATUS_ARCH_MISMATCH";
    case SIMTSPARSE_STATUS_MAPPING_ERROR: return "SIMTSPARSE_STATUS_MAPPING_ERROR";
    case SIMTSPARSE_STATUS_EXECUTION_FAILED: return "SIMTSPARSE_STATUS_EXECUTION_FAILED";
    case SIMTSPARSE_STATUS_INTERNAL_ERROR: return "SIMTSPARSE_STATUS_INTERNAL_ERROR";
    case SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED:
      return "SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED";
    case SIMTSPARSE_STATUS_ZERO_PIVOT: return "SIMTSPARSE_STATUS_ZERO_PIVOT";
    case SIMTSPARSE_STATUS_NOT_SUPPORTED: return "SIMTSPARSE_STATUS_NOT_SUPPORTED";
    case SIMTSPARSE_STATUS_INSUFFICIENT_RESOURCES:
      return "SIMTSPARSE_STATUS_INSUFFICIENT_RESOURCES";
  }
  return "SIMTSPARSE_STATUS_UNKNOWN";
}

const char* simtsparseGetErrorString(simtsparseStatus_t status) {
  switch (status) {
    case SIMTSPARSE_STATUS_SUCCESS: return "the call succeeded";
    case SIMTSPARSE_STATUS_NOT_INITIALIZED: return "the handle was not created";
    case SIMTSPARSE_STATUS_ALLOC_FAILED: return "out of memory";
    case SIMTSPARSE_STATUS_INVALID_VALUE: return "an argument is invalid";
    case SIMTSPARSE_STATUS_ARCH_MISMATCH: return "the device lacks a feature that the call needs";
    case SIMTSPARSE_STATUS_MAPPING_ERROR: return "device memory could not be accessed";
    case SIMTSPARSE_STATUS_EXECUTION_FAILED:
      return "the stream refused the work, or the work failed";
    case SIMTSPARSE_STATUS_INTERNAL_ERROR: return "internal error";
    case SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED: return "only general matrices are supported";
    case SIMTSPARSE_STATUS_ZERO_PIVOT: return "the matrix has a zero on its diagonal";
    case SIMTSPARSE_STATUS_NOT_SUPPORTED:
      return "these types, formats or operations are not supported together";
    case SIMTSPARSE_STATUS_INSUFFICIENT_RESOURCES: return "a resource is exhausted";
  }
  return "unknown status";
}

}  // extern "C"

// Handles of simtblas, its modes, versions and the names of its statuses.
#include "blas/context.h"

#include "process/state.h"

#include <simtrt/enqueue.h>

#include <cstdint>
#include <new>
#include <utility>

namespace simtrt {

namespace {

simtblasStatus_t status_of(simtError_t error) {
  switch (error) {
    case simtSuccess: return SIMTBLAS_STATUS_SUCCESS;
    case simtErrorMemoryAllocation: return SIMTBLAS_STATUS_ALLOC_FAILED;
    default: return SIMTBLAS_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace

simtblasStatus_t blas_submit(simtStream_t stream, const char* name, std::function<void()> work) {
  static const bool one_thread = (host_blas::use_one_thread(), true);
  static_cast<void>(one_thread);
  return status_of(enqueue(stream, name, std::move(work)));
}

simtblasStatus_t blas_submit_result(const BlasContext& context, const char* name,
                                    std::function<void()> work) {
  const simtblasStatus_t status = blas_submit(context, name, std::move(work));
  if (status != SIMTBLAS_STATUS_SUCCESS || context.scalars_on_device()) {
    return status;
  }
  return status_of(simtStreamSynchronize(context.stream));
}

}  // namespace simtrt

using simtrt::BlasContext;

extern "C" {

simtblasStatus_t simtblasCreate(simtblasHandle_t* handle) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (simtrt::enter_process() != simtSuccess) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  *handle = new (std::nothrow) BlasContext;
  return *handle == nullptr ? SIMTBLAS_STATUS_ALLOC_FAILED : SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasDestroy(simtblasHandle_t handle) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  // Submitted work does not use the handle: it has copies of the handle's data.
  delete handle;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasSetStream(simtblasHandle_t handle, simtStream_t stream) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  handle->stream = stream;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasGetStream(simtblasHandle_t handle, simtStream_t* stream) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (stream == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *stream = handle->stream;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasSetWorkspace(simtblasHandle_t handle, void* workspace, std::size_t) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (reinterpret_cast<std::uintptr_t>(workspace) % 256 != 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasSetPointerMode(simtblasHandle_t handle, simtblasPointerMode_t mode) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (mode != SIMTBLAS_POINTER_MODE_HOST && mode != SIMTBLAS_POINTER_MODE_DEVICE) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  handle->pointer_mode = mode;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasGetPointerMode(simtblasHandle_t handle, simtblasPointerMode_t* mode) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (mode == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *mode = handle->pointer_mode;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasSetAtomicsMode(simtblasHandle_t handle, simtblasAtomicsMode_t mode) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (mode != SIMTBLAS_ATOMICS_NOT_ALLOWED && mode != SIMTBLAS_ATOMICS_ALLOWED) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  handle->atomics_mode = mode;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasGetAtomicsMode(simtblasHandle_t handle, simtblasAtomicsMode_t* mode) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (mode == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *mode = handle->atomics_mode;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasSetMathMode(simtblasHandle_t handle, simtblasMath_t mode) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  // `mode` consists of a math mode and of a flag that may be combined with it.
  const int base = mode & ~SIMTBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  const bool is_emulated = base == SIMTBLAS_FP32_EMULATED_BF16X9_MATH || base == SIMTBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
  if (!is_emulated && (base < SIMTBLAS_DEFAULT_MATH || base > SIMTBLAS_TF32_TENSOR_OP_MATH)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  handle->math_mode = mode;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasGetMathMode(simtblasHandle_t handle, simtblasMath_t* mode) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (mode == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *mode = handle->math_mode;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasGetVersion(simtblasHandle_t, int* version) {
  if (version == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *version = SIMTBLAS_VER_MAJOR * 10000 + SIMTBLAS_VER_MINOR * 100 + SIMTBLAS_VER_PATCH;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  switch (type) {
    case MAJOR_VERSION: *value = SIMTBLAS_VER_MAJOR; return SIMTBLAS_STATUS_SUCCESS;
    case MINOR_VERSION: *value = SIMTBLAS_VER_MINOR; return SIMTBLAS_STATUS_SUCCESS;
    case PATCH_LEVEL: *value = SIMTBLAS_VER_PATCH; return SIMTBLAS_STATUS_SUCCESS;
  }
  return SIMTBLAS_STATUS_INVALID_VALUE;
}

std::size_t simtblasGetSimtrtVersion(void) {
  int version = 0;
  return simtRuntimeGetVersion(&version) == simtSuccess ? static_cast<std::size_t>(version) : 0;
}

const char* simtblasGetStatusName(simtblasStatus_t status) {
  switch (status) {
    case SIMTBLAS_STATUS_SUCCESS: return "SIMTBLAS_STATUS_SUCCESS";
    case SIMTBLAS_STATUS_NOT_INITIALIZED: return "SIMTBLAS_STATUS_NOT_INITIALIZED";
    case SIMTBLAS_STATUS_ALLOC_FAILED: return "SIMTBLAS_STATUS_ALLOC_FAILED";
    case SIMTBLAS_STATUS_INVALID_VALUE: return "SIMTBLAS_STATUS_INVALID_VALUE";
    case SIMTBLAS_STATUS_ARCH_MISMATCH: return "SIMTBLAS_STATUS_ARCH_MISMATCH";
    case SIMTBLAS_STATUS_MAPPING_ERROR: return "SIMTBLAS_STATUS_MAPPING_ERROR";
    case SIMTBLAS_STATUS_EXECUTION_FAILED: return "SIMTBLAS_STATUS_EXECUTION_FAILED";
    case SIMTBLAS_STATUS_INTERNAL_ERROR: return "SIMTBLAS_STATUS_INTERNAL_ERROR";
    case SIMTBLAS_STATUS_NOT_SUPPORTED: return "SIMTBLAS_STATUS_NOT_SUPPORTED";
    case SIMTBLAS_STATUS_LICENSE_ERROR: return "SIMTBLAS_STATUS_LICENSE_ERROR";
  }
  return "SIMTBLAS_STATUS_UNKNOWN";
}

const char* simtblasGetStatusString(simtblasStatus_t status) {
  switch (status) {
    case SIMTBLAS_STATUS_SUCCESS: return "the call succeeded";
    case SIMTBLAS_STATUS_NOT_INITIALIZED: return "the handle was not created";
    case SIMTBLAS_STATUS_ALLOC_FAILED: return "out of memory";
    case SIMTBLAS_STATUS_INVALID_VALUE: return "an argument is invalid";
    case SIMTBLAS_STATUS_ARCH_MISMATCH: return "the device lacks a feature that the call needs";
    case SIMTBLAS_STATUS_MAPPING_ERROR: return "device memory could not be accessed";
    case SIMTBLAS_STATUS_EXECUTION_FAILED: return "the stream refused the work, or the work failed";
    case SIMTBLAS_STATUS_INTERNAL_ERROR: return "internal error";
    case SIMTBLAS_STATUS_NOT_SUPPORTED:
      return "these types or parameters are not supported together";
    case SIMTBLAS_STATUS_LICENSE_ERROR: return "license error";
  }
  return "unknown status";
}

}  // extern "C"

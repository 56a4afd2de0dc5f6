// Handles of simtsolverSp, checks of arguments, and execution.
#include "solver_sparse/context.h"

#include <memory>
#include <new>
#include <utility>

#include <simtrt/enqueue.h>

#include "process/state.h"
#include "sparse/descriptors.h"

namespace simtrt::direct {
namespace {

simtsolverStatus_t status_of(simtError_t error) {
  switch (error) {
    case simtSuccess: return SIMTSOLVER_STATUS_SUCCESS;
    case simtErrorMemoryAllocation: return SIMTSOLVER_STATUS_ALLOC_FAILED;
    default: return SIMTSOLVER_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace

simtsolverStatus_t check_pattern(simtsolverSpHandle_t handle, int rows, int columns, int nnz,
                                 simtsparseMatDescr_t descriptor, const int* offsets,
                                 const int* indices) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  if (rows <= 0 || columns <= 0 || nnz <= 0 || descriptor == nullptr || offsets == nullptr ||
      indices == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return descriptor->type == SIMTSPARSE_MATRIX_TYPE_GENERAL
             ? SIMTSOLVER_STATUS_SUCCESS
             : SIMTSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

int index_base(simtsparseMatDescr_t descriptor) { return static_cast<int>(descriptor->base); }

simtsolverStatus_t run_on_host(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    return SIMTSOLVER_STATUS_ALLOC_FAILED;
  }
  return SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t submit(simtStream_t stream, const char* name, std::function<void()> work) {
  return status_of(enqueue(stream, name, std::move(work)));
}

simtsolverStatus_t run_on_stream(simtStream_t stream, const char* name, std::function<void()> work) {
  simtStreamCaptureStatus capture = simtStreamCaptureStatusNone;
  if (simtStreamIsCapturing(stream, &capture) != simtSuccess ||
      capture != simtStreamCaptureStatusNone) {
    return SIMTSOLVER_STATUS_EXECUTION_FAILED;
  }
  const auto result = std::make_shared<simtsolverStatus_t>(SIMTSOLVER_STATUS_EXECUTION_FAILED);
  const simtsolverStatus_t status = submit(
      stream, name, [result, work = std::move(work)] { *result = run_on_host(work); });
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  const simtsolverStatus_t waited = status_of(simtStreamSynchronize(stream));
  return waited == SIMTSOLVER_STATUS_SUCCESS ? *result : waited;
}

simtsolverStatus_t run(Place place, simtsolverSpHandle_t handle, const char* name,
                       std::function<void()> work) {
  return place == Place::kHost ? run_on_host(work)
                               : run_on_stream(handle->stream, name, std::move(work));
}

}  // namespace simtrt::direct

extern "C" {

simtsolverStatus_t simtsolverSpCreate(simtsolverSpHandle_t* handle) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  if (simtrt::enter_process() != simtSuccess) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  *handle = new (std::nothrow) simtsolverSpContext;
  return *handle == nullptr ? SIMTSOLVER_STATUS_ALLOC_FAILED : SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t simtsolverSpDestroy(simtsolverSpHandle_t handle) {
  // Submitted work does not use the handle: it has copies of the handle's data.
  delete handle;
  return handle == nullptr ? SIMTSOLVER_STATUS_NOT_INITIALIZED : SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t simtsolverSpSetStream(simtsolverSpHandle_t handle, simtStream_t stream) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  handle->stream = stream;
  return SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t simtsolverSpGetStream(simtsolverSpHandle_t handle, simtStream_t* stream) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  if (stream == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *stream = handle->stream;
  return SIMTSOLVER_STATUS_SUCCESS;
}

}  // extern "C"

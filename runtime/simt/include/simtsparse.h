// simtsparse's handle and status: ATen's headers name them in every kernel. The library itself is
// not there yet; a call of it does not compile. Source of names and values: CUDA 12.4, cusparse.h
// (12.3.1).
#pragma once

#include <simt_runtime_api.h>

#define SIMTSPARSE_VER_MAJOR 12
#define SIMTSPARSE_VER_MINOR 3
#define SIMTSPARSE_VER_PATCH 1

namespace simtrt {
struct SparseContext;
}  // namespace simtrt

typedef simtrt::SparseContext* simtsparseHandle_t;

typedef enum {
  SIMTSPARSE_STATUS_SUCCESS = 0,
  SIMTSPARSE_STATUS_NOT_INITIALIZED = 1,
  SIMTSPARSE_STATUS_ALLOC_FAILED = 2,
  SIMTSPARSE_STATUS_INVALID_VALUE = 3,
  SIMTSPARSE_STATUS_ARCH_MISMATCH = 4,
  SIMTSPARSE_STATUS_MAPPING_ERROR = 5,
  SIMTSPARSE_STATUS_EXECUTION_FAILED = 6,
  SIMTSPARSE_STATUS_INTERNAL_ERROR = 7,
  SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  SIMTSPARSE_STATUS_ZERO_PIVOT = 9,
  SIMTSPARSE_STATUS_NOT_SUPPORTED = 10,
  SIMTSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} simtsparseStatus_t;

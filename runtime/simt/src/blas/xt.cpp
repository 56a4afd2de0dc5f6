// cuBLASXt: level 3 functions that wait, for matrices in host or device memory.
#include <simtblasXt.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <new>
#include <vector>

#include "blas/context.h"

namespace simtrt {

struct BlasXtContext {
  simtblasHandle_t blas = nullptr;
  simtStream_t stream = nullptr;  // of the first selected device; null before simtblasXtDeviceSelect
  int block_size = 2048;
  simtblasXtPinnedMemMode_t pinning = SIMTBLASXT_PINNING_DISABLED;
};

namespace {

bool are_devices(int count, const int* devices) {
  int all = 0;
  return simtGetDeviceCount(&all) == simtSuccess && count > 0 && devices != nullptr &&
         std::all_of(devices, devices + count,
                     [=](int device) { return device >= 0 && device < all; });
}

/// Stream of a device; null on failure.
simtStream_t stream_on(int device) {
  int current = 0;
  simtStream_t stream = nullptr;
  if (simtGetDevice(&current) != simtSuccess || simtSetDevice(device) != simtSuccess) {
    return nullptr;
  }
  const simtError_t made = simtStreamCreate(&stream);
  simtSetDevice(current);
  return made == simtSuccess ? stream : nullptr;
}

/// Calls `compute(handle)`, which returns a status, and waits for the result. `sizes` are all sizes of the call.
template <class Compute>
simtblasStatus_t run(simtblasXtHandle_t handle, std::initializer_list<std::size_t> sizes,
                     const Compute& compute) {
  if (handle == nullptr || handle->stream == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (std::any_of(sizes.begin(), sizes.end(), [](std::size_t size) {
        return size > static_cast<std::size_t>(std::numeric_limits<int>::max());
      })) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  const simtblasStatus_t status = compute(handle->blas);
  // Work that was submitted before an error uses the caller's memory, too.
  const simtError_t waited = simtStreamSynchronize(handle->stream);
  return status != SIMTBLAS_STATUS_SUCCESS ? status
         : waited == simtSuccess           ? SIMTBLAS_STATUS_SUCCESS
                                           : SIMTBLAS_STATUS_EXECUTION_FAILED;
}

bool is_routine(simtblasXtBlasOp_t routine, simtblasXtOpType_t type) {
  return routine >= SIMTBLASXT_GEMM && routine < SIMTBLASXT_ROUTINE_MAX &&
         type >= SIMTBLASXT_FLOAT && type <= SIMTBLASXT_DOUBLECOMPLEX;
}

int narrow(std::size_t size) { return static_cast<int>(size); }

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtblasStatus_t simtblasXtCreate(simtblasXtHandle_t* handle) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  auto* const context = new (std::nothrow) BlasXtContext;
  if (context == nullptr) {
    return SIMTBLAS_STATUS_ALLOC_FAILED;
  }
  const simtblasStatus_t status = simtblasCreate(&context->blas);
  if (status != SIMTBLAS_STATUS_SUCCESS) {
    delete context;
    return status;
  }
  *handle = context;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasXtDestroy(simtblasXtHandle_t handle) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  const simtblasStatus_t status = simtblasDestroy(handle->blas);
  if (handle->stream != nullptr) {
    simtStreamDestroy(handle->stream);
  }
  delete handle;
  return status;
}

simtblasStatus_t simtblasXtGetNumBoards(int nbDevices, int deviceId[], int* nbBoards) {
  if (nbBoards == nullptr || !are_devices(nbDevices, deviceId)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *nbBoards = nbDevices;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasXtMaxBoards(int* nbGpuBoards) {
  return nbGpuBoards != nullptr && simtGetDeviceCount(nbGpuBoards) == simtSuccess
             ? SIMTBLAS_STATUS_SUCCESS
             : SIMTBLAS_STATUS_INVALID_VALUE;
}

simtblasStatus_t simtblasXtDeviceSelect(simtblasXtHandle_t handle, int nbDevices, int deviceId[]) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!are_devices(nbDevices, deviceId)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const simtStream_t stream = stream_on(deviceId[0]);
  if (stream == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (handle->stream != nullptr) {
    simtStreamDestroy(handle->stream);
  }
  handle->stream = stream;
  return simtblasSetStream(handle->blas, stream);
}

simtblasStatus_t simtblasXtSetBlockDim(simtblasXtHandle_t handle, int blockDim) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (blockDim <= 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  handle->block_size = blockDim;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasXtGetBlockDim(simtblasXtHandle_t handle, int* blockDim) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (blockDim == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *blockDim = handle->block_size;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasXtSetPinningMemMode(simtblasXtHandle_t handle,
                                             simtblasXtPinnedMemMode_t mode) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (mode != SIMTBLASXT_PINNING_DISABLED && mode != SIMTBLASXT_PINNING_ENABLED) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  handle->pinning = mode;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasXtGetPinningMemMode(simtblasXtHandle_t handle,
                                             simtblasXtPinnedMemMode_t* mode) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (mode == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *mode = handle->pinning;
  return SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasXtSetCpuRoutine(simtblasXtHandle_t handle, simtblasXtBlasOp_t blasOp,
                                         simtblasXtOpType_t type, void*) {
  return handle == nullptr           ? SIMTBLAS_STATUS_NOT_INITIALIZED
         : is_routine(blasOp, type) ? SIMTBLAS_STATUS_SUCCESS
                                     : SIMTBLAS_STATUS_INVALID_VALUE;
}

simtblasStatus_t simtblasXtSetCpuRatio(simtblasXtHandle_t handle, simtblasXtBlasOp_t blasOp,
                                       simtblasXtOpType_t type, float ratio) {
  return handle == nullptr                                          ? SIMTBLAS_STATUS_NOT_INITIALIZED
         : is_routine(blasOp, type) && ratio >= 0 && ratio <= 1 ? SIMTBLAS_STATUS_SUCCESS
                                                                    : SIMTBLAS_STATUS_INVALID_VALUE;
}

#define XT_SYMM(letter, name, T)                                                                   \
  simtblasStatus_t simtblasXt##letter##name(                                                       \
      simtblasXtHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo, size_t m,       \
      size_t n, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb, const T* beta,     \
      T* C, size_t ldc) {                                                                          \
    return run(handle, {m, n, lda, ldb, ldc}, [&](simtblasHandle_t blas) {                         \
      return simtblas##letter##name(blas, side, uplo, narrow(m), narrow(n), alpha, A, narrow(lda), \
                                    B, narrow(ldb), beta, C, narrow(ldc));                         \
    });                                                                                            \
  }
#define XT_SYRK(letter, name, T, Alpha)                                                            \
  simtblasStatus_t simtblasXt##letter##name(                                                       \
      simtblasXtHandle_t handle, simtblasFillMode_t uplo, simtblasOperation_t trans, size_t n,     \
      size_t k, const Alpha* alpha, const T* A, size_t lda, const Alpha* beta, T* C, size_t ldc) { \
    return run(handle, {n, k, lda, ldc}, [&](simtblasHandle_t blas) {                              \
      return simtblas##letter##name(blas, uplo, trans, narrow(n), narrow(k), alpha, A,             \
                                    narrow(lda), beta, C, narrow(ldc));                            \
    });                                                                                            \
  }
#define XT_SYR2K(letter, name, T, Beta)                                                            \
  simtblasStatus_t simtblasXt##letter##name(                                                       \
      simtblasXtHandle_t handle, simtblasFillMode_t uplo, simtblasOperation_t trans, size_t n,     \
      size_t k, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb, const Beta* beta,  \
      T* C, size_t ldc) {                                                                          \
    return run(handle, {n, k, lda, ldb, ldc}, [&](simtblasHandle_t blas) {                         \
      return simtblas##letter##name(blas, uplo, trans, narrow(n), narrow(k), alpha, A,             \
                                    narrow(lda), B, narrow(ldb), beta, C, narrow(ldc));            \
    });                                                                                            \
  }
#define XT_LEVEL3(letter, T)                                                                       \
  simtblasStatus_t simtblasXt##letter##gemm(                                                       \
      simtblasXtHandle_t handle, simtblasOperation_t transa, simtblasOperation_t transb, size_t m, \
      size_t n, size_t k, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb,          \
      const T* beta, T* C, size_t ldc) {                                                           \
    return run(handle, {m, n, k, lda, ldb, ldc}, [&](simtblasHandle_t blas) {                      \
      return simtblas##letter##gemm(blas, transa, transb, narrow(m), narrow(n), narrow(k), alpha,  \
                                    A, narrow(lda), B, narrow(ldb), beta, C, narrow(ldc));         \
    });                                                                                            \
  }                                                                                                \
  XT_SYMM(letter, symm, T)                                                                         \
  XT_SYRK(letter, syrk, T, T)                                                                      \
  XT_SYR2K(letter, syr2k, T, T)                                                                    \
  XT_SYR2K(letter, syrkx, T, T)                                                                    \
  simtblasStatus_t simtblasXt##letter##spmm(                                                       \
      simtblasXtHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo, size_t m,       \
      size_t n, const T* alpha, const T* AP, const T* B, size_t ldb, const T* beta, T* C,          \
      size_t ldc) {                                                                                \
    const size_t order = side == SIMTBLAS_SIDE_LEFT ? m : n;                                       \
    std::vector<T> full;                                                                           \
    return run(handle, {m, n, ldb, ldc}, [&](simtblasHandle_t blas) {                              \
      full.resize(order * order);                                                                  \
      const int ld = std::max(1, narrow(order));                                                   \
      const simtblasStatus_t unpacked =                                                            \
          order == 0 ? SIMTBLAS_STATUS_SUCCESS                                                     \
                     : simtblas##letter##tpttr(blas, uplo, ld, AP, full.data(), ld);               \
      return unpacked != SIMTBLAS_STATUS_SUCCESS                                                   \
                 ? unpacked                                                                        \
                 : simtblas##letter##symm(blas, side, uplo, narrow(m), narrow(n), alpha,           \
                                          full.data(), ld, B, narrow(ldb), beta, C, narrow(ldc));  \
    });                                                                                            \
  }                                                                                                \
  simtblasStatus_t simtblasXt##letter##trsm(                                                       \
      simtblasXtHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo,                 \
      simtblasOperation_t trans, simtblasDiagType_t diag, size_t m, size_t n, const T* alpha,      \
      const T* A, size_t lda, T* B, size_t ldb) {                                                  \
    return run(handle, {m, n, lda, ldb}, [&](simtblasHandle_t blas) {                              \
      return simtblas##letter##trsm(blas, side, uplo, trans, diag, narrow(m), narrow(n), alpha, A, \
                                    narrow(lda), B, narrow(ldb));                                  \
    });                                                                                            \
  }                                                                                                \
  simtblasStatus_t simtblasXt##letter##trmm(                                                       \
      simtblasXtHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo,                 \
      simtblasOperation_t trans, simtblasDiagType_t diag, size_t m, size_t n, const T* alpha,      \
      const T* A, size_t lda, const T* B, size_t ldb, T* C, size_t ldc) {                          \
    return run(handle, {m, n, lda, ldb, ldc}, [&](simtblasHandle_t blas) {                         \
      return simtblas##letter##trmm(blas, side, uplo, trans, diag, narrow(m), narrow(n), alpha, A, \
                                    narrow(lda), B, narrow(ldb), C, narrow(ldc));                  \
    });                                                                                            \
  }
#define XT_HERMITIAN(letter, T, Real)  \
  XT_SYMM(letter, hemm, T)             \
  XT_SYRK(letter, herk, T, Real)       \
  XT_SYR2K(letter, her2k, T, Real)     \
  XT_SYR2K(letter, herkx, T, Real)
XT_LEVEL3(S, float)
XT_LEVEL3(D, double)
XT_LEVEL3(C, simtComplex)
XT_LEVEL3(Z, simtDoubleComplex)
XT_HERMITIAN(C, simtComplex, float)
XT_HERMITIAN(Z, simtDoubleComplex, double)
#undef XT_SYMM
#undef XT_SYRK
#undef XT_SYR2K
#undef XT_LEVEL3
#undef XT_HERMITIAN

}  // extern "C"

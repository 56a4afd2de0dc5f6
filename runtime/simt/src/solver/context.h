// Code shared by simtsolver functions: state of a handle, checks of arguments, and submission of
// work to the stream.
//
// Ownership: the program owns the handle and all memory behind its pointers. Submitted work has
// copies of the arguments.
// Threads: as for cuSOLVER, one thread at a time uses a handle; work runs on workers.
// Memory ordering: as in simtrt/enqueue.h.
#pragma once

#include <simtsolver.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>

#include "blas/context.h"

namespace simtrt {

struct SolverContext {
  simtStream_t stream = nullptr;
};
struct SolverParams {};
struct EigenJacobiParams {};
struct SvdJacobiParams {};

/// Submits `work` to the handle's stream. Returns EXECUTION_FAILED if the stream rejects the work,
/// and ALLOC_FAILED if there is not enough memory.
simtsolverStatus_t solver_submit(simtsolverDnHandle_t handle, const char* name,
                                 std::function<void()> work);

/// Checks the arguments of a call. Returns NOT_INITIALIZED for a null handle, INVALID_VALUE if one
/// of `valid` is false, NOT_SUPPORTED if one of `sizes` exceeds LAPACK's 32 bits, and otherwise
/// SUCCESS.
inline simtsolverStatus_t checked(simtsolverDnHandle_t handle, std::initializer_list<bool> valid,
                                  std::initializer_list<std::int64_t> sizes) {
  const auto is_false = [](bool value) { return !value; };
  const auto is_large = [](std::int64_t size) { return size > std::numeric_limits<int>::max(); };
  return handle == nullptr                                   ? SIMTSOLVER_STATUS_NOT_INITIALIZED
         : std::any_of(valid.begin(), valid.end(), is_false) ? SIMTSOLVER_STATUS_INVALID_VALUE
         : std::any_of(sizes.begin(), sizes.end(), is_large) ? SIMTSOLVER_STATUS_NOT_SUPPORTED
                                                             : SIMTSOLVER_STATUS_SUCCESS;
}

/// True if a leading dimension is at least `rows` and at least 1.
inline bool holds(std::int64_t ld, std::int64_t rows) {
  return ld >= std::max<std::int64_t>(1, rows);
}
inline bool valid(simtsolverEigMode_t mode) {
  return mode == SIMTSOLVER_EIG_MODE_NOVECTOR || mode == SIMTSOLVER_EIG_MODE_VECTOR;
}
/// True if the pointer is not null, or if `count` is 0.
inline bool there(const void* pointer, std::int64_t count) {
  return pointer != nullptr || count <= 0;
}

inline char letter(simtblasFillMode_t uplo) { return uplo == SIMTBLAS_FILL_MODE_LOWER ? 'L' : 'U'; }
inline char letter(simtsolverEigMode_t mode) {
  return mode == SIMTSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
}

/// Size that workspace queries return. LAPACK allocates its own memory, but programs may not expect
/// a workspace of size 0.
constexpr int kWorkspaceElements = 1;
constexpr std::size_t kWorkspaceBytes = 256;

/// Writes the result of a workspace query to `lwork`, and returns the status of the query. `status`
/// is the result of the checks of the other arguments.
inline simtsolverStatus_t answer(simtsolverStatus_t status, int* lwork) {
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (lwork == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *lwork = kWorkspaceElements;
  return SIMTSOLVER_STATUS_SUCCESS;
}
inline simtsolverStatus_t answer(simtsolverStatus_t status, std::size_t* on_device,
                                 std::size_t* on_host) {
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (on_device == nullptr || on_host == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *on_device = kWorkspaceBytes;
  *on_host = 0;
  return SIMTSOLVER_STATUS_SUCCESS;
}

/// Workspace argument of a call, on the device.
struct Workspace {
  const void* pointer;
  bool is_enough;

  static Workspace elements(const void* pointer, int count) {
    return {pointer, count >= kWorkspaceElements};
  }
  static Workspace bytes(const void* pointer, std::size_t count) {
    return {pointer, count >= kWorkspaceBytes};
  }
  bool valid() const { return pointer != nullptr && is_enough; }
};

/// Calls `use(T())` with the element type that `type` denotes. Returns INVALID_VALUE for other
/// types.
template <class Use>
simtsolverStatus_t with_element(simtDataType type, const Use& use) {
  switch (type) {
    case SIMT_R_32F: return use(float());
    case SIMT_R_64F: return use(double());
    case SIMT_C_32F: return use(std::complex<float>());
    case SIMT_C_64F: return use(std::complex<double>());
    default: return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
}

/// Real type of the same precision as `type`.
inline simtDataType real_type(simtDataType type) {
  return type == SIMT_C_32F ? SIMT_R_32F : type == SIMT_C_64F ? SIMT_R_64F : type;
}

template <class T>
inline constexpr bool kIsReal = std::is_floating_point_v<T>;

/// True if no element of an m x n matrix is infinite or NaN. With such elements, LAPACK's iterations may not terminate.
template <class T>
bool all_finite(int m, int n, const T* a, std::ptrdiff_t lda) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const T x = a[i + j * lda];
      if (!std::isfinite(std::real(x)) || !std::isfinite(std::imag(x))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace simtrt
